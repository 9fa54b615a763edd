"""Numbers as bars: the parts of an average, and what becomes of the value of a key."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from metric_pages.drawing import Drawing
from metric_pages.tables import write_number

_LEFT, _LONG, _HIGH, _STEP = 62, 250, 22, 34


def draw_mean(parts: Sequence[tuple[str, Fraction]], mean: Fraction) -> Drawing:
    """Draw a bar per score, and a line at their mean."""
    drawing = Drawing()
    y = 26.0
    for name, value in parts:
        drawing.text(_LEFT - 8, y + 16, name, "side", "end")
        drawing.box(_LEFT, y, _LONG, _HIGH, "bar empty", 3)
        drawing.box(_LEFT, y, _LONG * float(value), _HIGH, "bar right", 3)
        drawing.text(_LEFT + _LONG + 8, y + 16, write_number(value), "name", "start")
        y += _STEP
    x = _LEFT + _LONG * float(mean)
    drawing.path(f"M{x:g} 18V{y:g}", "mean")
    drawing.text(x, 13, f"mean {mean}", "value")
    for share in (0, 1):
        drawing.text(_LEFT + _LONG * share, y + 12, str(share), "small")
    return drawing


def draw_value(shares: Sequence[tuple[str, str, Fraction]], whole: Fraction) -> Drawing:
    """Draw one bar of shares of a whole: a look, a name and a number each."""
    drawing = Drawing()
    x, y, scale = 6.0, 22.0, 330 / float(whole)
    for look, _, value in shares:
        wide = float(value) * scale
        if wide > 0:
            drawing.box(x, y, wide, 34, look, 3)
            drawing.text(x + wide / 2, y + 22, write_number(value), "name")
        x += wide
    drawing.text(6, 14, f"value of the key: {write_number(whole)}", "small", "start")
    drawing.legend(
        [(look, f"{name} {write_number(value)}") for look, name, value in shares], y + 62, 336
    )
    return drawing
