"""The nodes of CoNLL-U and CoNLL-UA files: words, and between them empty nodes, which are few.

Nodes are counted through a file, words and empty nodes together.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints

_NOTHING = -1


class Empty(NamedTuple):
    """An empty node: its number among the nodes, the word that it belongs to, its decimal.

    `dependencies` are its enhanced ones, as written, if they are of interest.
    """

    node: int
    word: int
    decimal: int
    sentence: int = 0
    dependencies: str = ""


@dataclass(frozen=True, eq=False)
class Nodes:
    """The nodes of a file, of which only the empty ones are listed."""

    empties: Sequence[Empty]

    @cached_property
    def empty(self) -> Ints:
        """The numbers of the empty nodes."""
        return np.array([empty.node for empty in self.empties], dtype=np.int64)

    @cached_property
    def _listed(self) -> list[int]:
        return [empty.node for empty in self.empties]

    def find_empty(self, node: Ints) -> Ints:
        """Return which empty node each node is, or -1."""
        at = np.searchsorted(self.empty, node)
        found = np.append(self.empty, _NOTHING)[at] == node
        return np.where(found, at, _NOTHING)

    def word(self, node: Ints) -> Ints:
        """Return the word that each node is, or that an empty one belongs to."""
        of_empty = np.array([empty.word for empty in self.empties] or [0], dtype=np.int64)
        at = self.find_empty(node)
        return np.where(at < 0, node - np.searchsorted(self.empty, node), of_empty[at])

    def has_empty(self, low: Ints, high: Ints) -> Bools:
        """Mark the mentions that have an empty node from one node to another."""
        return np.searchsorted(self.empty, high, "right") > np.searchsorted(self.empty, low)

    def is_empty(self, node: int) -> bool:
        """Whether one node is empty."""
        at = bisect_left(self._listed, node)
        return at < len(self._listed) and self._listed[at] == node

    def show(self, node: int, first_word: int) -> str:
        """Write a node so that equal ones of two files are equal: `12`, `12.1`."""
        at = bisect_left(self._listed, node)
        if self.is_empty(node):
            empty = self.empties[at]
            return f"{empty.word - first_word}.{empty.decimal}"
        return str(node - at - first_word)

    def show_all(self, nodes: Sequence[int], first_word: int) -> str:
        """Write some nodes."""
        return " ".join([self.show(node, first_word) for node in nodes])
