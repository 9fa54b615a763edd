"""Whether counts can be true: they agree with themselves, and with the key that they state.

A checksum shows that a file is as it was written, not that what was written is true. These checks
find counts that no response can have. They cannot find a response that was invented.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoref.base.arrays import Floats
from scoref.counts.counted import Counted
from scoref.exceptions import UsageError
from scoref.metrics import Metric
from scoref.policy import Policy

_TOLERANCE = 1e-9
_OF_KEY = {
    **dict.fromkeys(
        ("mentions", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise"), ("recall_den",)
    ),
    "blanc": ("ck", "nk"),
    "conll": ("muc.recall_den", "b3.recall_den", "ceafe.recall_den"),
}
"""The columns that depend on the key alone, by metric."""


def contradiction(metric: Metric, rows: Floats) -> tuple[int, str] | None:
    """Return a unit whose counts of a metric contradict each other, and what is wrong."""
    if len(negative := np.argwhere(rows < -_TOLERANCE)):
        unit, column = negative[0].tolist()
        return unit, f"a negative {metric.columns[column]}, {rows[unit, column]:g}"
    for part, counts in _parts(metric, rows):
        scores = part.scores(counts, "skip")
        outside = (scores > 1 + _TOLERANCE) | (scores < part.lowest - _TOLERANCE)
        if len(found := np.argwhere(outside)):
            unit, which = found[0].tolist()
            name = ("recall", "precision", "F1")[which]
            return unit, f"a {name} of {scores[unit, which]:g}"
    return None


def _parts(metric: Metric, rows: Floats) -> Iterator[tuple[Metric, Floats]]:
    if not metric.parts:
        yield metric, rows
        return
    ends = np.cumsum([len(part.columns) for part in metric.parts])
    yield from zip(metric.parts, np.split(rows, ends[:-1], axis=-1), strict=True)


def depends_on_key_alone(policy: Policy) -> bool:
    """Return whether the key's mentions are counted alike for every response, and without words."""
    usual = (policy.where, policy.compat, policy.split_antecedents, policy.verb_phrases)
    return usual == ("all", "none", "ignore", "keep")


def key_metrics(metrics: tuple[Metric, ...]) -> tuple[Metric, ...]:
    """Return the metrics that have columns of the key alone."""
    return tuple(metric for metric in metrics if _key_columns(metric))


def _key_columns(metric: Metric) -> list[int]:
    wanted = _OF_KEY.get(metric.name, ())
    return [metric.columns.index(name) for name in wanted if name in metric.columns]


def check_key(result: Counted, name: str, other: Counted, other_name: str) -> None:
    """Refuse counts whose columns of the key differ from others of the same key and policy."""
    if not depends_on_key_alone(result.policy):
        return
    known = {metric.name: metric for metric in other.counts.metrics}
    for metric in key_metrics(result.counts.metrics):
        if metric.name not in known or known[metric.name].columns != metric.columns:
            continue
        columns = _key_columns(metric)
        found, expected = (one.counts.rows[metric.name][:, columns] for one in (result, other))
        differ = np.argwhere(np.abs(found - expected) > _TOLERANCE * (1 + np.abs(expected)))
        if len(differ):
            unit, at = differ[0].tolist()
            raise UsageError(
                f"{name} contradicts {other_name}: in document {result.counts.units[unit]},"
                f" {metric.columns[columns[at]]} of {metric.name} is {found[unit, at]:g}, expected"
                f" {expected[unit, at]:g}",
                "the file states the same key, so its counts were changed: count again",
            )
