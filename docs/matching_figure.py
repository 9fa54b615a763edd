"""Draw which spans match in which mode: `python docs/matching_figure.py`.

scoref computes what matches. A test compares the picture with docs/figures/matching.svg.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import scoref

TARGET = Path(__file__).parent / "figures" / "matching.svg"

WORDS = ("Then", "old", "Captain", "Lunt", "of", "the", "Hetty", "shouted")
KEY, HEAD, MINIMAL = (1, 6), 3, (2, 3)
RESPONSES = {(1, 6): 3, (1, 3): 3, (3, 3): 3, (4, 6): 6, (0, 6): 3}
"""The span of each response mention, and its head."""
MODES = ("exact", "head", "partial", "min", "overlap=0.5")

LEFT, TOP, ROW, BAR = 90, 52, 40, 20
LETTER, BLANK = 8.4, 10
MODE, GAP = 88, 24
INK, SOFT, EDGE, CARD = "#1f2933", "#52606d", "#cbd2d9", "#ffffff"
ACCENT, MIDDLE, PALE, YES = "#1d6fa5", "#8fbbdb", "#d9e8f3", "#2f855a"

Span = tuple[int, int]


def corpus(span: Span, head: int, minimal: Span | None = None) -> scoref.Corpus:
    """Return a corpus of one mention."""
    builder = scoref.CorpusBuilder("figure")
    document = builder.document("d", len(WORDS))
    places = {"head_start": head, "head_end": head}
    if minimal is not None:
        places |= {"min_start": minimal[0], "min_end": minimal[1]}
    builder.mention(document, span, builder.entity(document, "lunt"), **places)
    return builder.corpus()


def matches(span: Span, mode: str) -> bool:
    """Whether a response mention matches the key mention."""
    key, response = corpus(KEY, HEAD, MINIMAL), corpus(span, RESPONSES[span])
    return scoref.score(key, response, ["mentions"], match=mode)["mentions"].f1 == 1


def edges() -> list[Span]:
    """Return where each word begins and ends."""
    found, x = [], float(LEFT)
    for word in WORDS:
        found.append((round(x), round(x + LETTER * len(word))))
        x += LETTER * len(word) + BLANK
    return found


def text(x: float, y: float, content: str, **style: str | int) -> str:
    """Return a line of text."""
    look = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:g}" y="{y:g}"{look}>{escape(content)}</text>'


def bar(span: Span, y: float, fill: str) -> str:
    """Return a bar under some words."""
    places = edges()
    left, right = places[span[0]][0] - 3, places[span[1]][1] + 3
    return (
        f'<rect x="{left}" y="{y:g}" width="{right - left}" height="{BAR}" rx="4" fill="{fill}"/>'
    )


def centre(span: Span, y: float, content: str, fill: str) -> str:
    """Return a text in the middle of some words."""
    places = edges()
    middle = (places[span[0]][0] + places[span[1]][1]) / 2
    return text(middle, y, content, font_size=11, text_anchor="middle", fill=fill)


def draw() -> str:
    """Return the picture as SVG."""
    places = edges()
    first = places[-1][1] + GAP
    width, height = first + MODE * len(MODES) + 12, TOP + ROW * (len(RESPONSES) + 2) - 8
    parts = [
        text((left + right) / 2, 34, word, font_size=14, text_anchor="middle", fill=INK)
        for word, (left, right) in zip(WORDS, places, strict=True)
    ]
    parts += [
        text(16, TOP + 15, "key", font_size=13, font_weight=600, fill=INK),
        bar(KEY, TOP, PALE),
        bar(MINIMAL, TOP, MIDDLE),
        bar((HEAD, HEAD), TOP, ACCENT),
        centre((HEAD, HEAD), TOP + 14, "head", CARD),
        centre(MINIMAL, TOP + 36, "minimal span", SOFT),
    ]
    style: dict[str, str | int] = {"font_size": 13, "text_anchor": "middle"}
    for at, mode in enumerate(MODES):
        middle = first + MODE * at + MODE / 2
        parts.append(text(middle, TOP + 15, mode, font_weight=600, fill=INK, **style))
    for at, span in enumerate(RESPONSES):
        y = TOP + 18 + ROW * (at + 1)
        parts.append(f'<path d="M16 {y - 10:g}H{width - 16}" stroke="{EDGE}"/>')
        parts.append(text(16, y + 15, "response", font_size=13, fill=SOFT))
        parts.append(bar(span, y, PALE))
        head = RESPONSES[span]
        parts.append(bar((head, head), y, ACCENT))
        parts.append(centre((head, head), y + 14, "head", CARD))
        for column, mode in enumerate(MODES):
            middle = first + MODE * column + MODE / 2
            yes = matches(span, mode)
            content, fill = ("match", YES) if yes else ("–", SOFT)  # noqa: RUF001  # a dash
            weight = 600 if yes else 400
            parts.append(text(middle, y + 15, content, font_weight=weight, fill=fill, **style))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    head_line = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
        ' font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">'
    )
    title = "<title>Which response spans match a key span, by mode</title>"
    ground = f'<rect width="100%" height="100%" rx="8" fill="{CARD}"/>'
    return "\n".join([head_line, title, ground, *parts, "</svg>", ""])


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
