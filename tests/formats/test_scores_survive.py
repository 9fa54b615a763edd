"""The law of conversions: scores survive to the bit, or the conversion says that they change."""

from __future__ import annotations

import io
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats import corpus_writer
from scoref.formats.format import Wanted
from scoref.formats.registry import MODULES, find_format
from tests.formats.zero_corpora import pairs
from tests.strategies import SHARED

WRITTEN = [name for name in MODULES if "-" not in name and find_format(name).write]
MODES = ("exact", "head", "partial", "min", "overlap=0.5")
LONG = 10_000
Case = tuple[tuple[Corpus, Corpus], tuple[bool, bool], str]


class RefusedError(Exception):
    """A side that cannot be written."""


def convert(corpus: Corpus, name: str) -> tuple[Corpus, str]:
    """Return what is read of the written corpus, and what the conversion said."""
    try:
        chosen, fitted, notes = corpus_writer._fit(corpus, name)
        content, changes = corpus_writer._written(fitted, chosen)
    except ScorefError as error:
        raise RefusedError from error
    again, problems = find_format(name).read(io.BytesIO(content), "toy", Wanted())
    if problems and name == "brat" and not len(corpus):
        raise RefusedError  # it is empty, and its text would be a file of its own
    assert not problems
    return again, "\n".join([*notes, *changes, *corpus_writer.unsupported_notes(corpus, name)])


def scores(key: Corpus, response: Corpus, policy: scoref.Policy) -> dict[str, str] | None:
    """Return all scores, or None if scoring refuses the corpora."""
    try:
        result = scoref.score(key, response, policy=policy)
    except ScorefError:
        return None
    return {name: repr(tuple(result[name])) for name in result}


def check(sides: tuple[Corpus, Corpus], name: str, which: tuple[bool, bool], mode: str) -> str:
    """Try one conversion, and return what it ended with."""
    policy = scoref.Policy(match=mode)
    before = scores(*sides, policy)
    try:
        found = [
            convert(side, name) if is_converted else (side, "")
            for side, is_converted in zip(sides, which, strict=True)
        ]
    except RefusedError:
        return "refused"
    said = "\n".join(notes for _, notes in found)
    changes = [line for line in said.split("\n") if "change" in line]
    if any("--" not in line or mode.partition("=")[0] in line for line in changes):
        return "noted"
    after = scores(found[0][0], found[1][0], policy)
    if before is None or after is None:
        return "refused"
    assert after == before, (name, which, mode, said)
    return "kept"


SIDES = st.sampled_from([(True, True), (True, False), (False, True)])
CASES = st.tuples(pairs(), SIDES, st.sampled_from(MODES))


@pytest.mark.parametrize("name", WRITTEN)
@SHARED
@given(case=CASES)
def test_scores_survive_or_the_conversion_says_that_they_change(name: str, case: Case) -> None:
    """Into every format, of one side or of both, in every mode of matching."""
    check(case[0], name, *case[1:])


@pytest.mark.long
@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=LONG // len(WRITTEN))
@given(case=CASES)
def test_scores_survive_or_the_conversion_says_so(name: str, case: Case) -> None:
    """The same, 10,000 times."""
    check(case[0], name, *case[1:])


@given(sides=pairs())
def test_corefud_keeps_what_was_read_from_corefud(sides: tuple[Corpus, Corpus]) -> None:
    """With words and without: nothing that scoring reads changes again."""
    with suppress(RefusedError):
        again, _ = convert(sides[0], "corefud")
        assert "change" not in convert(again, "corefud")[1]
