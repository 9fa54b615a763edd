"""An exhibit for programs: every value at full precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoref.papers.exhibits import Exhibit, Figure, Table


def as_csv(content: Table | Figure) -> str:
    """Write a table as a line per cell, a figure as a line per point."""
    import csv  # noqa: PLC0415  # the one output that needs it
    import io  # noqa: PLC0415

    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    if isinstance(content, Table):
        lines.writerow(["row", "column", "value", "printed", "why_they_differ"])
        for row, column, cell in content.cells():
            lines.writerow([row, column, repr(cell.value), cell.printed, cell.reason])
    else:
        lines.writerow([*content.axes, *content.measures])
        lines.writerows(["" if value is None else value for value in row] for row in content.rows)
    return text.getvalue().rstrip("\n")


def as_json(made: Sequence[tuple[Exhibit, Table | Figure]]) -> str:
    """Write a list of exhibits with all that is known of them."""
    import json  # noqa: PLC0415  # the one output that needs it

    content = [_described(exhibit, content) for exhibit, content in made]
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)


def _described(exhibit: Exhibit, content: Table | Figure) -> dict[str, Any]:
    return {
        "name": exhibit.name,
        "paper": exhibit.paper.reference,
        "place": exhibit.place,
        "title": exhibit.title,
        **(_table(content) if isinstance(content, Table) else _figure(content)),
        "choices": list(content.choices),
        "claims": [
            {"text": claim.text, "holds": claim.holds, "comment": claim.comment}
            for claim in content.claims
        ],
        "notes": list(content.notes),
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "unit": table.unit,
        "cells": [
            {
                "row": row,
                "column": column,
                "value": cell.value,
                "printed": cell.printed or None,
                "agrees": cell.agrees(cut=table.cut) if cell.printed else None,
                "why_they_differ": cell.reason or None,
            }
            for row, column, cell in table.cells()
        ],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    names = (*figure.axes, *figure.measures)
    return {
        "unit": "percent",
        "legend": figure.legend,
        "points": [dict(zip(names, row, strict=True)) for row in figure.rows],
    }
