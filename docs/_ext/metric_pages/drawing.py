"""The pictures' one style: shapes of SVG whose colours the page decides, light or dark.

Nothing is said by colour alone. What both sides have is a solid line, what only the key has is
dashed, and what only the response has is dotted. `docs/_static/metrics.css` has the colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Literal

Outcome = Literal["right", "missed", "spurious", "plain"]

CHIP = 26
"""The height of a mention."""
_LETTER = 7.6  # the width of a character, on average
_LINE = 18
_SCALE = 1.2


@dataclass(slots=True)
class Drawing:
    """The parts of a picture, and how much room they take."""

    parts: list[str] = field(default_factory=list)
    width: float = 0
    height: float = 0

    def _grow(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(
        self, x: float, y: float, content: str, look: str = "", anchor: str = "middle"
    ) -> None:
        """Write a line of text around, after or before a point."""
        place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
        self.parts.append(f'<text {place} class="{look}">{escape(content)}</text>')
        room = {"middle": 0.5, "start": 1, "end": 0}[anchor] * text_width(content)
        self._grow(x + room, y + 5)

    def box(  # noqa: PLR0917  # a place, a size and a look, as SVG has them
        self, x: float, y: float, width: float, height: float, look: str, radius: int = 6
    ) -> None:
        """Draw a rounded rectangle."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}"'
            f' class="{look}"/>'
        )
        self._grow(x + width, y + height)

    def path(self, shape: str, look: str, *, arrow: bool = False) -> None:
        """Draw a line or an area."""
        end = f' marker-end="url(#arrow-{look.rsplit(maxsplit=1)[-1]})"' if arrow else ""
        self.parts.append(f'<path d="{shape}" class="{look}"{end}/>')

    def chip(
        self, x: float, y: float, name: str, outcome: Outcome = "plain", kind: str = ""
    ) -> None:
        """Draw a mention around a point; names and nominals are underlined."""
        width = chip_width(name)
        self.box(x - width / 2, y - CHIP / 2, width, CHIP, f"chip {outcome}", CHIP // 2)
        self.text(x, y + 3.5, name, "name")
        if kind in {"name", "nominal"}:
            self.path(f"M{x - 6:g} {y + 8:g}h12", f"underline {kind}")

    def arc(
        self,
        start: float,
        end: float,
        y: float,
        bend: float,
        outcome: Outcome,
        *,
        arrow: bool = False,
    ) -> None:
        """Draw a curve between two points of one height, upwards if `bend` is negative."""
        middle = (start + end) / 2
        self.path(
            f"M{start:g} {y:g}Q{middle:g} {y + 2 * bend:g} {end:g} {y:g}",
            f"link {outcome}",
            arrow=arrow,
        )

    def legend(self, entries: Iterable[tuple[str, str]], y: float, most: float = 400) -> None:
        """Explain lines and areas: a sample and a text each, as many per line as fit."""
        x, top = 4.0, y
        for look, content in entries:
            wide = 40 + text_width(content) * 0.92
            if x > 4 and x + wide > most:
                x, top = 4.0, top + _LINE
            if look.startswith("link"):
                self.path(f"M{x:g} {top - 4:g}h26", look)
            else:
                self.box(x + 6, top - 11, 14, 14, look, 3)
            self.text(x + 32, top, content, "small", "start")
            x += wide + 10
        self._grow(0, top + 8)

    def svg(self, title: str, description: str) -> str:
        """Return the picture, with its text for readers who do not see it."""
        width, height = self.width + 10, self.height + 4
        arrows = [one for one in _OUTCOMES if any(f"#arrow-{one}" in part for part in self.parts)]
        size = f'viewBox="-4 0 {width:g} {height:g}" width="{_SCALE * width:g}"'
        return "\n".join(
            [
                f'<svg class="metric-picture" {size} role="img" xmlns="{_NAMESPACE}">',
                f"<title>{escape(title)}</title>",
                f"<desc>{escape(description)}</desc>",
                f"<defs>{''.join(_ARROW.format(outcome=one) for one in arrows)}</defs>",
                *self.parts,
                "</svg>",
            ]
        )


_OUTCOMES = ("right", "missed", "spurious")
_NAMESPACE = "http://www.w3.org/2000/svg"
_ARROW = (
    '<marker id="arrow-{outcome}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10"'
    ' markerHeight="10" markerUnits="userSpaceOnUse" orient="auto">'
    '<path d="M0 0L8 4L0 8z" class="tip {outcome}"/></marker>'
)


def text_width(content: str) -> float:
    """Return about how wide a text is."""
    return len(content) * _LETTER


def chip_width(name: str) -> float:
    """Return how wide a mention is."""
    return max(CHIP, text_width(name) + 12)


def row_of_chips(names: Iterable[str], left: float, gap: float = 14) -> dict[str, float]:
    """Return the middle of each mention of a row."""
    middles = {}
    for name in names:
        middles[name] = left + chip_width(name) / 2
        left += chip_width(name) + gap
    return middles
