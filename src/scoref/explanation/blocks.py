"""What an explanation is made of: text, tables, formulas. Renderers lay them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.explanation.expressions import Expression, Number, defined, evaluate, exact_sum

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


@dataclass(frozen=True, slots=True)
class LazyCells:
    """Cells of a number of rows that are made only for the rows that are shown."""

    rows: int
    make: Callable[[int], Cell]

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, row: int) -> Cell:
        return self.make(row)

    def __reduce__(self) -> tuple[Callable[..., LazyCells], tuple[tuple[Cell, ...]]]:
        """Pickle all cells, since functions that make them may not be picklable."""
        return _as_lazy_cells, (tuple(map(self.make, range(self.rows))),)


def _as_lazy_cells(cells: tuple[Cell, ...]) -> LazyCells:
    return LazyCells(len(cells), cells.__getitem__)


Cells = Sequence[Cell] | NDArray[Any] | LazyCells
"""The cells of a column; whole numbers are taken for fractions."""


class Total(NamedTuple):
    """Cells whose sum means something and is shown."""

    cells: Sequence[Cell] | NDArray[Any]


GridColumns = dict[str, Cells | Total]


class Elided(NamedTuple):
    """How many rows a table does not show, and their sums by column."""

    rows: int
    sums: tuple[Number | None, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """A table: the heaviest rows, the sums of the rows that are not shown, and the sums of all.

    It is cut when it is looked at: most documents of a corpus are counted and not shown.
    """

    columns: GridColumns
    caption: str = ""
    weight: Sequence[Any] | NDArray[Any] | None = None
    limit: int = ALL

    @cached_property
    def _cells(self) -> list[Cells]:
        found = self.columns.values()
        return [cells.cells if isinstance(cells, Total) else cells for cells in found]

    def __len__(self) -> int:
        return len(self._cells[0])

    @property
    def header(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return tuple(self.columns)

    @property
    def summed(self) -> tuple[bool, ...]:
        """Which columns have a sum."""
        return tuple(isinstance(cells, Total) for cells in self.columns.values())

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns are numbers, and aligned to the right."""
        text = str | MentionList | MentionSets
        return tuple(
            not isinstance(cells, LazyCells) and not any(isinstance(cell, text) for cell in cells)
            for cells in self._cells
        )

    @cached_property
    def _order(self) -> list[int]:
        """All rows, those that are shown first."""
        order = list(range(len(self)))
        weight = self.weight
        if weight is not None and self.limit != ALL and len(order) > self.limit:
            order.sort(key=lambda row: -float(weight[row]))  # equal rows stay in their order
        return order

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows that are shown."""
        shown = self._order[: self.limit] if self.limit else self._order
        return tuple(tuple(_cell(cells[row]) for cells in self._cells) for row in shown)

    def _sums(self, rows: Sequence[int]) -> tuple[Number | None, ...]:
        return tuple(
            _sum(column.cells, rows) if isinstance(column, Total) else None
            for column in self.columns.values()
        )

    @cached_property
    def elided(self) -> Elided | None:
        """What is not shown."""
        hidden = self._order[self.limit :] if self.limit else []
        return Elided(len(hidden), self._sums(hidden)) if hidden else None

    @cached_property
    def _totals(self) -> tuple[Number | None, ...]:
        return self._sums(range(len(self)))

    @property
    def sums(self) -> tuple[Number, ...]:
        """The sums of the columns that have one."""
        return tuple(defined(self._totals))

    @property
    def total(self) -> tuple[Number | None, ...] | None:
        """The sums of all rows by column, if there is something to add."""
        return self._totals if len(self) != 1 and any(self.summed) else None


def _sum(cells: Sequence[Cell] | NDArray[Any], rows: Sequence[int]) -> Number:
    """Sum some cells of a column; cells that are empty add nothing."""
    values = cells.tolist() if isinstance(cells, np.ndarray) else cells
    return exact_sum(values[row] for row in rows if values[row] is not None)


def _cell(value: Any) -> Any:
    return Fraction(int(value)) if isinstance(value, int | np.integer) else value


@dataclass(frozen=True, slots=True)
class Formula:
    """A name, the expression of its value, and the value; None is a value that does not exist."""

    name: str
    expression: Expression | None
    value: Number | None
    remark: str = ""

    @classmethod
    def of(cls, name: str, expression: Expression) -> Formula:
        """Evaluate an expression."""
        return cls(name, expression, evaluate(expression))


Block = str | Grid | Formula
