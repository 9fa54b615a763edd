"""Texts as 64-bit hashes, and a second hash that checks that no two texts have the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.spill import Columns
from scoref.engines.tables.values import Values, bytes_of
from scoref.exceptions import ScorefError

_OTHER_DIGITS = np.random.default_rng(2026).permutation(256).astype(np.uint8)


def part_of(ids: Ints, parts: int) -> Ints:
    """Divide ids evenly into parts."""
    mixed = fingerprint.mix(ids.view(np.uint64))
    numbers: Ints = (mixed >> np.uint64(32)).astype(np.int64) % parts
    return numbers


class Collisions:
    """Collects the texts of a column, and tells whether hashes tell them apart."""

    def __init__(self, parts: int) -> None:
        self._parts, self._columns = parts, Columns(parts, 2)

    def add(self, texts: Any) -> None:
        """Add some texts."""
        first = Values(np.arange(len(texts)), texts).hashes().view(np.int64)
        second = _second_hash(texts).view(np.int64)
        self._columns.add((first, second), part_of(first, self._parts))

    def check(self, role: str) -> None:
        """Refuse to go on if two texts cannot be told apart."""
        for part in range(self._parts):
            first, second = self._columns.read(part)
            order = np.argsort(first)
            same = np.diff(first[order]) == 0
            if np.any(same & (np.diff(second[order]) != 0)):
                raise _collision(role)


class Checked:
    """The second hashes of texts that have been numbered by their first."""

    def __init__(self, role: str) -> None:
        self._role, self._second = role, np.zeros(0, dtype=np.uint64)

    def add(self, values: Values, number: Ints, numbers: int) -> None:
        """Refuse to go on if a text has got the number of another; there are so many numbers."""
        if values.texts is None:
            return
        second = _second_hash(values.texts)[values.numbers]
        known = len(self._second)
        self._second = np.append(self._second, np.zeros(numbers - known, dtype=np.uint64))
        new = number >= known
        self._second[number[new][::-1]] = second[new][::-1]
        if np.any(self._second[number] != second):
            raise _collision(self._role)


def _collision(role: str) -> ScorefError:
    return ScorefError(
        f"two different texts in the column of `{role}` have the same 64-bit hash",
        "number the texts, or raise --memory so that the tables are scored at once",
    )


def _second_hash(texts: Any) -> Hashes:
    """Hash texts in another way: with other digits for their bytes."""
    data, length = bytes_of(texts)
    return fingerprint.of_bytes(_OTHER_DIGITS[data], length)
