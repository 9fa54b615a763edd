"""Sequences whose members are made when asked for, from columns that take less room."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Member = TypeVar("Member")


class Lazy(Sequence[Member]):
    """A sequence that only has to say how long it is, and to make a member."""

    __slots__ = ()

    @abstractmethod
    def make(self, at: int) -> Member:
        """Make the member at a place from 0."""

    def __iter__(self) -> Iterator[Member]:
        return map(self.make, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Member: ...
    @overload
    def __getitem__(self, index: slice) -> list[Member]: ...
    def __getitem__(self, index: int | slice) -> Member | list[Member]:
        places = range(len(self))[index]
        return self.make(places) if isinstance(places, int) else [self.make(at) for at in places]
