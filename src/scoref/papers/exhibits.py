"""What a regenerated table or figure is: values of ours, what the paper printed, and remarks.

Nothing here is typed in that can be computed: values come from the metrics when an exhibit is
made. What is typed in is what a paper prints, and why it differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Chart = Literal["lines", "dots", "panels", "surface"]
Value = float | str | None


@dataclass(frozen=True, slots=True)
class Paper:
    """A publication: its short name, how to cite it in a line, and its reference."""

    name: str
    label: str
    reference: str


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper says of its numbers, and whether our values bear it out."""

    text: str
    holds: bool
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ExhibitCell:
    """A value of ours in the table's unit, the number as printed, and why they differ.

    A count is a whole number.
    """

    value: float | int  # they are shown apart
    printed: str = ""
    reason: str = ""

    def agrees(self, *, cut: bool = False) -> bool:
        """Whether the printed digits are the value's, rounded, or cut off where print cuts."""
        _, _, decimals = self.printed.partition(".")
        last = 10.0 ** -len(decimals)
        return abs(self.value - float(self.printed)) <= (last if cut else last / 2) + 1e-9


@dataclass(frozen=True, slots=True)
class ExhibitRow:
    """A label and a cell for each column."""

    label: str
    cells: tuple[ExhibitCell, ...]


@dataclass(frozen=True, slots=True)
class ExhibitTable:
    """Rows of cells. `digits` are shown of our values; print is cut off, not rounded, if `cut`."""

    corner: str
    columns: tuple[str, ...]
    rows: tuple[ExhibitRow, ...]
    unit: str = "percent"
    digits: int = 2
    cut: bool = False
    choices: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()

    def cells(self) -> Iterator[tuple[str, str, ExhibitCell]]:
        """Go through (row, column, cell)."""
        for row in self.rows:
            for column, cell in zip(self.columns, row.cells, strict=True):
                yield row.label, column, cell

    def reasons(self) -> list[str]:
        """List each reason for a difference once, in the order of the table."""
        return list(dict.fromkeys(cell.reason for _, _, cell in self.cells() if cell.reason))


@dataclass(frozen=True, slots=True)
class ExhibitFigure:
    """Points: where each lies (`axes`) and what is drawn there (`series`), in percent.

    `choices` say what we decided where the paper leaves a construction open; `legend` explains
    labels that do not explain themselves.
    """

    chart: Chart
    axes: tuple[str, ...]
    series: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    x_label: str
    y_label: str
    legend: str = ""
    choices: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()

    def column(self, name: str) -> list[Value]:
        """Return one column by its name."""
        at = (*self.axes, *self.series).index(name)
        return [row[at] for row in self.rows]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A table or figure that can be made, and what to call it before it is."""

    name: str
    paper: Paper
    place: str
    title: str
    make: Callable[[], ExhibitTable | ExhibitFigure]
    aliases: tuple[str, ...] = ()

    @property
    def is_figure(self) -> bool:
        """Whether it is drawn."""
        return self.place.startswith("Fig")

    @property
    def source(self) -> str:
        """Where it comes from, such as `Luo 2005, Table 1`."""
        return f"{self.paper.label}, {self.place}"


Printed = Mapping[str, Sequence[str]]


def printed(text: str) -> dict[str, list[str]]:
    """Read printed numbers: a line per row, its label first; `-` where nothing is known.

    Columns are two spaces apart or more.
    """
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.strip().splitlines()]
    return {row[0]: ["" if cell == "-" else cell for cell in row[1:]] for row in rows}


def rows(
    values: Mapping[str, Sequence[float | int]],
    columns: Sequence[str],
    in_print: Printed | None = None,
    reasons: Mapping[tuple[str, str], str] | None = None,
) -> tuple[ExhibitRow, ...]:
    """Set values, printed numbers and reasons, by (row, column), side by side."""
    nothing = [""] * len(columns)
    return tuple(
        ExhibitRow(
            label,
            tuple(
                ExhibitCell(value, shown, (reasons or {}).get((label, column), ""))
                for column, value, shown in zip(
                    columns, found, (in_print or {}).get(label, nothing), strict=True
                )
            ),
        )
        for label, found in values.items()
    )
