"""Draw the packages of scoref and the path of the data: `python docs/house.py`.

The picture is made from the plan that the tests check (tests/house.py) and from the first lines of
the packages' docstrings. A test compares it with docs/figures/house.svg.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.house import LAYERS, SOURCE  # noqa: E402

TARGET = ROOT / "docs" / "figures" / "house.svg"

WAY = (
    ("formats", "files"),
    ("corpus", "two Corpora"),
    ("matching", "Alignment"),
    ("metrics", "Table"),
    ("counts", "Counts"),
    ("result", "Result"),
    ("views", "text, JSON, LaTeX"),
)
"""The rooms that data pass through, and what each of them takes or makes."""

TITLES = (
    "tools without any knowledge of coreference",
    "the model, and every choice",
    "files, words, metrics",
    "what language models wrote",
    "matching, counts, resampling",
    "scores, and where counting runs",
    "what is built on results",
    "what is shown",
    "commands",
)
WIDTH, MARGIN, GAP, LABEL = 1000, 20, 10, 150
BOX, LINE, IN_ROW = 78, 15, 4
INK, SOFT, EDGE, BAND, CARD = "#1f2933", "#52606d", "#cbd2d9", "#f2f4f7", "#ffffff"
ACCENT = "#1d6fa5"


def purpose(room: str) -> str:
    """Return the first sentence of a room's docstring."""
    path = SOURCE / room / "__init__.py" if (SOURCE / room).is_dir() else SOURCE / f"{room}.py"
    whole = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    paragraph = " ".join(whole.split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".").replace("`", "")


def text(x: float, y: float, content: str, **style: str | int) -> str:
    """Return a line of text."""
    look = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(content)}</text>'


def box(x: float, y: float, width: float, height: float, *, fill: str, stroke: str) -> str:
    """Return a rounded rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"'
        f' fill="{fill}" stroke="{stroke}"/>'
    )


def draw_way(top: float) -> tuple[list[str], float]:
    """Draw the way of the data: a chip per room, with arrows and what passes between them."""
    step = (WIDTH - 2 * MARGIN) / len(WAY)
    parts = [text(MARGIN, top, "The path of the data", font_size=15, font_weight=600, fill=INK)]
    for at, (room, thing) in enumerate(WAY):
        left, wide = MARGIN + at * step, step - 19
        parts.append(box(left, top + 14, wide, 34, fill=ACCENT, stroke=ACCENT))
        style = {"font_size": 12, "font_weight": 600, "text_anchor": "middle", "fill": CARD}
        parts.append(text(left + wide / 2, top + 36, f"{at + 1} {room}", **style))
        style = {"font_size": 12, "text_anchor": "middle", "fill": SOFT}
        parts.append(text(left + wide / 2, top + 66, thing, **style))
        if at + 1 < len(WAY):
            start = left + wide + 3
            parts.append(
                f'<path d="M{start:g} {top + 31:g}h12m-5 -4l5 4l-5 4" fill="none"'
                f' stroke="{SOFT}" stroke-width="1.5"/>'
            )
    return parts, top + 92


def draw_room(left: float, top: float, wide: float, room: str) -> list[str]:
    """Draw the box of a room with its name and purpose."""
    number = {room: at + 1 for at, (room, _) in enumerate(WAY)}
    marked = room in number
    parts = [box(left, top, wide, BOX, fill=CARD, stroke=ACCENT if marked else EDGE)]
    name = f"{number[room]} {room}" if marked else room
    colour = ACCENT if marked else INK
    parts.append(text(left + 8, top + 18, name, font_size=13, font_weight=600, fill=colour))
    lines = textwrap.wrap(purpose(room), int(wide / 6.4), max_lines=4, placeholder=" ...")
    for row, line in enumerate(lines):
        parts.append(text(left + 8, top + 33 + row * 13, line, font_size=11, fill=SOFT))
    return parts


def draw_layers(top: float) -> tuple[list[str], float]:
    """Draw the layers from the commands down, a box per room."""
    title = "The packages: each uses only its own layer and the layers below"
    parts = [text(MARGIN, top, title, font_size=15, font_weight=600, fill=INK)]
    y = top + 14
    for layer, about in reversed(list(zip(LAYERS, TITLES, strict=True))):
        rows = [layer[at : at + IN_ROW] for at in range(0, len(layer), IN_ROW)]
        height = len(rows) * (BOX + GAP) + GAP
        parts.append(box(MARGIN, y, WIDTH - 2 * MARGIN, height, fill=BAND, stroke=BAND))
        for at, line in enumerate(textwrap.wrap(about, 20)):
            parts.append(text(MARGIN + GAP, y + 28 + at * LINE, line, font_size=12, fill=SOFT))
        wide = (WIDTH - 2 * MARGIN - LABEL - GAP) / IN_ROW - GAP
        for down, row in enumerate(rows):
            for across, room in enumerate(row):
                left, top = MARGIN + LABEL + across * (wide + GAP), y + GAP + down * (BOX + GAP)
                parts += draw_room(left, top, wide, room)
        y += height + 6
    return parts, y


def draw() -> str:
    """Return the picture as SVG."""
    way, middle = draw_way(32)
    layers, height = draw_layers(middle + 16)
    size = f'width="{WIDTH}" height="{height + 8:g}" viewBox="0 0 {WIDTH} {height + 8:g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
        ' font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">'
    )
    title = "<title>The packages of scoref in nine layers, and the path of the data</title>"
    ground = f'<rect width="100%" height="100%" rx="8" fill="{CARD}"/>'
    return "\n".join([head, title, ground, *way, *layers, "</svg>", ""])


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
