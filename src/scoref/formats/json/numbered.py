"""Names that are numbers: written out when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoref.base.arrays import Ints
from scoref.base.lazy_sequences import LazySequence


@dataclass(frozen=True, slots=True, eq=False)
class Numbered(LazySequence[str]):
    """The names of entities that a file only lists: their numbers in their documents."""

    number: Ints

    def __len__(self) -> int:
        return len(self.number)

    def make(self, at: int) -> str:
        """Write one of them."""
        return str(int(self.number[at]))

    def __iter__(self) -> Iterator[str]:
        return map(str, self.number.tolist())
