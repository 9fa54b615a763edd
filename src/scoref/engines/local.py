"""Scoring in this process, with both corpora in memory; and how every engine makes its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.base.phrases import counted
from scoref.counts.counted import as_counted
from scoref.counts.counts import Counts
from scoref.matching.alignment import Alignment
from scoref.matching.inputs import Input, ReadOptions
from scoref.matching.pipeline import Prepared, prepare
from scoref.matching.requirements import Requirements
from scoref.matching.summary import PreparationSummary
from scoref.metrics import Metric
from scoref.policy import Policy
from scoref.result import Result

if TYPE_CHECKING:
    from scoref.llm.fidelity import Fidelity


def score_local(
    key: Input,
    response: Input,
    metrics: Iterable[Metric],
    policy: Policy,
    options: ReadOptions,
) -> Result:
    """Prepare both sides, count, and assemble the result."""
    chosen = as_counted(metrics, policy)
    prepared = prepare(key, response, Requirements.of(chosen, policy, options))
    counts = Counts.of(prepared.alignment.table(), chosen)
    result = assemble_prepared(counts, prepared)
    if policy.split_antecedents != "ignore":
        result = _note_ties(result, prepared, chosen)
    return result


def _note_ties(result: Result, prepared: Prepared, metrics: Iterable[Metric]) -> Result:
    """Note where the alignment of split antecedents is not the only best one."""
    from scoref.metrics.split_antecedents import tied_units  # noqa: PLC0415  # few ask for them

    ties = tied_units(prepared.alignment.table(), metrics, prepared.policy.split_antecedents)
    if not ties:
        return result
    shown = ", ".join(f"{name} ({counted(units, 'document')})" for name, units in ties.items())
    note = (
        f"several alignments of split antecedents are equally good, but not their scores: {shown}"
    )
    return replace(result, notes=(*result.notes, note))


def assemble_result(
    counts: Counts,
    summary: PreparationSummary,
    policy: Policy,
    fingerprint: str,
    *,
    alignment: Alignment | None = None,
    fidelity: Fidelity | None = None,
) -> Result:
    """Return the result of counts from any engine, with all notes and its signature.

    `alignment` has the single mentions, if they are in memory. `fidelity` is that of a response
    that a language model wrote.
    """
    return Result(
        key=summary.key.side(),
        response=summary.response.side(),
        counts=counts,
        policy=policy,
        signature=policy.signature(fingerprint),
        notes=summary.notes(policy),
        alignment=alignment,
        fidelity=fidelity,
    )


def assemble_prepared(counts: Counts, prepared: Prepared) -> Result:
    """Return the result of counts of sides that were prepared as a whole."""
    return assemble_result(
        counts,
        prepared.summary,
        prepared.policy,
        prepared.fingerprint,
        alignment=prepared.alignment,
        fidelity=prepared.generated.fidelity if prepared.generated else None,
    )
