"""All pairs of mentions in a triangle: what the key and the response say of each pair."""

from __future__ import annotations

from itertools import combinations

from metric_pages.drawing import Drawing
from metric_pages.examples import Example
from metric_pages.partitions import Pair, links, mentions_of

_SIDE, _LEFT, _TOP = 27, 6, 8
_LOOKS = {
    "together": ("pair right", "✓", "together on both sides"),
    "apart": ("pair apart", "·", "apart on both sides"),
    "key": ("pair missed", "K", "together only in the key"),
    "response": ("pair spurious", "R", "together only in the response"),
    "one": ("pair absent", "", "apart, on the side that has both"),
}


def kinds_of_pairs(example: Example) -> dict[Pair, str]:
    """Say of each pair what the two sides say; pairs that no side has are left out."""
    key, response = example.key.entities, example.response.entities
    in_key, in_response = links(key), links(response)
    of_key, of_response = ({*mentions_of(side)} for side in (key, response))
    found = {}
    for pair in map(frozenset, combinations(example.mentions, 2)):
        if pair in in_key or pair in in_response:
            alone = "key" if pair in in_key else "response"
            found[pair] = "together" if pair in in_key & in_response else alone
        elif pair <= of_key or pair <= of_response:
            found[pair] = "apart" if pair <= of_key & of_response else "one"
    return found


def draw_pairs(example: Example) -> Drawing:
    """Draw a square per pair."""
    drawing = Drawing()
    mentions = example.mentions
    kinds = kinds_of_pairs(example)
    for (row, one), (column, two) in combinations(enumerate(mentions), 2):
        kind = kinds.get(frozenset((one, two)))
        if kind is None:
            continue
        look, sign, _ = _LOOKS[kind]
        x, y = _LEFT + row * _SIDE, _TOP + (column - 1) * _SIDE
        drawing.box(x + 1, y + 1, _SIDE - 2, _SIDE - 2, look, 4)
        if sign:
            drawing.text(x + _SIDE / 2, y + _SIDE / 2 + 5, sign, f"sign {kind}")
    for at, mention in enumerate(mentions):
        if at:
            drawing.text(_LEFT - 6 + at * _SIDE + 10, _TOP + (at - 1) * _SIDE + 18, mention, "name")
        if at < len(mentions) - 1:
            drawing.text(
                _LEFT + (at + 0.5) * _SIDE, _TOP + (len(mentions) - 1) * _SIDE + 16, mention, "name"
            )
    legend = [(look, text) for kind, (look, _, text) in _LOOKS.items() if kind in kinds.values()]
    drawing.legend(legend, drawing.height + 26, 300)
    return drawing
