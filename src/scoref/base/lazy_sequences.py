"""Sequences whose members are made on access, from columns that take less memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Member = TypeVar("Member")


class LazySequence(Sequence[Member]):
    """A sequence whose subclass defines only `__len__` and `make`."""

    __slots__ = ()

    @abstractmethod
    def make(self, at: int) -> Member:
        """Make the member at a non-negative index."""

    def __iter__(self) -> Iterator[Member]:
        return map(self.make, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Member: ...
    @overload
    def __getitem__(self, index: slice) -> list[Member]: ...
    def __getitem__(self, index: int | slice) -> Member | list[Member]:
        places = range(len(self))[index]
        return self.make(places) if isinstance(places, int) else [self.make(at) for at in places]
