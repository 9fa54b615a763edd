"""Slices agree with their definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.aligned_mentions import align_mentions
from scoref.analysis.mention_classes import Slice, slices
from tests.analysis.conftest import sides
from tests.strategies import MENTIONS, Pair, corpora, pairs


@given(corpora(), st.sets(st.sampled_from(MENTIONS)))
def test_slices_contain_all_mentions(documents: list[Pair], pronouns: set[str]) -> None:
    """Each mention is in one class of a slice, and B³ is the mean over all classes."""
    key, response = sides(documents, pronouns)
    b3 = scoref.score(key, response, ["b3"])["b3"]
    by: dict[str, list[Slice]] = {}
    for one in slices(align_mentions(key, response)):
        by.setdefault(one.by, []).append(one)
    for name in ("type", "entity_size"):
        rows = by.get(name, [])
        assert sum(r.key_mentions for r in rows) == len(key)
        assert sum(r.response_mentions for r in rows) == len(response)
        recall = sum((r.recall or 0) * r.key_mentions for r in rows) / max(len(key), 1)
        precision = sum((r.precision or 0) * r.response_mentions for r in rows) / max(
            len(response), 1
        )
        assert recall == pytest.approx(b3.recall)
        assert precision == pytest.approx(b3.precision)


@given(pairs())
def test_resolution_accuracy_is_its_definition(pair: Pair) -> None:
    """An anaphor is resolved if an earlier mention of its entity is in its response entity."""
    key, response = pair
    anaphors = resolved = 0
    for entity in key:
        for mention in sorted(entity)[1:]:
            anaphors += 1
            other = next((set(e) for e in response if mention in e), set())
            resolved += any(m in other for m in entity if m < mention)
    mentions = align_mentions({"d": key}, {"d": response})
    rows = [one for one in slices(mentions) if one.by == "entity_size"]
    assert sum(one.anaphors for one in rows) == anaphors
    assert sum(round((one.resolved or 0) * one.anaphors) for one in rows) == resolved
