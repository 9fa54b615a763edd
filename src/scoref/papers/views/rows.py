"""The cells of a regenerated table as strings: our values, and under them what is printed."""

from __future__ import annotations

from scoref.papers.exhibits import Cell, Figure, Table, Value

LABELS = {
    "muc": "MUC",
    "b3": "B³",
    "ceafm": "CEAFm",
    "ceafe": "CEAFe",
    "blanc": "BLANC",
    "lea": "LEA",
}
PRINTED = "printed"


def header(content: Table | Figure) -> list[str]:
    """Return the names of the columns for people."""
    if isinstance(content, Table):
        return [content.corner, *content.columns]
    if content.chart == "surface":
        return _grid(content)[0]
    axes = [name.replace("percent_of_", "% ").replace("_", " ") for name in content.axes]
    return [*axes, *(LABELS.get(name, name) for name in content.measures)]


def body(content: Table | Figure, *, pad: bool = False) -> list[list[str]]:
    """Return the rows; with `pad`, decimal points stand above each other."""
    if isinstance(content, Table):
        return _table(content, pad=pad)
    if content.chart == "surface":
        return _grid(content)[1]
    return [
        [shown(value, axis=at < len(content.axes)) for at, value in enumerate(row)]
        for row in content.rows
    ]


def shown(value: Value, *, axis: bool) -> str:
    """Show one number of a figure; where a point stands, no more digits than it takes."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if axis else f"{value:.2f}"


def ours(cell: Cell, digits: int) -> str:
    """Show our value: to some digits, or as a count."""
    return f"{cell.value:,}" if isinstance(cell.value, int) else f"{cell.value:.{digits}f}"


def mark(table: Table, cell: Cell) -> str:
    """Return the mark of a cell that differs from print, or nothing."""
    return f"[{table.reasons().index(cell.reason) + 1}]" if cell.reason else ""


def _table(table: Table, *, pad: bool) -> list[list[str]]:
    widest = [
        max(len(mark(table, row.cells[at])) for row in table.rows)
        for at in range(len(table.columns))
    ]
    rows = []
    for row in table.rows:
        above = [ours(cell, table.digits) for cell in row.cells]
        below = [_printed(cell, table.digits, pad=pad) for cell in row.cells]
        marks = [mark(table, cell) for cell in row.cells]
        if pad:
            above = [text + " " * width for text, width in zip(above, widest, strict=True)]
            marks = [text.ljust(width) for text, width in zip(marks, widest, strict=True)]
        else:
            marks = [f" {text}" if text else "" for text in marks]
        rows.append([row.label, *above])
        if any(cell.printed for cell in row.cells):
            joined = (text + sign for text, sign in zip(below, marks, strict=True))
            rows.append([f"  {PRINTED}" if pad else f"{row.label} {PRINTED}", *joined])
    return rows


def _printed(cell: Cell, digits: int, *, pad: bool) -> str:
    whole, point, decimals = cell.printed.partition(".")
    missing = digits - len(decimals) + (not point)
    return f"{whole}{point}{decimals}{' ' * missing}" if pad and cell.printed else cell.printed


def _grid(figure: Figure) -> tuple[list[str], list[list[str]]]:
    """Lay a surface out as a grid: a column for each place on one axis, a row on the other."""
    across, down = (list(dict.fromkeys(figure.column(axis))) for axis in figure.axes)
    points = {(one, other): value for one, other, value in figure.rows}
    corner = "{1} \\ {0}".format(*(name.replace("_", " ") for name in figure.axes))
    rows = [
        [shown(row, axis=True), *(shown(points[at, row], axis=False) for at in across)]
        for row in down
    ]
    return [corner, *(shown(at, axis=True) for at in across)], rows
