"""The scores of presets: tables of the same columns, and the text that GAP's scorer prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from scoref.analysis.presets.answers import PresetScores
from scoref.analysis.presets.gap import GapScores, percentages
from scoref.base.viewed import MetricName
from scoref.views.figures import SERIES, Axes, draw_file
from scoref.views.formatting import percent
from scoref.views.model import BaseView, Page, TableView


@dataclass(frozen=True, slots=True)
class PresetView(BaseView):
    """Tables that people, spreadsheets and figures see in the same way."""

    scores: PresetScores

    def page(self) -> Page:
        """Return the tables, scores in percent."""
        shown = [
            TableView(
                [title, *map(MetricName, next(iter(rows.values())))],
                [[name, *map(_shown, row.values())] for name, row in rows.items()],
            )
            for title, rows in self.scores.tables()
        ]
        return Page(tables=shown, remarks=self.scores.remarks())

    def records(self) -> Iterator[Sequence[object]]:
        """Return the rows of all tables."""
        tables = self.scores.tables()
        yield ["table", "row", *next(iter(tables[0].rows.values()))]
        for title, rows in tables:
            yield from ([title, name, *row.values()] for name, row in rows.items())

    def content(self) -> dict[str, Any]:
        """Return everything."""
        return self.scores.content()


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else percent(value, 2)


class GapView(PresetView):
    """The text that GAP's scorer prints, with its empty last line."""

    scores: GapScores

    def render(self, output: str) -> str:
        """Render as one of `outputs`."""
        if output != "text":
            return PresetView.render(self, output)
        lines = []
        for name, one in self.scores.groups().items():
            recall, precision, f1 = percentages(one)
            rates = f"recall: {recall:.1f} precision: {precision:.1f} f1: {f1:.1f}"
            lines += [f"{name.capitalize()} {rates}", f"\t\ttp {one.tp}\tfp {one.fp}"]
            lines.append(f"\t\tfn {one.fn}\ttn {one.tn}")
        return "\n".join([*lines, *self.scores.remarks(), ""])


def draw_preset(scores: PresetScores, path: str | PathLike[str]) -> None:
    """Draw every score of every row as a point, a panel per table."""
    tables = scores.tables()

    def paint(axes: Axes) -> None:
        for panel, (title, rows) in zip(axes if len(tables) > 1 else [axes], tables, strict=True):
            columns = [
                name for name, one in next(iter(rows.values())).items() if type(one) is float
            ]
            for at, name in enumerate(columns):
                style, values = SERIES[at % len(SERIES)], [100 * row[name] for row in rows.values()]
                places = [
                    place + 0.12 * (at - (len(columns) - 1) / 2) for place in range(len(rows))
                ]
                panel.plot(
                    values, places, style.marker, color=style.colour, ms=style.size, label=name
                )
            panel.set_yticks(range(len(rows)), [*rows])
            panel.set_ylim(len(rows) - 0.5, -0.5)
            panel.set_xlabel("percent")
            panel.set_title(title)
        panel.legend(loc="best")

    most = max(len(table.rows) for table in tables)
    draw_file(path, (3.6 * len(tables), min(1.2 + 0.3 * most, 40)), paint, panels=len(tables))
