"""Systems on several datasets: a row per system, a row per pair, and what replicates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.base.viewed import MetricName
from scoref.comparison.datasets import DatasetsComparison, Replication
from scoref.views.comparison import ComparisonView
from scoref.views.comparison_tables import show_p, superscript
from scoref.views.formatting import bounds, percent, pick
from scoref.views.model import BaseView, Page, TableCell, TableRow, TableView, best_in_bold

_FIELDS = (
    *("one", "other", "difference", "p", "adjusted", "significant", "at_least", "other_at_least"),
    *("interval", "better", "worse"),
)


@dataclass(frozen=True, slots=True)
class DatasetsView(BaseView):
    """F1 by system and dataset with the mean, and differences by pair."""

    found: DatasetsComparison
    digits: int = 2

    def page(self) -> Page:
        """Return F1 by system and dataset, pairs, and on how many datasets each is better."""
        tables = [self._scores(), *([self._pairs()] if self.found.pairs else [])]
        return Page(tables=tables, remarks=self._remarks(), signature=self.found.signature)

    def _scores(self) -> TableView:
        found, digits = self.found, self.digits
        columns = [self._column(name) for name in found.datasets]
        confidence = found.first.sampling.confidence
        rows: list[TableRow] = []
        for at, system in enumerate(found.systems):
            mean = found.means[system]
            interval = mean.bounded_interval(found.first.sampling.level)
            row: list[str | TableCell] = [f"{found.label(system)} {system}"]
            row += [column[at] for column in columns]
            rows.append([*row, percent(mean.value, digits), bounds(interval, digits)])
        caption = [f"F1 of {found.metric} in percent, by dataset"]
        header = [MetricName(found.metric), *found.datasets, "mean", confidence]
        return TableView(header, rows, caption=caption)

    def _column(self, dataset: str) -> list[TableCell]:
        """Return the scores on a dataset, the best in bold, with the letters of those it beats."""
        found, comparison = self.found, self.found.comparisons[dataset]
        marks = []
        for system in found.systems:
            letters = comparison[system].beats[found.metric]
            beaten = [found.label(one.name) for one in comparison.systems if one.label in letters]
            marks.append(superscript(sorted(beaten), len(found.systems)))
        scores = [comparison[name].scores[found.metric].f1 for name in found.systems]
        return best_in_bold([percent(score, self.digits) for score in scores], marks)

    def _pairs(self) -> TableView:
        found, digits = self.found, self.digits
        confidence = found.first.sampling.confidence
        rows = []
        for pair in found.pairs:
            better, worse = self._wins(pair)
            rows.append(
                [
                    f"{found.label(pair.one)} - {found.label(pair.other)}",
                    percent(pair.difference, digits, "+"),
                    bounds(pair.interval, digits),
                    show_p(pair.adjusted),
                    f"{better}, {worse}",
                    f"{pair.at_least}, {pair.other_at_least}",
                ]
            )
        header = ["pair", "mean", confidence, "p", "better on", "at least"]
        return TableView(header, rows, caption=["Differences in F1, mean over datasets"])

    def _wins(self, pair: Replication) -> tuple[int, int]:
        """Return on how many datasets each of two systems has the higher score."""
        gaps = [
            one[pair.one].scores[self.found.metric].f1
            - one[pair.other].scores[self.found.metric].f1
            for one in self.found.comparisons.values()
        ]
        return sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)

    def _remarks(self) -> list[str]:
        found, first = self.found, self.found.first
        count, level = len(found.datasets), f"{100 * first.sampling.level:g} %"
        at = f"of {count} datasets at {level}"
        lines = []
        for pair in found.pairs:
            for one, other, least, known in (
                (pair.one, pair.other, pair.at_least, pair.better),
                (pair.other, pair.one, pair.other_at_least, pair.worse),
            ):
                which = f"; these include {', '.join(known)} (Holm's correction)" if known else ""
                if least:
                    lines.append(f"{one} is better than {other} on at least {least} {at}{which}")
        combined = "Bonferroni's, since datasets share a key"
        if found.independent:
            combined = "Fisher's, for independent datasets"
        lines.append(
            "better on: datasets with the higher score; at least: datasets on which it is better at"
            f" {level}, by a partial conjunction test ({combined})"
        )
        lines.append(
            "mean: every dataset has the same weight; intervals and tests hold for other documents"
            " of these datasets"
        )
        for name, comparison in found.comparisons.items():
            said = (comparison.refusal, *comparison.cautions, comparison.blind)
            cautions = filter(None, said)
            lines += [f"caution: {name}: {caution}" for caution in cautions]
        return lines

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per dataset and system, with the rows of the means last."""
        found = self.found
        yield ["dataset", "metric", "system", "label", "f1", "f1_low", "f1_high", "signature"]
        for name, one in found.comparisons.items():
            for system in found.systems:
                score = one[system].scores[found.metric].f1
                interval = one[system].intervals.get(found.metric)
                low, high = interval.f1 if interval else (math.nan, math.nan)
                shown = [name, found.metric, system, found.label(system)]
                yield [*shown, score, low, high, one.signature]
        for system, mean in found.means.items():
            ends_of = mean.bounded_interval(found.first.sampling.level)
            yield ["mean", found.metric, system, found.label(system), mean.value, *ends_of, ""]

    def content(self) -> dict[str, Any]:
        """Return everything that a comparison over datasets has."""
        found = self.found
        level = found.first.sampling.level
        return {
            **pick(found, "metric", "systems", "independent", "baseline"),
            "level": level,
            "means": {
                name: {"f1": one.value, "interval": one.bounded_interval(level)}
                for name, one in found.means.items()
            },
            "pairs": [pick(pair, *_FIELDS) for pair in found.pairs],
            "datasets": {
                name: ComparisonView(one).content() for name, one in found.comparisons.items()
            },
        }
