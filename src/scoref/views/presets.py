"""The scores of presets as tables, and the text that GAP's scorer prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.analysis.presets.gap import percentages
from scoref.analysis.presets.preset_scores import PresetScores
from scoref.base.viewed import MetricName
from scoref.views.formatting import percent
from scoref.views.model import BaseView, Page, TableView

_NAMES = {"f1": "F1", "macro_f1": "macro F1", "micro_f1": "micro F1"}
_NAMES |= {"macro_micro_f1": "macro-micro F1"}
_NAMES |= {f"published_{one}": f"{name} of MEI's own code" for one, name in _NAMES.items()}


@dataclass(frozen=True, slots=True)
class PresetView(BaseView):
    """Tables that people and spreadsheets see in the same way."""

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
            columns = [*next(iter(rows.values()))]
            cells = [
                [name, *(_shown(row[one]) if one in row else "" for one in columns)]
                for name, row in rows.items()
            ]
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


def _shown(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else percent(value, 2)
