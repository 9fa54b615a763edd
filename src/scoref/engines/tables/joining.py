"""Both sides of each mention brought together, part by part."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints
from scoref.engines.tables.collisions import part_of
from scoref.engines.tables.reading import Records
from scoref.engines.tables.spill import Columns


class Joined:
    """What a join gives, divided by entities.

    `pairs` are the key entity and the response entity of a mention that both have, and what the
    mention adds to the hash of its key entity. `key_alone` has the same of mentions without a
    partner, and whether they count; `res_alone` their response entity, and whether they count.
    """

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.pairs = Columns(parts, 3)
        self.key_alone = Columns(parts, 3)
        self.res_alone = Columns(parts, 2)

    def add(self, ours: Records, theirs: Records, members: Ints) -> None:
        """Join rows that have all of their mentions; `members` are hashes of the key's."""
        counted, others = np.flatnonzero(ours.counts), np.flatnonzero(theirs.counts)
        _, at, other = np.intersect1d(
            ours.mention[counted], theirs.mention[others], assume_unique=True, return_indices=True
        )
        at, other = counted[at], others[other]
        key = ours.entity[at]
        self.pairs.add((key, theirs.entity[other], members[at]), part_of(key, self.parts))
        rest = np.ones(len(ours.line), dtype=bool)
        rest[at] = False
        alone = ours.entity[rest]
        self.key_alone.add((alone, members[rest], ours.counts[rest]), part_of(alone, self.parts))
        rest = np.ones(len(theirs.line), dtype=bool)
        rest[other] = False
        alone = theirs.entity[rest]
        self.res_alone.add((alone, theirs.counts[rest]), part_of(alone, self.parts))

    def close(self) -> None:
        """Give up what has not been read."""
        for one in (self.pairs, self.key_alone, self.res_alone):
            one.close()


def repeated(records: Records) -> Records:
    """Return the rows of mentions that stand several times, among rows that have all of these."""
    counted = np.flatnonzero(records.counts)
    order = counted[np.argsort(records.mention[counted])]
    in_order = records.mention[order]
    same = in_order[1:] == in_order[:-1]
    rows = order[np.append(same, [False]) | np.append([False], same)] if same.any() else order[:0]
    return Records(*(column[rows] for column in records))


def together(parts: list[Records]) -> Records:
    """Put rows together."""
    nothing = np.zeros(0, dtype=np.int64)
    return Records(*(np.concatenate([nothing, *column]) for column in zip(*parts, strict=True)))


def without_singletons(records: Records) -> tuple[Records, int]:
    """Let a mention not count that is alone in its entity; rows have all mentions of theirs."""
    _, entity = np.unique(records.entity, return_inverse=True)
    size = np.bincount(entity, weights=records.counts)[entity]
    alone = (size == 1) & (records.counts == 1)
    return records._replace(counts=records.counts * ~alone), int(np.count_nonzero(alone))
