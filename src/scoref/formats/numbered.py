"""Names that are numbers: written out when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from scoref.arrays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Numbered(Sequence[str]):
    """The names of entities that a file only lists: their numbers in their documents."""

    number: Ints

    def __len__(self) -> int:
        return len(self.number)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return list(map(str, self.number[index].tolist()))
        return str(int(self.number[index]))

    def __iter__(self) -> Iterator[str]:
        return map(str, self.number.tolist())
