"""Gains of single repairs: each equals the score after that repair alone, computed the long way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.errors import Errors
from scoref.analysis.errors import gains as gains_module
from scoref.analysis.errors.gains import gains
from scoref.analysis.errors.span_errors import correct_spans
from scoref.counts.counts import Counts
from scoref.metrics import find_metric
from scoref.metrics.base import F1
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy
from tests.strategies import Pair, corpora, named

METRICS = ("conll", "b3", "ceafe", "muc", "blanc", "lea")


def long_way(errors: Errors, metric: str, at: int) -> float:
    """Repair one error, align, count and score everything again."""
    one = replace(errors, listing=errors.listing.take(np.array([at])))
    policy, chosen = errors.original.policy, find_metric(metric)
    if errors.listing.kind[at] == 0:  # only this span is corrected
        meant = np.full_like(errors.listing.meant, NOWHERE)
        row = errors.listing.rows_of(at)[0]
        meant[row] = errors.listing.meant[row]
        after = correct_spans(errors.original, meant).alignment
        before = errors.original.alignment
    else:
        after, before = one.repaired(), errors._as_scored(errors.corrected.alignment)
    counts = [Counts.of(one.table(), [chosen]) for one in (after, before)]
    return float(np.subtract(*(one.scores(chosen, policy)[F1] for one in counts)))


@given(
    corpora(most=3),
    st.sampled_from(METRICS),
    st.builds(Policy, singletons=..., average=...),
)
def test_a_gain_is_the_score_after_the_repair(
    documents: list[Pair], metric: str, policy: Policy
) -> None:
    """For every error, any metric, with and without singletons, micro and macro."""
    key, response = named(documents)
    errors = scoref.errors(key, response, policy=policy)
    found = gains(errors, find_metric(metric))
    expected = [long_way(errors, metric, at) for at in range(len(errors))]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("name", ["baseline", "careful", "hasty"])
def test_the_shipped_example(example: Path, name: str) -> None:
    """Span errors too: the response mention becomes the key mention, and nothing else changes."""
    errors = scoref.errors(example / "key.conll", example / f"{name}.conll")
    found = gains(errors, find_metric("conll"))
    expected = [long_way(errors, "conll", at) for at in range(len(errors))]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_no_gain_is_better_than_a_wrong_one(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many cells, types of mentions, or the other mode: the gain is not a number."""
    errors = scoref.errors(example / "key.conll", example / "hasty.conll")
    assert np.isnan(gains(errors, find_metric("lb3"))).all()
    other = scoref.errors(example / "key.conll", example / "hasty.conll", mode="kk2013")
    assert np.isnan(gains(other, find_metric("b3"))).all()
    monkeypatch.setattr(gains_module, "MOST_WORK", 50)
    some = np.isnan(gains(errors, find_metric("b3")))
    assert some.any()
    assert not some.all()


def test_alignments_for_a_solver_are_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every key entity meets every response entity, CEAF takes longer than B3."""
    rows = [[f"{key} {response}" for response in range(6)] for key in range(6)]
    errors = scoref.errors({"d": rows}, {"d": [list(column) for column in zip(*rows, strict=True)]})
    work = 50 * len(errors)  # 36 cells and 12 entities for each error
    monkeypatch.setattr(gains_module, "MOST_WORK", work)
    assert not np.isnan(gains(errors, find_metric("b3"))).any()
    assert np.isnan(gains(errors, find_metric("ceafe"))).any()
