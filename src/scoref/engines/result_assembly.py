"""assemble_result(): counts and a summary become a Result, the same way on every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.counts.counts import Counts
from scoref.matching.alignment import Alignment
from scoref.matching.pipeline import Prepared
from scoref.matching.summary import PreparationSummary
from scoref.policy import Policy
from scoref.result import Result

if TYPE_CHECKING:
    from scoref.llm.fidelity import Fidelity


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
