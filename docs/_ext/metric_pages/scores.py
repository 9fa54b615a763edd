"""Scores of small responses: counter-examples that readers can check by hand."""

from __future__ import annotations

from collections.abc import Sequence

from metric_pages.examples import PRADHAN, Example
from metric_pages.partitions import parse, write
from metric_pages.tables import code, markdown_table
from scoref import score
from scoref.metrics import find_metrics

_SIDES = ("recall", "precision", "F1")


def score_table(
    metrics: Sequence[str],
    lines: Sequence[str],
    *,
    sides: bool = False,
    example: Example = PRADHAN,
) -> str:
    """Score the responses of some lines, `name: {a b} {c}`; the first line is the key.

    The table has the F1 of several metrics or, with `sides`, all scores of one. Scores are
    percentages. The `example` has the attributes of mentions.
    """
    named = [(name.strip(), parse(text)) for name, _, text in (one.partition(":") for one in lines)]
    key = named[0][1]
    found = find_metrics(metrics)
    names = [metric.name for metric in found]
    header = ["response", "entities", *(_SIDES if sides else map(code, names))]
    rows = []
    for name, response in named[1:]:
        scores = score(*example.with_sides(key, response).corpora(), found).scores
        values = [100 * getattr(scores[names[0]], one.lower()) for one in _SIDES] if sides else []
        values = values or [metric.scale * scores[metric.name].f1 for metric in found]
        rows.append([name, code(write(response)), *(f"{value:.2f}" for value in values)])
    table = markdown_table(header, rows, range(2, len(header)))
    return f"The key is {code(write(key))}.\n\n{table}"
