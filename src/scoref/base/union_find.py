"""Links to groups: members that are linked, directly or through others, form one group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def groups(size: int, links: Iterable[Sequence[int]]) -> list[list[int]]:
    """Group the numbers from 0 by links between them, in the order of their first members."""
    parent = list(range(size))

    def root(member: int) -> int:
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    for one, other in links:
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    found: dict[int, list[int]] = {}
    for member in range(size):
        found.setdefault(root(member), []).append(member)
    return list(found.values())
