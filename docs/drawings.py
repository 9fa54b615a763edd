"""Draw the figures of the page "How it works", in the style of house.py: `python docs/drawings.py`.

The numbers of the figures are computed by scoref. A test compares the figures with the files in
docs/figures.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(ROOT / "docs"))

import scoref  # noqa: E402
from house import ACCENT, BAND, CARD, EDGE, INK, SOFT, box, text  # noqa: E402

FIGURES = ROOT / "docs" / "figures"

KEY = {"K1": "abc", "K2": "de"}
RESPONSE = {"R1": "ab", "R2": "cd", "R3": "f"}
STEP, TOP = 244, 66
FADED = "#9aa5b1"


def page(width: float, height: float, title: str, parts: list[str]) -> str:
    """Return a figure with a ground of its own, which is readable on dark pages too."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
        ' font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">'
    )
    ground = f'<rect width="100%" height="100%" rx="8" fill="{CARD}"/>'
    return "\n".join([head, f"<title>{title}</title>", ground, *parts, "</svg>", ""])


def centred(x: float, y: float, content: str, **style: str | int) -> str:
    """Return a line of text around a point."""
    return text(x, y, content, **{"text_anchor": "middle", "font_size": 13, "fill": INK, **style})


def heading(x: float, number: int, title: str, about: str) -> list[str]:
    """Return the number, the title and a line on one step."""
    return [
        text(x, 30, f"{number} {title}", font_size=15, font_weight=600, fill=ACCENT),
        text(x, 48, about, font_size=12, fill=SOFT),
    ]


def arrow(x: float, y: float) -> str:
    """Return an arrow to the right."""
    path = f"M{x:g} {y:g}h14m-5 -4l5 4l-5 4"
    return f'<path d="{path}" fill="none" stroke="{SOFT}" stroke-width="1.5"/>'


def grid(x: float, y: float, widths: list[float], rows: list[list[str]], row: float) -> list[str]:
    """Return a table whose first row is the header."""
    parts = [box(x, y, sum(widths), row * len(rows), fill=CARD, stroke=EDGE)]
    for down, cells in enumerate(rows):
        if down:
            line = f'<path d="M{x:g} {y + down * row:g}h{sum(widths):g}" stroke="{EDGE}"/>'
            parts.append(line)
        for across, cell in enumerate(cells):
            middle = x + sum(widths[:across]) + widths[across] / 2
            style: dict[str, str | int] = {"fill": SOFT} if not down else {}
            style["fill"] = FADED if cell in {"-", "0"} else style.get("fill", INK)
            parts.append(centred(middle, y + down * row + row / 2 + 5, cell, **style))
    return parts


def draw_sides(x: float) -> list[str]:
    """Draw the entities of both sides, a chip per mention."""
    parts, y = [], TOP
    for side, entities in (("key", KEY), ("response", RESPONSE)):
        parts.append(text(x, y + 13, side, font_size=12, font_weight=600, fill=SOFT))
        y += 22
        for name, mentions in entities.items():
            parts.append(text(x, y + 19, name, font_size=13, fill=INK))
            parts.append(box(x + 30, y, 34 * len(mentions) + 8, 28, fill=BAND, stroke=BAND))
            for at, mention in enumerate(mentions):
                left = x + 36 + 34 * at
                parts.append(box(left, y + 4, 28, 20, fill=CARD, stroke=ACCENT))
                parts.append(centred(left + 14, y + 19, mention))
            y += 34
        y += 8
    return parts


def entity_of(mention: str, side: dict[str, str]) -> str:
    """Return the entity of a mention on one side, or a dash."""
    return next((name for name, mentions in side.items() if mention in mentions), "-")


