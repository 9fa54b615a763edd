"""Anchors: runs of pieces that occur in both texts, found by n-grams that identify their place.

An n-gram that is unique in one of the two texts, or that both texts have equally often, pairs its
occurrences. The longest chain of such pairs that ascends in both texts aligns most of a text.
Pairs outside the chain are blocks that were moved, or repeated.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Run(NamedTuple):
    """Equal pieces: from `source` and from `generated`, `length` pieces long."""

    source: int
    generated: int
    length: int


def find_runs(source: Ints, generated: Ints, size: int) -> tuple[list[Run], list[Run]]:
    """Return the runs of the chain, in order, and the runs outside the chain, longest first."""
    at, to = _pairs(source, generated, size)
    in_chain = _chain(at)
    chain = _trimmed(_runs(at[in_chain], to[in_chain], size))
    others = _runs(at[~in_chain], to[~in_chain], size)
    return chain, sorted(others, key=lambda run: (-run.length, run.generated))


def _pairs(source: Ints, generated: Ints, size: int) -> tuple[Ints, Ints]:
    """Pair the n-grams of two texts; pairs are in the order of the generated text."""
    nothing = np.zeros(0, dtype=np.int64)
    if min(len(source), len(generated)) < size:
        return nothing, nothing
    hashes = np.concatenate([_hash(source, size), _hash(generated, size)])
    _, gram = np.unique(hashes, return_inverse=True)
    here, there = gram[: len(source) - size + 1], gram[len(source) - size + 1 :]
    count = [np.bincount(grams, minlength=int(gram.max()) + 1) for grams in (here, there)]
    once = count[0] == 1, count[1] == 1
    first = [np.zeros(len(count[0]), dtype=np.int64) for _ in count]
    for places, grams in zip(first, (here, there), strict=True):
        places[grams[::-1]] = np.arange(len(grams))[::-1]
    to = np.flatnonzero(once[0][there])
    found = [(first[0][there[to]], to)]
    at = np.flatnonzero(once[1][here] & ~once[0][here])
    found.append((at, first[1][here[at]]))
    same = (count[0] == count[1]) & (count[0] > 1)
    at, to = np.flatnonzero(same[here]), np.flatnonzero(same[there])
    at, to = (
        places[np.argsort(grams[places], kind="stable")]
        for places, grams in ((at, here), (to, there))
    )
    found.append((at, to))
    at, to = (np.concatenate(parts) for parts in zip(*found, strict=True))
    equal = np.ones(len(at), dtype=bool)  # two n-grams can have the same hash
    for place in range(size):
        equal &= source[at + place] == generated[to + place]
    at, to = at[equal], to[equal]
    order = np.lexsort((-at, to))
    return at[order], to[order]


def _hash(numbers: Ints, size: int) -> Ints:
    """Hash each n-gram."""
    hashes = np.zeros(len(numbers) - size + 1, dtype=np.uint64)
    for place in range(size):
        piece = numbers[place : len(numbers) - size + 1 + place].astype(np.uint64)
        hashes = (hashes ^ (piece + np.uint64(1))) * _FACTOR
        hashes ^= hashes >> np.uint64(29)
    return hashes.view(np.int64)


def _chain(at: Ints) -> Bools:
    """Mark a longest chain of pairs that ascends on both sides; of equal places, the first.

    Pairs are sorted by their place in the generated text and, if that is the same, by descending
    place in the source: so a chain takes one of them.
    """
    tails: list[int] = []  # the smallest last place of the chains of each length
    last: list[int] = []
    before = np.full(len(at), -1, dtype=np.int64)
    for row, place in enumerate(at.tolist()):
        if not tails or place > tails[-1]:
            length = len(tails)
            tails.append(place)
            last.append(row)
        else:
            length = bisect_left(tails, place)
            if tails[length] == place:
                continue  # a repetition: the first occurrence stays
            tails[length], last[length] = place, row
        if length:
            before[row] = last[length - 1]
    chosen = np.zeros(len(at), dtype=bool)
    row = last[-1] if last else -1
    while row >= 0:
        chosen[row] = True
        row = int(before[row])
    return chosen


def _runs(at: Ints, to: Ints, size: int) -> list[Run]:
    """Join n-grams that continue each other into runs."""
    if not len(at):
        return []
    order = np.lexsort((to, to - at))
    at, to = at[order], to[order]
    breaks = (np.diff(to - at) != 0) | (np.diff(to) > size)
    starts = np.flatnonzero(np.concatenate([[True], breaks]))
    ends = np.concatenate([starts[1:], [len(at)]]) - 1
    lengths = to[ends] + size - to[starts]
    return [
        Run(*run)
        for run in zip(at[starts].tolist(), to[starts].tolist(), lengths.tolist(), strict=True)
    ]


def _trimmed(runs: list[Run]) -> list[Run]:
    """Cut off the start of a run that overlaps the run before it, on either side."""
    found: list[Run] = []
    at = to = 0
    for run in sorted(runs, key=lambda run: (run.generated, run.source)):
        over = max(at - run.source, to - run.generated, 0)
        if over < run.length:
            found.append(Run(run.source + over, run.generated + over, run.length - over))
            at, to = run.source + run.length, run.generated + run.length
    return found
