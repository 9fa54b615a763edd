"""Scores by slice: a row per slice and system, differences to the rest, and pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from scoref.analysis.slice_tests import LEAST_DOCUMENTS, ScoredSlice, SliceScore, SliceTest
from scoref.analysis.slices import Slices
from scoref.base.phrases import counted
from scoref.base.viewed import MetricName
from scoref.exceptions import UsageError
from scoref.resampling.bootstrap import Interval
from scoref.views.comparison_tables import show_p
from scoref.views.figures import SERIES, SOFT, Axes, draw_file
from scoref.views.formatting import (
    FIELDS,
    INTERVAL_FIELDS,
    as_dicts,
    bounds,
    percent,
    pick,
    shortened,
)
from scoref.views.model import BaseView, Page, TableCell, TableRow, TableView

_WIDEST = 28
_FEW = 2  # as many metrics are always shown in full
_MEANINGS = {
    "alone": "scores are those of the mentions of a slice alone, as with --where; a slice that"
    " divides entities has smaller entities than the rest, which alone changes scores (--meaning"
    " share avoids it)",
    "share": "scores are the share of a slice in the counts of all mentions, so slices add up to"
    " them",
}
_COLUMNS = (
    *("by", "slice", "system", "mentions", "entities", "documents", "response_mentions"),
    *("response_entities", "metric", *FIELDS, *INTERVAL_FIELDS, "against", "against_f1"),
    *("difference", "difference_low", "difference_high", "p", "p_adjusted", "reason"),
)


@dataclass(frozen=True, slots=True)
class SlicesView(BaseView):
    """F1 by slice and metric, and differences; `details` shows them by every metric."""

    slices: Slices
    details: bool = False
    digits: int = 2

    def page(self) -> Page:
        """Return the tables of each field."""
        found = self.slices
        shown = [found.metric]
        if self.details or len(found.metrics) <= _FEW:
            shown = [*found.metrics]
        tables = []
        for by in found.by:
            rows = found.of(by)
            tables.append(self._scores(by, rows))
            for metric in shown:
                tables.append(self._differences(by, rows, metric))
                if any(row.pairs for row in rows):
                    tables.append(self._pairs(by, rows, metric))
        return Page(tables=tables, remarks=self._remarks(), signature=found.signature)

    def _first(self, name: str, system: str) -> list[str]:
        """Return the cells that name a slice, and the system if there are several."""
        return [name, system][: 1 + (len(self.slices.whole) > 1)]

    def _table(
        self, by: str, title: str, columns: Sequence[str], body: Sequence[TableRow]
    ) -> TableView:
        first = self._first(by, "system")
        return TableView([*first, *columns], body, left=len(first), title=title)

    def _scores(self, by: str, rows: Sequence[ScoredSlice]) -> TableView:
        """Return the size of each slice, and F1 by metric."""
        body: list[TableRow] = []
        for row in rows:
            size = [f"{row.mentions:,}", f"{row.entities:,}", f"{row.documents:,}"]
            for system, one in row.systems.items():
                cells = [_marked(score, self.digits) for score in one.scores.values()]
                body.append([*self._first(shortened(row.name, _WIDEST), system), *size, *cells])
        for system, scores in self.slices.whole.items():
            cells = [TableCell(percent(score.f1, self.digits)) for score in scores.values()]
            body.append([*self._first("all", system), "", "", "", *cells])
        columns = ["mentions", "entities", "documents", *map(MetricName, self.slices.metrics)]
        return self._table(by, f"F1 by {by}", columns, body)

    def _differences(self, by: str, rows: Sequence[ScoredSlice], metric: str) -> TableView:
        """Return recall, precision, F1 with its interval, and the difference to the rest."""
        scored = [
            (self._first(shortened(row.name, _WIDEST), system), one.scores[metric])
            for row in rows
            for system, one in row.systems.items()
        ]
        # Some metrics have no recall and precision.
        least = 2 if all(math.isnan(end) for _, one in scored for end in one.score[:2]) else 0
        body = []
        for first, one in scored:
            scores = [percent(value, self.digits) for value in one.score[least:]]
            interval = bounds(one.intervals.f1 if one.intervals else None, self.digits)
            rest = percent(one.rest.f1, self.digits)
            body.append([*first, *scores, interval, rest, *self._test(one.test)])
        confidence = self.slices.sampling.confidence
        columns = [*("R", "P", MetricName(metric))[least:], confidence]
        columns += ["rest", "difference", confidence, "p"]
        return self._table(by, f"{metric} by {by}, and the difference to the rest", columns, body)

    def _pairs(self, by: str, rows: Sequence[ScoredSlice], metric: str) -> TableView:
        """Return the differences between systems in each slice."""
        body = [
            [shortened(row.name, _WIDEST), f"{one} - {other}", *self._test(tests[metric])]
            for row in rows
            for (one, other), tests in row.pairs.items()
        ]
        header = [by, "systems", "difference", self.slices.sampling.confidence, "p"]
        title = f"{metric} by {by}, differences between systems"
        return TableView(header, body, left=2, title=title)

    def _test(self, test: SliceTest) -> list[str]:
        shown = [percent(test.difference, self.digits, "+"), bounds(test.interval, self.digits)]
        return [*shown, show_p(test.adjusted) or ("-" if test.reason else "")]

    def _remarks(self) -> list[str]:
        found = self.slices
        level = f"{found.sampling.level:g}"
        tests = counted(found.tests, "test")
        corrected = f"Holm's correction over {tests}" if found.correction == "holm" else tests
        lines = [
            f"meaning {found.meaning}: {_MEANINGS[found.meaning]}",
            f"+ or - after a score: better or worse than the rest at p < {level}; {corrected}",
            "difference to the rest: paired over documents, jackknife with Student's t",
        ]
        if len(found.whole) > 1:
            lines.append("difference between systems: randomisation over documents")
        reasons: dict[str, list[str]] = {}
        for row in found.rows:
            for one in row.systems.values():
                if reason := one.scores[found.metric].test.reason:
                    names = reasons.setdefault(reason, [])
                    names += [name] if (name := f"{row.by}={row.name}") not in names else []
        lines += [f"no test of {', '.join(names)}: {why}" for why, names in reasons.items()]
        return [*lines, *(f"caution: {one}" for one in found.cautions)]

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per slice, system and metric, then one per pair of systems."""
        yield _COLUMNS
        for row in self.slices.rows:
            size = (row.mentions, row.entities, row.documents)
            for system, against, metric, test in row.tests():
                one = row.systems[system]
                found = one.scores[metric]
                f1 = row.systems[against].scores[metric].score.f1 if against else found.rest.f1
                yield [
                    *(row.by, row.name, system, *size, one.mentions, one.entities, metric),
                    *(*found.score, *_ends(found), against or "rest", f1, *_test_cells(test)),
                ]

    def content(self) -> dict[str, Any]:
        """Return everything."""
        found = self.slices
        return {
            "signature": found.signature,
            **pick(found, "by", "metrics", "metric", "meaning", "documents"),
            "level": found.sampling.level,
            **pick(found, "tests", "correction"),
            "least_documents": LEAST_DOCUMENTS,
            "whole": {system: as_dicts(scores) for system, scores in found.whole.items()},
            "slices": [_slice(row) for row in found.rows],
            **pick(found, "notes", "cautions"),
        }