def draw_steps() -> str:
    """Draw how two sides become an alignment, a table, counts and scores."""
    parts: list[str] = []
    x = [20 + at * STEP for at in range(4)]
    parts += heading(x[0], 1, "Corpus", "the mentions of each side")
    parts += draw_sides(x[0])
    parts += heading(x[1], 2, "Alignment", "one row per mention of either side")
    rows = [["mention", "key", "response"]]
    rows += [[m, entity_of(m, KEY), entity_of(m, RESPONSE)] for m in "abcdef"]
    parts += grid(x[1], TOP, [66, 58, 76], rows, 28)
    parts += heading(x[2], 3, "Table", "mentions shared by pairs of entities")
    cells = [["", *RESPONSE, "size"]]
    for name, mentions in KEY.items():
        shared = [str(len(set(mentions) & set(other))) for other in RESPONSE.values()]
        cells.append([name, *shared, str(len(mentions))])
    cells.append(["size", *(str(len(mentions)) for mentions in RESPONSE.values()), ""])
    parts += grid(x[2], TOP, [44, 40, 40, 40, 44], cells, 32)
    note = ["Only cells with a shared mention", "are stored. Sizes are stored too,"]
    note += ["because the other side can lack", "a mention (e, f)."]
    for at, line in enumerate(note):
        parts.append(text(x[2], TOP + 156 + 17 * at, line, font_size=12, fill=SOFT))
    parts += heading(x[3], 4, "Counts, then scores", "one row per document and metric")
    key, response = ([list(mentions) for mentions in side.values()] for side in (KEY, RESPONSE))
    result = scoref.score(key, response, ["muc", "b3", "ceafe"])
    counted = [["", "recall", "precision", "F1"]]
    for metric, label in (("muc", "MUC"), ("b3", "B³"), ("ceafe", "CEAFe")):
        total = [f"{value:.3g}" for value in result.totals(metric).values()]
        score = f"{100 * result[metric].f1:.1f}"
        counted.append([label, f"{total[0]} / {total[1]}", f"{total[2]} / {total[3]}", score])
    parts += grid(x[3], TOP, [52, 72, 76, 44], counted, 32)
    note = ["Counts are summed over documents,", "exactly and in any order. The scores"]
    note += ["are computed from the sums."]
    for at, line in enumerate(note):
        parts.append(text(x[3], TOP + 156 + 17 * at, line, font_size=12, fill=SOFT))
    parts += [arrow(x[at + 1] - 26, TOP + 62) for at in range(3)]
    return page(1004, 306, "From two sides to scores, in four steps", parts)


Edge = tuple[int, int, int]


def draw_graph(x: float, title: str, edges: list[Edge], chosen: set[Edge]) -> list[str]:
    """Draw key and response entities with the weights of their pairs; thick pairs are aligned."""
    parts = [text(x, 30, title, font_size=15, font_weight=600, fill=INK)]
    left, right, start, step = x + 46, x + 246, 76, 74
    nodes = max(max(edge[0], edge[1]) for edge in edges) + 1
    for one, other, weight in edges:
        y1, y2 = start + step * one, start + step * other
        bold = (one, other, weight) in chosen
        colour, width = (ACCENT, 4) if bold else (EDGE, 2)
        parts.append(
            f'<path d="M{left:g} {y1:g}L{right:g} {y2:g}" stroke="{colour}"'
            f' stroke-width="{width}"/>'
        )
    for one, other, weight in edges:
        # Weights of crossing pairs are next to their key entity, so that they do not meet.
        share = 0.5 if one == other else 0.26
        across = left + share * (right - left)
        down = start + step * (one + share * (other - one))
        parts.append(box(across - 15, down - 11, 30, 22, fill=CARD, stroke=CARD))
        bold = (one, other, weight) in chosen
        style: dict[str, str | int] = {"font_weight": 600, "fill": ACCENT} if bold else {}
        parts.append(centred(across, down + 5, str(weight), **style))
    for at in range(nodes):
        y = start + step * at
        for across, name in ((left, f"K{at + 1}"), (right, f"R{at + 1}")):
            parts.append(box(across - 20, y - 16, 40, 32, fill=BAND, stroke=EDGE))
            parts.append(centred(across, y + 5, name))
    return parts


def draw_alignments() -> str:
    """Draw a pair that is in a best alignment for certain, and one that only looks so."""
    certain = [(0, 0, 10), (0, 1, 3), (1, 0, 4), (1, 1, 2)]
    parts = draw_graph(24, "K1 and R1 are aligned without a search", certain, {certain[0]})
    lines = [
        "The best other pair of K1 weighs 3, the best other",
        "pair of R1 weighs 4, and 10 ≥ 3 + 4.",
    ]
    for at, line in enumerate(lines):
        parts.append(text(24, 208 + 17 * at, line, font_size=12, fill=SOFT))
    doubtful = [(0, 0, 10), (0, 1, 9), (1, 0, 9)]
    parts += draw_graph(404, "The heaviest pair is not always right", doubtful, {*doubtful[1:]})
    lines = [
        "10 < 9 + 9, so nothing is certain. The best",
        "alignment is worth 9 + 9 = 18, not 10.",
    ]
    for at, line in enumerate(lines):
        parts.append(text(404, 208 + 17 * at, line, font_size=12, fill=SOFT))
    return page(760, 246, "Which pairs of entities are aligned without a search", parts)


DRAWINGS = {"steps.svg": draw_steps, "dominating.svg": draw_alignments}
"""The figures by file name."""


if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        (FIGURES / name).write_text(draw(), encoding="utf-8")
