"""A regenerated table or figure in every output: our values, what is printed, and remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from scoref.exceptions import UsageError
from scoref.papers.exhibits import LABELS, Exhibit, ExhibitCell, ExhibitFigure, ExhibitTable, Value
from scoref.views.model import BaseView, Page, TableCell, TableRow, TableView, write_json


class Remark(NamedTuple):
    """A sentence, and its kind: a mark such as `[1]`, or words such as `note:`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ExhibitView(BaseView):
    """An exhibit with what was computed for it."""

    exhibit: Exhibit
    made: ExhibitTable | ExhibitFigure

    @property
    def unit(self) -> str:
        """The unit of all values."""
        return self.made.unit if isinstance(self.made, ExhibitTable) else "percent"

    @property
    def remarks(self) -> list[Remark]:
        """Everything to say about an exhibit, reasons for differences first."""
        made = self.made
        reasons = made.reasons() if isinstance(made, ExhibitTable) else []
        legend = made.legend if isinstance(made, ExhibitFigure) else ""
        return [
            *(Remark(f"[{at}]", reason) for at, reason in enumerate(reasons, 1)),
            *(Remark("our choice:", choice) for choice in made.choices),
            *(
                Remark(
                    "holds:" if claim.holds else "does not hold:",
                    f"{claim.text}{f'; {claim.comment}' if claim.comment else ''}",
                )
                for claim in made.claims
            ),
            *(Remark("note:", note) for note in (legend, *made.notes) if note),
        ]

    def page(self) -> Page:
        """Return the table, or the data of the figure, with all remarks."""
        remarks = [f"{kind} {text}" for kind, text in self.remarks]
        cells = self.made.cells() if isinstance(self.made, ExhibitTable) else ()
        below = ", printed below" if any(cell.printed for _, _, cell in cells) else ""
        title = f"{self.exhibit.source}: {self.exhibit.title} ({self.unit}{below})"
        header, *rows = self.rows()
        table = TableView([str(name) for name in header], rows, caption=[title, *remarks])
        return Page(title=title, tables=[table], remarks=remarks)

    def rows(self) -> Iterator[TableRow]:
        """Return the rows that people read, the header first."""
        made = self.made
        if isinstance(made, ExhibitTable):
            yield [made.corner, *made.columns]
            for label, cells in made.rows:
                yield [label, *(shown_value(cell, made.digits) for cell in cells)]
                if any(cell.printed for cell in cells):
                    yield ["  printed", *(_printed(made, cell) for cell in cells)]
        elif made.chart == "surface":
            yield from _grid(made)
        else:
            axes = [name.replace("percent_of_", "% ").replace("_", " ") for name in made.axes]
            yield [*axes, *(LABELS.get(name, name) for name in made.series)]
            for points in made.rows:
                yield [_point(v, axis=at < len(axes)) for at, v in enumerate(points)]

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per cell of a table, or per point of a figure."""
        made = self.made
        if isinstance(made, ExhibitTable):
            yield ["row", "column", "value", "printed", "why_they_differ"]
            for row, column, cell in made.cells():
                yield [row, column, cell.value, cell.printed, cell.reason]
        else:
            yield [*made.axes, *made.series]
            yield from made.rows

    def content(self) -> dict[str, Any]:
        """Return everything that is known of an exhibit."""
        exhibit, made = self.exhibit, self.made
        values: dict[str, Any]
        if isinstance(made, ExhibitTable):
            values = {
                "cells": [
                    {
                        "row": row,
                        "column": column,
                        "value": cell.value,
                        "printed": cell.printed or None,
                        "agrees": cell.agrees(cut=made.cut) if cell.printed else None,
                        "why_they_differ": cell.reason or None,
                    }
                    for row, column, cell in made.cells()
                ]
            }
        else:
            names = (*made.axes, *made.series)
            points = [dict(zip(names, row, strict=True)) for row in made.rows]
            values = {"legend": made.legend, "points": points}
        return {
            "name": exhibit.name,
            "paper": exhibit.paper.reference,
            "place": exhibit.place,
            "title": exhibit.title,
            "unit": self.unit,
            **values,
            "choices": list(made.choices),
            "claims": [asdict(claim) for claim in made.claims],
            "notes": list(made.notes),
        }


def render_exhibits(exhibits: Sequence[Exhibit], output: str) -> str:
    """Render exhibits one below the other; csv takes one, since each has columns of its own."""
    if output == "csv" and len(exhibits) > 1:
        raise UsageError(
            f"csv shows one table or figure, found {len(exhibits)}",
            "name one, or write a file for each with -o DIR",
        )
    views = [ExhibitView(exhibit, exhibit.make()) for exhibit in exhibits]
    if output == "json":
        return write_json([view.content() for view in views])
    return "\n\n\n".join(view.render(output) for view in views)


def shown_value(cell: ExhibitCell, digits: int) -> str:
    """Show our value: to some digits, or as a count."""
    return f"{cell.value:,}" if isinstance(cell.value, int) else f"{cell.value:.{digits}f}"


def reason_mark(table: ExhibitTable, cell: ExhibitCell) -> str:
    """Return the mark of a cell that differs from print, or nothing."""
    return f"[{table.reasons().index(cell.reason) + 1}]" if cell.reason else ""


def _printed(table: ExhibitTable, cell: ExhibitCell) -> str | TableCell:
    """Show what is printed, padded so that decimal points are aligned with those of our values."""
    _, point, decimals = cell.printed.partition(".")
    missing = table.digits - len(decimals) + (not point) if cell.printed else 0
    text = cell.printed + " " * missing
    return TableCell(text, reason_mark(table, cell)) if cell.reason else text


def _point(value: Value, *, axis: bool) -> str:
    """Show one number of a figure; on an axis, with no more digits than it takes."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if axis else f"{value:.2f}"


def _grid(figure: ExhibitFigure) -> Iterator[list[str]]:
    """Lay a surface out as a grid: a column for each place on the x axis, a row on the y axis."""
    columns, rows = (list(dict.fromkeys(figure.column(axis))) for axis in figure.axes)
    points = {(one, other): value for one, other, value in figure.rows}
    corner = "{1} \\ {0}".format(*(name.replace("_", " ") for name in figure.axes))
    yield [corner, *(_point(x, axis=True) for x in columns)]
    for y in rows:
        yield [_point(y, axis=True), *(_point(points[x, y], axis=False) for x in columns)]