def _slice(row: ScoredSlice) -> dict[str, Any]:
    return {
        "by": row.by,
        "slice": row.name,
        **pick(row, "mentions", "entities", "documents"),
        "systems": {
            name: {
                **pick(one, "mentions", "entities"),
                "scores": {metric: _score(score) for metric, score in one.scores.items()},
            }
            for name, one in row.systems.items()
        },
        "pairs": [
            {
                "one": one,
                "other": other,
                "tests": {metric: _test_content(test) for metric, test in tests.items()},
            }
            for (one, other), tests in row.pairs.items()
        ],
    }


def _score(found: SliceScore) -> dict[str, Any]:
    intervals = found.intervals
    return {
        **found.score._asdict(),
        "intervals": {name: list(one) for name, one in intervals._asdict().items()}
        if intervals
        else None,
        "rest": found.rest._asdict(),
        **_test_content(found.test),
    }


def _test_content(test: SliceTest) -> dict[str, Any]:
    return {
        "difference": test.difference,
        "interval": list(test.interval) if test.interval else None,
        "p": test.p,
        "p_adjusted": test.adjusted,
        "significant": test.significant,
        "reason": test.reason or None,
    }


def _ends(found: SliceScore) -> list[object]:
    if found.intervals is None:
        return [""] * len(INTERVAL_FIELDS)
    return [end for interval in found.intervals for end in interval]


def _test_cells(test: SliceTest) -> list[object]:
    ends: Sequence[object] = test.interval or ("", "")
    return [test.difference, *ends, test.p, test.adjusted, test.reason]


def _marked(found: SliceScore, digits: int) -> TableCell:
    """Return an F1 with a sign if it differs significantly from the rest."""
    sign = ("+" if found.test.difference > 0 else "-") if found.test.significant else ""
    return TableCell(percent(found.score.f1, digits), sign)


_BAR, _SPREAD = 0.27, 0.62
"""The height of a row in inches, and the part of it that several systems take."""


def draw_slices(slices: Slices, path: str | PathLike[str]) -> None:
    """Draw the F1 of each slice with its interval, and that of all mentions as a line."""
    rows = [(row, at + slices.by.index(row.by)) for at, row in enumerate(slices.rows)]
    systems = [*slices.whole]
    if not rows:
        raise UsageError("neither side has mentions, so no slice can be drawn")

    def paint(axes: Axes) -> None:
        for number, system in enumerate(systems):
            style = SERIES[number % len(SERIES)]
            shift = _SPREAD * ((number + 0.5) / len(systems) - 0.5)
            for row, at in rows:
                found = row.systems[system].scores[slices.metric]
                ends = found.intervals.f1 if found.intervals else Interval(*[found.score.f1] * 2)
                axes.plot([100 * end for end in ends], [at + shift] * 2, color=style.colour)
            points = [100 * row.systems[system].scores[slices.metric].score.f1 for row, _ in rows]
            marks = {"marker": style.marker, "markersize": style.size, "linestyle": "none"}
            places = [at + shift for _, at in rows]
            axes.plot(points, places, color=style.colour, label=system, **marks)
            whole = 100 * slices.whole[system][slices.metric].f1
            axes.axvline(whole, color=style.colour, linewidth=0.8, linestyle=(0, (2, 2)), zorder=0)
        names = [f"{shortened(row.name, _WIDEST)}  ({row.mentions:,})" for row, _ in rows]
        axes.set_yticks([at for _, at in rows], names)
        for row, at in rows:
            if row is slices.of(row.by)[0]:
                axes.text(0, at - 0.62, row.by, transform=axes.get_yaxis_transform(), color=SOFT)
        axes.set_ylim(rows[-1][1] + 0.7, rows[0][1] - 1.2)
        axes.set_xlabel(f"F1 of {slices.metric} in percent; dotted: all mentions")
        if len(systems) > 1:
            axes.legend(ncols=3, loc="lower left", bbox_to_anchor=(0, 1.01))

    height = 1.1 + _BAR * (len(rows) + len(slices.by)) * max(1, 0.6 * len(systems))
    draw_file(path, (6.4, height), paint, {"axes.grid.axis": "x"})
