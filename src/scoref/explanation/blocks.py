"""What an explanation is made of: text, tables, formulas. Renderers lay them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.explanation.expressions import Expression, Number, exact_sum

ALL = 0
"""The limit that shows all rows."""


class MentionList(NamedTuple):
    """The names of some mentions, how many more there are, and what separates the names.

    Words may have commas, so names with words are not separated by commas.
    """

    names: tuple[str, ...]
    more: int = 0
    separator: str = ", "


class MentionSets(NamedTuple):
    """Sets of mentions, and how many more sets there are."""

    sets: tuple[MentionList, ...]
    more: int = 0


Cell = str | MentionList | MentionSets | Expression | None


class LazyCells(NamedTuple):
    """Cells of a number of rows that are made only for the rows that are shown."""

    rows: int
    make: Callable[[int], Cell]


class Total(NamedTuple):
    """Cells whose sum means something and is shown."""

    cells: Sequence[Cell] | NDArray[Any]


Cells = Sequence[Cell] | NDArray[Any] | LazyCells | Total
"""The cells of a column; whole numbers are taken for fractions."""


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A column of a table before it is cut."""

    title: str
    cells: Sequence[Cell] | NDArray[Any] | LazyCells
    summed: bool

    def __len__(self) -> int:
        return self.cells.rows if isinstance(self.cells, LazyCells) else len(self.cells)

    @property
    def is_number(self) -> bool:
        """Whether it is aligned to the right, as numbers are."""
        return not isinstance(self.cells, LazyCells) and not any(
            isinstance(cell, str | MentionList | MentionSets) for cell in self.cells
        )

    def cell(self, row: int) -> Cell:
        """Return the cell of a row."""
        if isinstance(self.cells, LazyCells):
            return self.cells.make(row)
        cell: Any = self.cells[row]
        return Fraction(int(cell)) if isinstance(cell, int | np.integer) else cell

    def total(self, rows: Iterable[int]) -> Number | None:
        """Sum the numbers of some rows exactly."""
        if not self.summed:
            return None
        return exact_sum(cell for cell in map(self.cell, rows) if cell is not None)


class Elided(NamedTuple):
    """How many rows a table does not show, and their sums by column."""

    rows: int
    sums: tuple[Number | None, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """A table: the heaviest rows, the sums of the rows that are not shown, and the sums of all.

    It is cut when it is looked at: most documents of a corpus are counted and not shown.
    """

    cells: Mapping[str, Cells]
    caption: str = ""
    weight: Sequence[Any] | NDArray[Any] | None = None
    limit: int = ALL

    @cached_property
    def columns(self) -> tuple[GridColumn, ...]:
        """The columns in their order."""
        return tuple(
            GridColumn(title, cells.cells, summed=True)
            if isinstance(cells, Total)
            else GridColumn(title, cells, summed=False)
            for title, cells in self.cells.items()
        )

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return tuple(self.cells)

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns are numbers."""
        return tuple(column.is_number for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    @cached_property
    def _order(self) -> list[int]:
        """All rows, those that are shown first."""
        order = list(range(len(self)))
        weight = self.weight
        if weight is not None and self.limit != ALL and len(order) > self.limit:
            order.sort(key=lambda row: -float(weight[row]))  # equal rows stay in their order
        return order

    @property
    def _shown(self) -> int:
        return len(self) if self.limit == ALL else min(self.limit, len(self))

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
        if len(self) == 1 or not any(column.summed for column in self.columns):
            return None
        return tuple(column.total(self._order) for column in self.columns)


@dataclass(frozen=True, slots=True)
class Formula:
    """A name, the expression of its value, and the value; None is a value that does not exist."""

    name: str
    expression: Expression | None
    value: Number | None
    remark: str = ""


Block = str | Grid | Formula


@dataclass(frozen=True, slots=True)
class Section:
    """A title and the blocks below it."""

    title: str
    blocks: list[Block] = field(default_factory=list)
