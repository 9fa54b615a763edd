"""One unit as a histogram: from its joined mentions to the cells of CEAF and the result.

A histogram has no single mentions, so some metrics and policies require more: see `sums_suffice`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.base.memory import format_size, round_up_size
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.document import Document
from scoref.counts.counts import Counts
from scoref.engines.local import assemble_result
from scoref.engines.tables.temporary_files import SpilledColumns
from scoref.engines.tables.unit_records import JoinedRecords
from scoref.exceptions import UsageError
from scoref.matching.summary import PreparationSummary
from scoref.metrics import Metric, histogram
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.ceaf import worth_of
from scoref.metrics.clusters import KEY_PARTS, RESPONSE_PARTS
from scoref.metrics.histogram import CellBins, EntityBins, Histogram, distinct_rows
from scoref.policy import Policy
from scoref.policy.capabilities import LARGE_UNIT, unsupported
from scoref.result import Result

WITHOUT_CEAF = "leave out CEAF: -m mentions -m muc -m b3 -m blanc -m lea"

CELL_BYTES = 400
"""Memory that a cell takes while CEAF aligns it."""

_NOTHING = np.zeros(0, dtype=np.int64)


class CeafCells:
    """Collects cells for the best one-to-one alignments of entities, by several similarities.

    A cell that is the only one of both its entities belongs to every best alignment, so only its
    numbers are kept. Other cells are kept with their entities.
    """

    def __init__(self, phis: Sequence[int]) -> None:
        self._phis = tuple(phis)
        self._cells: list[list[Ints]] = [[] for _ in range(5)]
        self._lonely: list[list[Ints]] = []

    def add(self, key: Ints, res: Ints, sizes: tuple[Ints, Ints, Ints], lonely: Bools) -> None:
        """Add cells: their entities, and the mentions shared and the sizes of both entities."""
        if not self._phis:
            return
        self._lonely.append(distinct_rows([column[lonely] for column in sizes]))
        for kept, column in zip(self._cells, (key, res, *sizes), strict=True):
            kept.append(column[~lonely])

    def best_totals(self, memory: int) -> dict[int, float]:
        """Return the total similarity of the best alignments, by the number of the similarity."""
        if not self._phis:
            return {}
        cells = sum(map(len, self._cells[0]))
        needed = cells * CELL_BYTES
        if needed > memory:
            raise UsageError(
                f"CEAF aligns {cells:,} pairs of entities that share mentions, which takes about"
                f" {format_size(needed)} of memory",
                f"--memory {round_up_size(needed)}, or {WITHOUT_CEAF}",
            )
        key, res, *sizes = map(np.concatenate, self._cells)
        key, res = (np.unique(ids, return_inverse=True)[1].astype(np.int64) for ids in (key, res))
        return {phi: self._best_total(phi, key, res, sizes) for phi in self._phis}

    def _best_total(self, phi: int, key: Ints, res: Ints, sizes: list[Ints]) -> float:
        worth = worth_of(sizes[0], sizes[1], sizes[2], phi)
        chosen = best_alignment(key, res, worth)
        lonely = [
            worth_of(shared, key_size, res_size, phi) * times
            for shared, key_size, res_size, times in self._lonely
        ]
        return math.fsum(np.concatenate([worth[chosen], *lonely]).tolist())


class HistogramBuilder:
    """Sums pairs into cells by key entity, then passes the cells on to their response entities.

    `keys` and `responses` count entities; `hash_total` is the sum of the hashes of the key's, and
    `largest` has the sums of the largest cell of each entity.
    """

    def __init__(self, joined: JoinedRecords, ceaf: CeafCells) -> None:
        self._joined, self._ceaf = joined, ceaf
        self._cells = SpilledColumns(joined.parts, 6)
        self._found: list[Histogram] = []
        self.keys = self.responses = self.hash_total = 0
        self.largest = {KEY_PARTS: 0.0, RESPONSE_PARTS: 0.0}

    def build(self) -> Histogram:
        """Return the histogram; this can be called once."""
        parts = self._joined.parts
        try:
            with progress("counting", 2 * parts) as advance:
                for add in (self._add_keys, self._add_responses):
                    for part in range(parts):
                        add(part)
                        advance(1)
        finally:
            self._joined.close()
            self._cells.close()
        return histogram.add(self._found)

    def _add_keys(self, part: int) -> None:
        pairs, alone = self._joined.pairs.read(part), self._joined.key_alone.read(part)
        found = count_keys(pairs, alone)
        self._found.append(found.histogram)
        self._cells.add(found.cells, found.cells.res)
        self.keys += found.entities
        self.largest[KEY_PARTS] += found.largest
        self.hash_total += found.hash_total

    def _add_responses(self, part: int) -> None:
        cells = SizedCells(*self._cells.read(part))
        found = count_responses(cells, self._joined.res_alone.read(part))
        self._found.append(found.histogram)
        self.responses += found.entities
        self.largest[RESPONSE_PARTS] += found.largest
        sizes = (cells.shared, cells.key_size, found.res_size)
        self._ceaf.add(cells.key, cells.res, sizes, found.lonely)


class SizedCells(NamedTuple):
    """Cells of key entities: what they share, and the size, kept and cells of the key entity."""

    key: Ints
    res: Ints
    shared: Ints
    key_size: Ints
    key_kept: Ints
    key_degree: Ints


class KeyCounts(NamedTuple):
    """Key entities: their histogram and cells, how many there are, and the sum of their hashes.

    `largest` is the sum of the mentions in the largest cell of each.
    """

    histogram: Histogram
    cells: SizedCells
    entities: int
    hash_total: int
    largest: int


def count_keys(
    pairs: Sequence[Ints], alone: Sequence[Ints], times: Ints | None = None
) -> KeyCounts:
    """Count key entities and sum their cells, given all pairs and all other rows of the entities.

    A pair has the hashes of its members, which are as many as `times` says, by default one.
    `alone` are entities, hashes and numbers of scored mentions of rows without a partner.
    """
    key, res, members = pairs
    others_key, more, scored = alone
    ids, entity = np.unique(np.concatenate([key, others_key]), return_inverse=True)
    of_pair = entity[: len(key)]
    sums = np.zeros(len(ids), dtype=np.uint64)
    np.add.at(sums, entity, np.concatenate([members, more]).view(np.uint64))
    others, other = np.unique(res, return_inverse=True)
    width = max(len(others), 1)
    if times is None:
        kept = np.bincount(of_pair, minlength=len(ids))
        codes, shared = np.unique(of_pair * width + other, return_counts=True)
    else:
        kept = _sums(of_pair, times, len(ids))
        codes, cell = np.unique(of_pair * width + other, return_inverse=True)
        shared = _sums(cell, times, len(codes))
    size = kept + _sums(entity[len(key) :], scored, len(ids))
    no_cells = CellBins(*distinct_rows([_NOTHING] * 5))
    histogram = Histogram(_entities(size, kept), _entities(_NOTHING, _NOTHING), no_cells)
    row, column = codes // width, others[codes % width]
    degree = np.bincount(row, minlength=len(ids))
    cells = SizedCells(ids[row], column, shared, size[row], kept[row], degree[row])
    hash_total = fingerprint.of_entities(sums)
    return KeyCounts(histogram, cells, len(ids), hash_total, _sum_of_largest(row, shared))


class ResponseCounts(NamedTuple):
    """Response entities and cells: their histogram, and how many entities there are.

    `res_size` is the size of each cell's response entity. A cell is `lonely` if it is the only one
    of both its entities. `largest` is the sum of the mentions in the largest cell of each entity.
    """

    histogram: Histogram
    entities: int
    res_size: Ints
    lonely: Bools
    largest: int


def count_responses(cells: SizedCells, alone: Sequence[Ints]) -> ResponseCounts:
    """Count response entities, given all of their cells and of their rows without a partner."""
    others_res, scored = alone
    ids, entity = np.unique(np.concatenate([cells.res, others_res]), return_inverse=True)
    of_cell = entity[: len(cells.res)]
    kept = _sums(of_cell, cells.shared, len(ids))
    size = kept + _sums(entity[len(cells.res) :], scored, len(ids))
    of_key = cells.shared, cells.key_size, cells.key_kept
    bins = CellBins(*distinct_rows((*of_key, size[of_cell], kept[of_cell])))
    histogram = Histogram(_entities(_NOTHING, _NOTHING), _entities(size, kept), bins)
    degree = np.bincount(of_cell, minlength=len(ids))[of_cell]
    lonely = (cells.key_degree == 1) & (degree == 1)
    largest = _sum_of_largest(of_cell, cells.shared)
    return ResponseCounts(histogram, len(ids), size[of_cell], lonely, largest)


def _sum_of_largest(entity: Ints, shared: Ints) -> int:
    largest = np.zeros(int(entity.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(largest, entity, shared)
    return int(largest.sum())


def _entities(size: Ints, kept: Ints) -> EntityBins:
    """Return the histogram of entities; an entity without a scored mention is left out."""
    scored = size > 0
    return EntityBins(*distinct_rows([size[scored], kept[scored]]))


def _sums(entity: Ints, values: Ints, entities: int) -> Ints:
    return np.bincount(entity, weights=values, minlength=entities).astype(np.int64)


def sums_suffice(metrics: Iterable[Metric], policy: Policy) -> bool:
    """Whether neither metrics nor the policy require single mentions."""
    return not _requiring_mentions(metrics, policy)


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

    `best` are the totals of CEAF's best alignments, by the number of their similarity, and those of
    `purity`.
    `entity_hashes` are what the entities of the key add to its fingerprint.
    """
    summary.has_matches = bool(len(histogram.cells.shared))
    counts = Counts.of(histogram.table(unit.name, best), metrics)
    unit_hash = int(fingerprint.mix(fingerprint.of_documents([unit.id]))[0])
    return assemble_result(counts, summary, policy, fingerprint.digest(unit_hash + entity_hashes))
