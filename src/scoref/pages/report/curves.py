"""The curves of long documents: F1 by how much of them was read, and of links by distance."""

from __future__ import annotations

from typing import Any

from scoref.analysis.curves import DISTANCE, LINKS, PREFIX, CurvePoint
from scoref.base.html import Markup, tag
from scoref.pages.report.content import Content
from scoref.pages.report.pieces import chart
from scoref.pages.toolkit import section

_DIGITS = 5
_LEAD = (
    "First, the score of the first part of each document, with entities cut at its end; then, links"
    " from a mention to the closest earlier mention of its entity."
)


def curves(content: Content) -> Markup:
    """Make the frames of the two charts, if documents are long; the page's program draws them."""
    if not content.curves:
        return Markup("")
    titles = {
        PREFIX: f"{content.comparison.metric} F1 by the part that was read",
        DISTANCE: "F1 of links by tokens to the closest antecedent",
    }
    charts = [chart(f"chart-{name}", title) for name, title in titles.items()]
    return section(
        "curves",
        "Along the text",
        _LEAD,
        tag("div", charts, class_="halves even"),
        _remark(content),
    )


def _remark(content: Content) -> Markup | str:
    confidence = content.curves[0].confidence
    return tag("p", f"{confidence} intervals over documents.", class_="soft") if confidence else ""


def curve_data(content: Content) -> dict[str, Any] | None:
    """Return the points of both charts, each with F1 and the ends of its interval by system."""
    if not content.curves:
        return None
    return {
        name: _chart_data([one.of(name).get(metric, []) for one in content.curves])
        for name, metric in ((PREFIX, content.comparison.metric), (DISTANCE, LINKS))
    }


def _chart_data(systems: list[list[CurvePoint]]) -> dict[str, Any]:
    """Return the places and sizes of all points of a curve, and the scores of each system there."""
    points = {point.start: point for one in systems for point in one}
    places = sorted(points)
    by_place = [{point.start: point for point in one} for one in systems]
    return {
        "places": places,
        "ends": [points[place].end for place in places],
        "sizes": [points[place].size for place in places],
        "scores": [[_score(one.get(place)) for place in places] for one in by_place],
    }


def _score(point: CurvePoint | None) -> list[float | None]:
    """Return F1 and the ends of its interval, or nothing where it does not exist."""
    if point is None:
        return [None, None, None]
    ends = point.interval or (None, None)
    return [
        None if value is None or value != value else round(value, _DIGITS)  # noqa: PLR0124  # nan
        for value in (point.score.f1, *ends)
    ]
