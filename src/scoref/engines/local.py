"""Scoring in this process, with both corpora in memory."""

from __future__ import annotations

from collections.abc import Iterable

from scoref.compat.counting import as_counted
from scoref.counts.counts import Counts
from scoref.engines.assembly import assemble_prepared, with_bounds
from scoref.metrics import Metric
from scoref.policy import Policy
from scoref.preparation.inputs import Input, ReadOptions
from scoref.preparation.needs import needs_of
from scoref.preparation.pipeline import prepare
from scoref.result import Result


def score_local(
    key: Input,
    response: Input,
    metrics: Iterable[Metric],
    policy: Policy,
    options: ReadOptions,
    *,
    ceaf_time_limit: float | None = None,
) -> Result:
    """Prepare both sides, count, and assemble the result."""
    chosen = as_counted(metrics, policy)
    prepared = prepare(key, response, policy, options, needs=needs_of(chosen))
    counts = Counts.of(prepared.alignment.table(), chosen, ceaf_time_limit)
    result = assemble_prepared(counts, prepared)
    return result if ceaf_time_limit is None else with_bounds(result, ceaf_time_limit)
