"""One unit over all executors: a whole corpus, or a table without documents.

No machine needs to hold it. Rows are divided by mention and joined, the pairs of entities that
share mentions are divided by key entity, then by response entity, with the functions of the table
engine (`unit_tasks.py`). What each entity and each pair adds to a metric depends on a few small
numbers. The driver gets how many times each combination occurs, and finishes from that histogram,
exactly. `ceaf_rounds.py` has the alignment of entities for CEAF.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from scoref.base.arrays import Ints
from scoref.corpus import fingerprint
from scoref.corpus.document import Document
from scoref.engines.spark.block_sources import blocks_of
from scoref.engines.spark.blocks import SCHEMA, Collected, persist, shuffle
from scoref.engines.spark.ceaf_rounds import CeafSteps, best_totals
from scoref.engines.spark.dataframes import SideFrame
from scoref.engines.spark.document_scoring import choose_buckets, named_documents
from scoref.engines.spark.integer_rows import DivideRecords, UnitIds
from scoref.engines.spark.side_table import PLACE, BlockTable
from scoref.engines.spark.unit_tasks import BINS, LONELY, UnitSteps
from scoref.engines.tables.row_table import UNNAMED, TablePair
from scoref.engines.tables.unit_histogram import refuse_single_mentions, score_histogram
from scoref.engines.tables.unit_records import RecordIds
from scoref.formats.table.layout import NUMBERS
from scoref.matching.document_pairing import pair_documents
from scoref.matching.duplicates_and_singletons import Repeats
from scoref.matching.requirements import CORPUS
from scoref.matching.summary import PreparationSummary, SideSummary
from scoref.metrics import Metric
from scoref.metrics.ceaf import phis_of
from scoref.metrics.clusters import KEY_PARTS, RESPONSE_PARTS
from scoref.metrics.histogram import CellBins, EntityBins, Histogram, distinct_rows
from scoref.policy import Policy
from scoref.result import Result

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_WHOLE_CORPUS = Document("all", "all")


def is_one_unit(key: SideFrame, policy: Policy) -> bool:
    """Whether all mentions are in one unit."""
    return policy.unit == CORPUS or not key.has("document")


def score_one_unit(
    key: SideFrame,
    response: SideFrame,
    metrics: Sequence[Metric],
    policy: Policy,
    buckets: int | None = None,
) -> Result:
    """Score one unit."""
    hint = "add a column of documents to the tables, and score by document"
    refuse_single_mentions(metrics, policy, "for one unit on Spark", hint)
    unit = _WHOLE_CORPUS if policy.unit == CORPUS else UNNAMED
    notes, documents = _pair(key, response, policy)
    steps = UnitSteps(
        _choose_ids(key, response, documents),
        int(fingerprint.of_documents([unit.id])[0]),
        buckets or choose_buckets(key, response),
        drops_singletons=policy.singletons == "drop",
        has_ceaf=bool(phis_of(metrics)),
    )
    sides = [key, response]
    with ExitStack() as cached:
        is_careful = steps.drops_singletons
        cells, found = _count(sides, steps, cached, is_careful=is_careful)
        is_ordered = all(side.schema.has_places for side in sides)
        repeats = sum(found.total(f"{side.schema.name} repeats") for side in sides)
        if repeats and not (is_careful and is_ordered):
            sides = [side if side.schema.has_places else _with_places(side) for side in sides]
            cells, found = _count(sides, steps, cached, is_careful=True)
        summaries = [_summarise(side, found, policy) for side in (key, response)]
        parts = {KEY_PARTS: "key parts", RESPONSE_PARTS: "response parts"}
        best = {number: float(found.total(name)) for number, name in parts.items()}
        if steps.has_ceaf:
            ceaf = CeafSteps(tuple(phis_of(metrics)), steps.buckets)
            best |= best_totals(cells, found, ceaf, cached)
    return score_histogram(
        _histogram(found),
        best,
        unit,
        metrics,
        policy,
        summary=PreparationSummary(summaries[0], summaries[1], pairing=notes),
        entity_hashes=found.total("fingerprint"),
    )


def _pair(key: SideFrame, response: SideFrame, policy: Policy) -> tuple[Sequence[str], list[int]]:
    """Return notes on the documents of both sides, and how many each has."""
    if not key.has("document"):
        return [], [1, 1]
    found = []
    for side in (key, response):
        rows = side.frame.select("document").where("document is not null").distinct()
        names = sorted(str(name) for name in rows.toArrow().column(0).to_pylist())
        found.append(named_documents(names, side))
    return pair_documents(found[0], found[1], policy).notes, [len(side.documents) for side in found]


def _choose_ids(key: SideFrame, response: SideFrame, documents: Sequence[int]) -> UnitIds:
    """Choose how mentions and entities become integers, the same on both sides."""
    sides = (key.schema, response.schema)
    tables = TablePair(*(BlockTable(side, []) for side in sides))
    is_plain = tables.is_plain and not key.has("document")
    merged = [side.name for side, many in zip(sides, documents, strict=True) if many > 1]
    return UnitIds(RecordIds.of(tables) if is_plain else None, tuple(merged))


def _count(
    sides: Sequence[SideFrame], steps: UnitSteps, cached: ExitStack, *, is_careful: bool
) -> tuple[DataFrame, Collected]:
    """Run all steps, and return the blocks that the last one yields."""
    divided = blocks_of(sides, DivideRecords(steps.ids, steps.buckets, by_entity=is_careful))
    for step in steps.in_order(is_careful=is_careful):
        divided = shuffle(divided, steps.buckets).mapInArrow(step, SCHEMA)
    counted = persist(divided, cached) if steps.has_ceaf else divided
    return counted, Collected.of(counted, BINS)


def _with_places(side: SideFrame) -> SideFrame:
    """Let Spark sort rows without an order by their ids as texts: that is their order."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    order = [
        f.col(role) if role in NUMBERS else f.col(role).cast("string") for role in side.schema.order
    ]
    frame = side.frame.sort(*order).withColumn(PLACE, f.monotonically_increasing_id())
    return replace(side, frame=frame, schema=replace(side.schema, has_places=True))


def _summarise(side: SideFrame, found: Collected, policy: Policy) -> SideSummary:
    name = side.schema.name
    summary = SideSummary(
        side.schema.source,
        documents=1,
        mentions=found.total(f"{name} mentions"),
        entities=found.total(f"{name} entities"),
        singletons=found.total(f"{name} singletons"),
        unassigned=found.total(f"{name} unassigned"),
        repeats=Repeats(found.total(f"{name} repeats")),
    )
    summary.add_notes(side.notes)
    summary.add_notes(side.schema.note_repeats() if summary.repeats.times else ())
    summary.repeats.notes(policy, name)  # refuses them if the policy does
    return summary


def _histogram(found: Collected) -> Histogram:
    keys, responses, cells = (_add_bins(found, kind) for kind in BINS if kind != LONELY)
    return Histogram(EntityBins(*keys), EntityBins(*responses), CellBins(*cells))


def _add_bins(found: Collected, kind: str) -> list[Ints]:
    *columns, times = found.columns([kind], BINS[kind])
    return distinct_rows(columns, times)
