"""Candidates of overlapping mentions: all that count, and not in proportion to the square."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy
from scoref.base.limits import no_limits
from scoref.corpus.spans import Spans
from scoref.exceptions import UsageError
from scoref.matching.modes.similar import similar_pairs

Span = tuple[int, int]


@st.composite
def spans(draw: st.DrawFn) -> Spans:
    """Draw spans of two documents, short and long, some of them discontinuous."""
    rows = draw(
        st.lists(st.tuples(st.integers(0, 1), st.integers(0, 40), st.integers(0, 40)), max_size=12)
    )
    nodes = [
        f"{start} {start + size}" if size > 1 and draw(st.booleans()) else ""
        for _, start, size in rows
    ]
    document, start, size = np.array([*rows, (0, 0, 0)], dtype=np.int64)[:-1].T
    return Spans(document, start, start + size, np.array([*nodes, ""])[:-1])


@given(spans(), spans(), st.sampled_from([0.01, 0.1, 1 / 3, 0.5, 0.7, 0.999, 1.0]))
def test_all_similar_pairs_are_found_once(one: Spans, other: Spans, threshold: float) -> None:
    """As the definition says, token by token."""
    expected = {}
    for at in range(len(one.start)):
        for to in range(len(other.start)):
            mine, theirs = one.tokens(at), other.tokens(to)
            share = len(mine & theirs) / len(mine | theirs)
            if one.document[at] == other.document[to] and share and share >= threshold:
                expected[at, to] = share
    found = list(
        zip(*(part.tolist() for part in similar_pairs(one, other, threshold)), strict=True)
    )
    assert len(found) == len(expected)
    assert {(at, to): share for at, to, share in found} == expected


def _nested(size: int) -> tuple[list[Span], list[Span]]:
    last = 2 * size + 2
    return [(at, last - at) for at in range(size)], [(at, last - at - 1) for at in range(size)]


def _same_start(size: int) -> tuple[list[Span], list[Span]]:
    return [(0, 2 * at) for at in range(size)], [(0, 2 * at + 1) for at in range(size)]


def _long_over_short(size: int) -> tuple[list[Span], list[Span]]:
    long = [(at, 9 * size + at) for at in range(40)]
    short = [(9 * at + 40, 9 * at + 44) for at in range(size)]
    shifted = [(start, end + 1) for start, end in long + short]
    return long + short, shifted


def _chain(size: int) -> tuple[list[Span], list[Span]]:
    return [(4 * at, 4 * at + 5) for at in range(size)], [
        (4 * at + 1, 4 * at + 6) for at in range(size)
    ]


FAMILIES: dict[str, Callable[[int], tuple[list[Span], list[Span]]]] = {
    "nested": _nested,
    "same start": _same_start,
    "long over short": _long_over_short,
    "chain": _chain,
}


def peak(family: str, size: int) -> int:
    """Return the memory that a scoring needs, or that a refusal needs."""
    key, response = ({"d": [[span] for span in side]} for side in FAMILIES[family](size))
    tracemalloc.start()
    with suppress(UsageError):
        scoref.score(key, response, ["mentions"], Policy(match="overlap=0.5"))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("family", FAMILIES)
def test_memory_grows_with_the_input(family: str) -> None:
    """Twice the mentions cost twice the memory, however they are arranged."""
    sizes = [2000, 4000, 8000]
    peaks = [peak(family, size) for size in sizes]
    for less, more in pairwise(peaks):
        assert more <= 2.6 * less, dict(zip(sizes, peaks, strict=True))
    assert peaks[-1] < 8000 * 4000  # bytes for each mention of the key


@pytest.mark.parametrize(("metric", "match"), [("mentions", "overlap=0.5"), ("mor", "exact")])
def test_the_limit_can_be_lifted(monkeypatch: pytest.MonkeyPatch, metric: str, match: str) -> None:
    """A text that is really so deep is scored; the limit is that of all who pair mentions."""
    monkeypatch.setattr("scoref.corpus.spans._FREE_PAIRS", 100)
    monkeypatch.setattr("scoref.corpus.spans._PAIRS_PER_SPAN", 5)
    key, response = ({"d": [[span] for span in side]} for side in _nested(60))
    with pytest.raises(UsageError, match=r"[\d,]+ pairs of 120 mentions overlap, expected .* 600"):
        scoref.score(key, response, [metric], Policy(match=match))
    with no_limits():
        assert scoref.score(key, response, [metric], Policy(match=match))[metric].f1 > 0.9
