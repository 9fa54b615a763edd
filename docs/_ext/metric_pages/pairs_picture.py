"""All pairs of mentions in a triangle: what the key and the response say of each pair."""

from __future__ import annotations

from itertools import combinations

from metric_pages.drawing import Drawing
from metric_pages.examples import Example
from metric_pages.partitions import links, mentions_of

_SIDE, _LEFT, _TOP = 27, 6, 8
_LOOKS = {
    "together": ("pair right", "✓", "together on both sides"),
    "apart": ("pair apart", "·", "apart on both sides"),
    "key": ("pair missed", "K", "together only in the key"),
    "response": ("pair spurious", "R", "together only in the response"),
    "one": ("pair absent", "", "apart, on the side that has both"),
}


def draw_pairs(example: Example) -> Drawing:
    """Draw a square per pair."""
    drawing = Drawing()
    mentions = example.mentions
    key, response = example.key.entities, example.response.entities
    in_key, in_response = links(key), links(response)
    key_mentions, response_mentions = mentions_of(key), mentions_of(response)
    seen = set()
    for (row, one), (column, two) in combinations(enumerate(mentions), 2):
        pair = frozenset((one, two))
        known = pair <= {*key_mentions}, pair <= {*response_mentions}
        if pair in in_key & in_response:
            kind = "together"
        elif pair in in_key:
            kind = "key"
        elif pair in in_response:
            kind = "response"
        elif all(known):
            kind = "apart"
        elif any(known):
            kind = "one"
        else:
            continue
        seen.add(kind)
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
    legend = [(look, text) for kind, (look, _, text) in _LOOKS.items() if kind in seen]
    drawing.legend(legend, drawing.height + 26, 300)
    return drawing
