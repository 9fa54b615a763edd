"""How metrics react to changes of a response: a row per change, F1 per metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.analysis.stress import Stress
from scoref.base.viewed import MetricName
from scoref.views.formatting import percent
from scoref.views.model import BaseView, Page, TableView

_MARK = "!"


@dataclass(frozen=True, slots=True)
class StressView(BaseView):
    """F1 by change and metric, with a mark at each wrong reward."""

    stress: Stress

    def page(self) -> Page:
        """Return the table, and the wrong rewards one by one."""
        wrong = self.stress.verdicts()
        marked = {(change, metric) for change, metric, _ in wrong}
        rows = []
        for one in self.stress.reactions:
            marks = [_MARK if (one.name, metric) in marked else "" for metric in one.scores]
            shown = [percent(score.f1, 2) for score in one.scores.values()]
            rows.append([one.name, *map("".join, zip(shown, marks, strict=True))])
        rewards = [
            f"{_MARK} {metric} changes by {100 * difference:+.2f} for {change!r}"
            for change, metric, difference in wrong
        ]
        first = "some metrics reward what is certainly wrong:"
        return Page(
            tables=[TableView(["F1", *map(MetricName, self.stress.reactions[0].scores)], rows)],
            remarks=[first, *rewards] if wrong else ["no metric rewards what is certainly wrong"],
            signature=self.stress.signature,
        )

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per change, F1 per metric."""
        yield ["F1", *self.stress.reactions[0].scores]
        for one in self.stress.reactions:
            yield [one.name, *(score.f1 for score in one.scores.values())]

    def content(self) -> dict[str, Any]:
        """Return all F1 and all wrong rewards."""
        return {
            "signature": self.stress.signature,
            "f1": {
                one.name: {name: score.f1 for name, score in one.scores.items()}
                for one in self.stress.reactions
            },
            "rewards_what_is_wrong": [
                dict(zip(("change", "metric", "difference"), verdict, strict=True))
                for verdict in self.stress.verdicts()
            ],
            "notes": self.stress.notes,
        }
