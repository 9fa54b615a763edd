"""What metrics give at the edges: nothing found, nothing to find, singletons, one entity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from metric_pages.examples import Annotation, Example, example_of
from metric_pages.partitions import Entities, parse, write
from metric_pages.tables import UNDEFINED, code, markdown_table, write_number
from scoref import explain
from scoref.exceptions import UsageError
from scoref.metrics import Metric, find_metric
from scoref.metrics.needs import ZEROS

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
_HOUSE = parse("{house it}")
_LINK_CASES = {
    "bridging": (
        (
            "the same link",
            Annotation(_HOUSE, {"door": "house"}),
            Annotation(_HOUSE, {"door": "house"}),
        ),
        (
            "another mention of the anchor's key entity",
            Annotation(_HOUSE, {"door": "house"}),
            Annotation(_HOUSE, {"door": "it"}),
        ),
        (
            "an anchor of another entity",
            Annotation(_HOUSE, {"door": "house"}),
            Annotation(_HOUSE, {"door": "garden"}),
        ),
        ("no link in the response", Annotation(_HOUSE, {"door": "house"}), Annotation(_HOUSE)),
        ("no link in the key", Annotation(_HOUSE), Annotation(_HOUSE, {"door": "house"})),
    ),
    "nonreferring": (
        ("the same mention", Annotation((), {}, ("It",)), Annotation((), {}, ("It",))),
        ("not marked in the response", Annotation((), {}, ("It",)), Annotation(())),
        ("not marked in the key", Annotation(()), Annotation((), {}, ("It",))),
    ),
}
_ERROR = "*error*"
_MENTIONS = "abcxy"
_NOTE = (
    f"{UNDEFINED} means that recall, precision or the score has nothing to divide by. It counts as"
    " 0 by default; [`--undefined`](../reference/policies.md#undefined) changes this."
)
_STAYS = f"{UNDEFINED} means that the score is undefined. No policy replaces it by a number."
_REFUSED = f"{_ERROR} means that the metric refuses to compare different mentions."


def edge_cases(names: Sequence[str]) -> str:
    """Return a table of scores: all three of one metric, or the F1 of several."""
    metrics = [find_metric(name) for name in names]
    alone = len(metrics) == 1 and metrics[0].has_sides and not metrics[0].parts
    header = ["case", "key", "response"]
    header += ["recall", "precision", "F1"] if alone else [code(metric.name) for metric in metrics]
    rows = []
    for case, key, response in _CASES:
        sides = parse(key), parse(response)
        scores = [_scores(metric, *sides) for metric in metrics]
        cells = [_write(one, whole=alone) for one in scores]
        shown = [cell for of_metric in cells for cell in of_metric]
        rows.append([case, code(write(sides[0])), code(write(sides[1])), *shown])
    return _with_notes(header, rows, metrics)


def link_edges(name: str) -> str:
    """Return the table of a metric that scores links or mentions beside the entities."""
    metric = find_metric(name)
    rows = []
    for case, key, response in _LINK_CASES[metric.name]:
        example = replace(example_of(metric.name), key=key, response=response)
        found = explain(*example.corpora(), [metric.name], undefined="skip")[metric.name].document
        scores = found.recall, found.precision, found.f1
        rows.append([case, *map(write_number, scores)])
    return _with_notes(["case", "recall", "precision", "F1"], rows, [metric])


def _with_notes(
    header: Sequence[str], rows: Sequence[Sequence[str]], metrics: Sequence[Metric]
) -> str:
    """Write a table, and explain what is not a number."""
    written = {cell for row in rows for cell in row}
    first = next(at for at, cell in enumerate(rows[0][1:], 1) if not cell.startswith("`"))
    numbers = range(first, len(header))
    notes = []
    if UNDEFINED in written:
        notes.append(_STAYS if metrics[0].keeps_undefined else _NOTE)
    if _ERROR in written:
        notes.append(_REFUSED)
    return "\n\n".join([markdown_table(header, rows, numbers), " ".join(notes)])


def _write(scores: Scores, *, whole: bool) -> list[str]:
    """Write all scores, or F1 alone."""
    if not scores:
        return [_ERROR]
    return [write_number(value) for value in (scores if whole else scores[-1:])]


def _scores(metric: Metric, key: Entities, response: Entities) -> Scores:
    """Score in exact fractions; no scores if the metric refuses the mentions."""
    needs = metric.needs
    example = Example(
        Annotation((), entity_types=("PER",)),
        Annotation(()),
        spans={mention: (at, at) for at, mention in enumerate(_MENTIONS)} if needs else {},
        types=dict.fromkeys(_MENTIONS, "name") if needs else {},
        zeros=tuple(_MENTIONS[1:]) if ZEROS in needs else (),
    ).with_sides(key, response)
    # An average shows what the command prints; with "skip", it would leave out its undefined parts.
    undefined: Literal["zero", "skip"] = "zero" if metric.parts else "skip"
    try:
        explained = explain(*example.corpora(), [metric.name], undefined=undefined)
    except UsageError:
        return ()
    found = explained[metric.name].document
    return found.recall, found.precision, found.f1
