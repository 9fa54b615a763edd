"""Which columns of each side are read, decided once per score."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scoref.corpus.text import COLUMNS
from scoref.formats.format import IF_CHEAP
from scoref.matching.inputs import ReadOptions
from scoref.matching.requirements import Requirements
from scoref.metrics import find_metrics
from scoref.policy import Policy
from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry"


def test_nothing_but_a_glimpse_is_read_by_default() -> None:
    """Words are compared if that costs nothing."""
    plain = Requirements.of(find_metrics(None), Policy())
    assert plain.of_key == plain.of_response == plain.of_each == {IF_CHEAP}
    unchecked = Requirements(Policy(), ReadOptions(check_words="never"))
    assert unchecked.of_key == frozenset()


def test_heads_are_read_later_unless_the_input_is_a_stream() -> None:
    """A file may state them; standard input cannot be read again."""
    heads = Requirements(Policy(match="head"))
    assert heads.of_key == {IF_CHEAP}
    assert heads.later.of_key == heads.reading("-").of_key == {"word", "pos", "parse", "head"}
    assert heads.reading("key.conll") == heads


@pytest.mark.parametrize(
    ("policy", "key", "each"),
    [
        (Policy(positions="characters"), {"word"}, {"word"}),
        (Policy(positions="own-tokens"), {"word"}, {"word"}),
        (Policy(unit="topic"), {"column=1", IF_CHEAP}, {"column=1", IF_CHEAP}),
        (Policy(where="type=pronoun"), {"word", "pos", "parse", "head"}, {"word"}),
        (Policy(where="gender=Fem"), {"word", "head", "deprel", "feats"}, {"word"}),
        (Policy(verb_phrases="drop"), {"word", "parse"}, {"word"}),
        (Policy(match="head", compat="corefud-1.2"), {IF_CHEAP}, {IF_CHEAP}),
    ],
)
def test_a_policy_requires_columns(policy: Policy, key: set[str], each: set[str]) -> None:
    """The text is that of the key; the response has the columns of each side."""
    found = Requirements(policy)
    assert found.of_key == key
    assert found.of_each == each


def test_generated_text_is_aligned_with_words_that_are_read_at_once_from_a_stream() -> None:
    """A file is read for the alignment; a stream has no second time."""
    generated = Requirements(Policy(markup="auto"))
    assert generated.for_alignment == {"word"}
    assert generated.reading("-").of_key >= set(COLUMNS)


def test_compare_reads_a_key_from_standard_input_as_score_does() -> None:
    """With the words that a conversion of positions requires."""
    key, response = (FERRY / "key.conll").read_bytes(), str(FERRY / "careful.conll")
    choice = ["--positions", "own-tokens"]
    for command in (["score", "-", response], ["compare", "-", response, "--trials", "9"]):
        done = subprocess.run(
            [sys.executable, "-m", "scoref", *command, *choice],
            input=key,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
