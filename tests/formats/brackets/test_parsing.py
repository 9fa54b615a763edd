"""Brackets are paired as a stack per group would pair them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoref.formats.brackets.parsing import CLOSE, INSIDE, OPEN, SINGLE, pair

BRACKETS = st.lists(st.tuples(st.sampled_from([SINGLE, OPEN, INSIDE, CLOSE]), st.integers(0, 3)))


def pair_with_stacks(
    brackets: list[tuple[int, int]],
) -> tuple[list[tuple[int, int, int]], set[int]]:
    """Pair brackets one at a time: opening, closing and level of pairs, and unmatched rows."""
    stacks: dict[int, list[int]] = {}
    pairs, unmatched = [], set()
    for row, (kind, group) in enumerate(brackets):
        stack = stacks.setdefault(group, [])
        if kind == SINGLE:
            pairs.append((row, row, 0))
        elif kind == OPEN:
            stack.append(row)
        elif not stack:
            unmatched.add(row)
        elif kind == CLOSE:
            pairs.append((stack.pop(), row, len(stack) + 1))
    return sorted(pairs), unmatched.union(*stacks.values())


@given(BRACKETS)
def test_sorting_pairs_as_stacks_do(brackets: list[tuple[int, int]]) -> None:
    """Also where brackets of a group nest, close nothing, or stay open."""
    kind, group = np.array(brackets, dtype=np.int64).reshape(-1, 2).T
    found = pair(kind, group)
    pairs, unmatched = pair_with_stacks(brackets)
    columns = (found.opening.tolist(), found.closing.tolist())
    assert list(zip(*columns, strict=True)) == [one[:2] for one in pairs]
    assert set(found.unmatched.tolist()) == unmatched
    if not unmatched:
        assert found.level.tolist() == [level for *_, level in pairs]
