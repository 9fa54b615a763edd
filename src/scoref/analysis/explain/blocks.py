"""What an explanation is made of: text, tables, formulas. Renderers lay them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scoref.analysis.explain.expressions import Expression, Number, Over, Product, Sum, exact_sum

ALL = 0
"""The limit that leaves nothing out."""


class Mentions(NamedTuple):
    """The names of some mentions, and how many more there are."""

    names: tuple[str, ...]
    more: int = 0


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


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: what is shown, what is not, and the sums of both together."""

    header: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[Cell, ...], ...]
    elided: Elided | None = None
    total: tuple[Number | None, ...] | None = None
    caption: str = ""


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


def grid(
    columns: Sequence[Column], weight: Sequence[Number], limit: int, caption: str = ""
) -> Grid:
    """Make a table; if it has too many rows, of the heaviest ones, with the sums of the others."""
    rows = list(range(len(weight)))
    elided = None
    if limit != ALL and len(rows) > limit:
        rows.sort(key=lambda row: -weight[row])  # a stable sort keeps the order of equals
        hidden = rows[limit:]
        rows = rows[:limit]
        elided = Elided(len(hidden), tuple(column.total(hidden) for column in columns))
    has_total = any(column.summed for column in columns) and len(weight) != 1
    everything = range(len(weight))
    return Grid(
        header=tuple(column.title for column in columns),
        numeric=tuple(column.is_number for column in columns),
        rows=tuple(tuple(column.cell(row) for column in columns) for row in rows),
        elided=elided,
        total=tuple(column.total(everything) for column in columns) if has_total else None,
        caption=caption,
    )
