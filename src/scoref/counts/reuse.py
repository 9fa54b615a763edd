"""Reuse of counts from a file: check the key and the policy, and select units and metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TypeVar

import numpy as np

from scoref.base.phrases import counted, listed
from scoref.counts.counted import Counted
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import Metric
from scoref.policy import Policy, read_signature

AnyCounted = TypeVar("AnyCounted", bound=Counted)


def check_same(result: Counted, name: str, key: str, policy: Policy, units: Sequence[str]) -> None:
    """Refuse counts of another key, of another policy or of other documents."""
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


def in_order(result: AnyCounted, units: Sequence[str]) -> AnyCounted:
    """Sort the units of a result into the order of a key."""
    counts = result.counts
    if counts.units == tuple(units):
        return result
    place = {unit: at for at, unit in enumerate(counts.units)}
    order = np.array([place[unit] for unit in units], dtype=np.int64)
    return replace(result, counts=counts.where(order))


def select(result: AnyCounted, metrics: Sequence[Metric] | None, name: str) -> AnyCounted:
    """Keep some metrics of a result, in this order; None keeps all."""
    if metrics is None:
        return result
    rows = result.counts.rows
    if missing := [metric.name for metric in metrics if metric.name not in rows]:
        raise UsageError(f"{name} has no counts of {listed(missing)}", f"it has: {', '.join(rows)}")
    chosen = {metric.name: rows[metric.name] for metric in metrics}
    return replace(result, counts=Counts(result.counts.units, tuple(metrics), chosen))
