"""Where the score of long texts is lost: a row per repair, and slices by distance and span."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from scoref.analysis.seams import Seams
from scoref.base.viewed import MetricName
from scoref.result import Score
from scoref.views.errors import slice_content, slice_table
from scoref.views.formatting import percent
from scoref.views.model import BaseView, Page, TableView


def gains_table(
    scores: Mapping[str, Score], gains: Mapping[str, Mapping[str, float]], title: str
) -> TableView:
    """Return the F1 of the response by metric, and what each repair adds to it."""
    rows = [["response", *(percent(score.f1, 2) for score in scores.values())]]
    for repair, of_metrics in gains.items():
        rows.append([repair, *(percent(gain, 2, "+") for gain in of_metrics.values())])
    header = ["F1, and the gain of each repair", *map(MetricName, scores)]
    return TableView(header, rows, title=title)


@dataclass(frozen=True, slots=True)
class SeamsView(BaseView):
    """The F1 of the response, what each repair adds to it, and the slices."""

    seams: Seams

    def page(self) -> Page:
        """Return the tables."""
        seams = self.seams
        by = groupby(seams.slices, attrgetter("by"))
        return Page(
            tables=[
                gains_table(seams.scores, seams.gains, f"windows of {seams.window}"),
                *(slice_table(name, list(found)) for name, found in by),
            ],
            signature=seams.signature,
        )

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per repair, the gain in F1 per metric."""
        yield ["repair", *self.seams.scores]
        yield ["response", *(score.f1 for score in self.seams.scores.values())]
        for repair, gains in self.seams.gains.items():
            yield [repair, *gains.values()]

    def content(self) -> dict[str, Any]:
        """Return everything."""
        return {
            "signature": self.seams.signature,
            "window": self.seams.window,
            "f1": {name: score.f1 for name, score in self.seams.scores.items()},
            "gains": self.seams.gains,
            "slices": [slice_content(one) for one in self.seams.slices],
            "notes": self.seams.notes,
        }
