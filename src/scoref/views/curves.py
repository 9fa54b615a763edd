"""Scores by prefix and by distance: a row per point, and both as a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from scoref.analysis.curves import DISTANCE, PREFIX, CurvePoint, Curves
from scoref.base.viewed import MetricName
from scoref.views.figures import SERIES, Axes, draw_file
from scoref.views.formatting import bounds, percent
from scoref.views.model import BaseView, Page, TableView

_FIELDS = ("recall", "precision", "f1")


@dataclass(frozen=True, slots=True)
class CurvesView(BaseView):
    """A table of F1 per curve, with intervals where they exist."""

    curves: Curves

    def page(self) -> Page:
        """Return a table per curve."""
        titles = {
            PREFIX: ("by the part of each text that was read", "read", "tokens"),
            DISTANCE: ("by the tokens to the closest antecedent", "distance", "key links"),
        }
        tables = []
        for curve, (title, first, size) in titles.items():
            if by_metric := self.curves.of(curve):
                rows = [_row(points) for points in zip(*by_metric.values(), strict=True)]
                header = [f"F1, {first}", size, *map(MetricName, by_metric)]
                tables.append(TableView(header, rows, title=title))
        found = self.curves
        remark = f"{found.confidence} intervals over documents" if found.confidence else ""
        return Page(
            tables=tables, remarks=[remark] if remark else [], signature=self.curves.signature
        )

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per point and metric."""
        yield ["curve", "start", "end", "size", "metric", *_FIELDS, "f1_low", "f1_high"]
        for one in self.curves.points:
            ends = one.interval or ("", "")
            place = ["" if value is None else value for value in one[1:4]]
            yield [one.curve, *place, one.metric, *one.score, *ends]

    def content(self) -> dict[str, Any]:
        """Return every point."""
        return {
            "signature": self.curves.signature,
            "documents": self.curves.documents,
            "points": [
                {
                    **one._asdict(),
                    "score": one.score._asdict(),
                    "interval": one.interval and list(one.interval),
                }
                for one in self.curves.points
            ],
            "notes": self.curves.notes,
        }


def _row(points: Sequence[CurvePoint]) -> list[str]:
    """Return the place of some points, and their F1."""
    first = points[0]
    if first.curve == PREFIX:
        name = f"{first.start:.4g} %"
    else:
        name = f"{first.start:.0f}+" if first.end is None else f"{first.start:.0f}-{first.end}"
    cells = (f"{percent(one.score.f1, 2)} {bounds(one.interval, 2)}".strip() for one in points)
    return [name, f"{first.size:,}", *cells]


def draw_curves(curves: Curves, path: str | PathLike[str]) -> None:
    """Draw F1 by prefix and, beside it, by distance; bands are intervals."""

    def paint(axes: Sequence[Axes]) -> None:
        left, right = axes
        _lines(left, curves.of(PREFIX), [one.start for one in _first(curves.of(PREFIX))])
        left.set_xlabel("part of each text that was read, in percent")
        left.set_ylabel("F1 in percent")
        left.set_xlim(0, 100)
        left.legend(ncols=2, loc="best")
        points = _first(curves.of(DISTANCE))
        _lines(right, curves.of(DISTANCE), list(range(len(points))), marker="o")
        names = [_row([one])[0] for one in points]
        right.set_xticks(range(len(points)), names, rotation=40, ha="right")
        right.set_xlabel("tokens to the closest antecedent")
        right.set_title("links")

    draw_file(path, (8.4, 3.4), paint, {"svg.fonttype": "none"}, panels=2)


def _first(by_metric: dict[str, list[CurvePoint]]) -> list[CurvePoint]:
    return next(iter(by_metric.values()), [])


def _lines(
    axes: Axes, by_metric: dict[str, list[CurvePoint]], places: Sequence[float], marker: str = ""
) -> None:
    for at, (metric, points) in enumerate(by_metric.items()):
        style = SERIES[at % len(SERIES)]
        values = [100 * one.score.f1 for one in points]
        line = {"color": style.colour, "linestyle": style.line, "marker": marker, "markersize": 3.5}
        axes.plot(places, values, label=metric, **line)
        if all(one.interval for one in points):
            low, high = (
                [100 * one.interval[end] for one in points if one.interval] for end in (0, 1)
            )
            axes.fill_between(places, low, high, color=style.colour, alpha=0.15, linewidth=0)
