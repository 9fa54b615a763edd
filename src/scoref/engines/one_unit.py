"""What a unit that no memory holds at once allows: metrics of sums, and exact matching alone."""

from __future__ import annotations

from collections.abc import Iterable

from scoref.alignment.where import ALL
from scoref.exceptions import UsageError
from scoref.metrics import Metric
from scoref.policy import Policy


def are_sums(metrics: Iterable[Metric]) -> bool:
    """Whether no metric requires single mentions."""
    return not _others(metrics)


def matches_exactly(policy: Policy) -> bool:
    """Whether no policy requires single mentions, except whether two are equal."""
    return policy.match == "exact" and policy.where == ALL


def refuse_single_mentions(
    metrics: Iterable[Metric], policy: Policy, where: str, hint: str
) -> None:
    """Refuse metrics and policies that require single mentions, which are not available here."""
    if others := _others(metrics):
        raise UsageError(f"{others[0]} requires single mentions, not available {where}", hint)
    for name, usual in (("match", "exact"), ("where", ALL)):
        if (value := getattr(policy, name)) != usual:
            raise UsageError(f"--{name} {value} is not available {where}", hint)


def _others(metrics: Iterable[Metric]) -> list[str]:
    parts = (part for metric in metrics for part in metric.parts or (metric,))
    return [part.name for part in parts if not part.by_sums]
