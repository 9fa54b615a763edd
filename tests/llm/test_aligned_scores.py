"""The law of `align`: what it writes scores as the generated text, or it says what changes.

Drawn responses are written in a markup, damaged as language models do, and aligned. The score of
the text in one step, of the aligned corpus, and of every file that is written of it are equal.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.exceptions import ScorefError
from tests.formats.test_scores_survive import WAYS, WRITTEN, Way, check, scores
from tests.formats.zero_corpora import pairs
from tests.llm.damage import REALISTIC, Rates, damage, documents, render

MARKUPS = ("crac", "markdown", "brackets", "xml")
NONE = Rates()
SOME = Rates(
    **{
        name: min(1.0, 10 * rate)
        for name, rate in vars(REALISTIC).items()
        if name not in ("skip_sentence", "repeat_sentence", "loop", "truncate")
    }
)
LONG = 1_000
MATCHING = [way for way in WAYS if way.flag.startswith("--match")]
Sides = tuple[Corpus, Corpus]
CASES = st.tuples(
    pairs(has_words=True), st.sampled_from(MARKUPS), st.sampled_from([NONE, SOME]), st.integers(0)
)
Case = tuple[Sides, str, Rates, int]


def generated(response: Corpus, markup: str, rates: Rates, seed: int) -> dict[str, str]:
    """Return the texts of a response as a language model might write them."""
    rng = random.Random(seed)  # noqa: S311
    return {
        document.name: render(damage(one, rates, rng)[0], markup, rng, rates)
        for document, one in zip(response.documents, documents(response), strict=True)
    }


def try_case(case: Case, way: Way, name: str) -> None:
    """Align, score in one step and in two, and convert."""
    (key, response), markup, rates, seed = case
    texts = generated(response, markup, rates, seed)
    try:
        found = scoref.align(key, texts, markup)
    except ScorefError:
        return
    policy = scoref.Policy(match=way.policy.match, markup=markup)
    at_once = scores(key, texts, way._replace(policy=policy))
    assert at_once == scores(key, found.corpus, way)
    check((key, found.corpus), name, (False, True), way)


@given(case=CASES, way=st.sampled_from(MATCHING), name=st.sampled_from(WRITTEN))
def test_aligned_text_scores_as_it_says(case: Case, way: Way, name: str) -> None:
    """In one step, in two, and from every file."""
    try_case(case, way, name)


@pytest.mark.long
@settings(max_examples=LONG)
@given(case=CASES, way=st.sampled_from(MATCHING), name=st.sampled_from(WRITTEN))
def test_aligned_text_scores_as_it_says_long(case: Case, way: Way, name: str) -> None:
    """The same, 1,000 times."""
    try_case(case, way, name)


@given(case=CASES)
def test_files_of_align_are_the_corpus(case: Case) -> None:
    """What `write` writes and its notes are those of any corpus."""
    (key, response), markup, rates, seed = case
    try:
        found = scoref.align(key, generated(response, markup, rates, seed), markup)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out.csv"
            notes = found.write(path, "csv")
            again = scoref.read(path)
    except ScorefError:
        return
    before, after = (
        repr(scoref.score(key, one, ["muc", "b3", "lea"]).scores) for one in (found.corpus, again)
    )
    assert before == after or any("scores of this corpus" in note for note in notes)
