"""The alignment of a gap costs as little as possible: compared with all alignments there are."""

from __future__ import annotations

import random
from functools import cache

import pytest

from scoref.llm.gap_alignment import (
    DIFFERENCE,
    EXTEND,
    KIND,
    MERGE,
    MOST_MERGED,
    OPEN,
    SUBSTITUTION,
    Link,
    align_gap,
)
from scoref.llm.pieces import bigram_mask, cut_both
from tests.sampled import sampled

ALPHABET = ["a", "b", "ab", "ba", "aba", "abc", ",", ".", "bcd", "cd", "12", "1", "2"]


def pair_cost(one: str, other: str) -> int:
    """Return what two pieces cost as partners."""
    if one == other:
        return 0
    masks = bigram_mask(one), bigram_mask(other)
    shared, total = (masks[0] & masks[1]).bit_count(), sum(mask.bit_count() for mask in masks)
    cost = SUBSTITUTION + DIFFERENCE - 2 * DIFFERENCE * shared // max(total, 1)
    return cost + KIND * (one[0].isalnum() != other[0].isalnum())


def least_cost(rows: tuple[str, ...], columns: tuple[str, ...]) -> int:
    """Try every alignment."""

    @cache
    def rest(row: int, column: int, before: str) -> int:
        if row == len(rows) and column == len(columns):
            return 0
        found = []
        if row < len(rows) and column < len(columns):
            cost = pair_cost(rows[row], columns[column])
            found.append(cost + rest(row + 1, column + 1, "pair"))
            for size in range(2, MOST_MERGED + 1):
                if "".join(rows[row : row + size]) == columns[column] and row + size <= len(rows):
                    found.append(MERGE + rest(row + size, column + 1, "pair"))
                together = "".join(columns[column : column + size])
                if together == rows[row] and column + size <= len(columns):
                    found.append(MERGE + rest(row + 1, column + size, "pair"))
        if before != "down":
            found += [
                OPEN + EXTEND * size + rest(row + size, column, "down")
                for size in range(1, len(rows) - row + 1)
            ]
        if before != "right":
            found += [
                OPEN + EXTEND * size + rest(row, column + size, "right")
                for size in range(1, len(columns) - column + 1)
            ]
        return min(found, default=10**9)

    return rest(0, 0, "")


def cost_of(rows: tuple[str, ...], columns: tuple[str, ...], links: list[Link]) -> int:
    """Return the cost of an alignment."""
    total = row = column = 0
    for (low, high), (left, right) in [*links, Link((len(rows),) * 2, (len(columns),) * 2)]:
        assert low >= row
        assert left >= column
        total += sum(OPEN + EXTEND * size for size in (low - row, left - column) if size)
        row, column = high, right
        if (high - low, right - left) == (1, 1):
            total += pair_cost(rows[low], columns[left])
        elif high > low:
            assert "".join(rows[low:high]) == "".join(columns[left:right])
            total += MERGE
    return total


@pytest.mark.parametrize("seed", sampled(range(20), every=5))
def test_no_alignment_costs_less(seed: int) -> None:
    """A thousand small gaps per seed."""
    rng = random.Random(seed)  # noqa: S311
    for _ in range(1000):
        rows, columns = (tuple(rng.choices(ALPHABET, k=rng.randrange(6))) for _ in range(2))
        cost, links = align_gap(*cut_both(rows, columns))
        assert cost == least_cost(rows, columns), (rows, columns)
        assert cost_of(rows, columns, links) == cost, (rows, columns, links)


def test_a_huge_gap_is_aligned_in_parts() -> None:
    """Its cost is not the least, but neither is its time the product of the lengths."""
    rng = random.Random(1)  # noqa: S311
    rows = [rng.choice("abcdef") for _ in range(9000)]
    columns = [letter for letter in rows if rng.random() > 0.01]
    _, links = align_gap(*cut_both(rows, columns))
    equal = sum(rows[link.rows[0]] == columns[link.columns[0]] for link in links)
    assert equal > 0.9 * len(columns)
