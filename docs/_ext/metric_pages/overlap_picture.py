"""Entities and what they share: key entities above, response entities below, bands between."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from metric_pages.drawing import CHIP, Drawing, Outcome, chip_width, row_of_chips
from metric_pages.examples import Example
from metric_pages.partitions import Cell, Entities, cells, mentions_of
from metric_pages.tables import write_number

_TOP, _BETWEEN, _PAD = 44, 120, 7


LEGEND = (
    ("band right", "mentions in common"),
    ("chip missed", "only in the key"),
    ("chip spurious", "only in the response"),
)


class Band(NamedTuple):
    """What is written at both ends of a band and in its middle; a band may not count."""

    at_key: str = ""
    middle: str = ""
    at_response: str = ""
    counts: bool = True


class Row(NamedTuple):
    """Where the mentions of each entity of a side are."""

    middles: list[dict[str, float]]
    y: float


def draw_overlaps(
    example: Example, bands: Sequence[Band], *, legend: Sequence[tuple[str, str]] = ()
) -> Drawing:
    """Draw both sides, with a band for each pair of entities that share mentions."""
    drawing = Drawing()
    key, response = example.key.entities, example.response.entities
    top = _place(key, _TOP)
    bottom = _place(response, _TOP + CHIP + _BETWEEN)
    shift = _width(bottom) - _width(top)
    top, bottom = _moved(top, max(shift, 0) / 2), _moved(bottom, max(-shift, 0) / 2)
    shared = list(cells(key, response))
    for cell, band in zip(shared, bands, strict=True):
        _draw_band(drawing, cell, top, bottom, counts=band.counts)
    for cell, band in zip(shared, bands, strict=True):
        _label(drawing, cell, band, top, bottom)
    _draw_side(drawing, example, top, "key", mentions_of(response))
    _draw_side(drawing, example, bottom, "response", mentions_of(key))
    drawing.legend(
        legend or LEGEND,
        bottom.y + CHIP + 44,
        max(drawing.width, 330),
    )
    return drawing


def _place(entities: Entities, y: float) -> Row:
    left, middles = 4.0 + _PAD, []
    for mentions in entities:
        row = row_of_chips(mentions, left, 8)
        middles.append(row)
        left = max(row.values()) + chip_width(mentions[-1]) / 2 + 2 * _PAD + 14
    return Row(middles, y)


def _width(row: Row) -> float:
    return max(row.middles[-1].values())


def _moved(row: Row, by: float) -> Row:
    return row._replace(middles=[{m: x + by for m, x in one.items()} for one in row.middles])


def _draw_side(
    drawing: Drawing, example: Example, row: Row, side: str, other: Sequence[str]
) -> None:
    is_key = side == "key"
    alone: Outcome = "missed" if is_key else "spurious"
    for entity, mentions in zip(example.entity_names(side), row.middles, strict=True):
        left = min(mentions.values()) - chip_width(next(iter(mentions))) / 2 - _PAD
        right = max(mentions.values()) + chip_width([*mentions][-1]) / 2 + _PAD
        drawing.box(left, row.y - CHIP / 2 - _PAD, right - left, CHIP + 2 * _PAD, "entity", 10)
        outside = row.y - CHIP / 2 - _PAD - 7 if is_key else row.y + CHIP / 2 + _PAD + 17
        drawing.text((left + right) / 2, outside, entity, "side")
        for mention, x in mentions.items():
            name, kind = example.words.get(mention, mention), example.types.get(mention, "")
            drawing.chip(x, row.y, name, "plain" if mention in other else alone, kind)


def _draw_band(drawing: Drawing, cell: Cell, top: Row, bottom: Row, *, counts: bool) -> None:
    """Draw an area, or an area per mention if other mentions are between."""
    above, below = top.middles[cell.key], bottom.middles[cell.response]
    groups = [cell.mentions]
    if not (_adjacent(above, cell.mentions) and _adjacent(below, cell.mentions)):
        groups = [(mention,) for mention in cell.mentions]
    for group in groups:
        (a, b), (c, d) = (_extent(row, group) for row in (above, below))
        y1, y2 = top.y + CHIP / 2 + _PAD, bottom.y - CHIP / 2 - _PAD
        bend = (y2 - y1) / 2
        shape = (
            f"M{a:g} {y1:g}C{a:g} {y1 + bend:g} {c:g} {y2 - bend:g} {c:g} {y2:g}"
            f"L{d:g} {y2:g}C{d:g} {y2 - bend:g} {b:g} {y1 + bend:g} {b:g} {y1:g}z"
        )
        drawing.path(shape, "band right" if counts else "band idle")


def _adjacent(row: dict[str, float], mentions: Sequence[str]) -> bool:
    order = [*row]
    places = sorted(order.index(mention) for mention in mentions)
    return places[-1] - places[0] == len(places) - 1


def _extent(row: dict[str, float], mentions: Sequence[str]) -> tuple[float, float]:
    middles = [row[mention] for mention in mentions]
    return min(middles) - CHIP / 2 + 2, max(middles) + CHIP / 2 - 2


def _label(drawing: Drawing, cell: Cell, band: Band, top: Row, bottom: Row) -> None:
    (a, b), (c, d) = (
        _extent(row, cell.mentions)
        for row in (top.middles[cell.key], bottom.middles[cell.response])
    )
    above, below = (a + b) / 2, (c + d) / 2
    look = "value" if band.counts else "value idle"
    middle = top.y + (bottom.y - top.y) / 2
    drawing.text(above, top.y + CHIP / 2 + _PAD + 16, band.at_key, look)
    drawing.text((above + below) / 2, middle + 5, band.middle, look)
    drawing.text(below, bottom.y - CHIP / 2 - _PAD - 8, band.at_response, look)


def b_cubed_bands(example: Example) -> list[Band]:
    """Return what each pair of entities adds to recall and to precision."""
    key, response = example.key.entities, example.response.entities
    found = []
    for cell in cells(key, response):
        n = len(cell.mentions)
        terms = (Fraction(n * n, len(side)) for side in (key[cell.key], response[cell.response]))
        recall, precision = map(write_number, terms)
        found.append(Band(recall, "", precision))
    return found


def size_bands(example: Example) -> list[Band]:
    """Return how many mentions each pair of entities shares."""
    shared = cells(example.key.entities, example.response.entities)
    return [Band(middle=str(len(cell.mentions))) for cell in shared]
