"""Typed mentions and links: against sets of mentions and links with their types."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.exceptions import UsageError
from tests.strategies import Pair, Partition, pairs

NAMES = ["mentions(typed)", "pairwise(typed)"]
TYPES = ("PER", "ORG", "per")


def corpus(side: Partition, types: list[str]) -> Corpus:
    """Make a side whose entities have types."""
    return Corpus.from_entities({"d": side}, entities={"d": [{"type": one} for one in types]})


@given(pairs(), st.data())
def test_the_definition(pair: Pair, data: st.DataObject) -> None:
    """A mention, or a link, with its type is right if the other side has the same."""
    types = [[data.draw(st.sampled_from(TYPES)) for _ in side] for side in pair]
    sides = [corpus(side, kinds) for side, kinds in zip(pair, types, strict=True)]
    result = scoref.score(sides[0], sides[1], NAMES, {"undefined": "skip"})
    for name, size in zip(NAMES, (1, 2), strict=True):
        key, response = (
            {
                (one, kind.lower())
                for entity, kind in zip(side, kinds, strict=True)
                for one in combinations(sorted(entity), size)
            }
            for side, kinds in zip(pair, types, strict=True)
        )
        right = len(key & response)
        assert result[name].recall == pytest.approx(
            right / len(key) if key else math.nan, nan_ok=True
        )
        assert result[name].precision == pytest.approx(
            right / len(response) if response else math.nan, nan_ok=True
        )


@given(pairs())
def test_one_type_changes_nothing(pair: Pair) -> None:
    """Then the scores are those without types."""
    sides = [corpus(side, ["PER"] * len(side)) for side in pair]
    result = scoref.score(sides[0], sides[1], [*NAMES, "mentions", "pairwise"])
    assert result["mentions(typed)"] == result["mentions"]
    assert result["pairwise(typed)"] == result["pairwise"]


@pytest.mark.parametrize("name", NAMES)
def test_types_are_required(name: str) -> None:
    """With the side that lacks them."""
    with pytest.raises(UsageError, match="requires entity types, but the key has none") as error:
        scoref.score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, [name])
    assert name in error.value.message


def test_no_lenient_types() -> None:
    """A lenient match has no entity on the other side."""
    with pytest.raises(UsageError, match="no match=lenient"):
        scoref.score({"d": []}, {"d": []}, ["mentions(match=lenient,typed)"])
