"""What an explanation is made of: text, tables, formulas. Renderers lay them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scoref.explanation.expressions import Expression, Number, Over, Product, Sum, exact_sum

ALL = 0
"""The limit that leaves nothing out."""


class Mentions(NamedTuple):
    """The names of some mentions, how many more there are, and what stands between them.

    Where names have words, which may have commas, a comma does not tell them apart.
    """

    names: tuple[str, ...]
    more: int = 0
    separator: str = ", "


class Parts(NamedTuple):
    """Sets of mentions, and how many more there are."""

    sets: tuple[Mentions, ...]
    more: int = 0


Cell = str | Mentions | Parts | Expression | None


class Each(NamedTuple):
    """Texts of so many rows that are worth making only for the rows that are shown."""

    rows: int
    make: Callable[[int], Cell]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table before it is cut; `summed` says whether its sum means something."""

    title: str
    values: Sequence[Cell] | Each
    summed: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is shown as numbers are, to the right."""
        if isinstance(self.values, Each):
            return False
        return all(not isinstance(cell, str | Mentions | Parts) for cell in self.values)

    def cell(self, row: int) -> Cell:
        """Return what stands in a row."""
        return self.values.make(row) if isinstance(self.values, Each) else self.values[row]

    def total(self, rows: Iterable[int]) -> Number | None:
        """Sum the numbers of some rows, exactly."""
        if not self.summed:
            return None
        cells = [self.cell(row) for row in rows]
        return exact_sum(cell for cell in cells if not isinstance(cell, _NO_NUMBER | None))


_NO_NUMBER = str | Mentions | Parts | Over | Sum | Product


class Elided(NamedTuple):
    """How many rows a table does not show, and the sums of theirs, by column."""

    rows: int
    sums: tuple[Number | None, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """A table: the heaviest rows, the sums of the rows that are not shown, and those of all.

    It is cut when it is looked at, since most documents of a corpus are counted and not shown.
    """

    columns: Sequence[Column]
    weight: Sequence[Number]
    limit: int
    caption: str = ""

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return tuple(column.title for column in self.columns)

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns are numbers."""
        return tuple(column.is_number for column in self.columns)

    @cached_property
    def _order(self) -> list[int]:
        """All rows, those that are shown first."""
        order = list(range(len(self.weight)))
        if self.limit != ALL and len(order) > self.limit:
            order.sort(key=lambda row: -float(self.weight[row]))  # equals stay in their order
        return order

    @property
    def _shown(self) -> int:
        return len(self.weight) if self.limit == ALL else min(self.limit, len(self.weight))

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows that are shown."""
        shown = self._order[: self._shown]
        return tuple(tuple(column.cell(row) for column in self.columns) for row in shown)

    @cached_property
    def elided(self) -> Elided | None:
        """What is not shown."""
        hidden = self._order[self._shown :]
        sums = tuple(column.total(hidden) for column in self.columns)
        return Elided(len(hidden), sums) if hidden else None

    @cached_property
    def total(self) -> tuple[Number | None, ...] | None:
        """The sums of all rows, if there is something to add."""
        if len(self.weight) == 1 or not any(column.summed for column in self.columns):
            return None
        return tuple(column.total(self._order) for column in self.columns)


@dataclass(frozen=True, slots=True)
class Formula:
    """A name, how its value comes about, and the value; None is a value that does not exist."""

    name: str
    expression: Expression | None
    value: Number | None
    remark: str = ""


Block = str | Grid | Formula


@dataclass(frozen=True, slots=True)
class Section:
    """A title and what stands below it."""

    title: str
    blocks: list[Block] = field(default_factory=list)
