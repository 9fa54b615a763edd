"""Links between mentions: links of the key above a row of mentions, of the response below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from metric_pages.drawing import CHIP, Drawing, Outcome, row_of_chips
from metric_pages.examples import Example
from metric_pages.partitions import Entities, Pair, links, mentions_of, spanning_links

_LEFT = 4


class Link(NamedTuple):
    """A link from a mention to another, on one side; an arrow if the direction counts."""

    start: str
    end: str
    outcome: Outcome
    arrow: bool = False


def all_links(example: Example) -> tuple[list[Link], list[Link]]:
    """Return all pairs inside the entities of each side."""
    key, response = links(example.key.entities), links(example.response.entities)
    both = key & response
    return (
        _links(example, both, "right") + _links(example, key - both, "missed"),
        _links(example, both, "right") + _links(example, response - both, "spurious"),
    )


def tree_links(example: Example) -> tuple[list[Link], list[Link]]:
    """Return the fewest links that hold each entity together."""
    key, response = example.key.entities, example.response.entities
    return _trees(example, key, response, "missed"), _trees(example, response, key, "spurious")


def _trees(example: Example, own: Entities, other: Entities, alone: Outcome) -> list[Link]:
    found = []
    for entity in own:
        inside, between = spanning_links(entity, other)
        found += _links(example, inside, "right") + _links(example, between, alone)
    return found


def _links(example: Example, pairs: Iterable[Pair], outcome: Outcome) -> list[Link]:
    order = example.mentions.index
    ordered = sorted(sorted(pair, key=order) for pair in pairs)
    return [Link(one, two, outcome) for one, two in ordered]


def draw_links(example: Example, above: Sequence[Link], below: Sequence[Link]) -> Drawing:
    """Draw the mentions in their order, and the links of both sides."""
    drawing = Drawing()
    names = {mention: example.words.get(mention, mention) for mention in example.mentions}
    places = row_of_chips(names.values(), _LEFT)
    middle = {mention: places[name] for mention, name in names.items()}
    high, low = (max([_bend(middle, one) for one in side], default=14) for side in (above, below))
    y = 24 + high + CHIP / 2
    drawing.text(_LEFT, 14, "key", "side", "start")
    for link in above:
        drawing.arc(
            *_ends(middle, link),
            y - CHIP / 2 - 2,
            -_bend(middle, link),
            link.outcome,
            arrow=link.arrow,
        )
    for link in below:
        drawing.arc(
            *_ends(middle, link),
            y + CHIP / 2 + 2,
            _bend(middle, link),
            link.outcome,
            arrow=link.arrow,
        )
    in_key, in_response = (_there(example, side) for side in ("key", "response"))
    for mention, name in names.items():
        outcome: Outcome = "plain"
        if mention not in in_response:
            outcome = "missed"
        elif mention not in in_key:
            outcome = "spurious"
        drawing.chip(middle[mention], y, name, outcome, example.types.get(mention, ""))
    bottom = y + CHIP / 2 + low
    drawing.text(_LEFT, bottom + 18, "response", "side", "start")
    kinds = {link.outcome for link in (*above, *below)}
    drawing.legend(
        [entry for outcome, entry in _LEGEND.items() if outcome in kinds],
        bottom + 44,
        max(drawing.width, 330),
    )
    return drawing


_LEGEND: dict[Outcome, tuple[str, str]] = {
    "right": ("link right", "on both sides"),
    "missed": ("link missed", "only in the key"),
    "spurious": ("link spurious", "only in the response"),
}


def _there(example: Example, side: str) -> set[str]:
    annotation = example.key if side == "key" else example.response
    more = (*annotation.bridging, *annotation.bridging.values(), *annotation.non_referring)
    return {*mentions_of(annotation.entities), *more}


def _ends(middle: dict[str, float], link: Link) -> tuple[float, float]:
    """Return where a link starts and ends, apart from other links of these mentions."""
    start, end = middle[link.start], middle[link.end]
    towards = 5 if end > start else -5
    return start + towards, end - towards


def _bend(middle: dict[str, float], link: Link) -> float:
    """Longer links are higher, so that they do not hide others."""
    return 6 + abs(middle[link.start] - middle[link.end]) * 0.22
