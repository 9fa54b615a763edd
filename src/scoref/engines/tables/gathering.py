"""From pairs of entities that share a mention to the histogram of a unit."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.engines.tables.alignable import Alignable
from scoref.engines.tables.collisions import part_of
from scoref.engines.tables.joining import Joined
from scoref.engines.tables.spill import Columns
from scoref.overlap import histogram
from scoref.overlap.histogram import CellBins, EntityBins, Histogram, distinct_rows


@dataclass(slots=True)
class Gathered:
    """A histogram in the making, the number of entities, and the hashes of the key's."""

    alignable: Alignable
    found: list[Histogram] = field(default_factory=list)
    keys: int = 0
    responses: int = 0
    hash_total: int = 0

    def histogram(self) -> Histogram:
        """Return the histogram of all parts."""
        return histogram.add(self.found)


def gather(joined: Joined, alignable: Alignable) -> Gathered:
    """Sum pairs into cells by key entity, then pass cells on to their response entities."""
    gathered = Gathered(alignable)
    cells = Columns(joined.parts, 6)
    try:
        with progress("counting", 2 * joined.parts) as advance:
            for part in range(joined.parts):
                _add_keys(gathered, joined, part, cells)
                advance(1)
            for part in range(joined.parts):
                _add_responses(gathered, joined, part, cells)
                advance(1)
    finally:
        joined.close()
        cells.close()
    return gathered


def _add_keys(gathered: Gathered, joined: Joined, part: int, cells: Columns) -> None:
    """Count the key entities of a part, and sum their cells."""
    key, res, members = joined.pairs.read(part)
    alone, more, counts = joined.key_alone.read(part)
    ids, entity = np.unique(np.concatenate([key, alone]), return_inverse=True)
    of_pair = entity[: len(key)]
    sums = np.zeros(len(ids), dtype=np.uint64)
    np.add.at(sums, entity, np.concatenate([members, more]).view(np.uint64))
    gathered.hash_total += fingerprint.of_entities(sums)
    gathered.keys += len(ids)
    kept = np.bincount(of_pair, minlength=len(ids))
    size = kept + _sums(entity[len(key) :], counts, len(ids))
    nothing = np.zeros(0, dtype=np.int64)
    none = _entities(nothing, nothing)
    gathered.found.append(
        Histogram(_entities(size, kept), none, CellBins(*distinct_rows([nothing] * 5)))
    )
    others, other = np.unique(res, return_inverse=True)
    width = max(len(others), 1)
    codes, shared = np.unique(of_pair * width + other, return_counts=True)
    row, column = codes // width, others[codes % width]
    degree = np.bincount(row, minlength=len(ids))
    rows = (ids[row], column, shared, size[row], kept[row], degree[row])
    cells.add(rows, part_of(column, joined.parts))


def _add_responses(gathered: Gathered, joined: Joined, part: int, cells: Columns) -> None:
    """Count the response entities of a part, and its cells."""
    key, res, shared, key_size, key_kept, key_degree = cells.read(part)
    alone, counts = joined.res_alone.read(part)
    ids, entity = np.unique(np.concatenate([res, alone]), return_inverse=True)
    of_cell = entity[: len(res)]
    gathered.responses += len(ids)
    kept = _sums(of_cell, shared, len(ids))
    size = kept + _sums(entity[len(res) :], counts, len(ids))
    nothing = np.zeros(0, dtype=np.int64)
    shape = (shared, key_size, key_kept, size[of_cell], kept[of_cell])
    none = _entities(nothing, nothing)
    gathered.found.append(Histogram(none, _entities(size, kept), CellBins(*distinct_rows(shape))))
    degree = np.bincount(of_cell, minlength=len(ids))[of_cell]
    lonely = (key_degree == 1) & (degree == 1)
    gathered.alignable.add(key, res, (shared, key_size, size[of_cell]), lonely)


def _entities(size: Ints, kept: Ints) -> EntityBins:
    """Return the histogram of entities; those of which no mention counts are none."""
    there = size > 0
    return EntityBins(*distinct_rows([size[there], kept[there]]))


def _sums(entity: Ints, values: Ints, entities: int) -> Ints:
    return np.bincount(entity, weights=values, minlength=entities).astype(np.int64)
