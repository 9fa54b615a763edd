"""The scores of presets as tables and figures, and the text that GAP's scorer prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from scoref.analysis.presets.gap import percentages
from scoref.analysis.presets.preset_scores import PresetScores
from scoref.base.viewed import MetricName
from scoref.views.figures import SERIES, Axes, draw_file
from scoref.views.formatting import percent
from scoref.views.model import BaseView, Page, TableView

_NAMES = {"f1": "F1", "macro_f1": "macro F1", "micro_f1": "micro F1"}
_NAMES |= {"macro_micro_f1": "macro-micro F1"}
_NAMES |= {f"published_{one}": f"{name} of MEI's own code" for one, name in _NAMES.items()}
_MOST_PANELS = 4
Rows = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class PresetView(BaseView):
    """Tables that people, spreadsheets and figures see in the same way."""

    scores: PresetScores

    def render(self, output: str) -> str:
        """Render as one of `outputs`; the text of GAP is that of its scorer."""
        if output == "text" and self.scores.preset == "gap":
            return self._scorecard()
        return BaseView.render(self, output)

    def _scorecard(self) -> str:
        """Return what GAP's scorer prints, with its empty last line."""
        lines = []
        for name, row in self.scores.tables["examples"].items():
            recall, precision, f1 = percentages(row)
            rates = f"recall: {recall:.1f} precision: {precision:.1f} f1: {f1:.1f}"
            lines += [f"{name.capitalize()} {rates}", f"\t\ttp {row['tp']}\tfp {row['fp']}"]
            lines.append(f"\t\tfn {row['fn']}\ttn {row['tn']}")
        bias = self.scores.figures["bias"]
        return "\n".join([*lines, f"Bias (F/M): {'-' if bias is None else f'{bias:.2f}'}", ""])

    def page(self) -> Page:
        """Return the tables, scores in percent; a bias is a ratio."""
        tables = []
        for title, rows in self.scores.tables.items():
            shown = {name: [*map(_shown, row.values())] for name, row in rows.items()}
            columns = _columns(rows)
            cells = [[name, *row, *[""] * (len(columns) - len(row))] for name, row in shown.items()]
            header = [title, *(MetricName(_NAMES.get(one, one)) for one in columns)]
            tables.append(TableView(header, cells))
        figures = [
            f"{_NAMES.get(name, name)}: {f'{value:.2f}' if name == 'bias' else percent(value, 2)}"
            for name, value in self.scores.figures.items()
            if value is not None
        ]
        return Page(tables=tables, remarks=[*figures, *self.scores.signatures])

    def records(self) -> Iterator[Sequence[object]]:
        """Return the rows of all tables."""
        tables = self.scores.tables.values()
        columns = [*dict.fromkeys(one for rows in tables for row in rows.values() for one in row)]
        yield ["table", "row", *columns]
        for title, rows in self.scores.tables.items():
            for name, row in rows.items():
                yield [title, name, *(row.get(column, "") for column in columns)]

    def content(self) -> dict[str, Any]:
        """Return everything. The groups of GAP are not in a table."""
        scores, tables = self.scores, self.scores.tables
        content = tables["examples"] if scores.preset == "gap" else {"tables": tables}
        signatures = {"signatures": scores.signatures} if scores.signatures else {}
        figures = {"preset": scores.preset, **scores.figures}
        return {**figures, **content, **signatures, "notes": scores.notes}


def _columns(rows: Rows) -> list[str]:
    return [*next(iter(rows.values()))]


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else percent(value, 2)


def draw_preset(scores: PresetScores, path: str | PathLike[str]) -> None:
    """Draw every score of every row as a point, a panel per table; many tables in one panel."""
    tables = scores.tables
    if len(tables) > _MOST_PANELS:
        every = {f"{at}: {name}": row for at, rows in tables.items() for name, row in rows.items()}
        tables = {"": every}

    def paint(axes: Axes) -> None:
        panels = axes if len(tables) > 1 else [axes]
        for panel, (title, rows) in zip(panels, tables.items(), strict=True):
            columns = [
                name for name, one in next(iter(rows.values())).items() if type(one) is float
            ]
            least = 0.0
            for at, name in enumerate(columns):
                style, shift = SERIES[at % len(SERIES)], (at - (len(columns) - 1) / 2) / 8
                values = [100 * row[name] for row in rows.values()]
                places = [place + shift for place in range(len(rows))]
                look = {"color": style.colour, "ms": style.size, "label": _NAMES.get(name, name)}
                panel.plot(values, places, style.marker, **look)
                least = min(least, *values)
            panel.set_yticks(range(len(rows)), [*rows])
            panel.set(ylim=(len(rows) - 0.5, -0.5), xlim=(least - 3, 103), xlabel="percent")
            panel.set_title(title)
        panel.legend(loc="center left", bbox_to_anchor=(1, 0.5))

    height = min(1.2 + 0.3 * max(map(len, tables.values())), 40)
    draw_file(path, (1 + 3.2 * len(tables), height), paint, panels=len(tables))
