"""The worked example of a metric: what `scoref explain` shows, with typeset formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from metric_pages.examples import Example, example_of
from metric_pages.tables import markdown_table
from scoref import explain
from scoref.explanation.blocks import Block, Cell, Formula, Grid, MentionList, MentionSets
from scoref.metrics import find_metric
from scoref.views.explanation import view_cell, view_formula
from scoref.views.writers.markdown import escape

_LINK = " -> "
_WEIGHT = re.compile(r"\bw\\_([cks])\b")


def worked_example(name: str) -> str:
    """Return the computation of a metric on its example, as Markdown."""
    metric, example = find_metric(name).name, example_of(name)
    walk = explain(*example.corpora(), [metric], limit=0)[metric]
    parts = [_entities(example)]
    blocks = [*walk.steps, *walk.result]
    for is_formula, run in groupby(blocks, lambda block: isinstance(block, Formula)):
        if is_formula:
            parts.append(_formulas(run))
        else:
            parts.extend(_block(block, example) for block in run)
    return "\n\n".join(parts)


def _entities(example: Example) -> str:
    """Name the entities of both sides."""
    sentences = []
    for side, annotation in (("key", example.key), ("response", example.response)):
        names = example.entity_names(side)
        sets = [
            rf"${name[0]}_{{{name[1:]}}} = \{{{_math_names(mentions)}\}}$"
            for name, mentions in zip(names, annotation.entities, strict=True)
        ]
        if sets:
            sentences.append(f"The {side} has {_listed(sets)}.")
    return " ".join(sentences)


def _math_names(mentions: Iterable[str]) -> str:
    names = (m if len(m) == 1 else rf"\text{{{m.replace('-', ' ')}}}" for m in mentions)
    return r",\ ".join(names)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _block(block: Block, example: Example) -> str:
    if isinstance(block, Grid):
        return _table(block, example.names())
    return _prose(str(block))


def _prose(text: str) -> str:
    """Write a text, with the weights of entities as symbols."""
    return _WEIGHT.sub(r"$w_\1$", escape(text))


def _table(grid: Grid, names: Mapping[str, str]) -> str:
    """Write a table with the labels of the example."""
    rows = [[_write(cell, names) for cell in row] for row in grid.rows]
    if grid.total:
        sums = [_write(cell, names) for cell in grid.total[1:]]
        rows.append(["**sum**", *(f"**{cell}**" if cell else "" for cell in sums)])
    numbers = [at for at, numeric in enumerate(grid.numeric) if numeric]
    table = markdown_table([_prose(title) for title in grid.header], rows, numbers)
    return f"**{escape(grid.caption)}**\n\n{table}" if grid.caption else table


def _write(cell: Cell, names: Mapping[str, str]) -> str:
    shown = view_cell(_renamed(cell, names))
    return escape(shown if isinstance(shown, str) else shown.text)


def _renamed(cell: Cell, names: Mapping[str, str]) -> Cell:
    """Replace token positions by the labels of the example."""
    if isinstance(cell, MentionList):
        return cell._replace(names=tuple(_label(name, names) for name in cell.names))
    if isinstance(cell, MentionSets):
        sets = (one._replace(names=tuple(_label(n, names) for n in one.names)) for one in cell.sets)
        return cell._replace(sets=tuple(sets))
    return _label(cell, names) if isinstance(cell, str) else cell


def _label(name: str, names: Mapping[str, str]) -> str:
    """Replace a token position, or both ends of a link, `3-4 -> 0-1`."""
    ends = name.split(_LINK)
    return " → ".join(names[end].replace("-", " ") if end in names else end for end in ends)


def _formulas(blocks: Iterable[Block]) -> str:
    """Typeset formulas that follow each other, aligned at their first sign."""
    lines = []
    for block in blocks:
        if isinstance(block, Formula):
            view = view_formula(block)
            steps = [f"{_SIGNS[step.sign]} {step.math}" for step in view.steps]
            lines.append(rf"{_name(view.name)} &{' '.join(steps)}")
    inside = "\\\\[6pt]\n".join(lines)
    return f"$$\n\\begin{{aligned}}\n{inside}\n\\end{{aligned}}\n$$"


_SIGNS = {"=": "=", "≈": r"\approx"}


def _name(name: str) -> str:
    """Typeset the name of a number: `F_c` is a symbol, `recall` a word."""
    letter, _, index = name.partition("_")
    if index and len(letter) == 1:
        return f"{letter}_{{{index}}}"
    if name == "F1":
        return "F_1"
    return name if len(name) <= 2 else rf"\text{{{name}}}"
