"""One unit that does not fit into memory: what can be scored, and the result of its histogram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scoref.corpus import fingerprint
from scoref.corpus.document import Document
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_result
from scoref.exceptions import UsageError
from scoref.matching.summary import PreparationSummary
from scoref.metrics import Metric
from scoref.metrics.histogram import Histogram
from scoref.policy import Policy
from scoref.policy.capabilities import LARGE_UNIT, unsupported
from scoref.result import Result

UNNAMED = Document("#1", ("", 1))
"""The unit of a table without a column of documents."""

WITHOUT_CEAF = "leave out CEAF: -m mentions -m muc -m b3 -m blanc -m lea"


def sums_suffice(metrics: Iterable[Metric], policy: Policy) -> bool:
    """Whether neither metrics nor the policy require single mentions."""
    return not _requiring_mentions(metrics, policy)


def have_documents(key: bool, response: bool) -> bool:  # noqa: FBT001  # both sides are alike
    """Whether tables have a column of documents; refuse it on one side only."""
    if key != response:
        has, lacks = ("key", "response") if key else ("response", "key")
        raise UsageError(
            f"the {has} has a column of documents, but the {lacks} has none",
            "documents are paired by their names: give the column to both sides, or to neither",
        )
    return key


def refuse_single_mentions(
    metrics: Iterable[Metric], policy: Policy, where: str, hint: str
) -> None:
    """Refuse metrics and policies that require single mentions, which are not available here."""
    for what in _requiring_mentions(metrics, policy):
        raise UsageError(f"{what} requires single mentions, which are not available {where}", hint)


def _requiring_mentions(metrics: Iterable[Metric], policy: Policy) -> list[str]:
    parts = (part for metric in metrics for part in metric.parts or (metric,))
    names = (part.name for part in parts if not part.by_sums)
    return [*names, *unsupported(policy, LARGE_UNIT)]


def score_histogram(
    histogram: Histogram,
    best: Mapping[int, float],
    unit: Document,
    metrics: Sequence[Metric],
    policy: Policy,
    *,
    summary: PreparationSummary,
    entity_hashes: int,
) -> Result:
    """Return the result of one unit.

    `best` are the totals of CEAF's best alignments, by the number of their similarity.
    `entity_hashes` are what the entities of the key add to its fingerprint.
    """
    summary.has_matches = bool(len(histogram.cells.shared))
    counts = Counts.of(histogram.table(unit.name, best), metrics)
    unit_hash = int(fingerprint.mix(fingerprint.of_documents([unit.id]))[0])
    return assemble_result(counts, summary, policy, fingerprint.digest(unit_hash + entity_hashes))
