"""Names that are numbers, made when they are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoref.base.arrays import Ints
from scoref.base.lazy_sequences import Lazy


@dataclass(frozen=True, slots=True, eq=False)
class Numbered(Lazy[str]):
    """The names of entities that have none in the file: their numbers in their documents."""

    number: Ints

    def __len__(self) -> int:
        return len(self.number)

    def make(self, at: int) -> str:
        """Make one name."""
        return str(int(self.number[at]))

    def __iter__(self) -> Iterator[str]:
        return map(str, self.number.tolist())
