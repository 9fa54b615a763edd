"""Which functions count: those of the metrics, unless the policy says otherwise.

What few policies need is imported on demand, so that the command line starts sooner.
"""

from __future__ import annotations

from collections.abc import Iterable

from scoref.metrics import Metric
from scoref.policy import E2E, Policy


def as_counted(metrics: Iterable[Metric], policy: Policy) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as the policy says."""
    if policy.split_antecedents != "ignore":
        from scoref.metrics.split.counting import with_split_antecedents  # noqa: PLC0415

        return with_split_antecedents(metrics, policy.split_antecedents)
    if policy.compat == E2E:
        from scoref.compat.e2e.metrics import as_e2e_counts  # noqa: PLC0415

        return as_e2e_counts(metrics)
    if policy.compat != "none":
        from scoref.compat.corefud.metrics import as_corefud_counts  # noqa: PLC0415

        return as_corefud_counts(metrics, policy.compat)
    return tuple(metrics)
