"""The score of zero anaphora: worked examples, then the definition once more, slowly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from tests.strategies import Pair, pairs

Entities = list[list[str]]

ORDER = {"Ann": 0, "Bob": 1, "z1": 2, "z2": 3, "z3": 4, "Eve": 5}


def corpus(entities: Entities, order: dict[str, int], zeros: set[str]) -> Corpus:
    """Make a corpus of one-token mentions, some of them zeros."""
    about = {
        (order[m], order[m]): {"zero": f"{order[m]}.1"} if m in zeros else {}
        for entity in entities
        for m in entity
    }
    spans = [[(order[m], order[m]) for m in entity] for entity in entities]
    return Corpus.from_entities({"d": spans}, mentions={"d": about})


def scored(key: Entities, response: Entities) -> tuple[float, float]:
    """Return recall and precision, with `z1` and the like for zeros."""
    zeros = {m for m in ORDER if m.startswith("z")}
    sides = corpus(key, ORDER, zeros), corpus(response, ORDER, zeros)
    result = scoref.score(*sides, ["zero"])
    return result["zero"].recall, result["zero"].precision


KEY = [["Ann", "z1"], ["Bob", "z2"]]


@pytest.mark.parametrize(
    ("response", "recall", "precision"),
    [
        (KEY, 1, 1),
        ([["Ann", "z1", "z2"], ["Bob"]], 1 / 2, 1 / 2),
        ([["Ann", "z1"], ["Bob"]], 1 / 2, 1),
        ([["Ann", "z1"], ["Bob", "z2", "z3"]], 1, 2 / 3),
        ([["z1", "z2"]], 0, 0),  # z1 is missed, since nothing precedes it; z2 is a wrong link
        ([["Ann"], ["z1"], ["z2"]], 0, 0),
    ],
)
def test_worked_examples(response: Entities, recall: float, precision: float) -> None:
    """Two zeros, one of each entity."""
    assert scored(KEY, response) == pytest.approx((recall, precision))


def test_a_first_mention_is_no_anaphor() -> None:
    """A response that makes it one has something spurious."""
    assert scored([["z1", "Eve"]], [["Ann", "z1"]]) == (0, 0)
    found = scored([["Ann", "z2"], ["z1", "Eve"]], [["Ann", "z1", "z2"]])
    assert found == pytest.approx((1, 1 / 2))


def definition(key: Entities, response: Entities, zeros: set[str]) -> tuple[Fraction, Fraction]:
    """Judge zero after zero."""
    right = wrong = missed = spurious = 0
    where = {m: i for i, entity in enumerate(response) for m in entity}
    visited = set()
    for entity in key:
        before: list[str] = []
        for mention in sorted(entity):
            if before and mention in zeros:
                visited.add(mention)
                if mention not in where or mention == min(response[where[mention]]):
                    missed += 1
                elif any(where.get(other) == where[mention] for other in before):
                    right += 1
                else:
                    wrong += 1
            before.append(mention)
    for entity in response:
        spurious += sum(m in zeros and m not in visited for m in sorted(entity)[1:])

    def ratio(whole: int) -> Fraction:
        return Fraction(right, whole) if whole else Fraction(0)

    return ratio(right + wrong + missed), ratio(right + wrong + spurious)


@given(pairs(), st.sets(st.sampled_from("abcdefghij")))
def test_the_definition(documents: Pair, zeros: set[str]) -> None:
    """Of any partitions, and any zeros among their mentions."""
    key, response = ([list(entity) for entity in side] for side in documents)
    order = {m: ord(m) for side in (key, response) for entity in side for m in entity}
    sides = corpus(key, order, zeros), corpus(response, order, zeros)
    score = scoref.score(*sides, ["zero"])["zero"]
    assert (score.recall, score.precision) == pytest.approx(
        tuple(map(float, definition(key, response, zeros)))
    )
