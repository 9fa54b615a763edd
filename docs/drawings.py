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
from scoref.comparison.gate import Margin, judge  # noqa: E402

FIGURES = ROOT / "docs" / "figures"

KEY = {"K1": "abc", "K2": "de"}
RESPONSE = {"R1": "ab", "R2": "cd", "R3": "f"}
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


def heading(x: float, y: float, number: int, title: str, about: str) -> list[str]:
    """Return the number, the title and a line on one step, above a place."""
    return [
        text(x, y - 36, f"{number} {title}", font_size=15, font_weight=600, fill=ACCENT),
        text(x, y - 18, about, font_size=12, fill=SOFT),
    ]


def note(x: float, y: float, lines: list[str]) -> list[str]:
    """Return lines of small text."""
    return [text(x, y + 17 * at, line, font_size=12, fill=SOFT) for at, line in enumerate(lines)]


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


def draw_sides(x: float, y: float) -> list[str]:
    """Draw the entities of both sides, a chip per mention."""
    parts = []
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
    left, right, top, bottom = 20, 276, 66, 366
    parts = heading(left, top, 1, "Corpus", "the mentions of each side")
    parts += draw_sides(left, top)
    parts += heading(right, top, 2, "Alignment", "one row per mention of either side")
    rows = [["mention", "key", "response"]]
    rows += [[m, entity_of(m, KEY), entity_of(m, RESPONSE)] for m in "abcdef"]
    parts += grid(right, top, [66, 58, 76], rows, 28)
    parts += heading(left, bottom, 3, "Table", "mentions shared by pairs of entities")
    cells = [["", *RESPONSE, "size"]]
    for name, mentions in KEY.items():
        shared = [str(len(set(mentions) & set(other))) for other in RESPONSE.values()]
        cells.append([name, *shared, str(len(mentions))])
    cells.append(["size", *(str(len(mentions)) for mentions in RESPONSE.values()), ""])
    parts += grid(left, bottom, [44, 40, 40, 40, 44], cells, 32)
    lines = ["Only cells with a shared mention", "are stored. Sizes are stored too,"]
    lines += ["because the other side can lack", "a mention (e, f)."]
    parts += note(left, bottom + 156, lines)
    parts += heading(right, bottom, 4, "Counts, then scores", "one row per document and metric")
    key, response = ([list(mentions) for mentions in side.values()] for side in (KEY, RESPONSE))
    result = scoref.score(key, response, ["muc", "b3", "ceafe"])
    counted = [["", "recall", "precision", "F1"]]
    for metric, label in (("muc", "MUC"), ("b3", "B³"), ("ceafe", "CEAFe")):
        total = [f"{value:.3g}" for value in result.totals(metric).values()]
        score = f"{100 * result[metric].f1:.1f}"
        counted.append([label, f"{total[0]} / {total[1]}", f"{total[2]} / {total[3]}", score])
    parts += grid(right, bottom, [52, 72, 76, 44], counted, 32)
    lines = ["Counts are summed over documents,", "exactly and in any order. The scores"]
    lines += ["are computed from the sums."]
    parts += note(right, bottom + 156, lines)
    return page(540, 590, "From two sides to scores, in four steps", parts)


Edge = tuple[int, int, int]


def draw_graph(y: float, title: str, edges: list[Edge], chosen: set[Edge]) -> list[str]:
    """Draw key and response entities with the weights of their pairs; thick pairs are aligned."""
    parts = [text(24, y, title, font_size=15, font_weight=600, fill=INK)]
    left, right, start, step = 70, 310, y + 46, 74
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
        middle = start + step * at
        for across, name in ((left, f"K{at + 1}"), (right, f"R{at + 1}")):
            parts.append(box(across - 20, middle - 16, 40, 32, fill=BAND, stroke=EDGE))
            parts.append(centred(across, middle + 5, name))
    return parts


def draw_alignments() -> str:
    """Draw a pair that is in a best alignment for certain, and one that only looks so."""
    certain = [(0, 0, 10), (0, 1, 3), (1, 0, 4), (1, 1, 2)]
    parts = draw_graph(30, "K1 and R1 are aligned without a search", certain, {certain[0]})
    lines = ["The best other pair of K1 weighs 3, the best"]
    lines += ["other pair of R1 weighs 4, and 10 ≥ 3 + 4."]
    parts += note(24, 204, lines)
    doubtful = [(0, 0, 10), (0, 1, 9), (1, 0, 9)]
    parts += draw_graph(270, "The heaviest pair is not always right", doubtful, {*doubtful[1:]})
    lines = ["10 < 9 + 9, so nothing is certain. The best"]
    lines += ["alignment is worth 9 + 9 = 18, not 10."]
    parts += note(24, 444, lines)
    return page(380, 480, "Which pairs of entities are aligned without a search", parts)


def draw_gate() -> str:
    """Draw the three outcomes of a gate: the interval of the loss, and the margin."""
    birds = ROOT / "examples" / "birds"
    cases = [("crane", "gull", 3), ("crane", "gull", 1), ("ibis", "gull", 1)]
    left, right, low, high = 40, 500, -5.0, 7.0

    def across(points: float) -> float:
        return left + (points - low) / (high - low) * (right - left)

    parts = [text(20, 30, "The loss of the new system", font_size=15, font_weight=600, fill=INK)]
    parts.append(text(20, 48, "CoNLL F1 in points, interval of 90 %", font_size=12, fill=SOFT))
    y = 80
    for old, new, allowed in cases:
        systems = {name: birds / f"{name}.counts.json" for name in (old, new)}
        margin = Margin.of(allowed / 100, None, 0.05)
        (verdict,) = judge(scoref.compare(None, systems, ["conll"]), old, new, margin)
        assert verdict.interval is not None  # noqa: S101  # forty documents have one
        ends = [across(100 * end) for end in verdict.interval]
        name = f"{verdict.outcome}: from {old} to {new}, --max-drop {allowed}"
        parts.append(text(20, y, name, font_size=13, font_weight=600, fill=INK))
        start, stop = across(allowed), y + 12
        parts.append(box(start, stop, right - start, 34, fill=BAND, stroke=BAND))
        line = f'<path d="M{start:g} {stop:g}v34" stroke="{INK}" stroke-width="2"/>'
        whisker = (
            f'<path d="M{ends[0]:.1f} {stop + 17:g}H{ends[1]:.1f}M{ends[0]:.1f} {stop + 10:g}v14'
            f'M{ends[1]:.1f} {stop + 10:g}v14" stroke="{ACCENT}" stroke-width="3"/>'
        )
        middle = across(100 * verdict.loss)
        dot = f'<circle cx="{middle:.1f}" cy="{stop + 17:g}" r="5" fill="{ACCENT}"/>'
        parts += [line, whisker, dot]
        y += 82
    axis = y - 20
    parts.append(f'<path d="M{left} {axis}H{right}" stroke="{EDGE}"/>')
    for points in range(int(low) + 1, int(high) + 1, 2):
        parts.append(centred(across(points), axis + 18, f"{points}", font_size=12, fill=SOFT))
    lines = ["Grey: more than the allowed loss. The gate fails if the whole interval is"]
    lines += ["in the grey area, and passes if no part of the interval is in this area."]
    parts += note(20, axis + 44, lines)
    return page(540, axis + 76, "Three outcomes of the gate", parts)


DRAWINGS = {"steps.svg": draw_steps, "dominating.svg": draw_alignments, "gate.svg": draw_gate}
"""The figures by file name."""


if __name__ == "__main__":
    for name, draw in DRAWINGS.items():
        (FIGURES / name).write_text(draw(), encoding="utf-8")
