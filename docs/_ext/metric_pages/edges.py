"""What metrics give at the edges: nothing found, nothing to find, singletons, one entity."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from metric_pages.examples import Annotation, Example
from metric_pages.partitions import parse, write
from metric_pages.tables import UNDEFINED, code, markdown_table, write_number
from scoref import explain
from scoref.exceptions import UsageError
from scoref.metrics import find_metric

Scores = tuple[Fraction | float | None, ...]

_CASES = (
    ("the response equals the key", "{a b} {c}", "{a b} {c}"),
    ("the response is empty", "{a b} {c}", ""),
    ("the key is empty", "", "{a b} {c}"),
    ("both are empty", "", ""),
    ("one singleton, found", "{a}", "{a}"),
    ("singletons only, all found", "{a} {b} {c}", "{a} {b} {c}"),
    ("one entity, response all singletons", "{a b c}", "{a} {b} {c}"),
    ("all singletons, response one entity", "{a} {b} {c}", "{a b c}"),
    ("the singleton is missing", "{a b} {c}", "{a b}"),
    ("a spurious singleton", "{a b}", "{a b} {x}"),
    ("no mention in common", "{a b}", "{x y}"),
)
_MENTIONS = "abcxy"
_NOTE = (
    f"{UNDEFINED} means that recall, precision or the score has nothing to divide by. It counts as"
    " 0 by default; [`--undefined`](../reference/policies.md) changes this."
)
_REFUSED = "*error* means that the metric refuses to compare different mentions."


def edge_cases(names: Sequence[str]) -> str:
    """Return a table of scores: all three of one metric, or the F1 of several."""
    metrics = [find_metric(name) for name in names]
    alone = len(metrics) == 1 and metrics[0].has_sides and not metrics[0].parts
    header = ["case", "key", "response"]
    header += ["recall", "precision", "F1"] if alone else [f"{code(m.name)}" for m in metrics]
    rows = []
    for case, key, response in _CASES:
        sides = parse(key), parse(response)
        scores = [_scores(metric.name, *sides) for metric in metrics]
        shown = scores[0] if alone and scores[0] else [one[-1] if one else None for one in scores]
        cells = [write_number(value) for value in shown]
        if not alone:
            cells = [cell if one else "*error*" for cell, one in zip(cells, scores, strict=True)]
        rows.append([case, code(write(sides[0])), code(write(sides[1])), *cells])
    table = markdown_table(header, rows, range(3, len(header)))
    told = "".join(cell for row in rows for cell in row[3:])
    notes = [_NOTE] if UNDEFINED in told else []
    notes += [_REFUSED] if "*error*" in told else []
    return "\n\n".join([table, " ".join(notes)])


def _scores(metric: str, *sides: tuple[tuple[str, ...], ...]) -> Scores:
    """Score in exact fractions; no scores if the metric refuses the mentions."""
    needs = find_metric(metric).needs
    spans = {mention: (at, at) for at, mention in enumerate(_MENTIONS)}
    example = Example(
        *(Annotation(side, entity_types=("PER",) * len(side)) for side in sides),
        spans=spans if needs else {},
        types=dict.fromkeys(_MENTIONS, "name") if needs else {},
        zeros=tuple(_MENTIONS[1:]) if "zeros" in needs else (),
    )
    try:
        found = explain(*example.corpora(), [metric], undefined="skip")[metric].document
    except UsageError:
        return ()
    return found.recall, found.precision, found.f1
