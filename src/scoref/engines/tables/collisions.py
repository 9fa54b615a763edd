"""Checks that no two texts of a column have the same 64-bit hash, by a second hash of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus import fingerprint
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.id_column import IdColumn, bytes_of
from scoref.engines.tables.spill import SpilledColumns
from scoref.exceptions import ScorefError

_OTHER_DIGITS = np.random.default_rng(2026).permutation(256).astype(np.uint8)


class CollisionCheck:
    """Collects both hashes of the texts of a column in temporary files, and compares them."""

    def __init__(self, parts: int) -> None:
        self._parts, self._hashes = parts, SpilledColumns(parts, 2)

    def add(self, texts: Any) -> None:
        """Add some texts."""
        first = IdColumn(np.arange(len(texts)), texts).hashes().view(np.int64)
        second = second_hash(texts).view(np.int64)
        self._hashes.add((first, second), first)

    def finish(self, role: str) -> None:
        """Refuse to go on if two texts have the same hash."""
        for part in range(self._parts):
            refuse_collisions(role, *self._hashes.read(part))


def refuse_collisions(role: str, first: Ints, second: Ints) -> None:
    """Refuse to go on if two texts have the same first hash; all texts with the hash are here."""
    order = np.argsort(first)
    same = np.diff(first[order]) == 0
    if np.any(same & (np.diff(second[order]) != 0)):
        raise _collision(role)


class NumberedTexts:
    """The second hash of each text, by the number that the text got for its first hash."""

    def __init__(self, role: str) -> None:
        self._role, self._second = role, np.zeros(0, dtype=np.uint64)

    def check(self, ids: IdColumn, number: Ints, numbers: int) -> None:
        """Refuse to go on if a text has the number of another; `numbers` are given so far."""
        if ids.texts is None:
            return
        second = second_hash(ids.texts)[ids.numbers]
        known = len(self._second)
        self._second = np.append(self._second, np.zeros(numbers - known, dtype=np.uint64))
        new = number >= known
        self._second[number[new][::-1]] = second[new][::-1]
        if np.any(self._second[number] != second):
            raise _collision(self._role)


def _collision(role: str) -> ScorefError:
    """Return the error of two texts with the same hash."""
    return ScorefError(
        f"two different texts in the column of `{role}` have the same 64-bit hash",
        "number the texts, or raise --memory so that the tables are scored at once",
    )


def second_hash(texts: Any) -> Hashes:
    """Hash texts in another way: with other digits for their bytes."""
    data, length = bytes_of(texts)
    return fingerprint.of_bytes(_OTHER_DIGITS[data], length)
