"""What was counted, by which functions and from which two sides: all that a counts file has.

Counts are used again for the same key, policy and documents only: see `reuse`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import TypeVar

import numpy as np

from scoref.base.arrays import Bools
from scoref.base.phrases import counted, listed
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.formats.io.sources import STANDARD_INPUT, checked_path, head_of, sources
from scoref.matching.summary import Side
from scoref.metrics import Metric
from scoref.policy import E2E, Policy, read_signature
from scoref.policy.capabilities import ORDINARY_JOIN

_HEAD = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"scoref counts"')


def as_counted(metrics: Iterable[Metric], policy: Policy) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as the policy says.

    What few policies need is imported on demand, so that the command line starts sooner.
    """
    metrics = tuple(metrics)
    one_entity = [metric.name for metric in metrics if not metric.takes_several]
    if policy.duplicates == "keep" and one_entity:
        raise UsageError(
            f"{one_entity[0]} is defined for mentions in one entity, but --duplicates keep leaves"
            " them in several",
            "use -m 'b3(extended)' -m mentions, or leave --duplicates out",
        )
    if policy.split_antecedents != "ignore":
        from scoref.metrics.split_antecedents import with_split_antecedents  # noqa: PLC0415

        return with_split_antecedents(metrics, policy.split_antecedents)
    if policy.compat == E2E:
        from scoref.matching.compat.e2e import as_e2e_counts  # noqa: PLC0415

        return as_e2e_counts(metrics)
    if policy.compat not in ORDINARY_JOIN:
        from scoref.matching.compat.corefud import as_corefud_counts  # noqa: PLC0415

        return as_corefud_counts(metrics, policy.compat)
    return metrics


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The content of a counts file. A Result adds scores, views and single mentions."""

    key: Side
    response: Side
    counts: Counts
    policy: Policy
    signature: str
    notes: tuple[str, ...] = ()

    def has_counts(self) -> Bools:
        """Return in which units any metric counted anything."""
        found = np.zeros(len(self.counts.units), dtype=bool)
        for metric in self.counts.metrics:
            found |= self.counts.statistic(metric, self.policy).rows.any(axis=1)
        return found


AnyCounted = TypeVar("AnyCounted", bound=Counted)


def is_counts_file(path: object) -> bool:
    """Whether a path is a file, or standard input, that begins like a counts file."""
    if not isinstance(path, str | PathLike):
        return False
    if str(path) != STANDARD_INPUT and not checked_path(path).is_file():
        return False
    return _HEAD.match(head_of(sources(path)[0])) is not None


def reuse(
    result: AnyCounted,
    name: str,
    key: str,
    policy: Policy,
    units: Sequence[str],
    *,
    metrics: Sequence[Metric] | None,
) -> AnyCounted:
    """Return counts with the units of a key in its order, and some metrics; None keeps all metrics.

    Counts of another key, of another policy or of other documents are refused. `key` is the
    fingerprint of the key, and `name` names the counts in messages.
    """
    _check_same(result, name, key, policy, units)
    counts = result.counts
    if counts.units != tuple(units):
        place = {unit: at for at, unit in enumerate(counts.units)}
        counts = counts.where(np.array([place[unit] for unit in units], dtype=np.int64))
    if metrics is not None:
        rows = counts.rows
        if missing := [metric.name for metric in metrics if metric.name not in rows]:
            raise UsageError(
                f"{name} has no counts of {listed(missing)}", f"it has: {', '.join(rows)}"
            )
        chosen = {metric.name: rows[metric.name] for metric in metrics}
        counts = Counts(counts.units, tuple(metrics), chosen)
    return replace(result, counts=counts)


def _check_same(result: Counted, name: str, key: str, policy: Policy, units: Sequence[str]) -> None:
    stated = read_signature(result.signature)
    differing = [
        field.name
        for field in fields(Policy)
        if getattr(stated.policy, field.name) != getattr(policy, field.name)
    ]
    if differing:
        found, expected = (
            ", ".join(f"{field}:{getattr(choices, field)}" for field in differing)
            for choices in (stated.policy, policy)
        )
        flags = " ".join(
            f"--{field.replace('_', '-')} {getattr(stated.policy, field)}" for field in differing
        )
        raise UsageError(
            f"{name} was counted with {found}, expected {expected}",
            f"score everything with {flags}, or count again",
        )
    present, wanted = set(result.counts.units), set(units)
    missing = [unit for unit in units if unit not in present]
    extra = [unit for unit in result.counts.units if unit not in wanted]
    if missing or extra:
        parts = [
            f"{what} {counted(len(names), 'document')} ({listed(names)})"
            for what, names in (("lacks", missing), ("adds", extra))
            if names
        ]
        raise UsageError(f"{name} was counted on other documents: it {' and '.join(parts)}")
    if stated.key != key:
        raise UsageError(
            f"{name} was counted against another key: its fingerprint is {stated.key},"
            f" this key's is {key}",
            "the documents are the same, so mentions or entities of the key differ",
        )
