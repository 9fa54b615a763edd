"""Mentions in the text: a box per token, brackets of the key above and of the response below."""

from __future__ import annotations

from metric_pages.drawing import Drawing, Outcome, text_width
from metric_pages.examples import Annotation, Example
from metric_pages.partitions import mentions_of

_Y, _HIGH = 62, 28


def draw_strip(example: Example) -> Drawing:
    """Draw the tokens; those in mentions of both sides are filled."""
    drawing = Drawing()
    left, places = 4.0, []
    for token in example.tokens:
        wide = text_width(token) + 14
        places.append((left, left + wide))
        left += wide + 4
    covered = [_covered(example, side) for side in (example.key, example.response)]
    for at, (token, (start, end)) in enumerate(zip(example.tokens, places, strict=True)):
        in_key, in_response = (at in side for side in covered)
        outcome: Outcome = "plain"
        if in_key and in_response:
            outcome = "right"
        elif in_key:
            outcome = "missed"
        elif in_response:
            outcome = "spurious"
        drawing.box(start, _Y, end - start, _HIGH, f"token {outcome}", 4)
        drawing.text((start + end) / 2, _Y + 19, token, "name")
    drawing.text(4, 14, "key", "side", "start")
    drawing.text(4, _Y + _HIGH + 58, "response", "side", "start")
    for side, y, bend in ((example.key, _Y - 8, -10), (example.response, _Y + _HIGH + 8, 10)):
        for mention in _marked(side):
            start, end = example.spans[mention]
            x1, x2 = places[start][0] + 3, places[end][1] - 3
            drawing.path(f"M{x1:g} {y:g}v{bend}H{x2:g}v{-bend}", "bracket")
            name = "refers to nothing" if mention in side.non_referring else mention
            if not side.non_referring or mention in side.non_referring:
                where = y + bend - 6 if bend < 0 else y + bend + 15
                wide = text_width(name)
                drawing.text(max((x1 + x2) / 2, 4 + wide / 2), where, name, "small")
    both = "in mentions of both sides" if not example.response.non_referring else "on both sides"
    legend = [
        ("token right", both),
        ("token missed", "only in the key"),
        ("token spurious", "only in the response"),
    ]
    drawing.legend(legend, _Y + _HIGH + 84, max(drawing.width, 330))
    return drawing


def _marked(side: Annotation) -> tuple[str, ...]:
    return side.non_referring or mentions_of(side.entities)


def _covered(example: Example, side: Annotation) -> set[int]:
    spans = (example.spans[mention] for mention in _marked(side))
    return {token for start, end in spans for token in range(start, end + 1)}
