"""What the tables for people have in common: their cells, as strings."""

from __future__ import annotations

import math
from typing import Protocol

from scoref.result import Result, Side
from scoref.wording import counted

HEADER = ("metric", "recall", "precision", "F1")
ALL = "all"
"""What the row of all documents together is called in a table of documents."""


def percent(value: float, digits: int) -> str:
    """Show a score in percent, or nothing where it does not exist."""
    return "" if math.isnan(value) else f"{100 * value:.{digits}f}"


def f1_percent(value: float, digits: int) -> str:
    """Show an F1 in percent; every measure has one, unless it is undefined."""
    return percent(value, digits) or "undefined"


def score_rows(result: Result, digits: int) -> list[list[str]]:
    """Return a row per metric: its name, recall, precision and F1."""
    return [
        [name, *(percent(value, digits) for value in score[:2]), f1_percent(score.f1, digits)]
        for name, score in result.scores.items()
    ]


def document_rows(result: Result, digits: int) -> list[list[str]]:
    """Return a row per document, the F1 of each metric, and a last row for all together."""
    rows = [
        [document, *(f1_percent(scores[name].f1, digits) for name in result)]
        for document, scores in result.documents.items()
    ]
    return [*rows, [ALL, *(f1_percent(score.f1, digits) for score in result.scores.values())]]


class Sides(Protocol):
    """What has two sides: a result, or an explanation of one."""

    @property
    def key(self) -> Side:
        """What the key had."""
        ...

    @property
    def response(self) -> Side:
        """What the response had."""
        ...


def side_lines(result: Sides) -> list[list[str]]:
    """Say what each side had."""
    return [_side_line("key", result.key), _side_line("response", result.response)]


def _side_line(name: str, side: Side) -> list[str]:
    return [
        name,
        side.source if side.source != name else "",
        counted(side.documents, "document"),
        counted(side.mentions, "mention"),
        counted(side.entities, "entity", "entities"),
    ]


def done_lines(result: Sides) -> list[str]:
    """Say what the policy did to the data."""
    lines = []
    for what, key, response in (
        ("repeated mentions", result.key.duplicates_dropped, result.response.duplicates_dropped),
        ("singletons", result.key.singletons_dropped, result.response.singletons_dropped),
    ):
        if key or response:
            lines.append(f"{what} dropped: {key:,} from the key, {response:,} from the response")
    return lines
