"""Slices: how well mentions of each kind were resolved, and documents of each kind.

B³ is a mean over mentions, so it has a recall and a precision for any class of them; the
classes of one slice together make up the whole. *Resolution accuracy* (after Stoyanov et al.
2009) asks of each key mention that is not the first of its entity whether an earlier mention
of that entity is in its response entity.

    type       of the mention: name, nominal, pronoun
    size       of its key entity (recall) and of its response entity (precision)
    distance   in sentences, or in mentions where sentences are not known, from the nearest
               earlier mention of its key entity; here resolved means found with that one
    genre      the first part of the document's name that tells documents apart
    length     of the document in tokens, or in key mentions where tokens are not counted
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scoref.analysis.errors.kinds import first_rows
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Bools, Floats, Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.corpus import UNKNOWN
from scoref.corpus.genres import genres
from scoref.overlap.table import NOWHERE

Edges = tuple[int, ...]
SIZES: Edges = (1, 2, 3, 4, 6, 11, 21)
DISTANCES: Edges = (0, 1, 2, 3, 6, 11)
LENGTHS: Edges = (0, 250, 500, 1000, 2000, 5000, 10000)
MENTIONS: Edges = (0, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Slice:
    """One class: its mentions on each side, the share that was found, B³, and resolution.

    A share is None where there is nothing to take it of.
    """

    by: str
    name: str
    key_mentions: int
    response_mentions: int
    found: float | None
    recall: float | None
    precision: float | None
    anaphors: int
    resolved: float | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of B³ recall and precision."""
        if self.recall is None or self.precision is None:
            return None
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


class Mentions:
    """What slices need to know of each row, computed once."""

    def __init__(self, reading: AlignedMentions) -> None:
        self.reading = reading
        table, cell, key, res = reading.table, reading.cell, reading.key, reading.res
        shared = np.append(table.count, 0)[cell].astype(np.float64)
        self.in_key, self.in_response, self.found = key != NOWHERE, res != NOWHERE, cell != NOWHERE
        self.key_size = np.append(table.key_size, 0)[key]
        self.res_size = np.append(table.res_size, 0)[res]
        self.recall = shared / np.maximum(self.key_size, 1)
        self.precision = shared / np.maximum(self.res_size, 1)
        first = first_rows(key, reading.order, self.in_key, len(table.key_size))
        self.anaphor = self.in_key.copy()
        self.anaphor[first] = False
        in_cell = first_rows(cell, reading.order, self.found, len(table.count))
        self.resolved = self.anaphor & self.found
        self.resolved[in_cell] = False

    def slice(
        self,
        by: str,
        name: str,
        ours: Bools,
        theirs: Bools | None = None,
        resolved: Bools | None = None,
    ) -> Slice:
        """Sum up some key mentions and some response mentions."""
        theirs = ours if theirs is None else theirs
        resolved = self.resolved if resolved is None else resolved
        ours, theirs = ours & self.in_key, theirs & self.in_response
        anaphors = ours & self.anaphor
        return Slice(
            by,
            name,
            key_mentions=int(ours.sum()),
            response_mentions=int(theirs.sum()),
            found=_mean(self.found[ours]),
            recall=_mean(self.recall[ours]),
            precision=_mean(self.precision[theirs]),
            anaphors=int(anaphors.sum()),
            resolved=_mean(resolved[anaphors]),
        )

    def nearest(self) -> Ints:
        """Return the row of the nearest earlier mention of each anaphor's key entity."""
        rows = np.flatnonzero(self.in_key)
        rows = rows[np.lexsort((self.reading.order[rows], self.reading.key[rows]))]
        before = np.full(len(self.in_key), NOWHERE, dtype=np.int64)
        before[rows[1:]] = rows[:-1]
        return np.where(self.anaphor, before, NOWHERE)


def slices(reading: AlignedMentions) -> tuple[Slice, ...]:
    """Return all slices that can be had of a reading, classes without mentions left out."""
    mentions = Mentions(reading)
    found = [
        *_by_type(mentions),
        *_by_size(mentions),
        *_by_distance(mentions),
        *_by_document(mentions),
    ]
    found = [one for one in found if one.key_mentions or one.response_mentions]
    classes = Counter(one.by for one in found)
    # Documents that are all of one kind tell no more than the whole.
    return tuple(one for one in found if classes[one.by] > 1 or one.by in ("type", "size"))


def _by_type(mentions: Mentions) -> Iterator[Slice]:
    types = mentions.reading.type
    if np.all(types == NOWHERE):
        return
    for number, name in (*enumerate(MENTION_TYPES), (NOWHERE, "unknown")):
        yield mentions.slice("type", name, types == number)


def _by_size(mentions: Mentions) -> Iterator[Slice]:
    for name, low, high in bins(SIZES):
        ours = (mentions.key_size >= low) & (mentions.key_size < high)
        theirs = (mentions.res_size >= low) & (mentions.res_size < high)
        yield mentions.slice("size", name, ours, theirs)


def _by_distance(mentions: Mentions) -> Iterator[Slice]:
    nearest = mentions.nearest()
    reading = mentions.reading
    sentence = reading.sentence
    if sentence is not None:
        place, unit = sentence, "sentences"
    else:
        place, unit = _rank_among_key(mentions), "mentions"
    anaphors = np.flatnonzero(nearest != NOWHERE)
    distance = np.full(len(nearest), NOWHERE, dtype=np.int64)
    distance[anaphors] = place[anaphors] - place[nearest[anaphors]]
    together = np.zeros(len(nearest), dtype=bool)
    together[anaphors] = mentions.found[anaphors] & (
        reading.res[anaphors] == reading.res[nearest[anaphors]]
    )
    nothing = np.zeros(len(nearest), dtype=bool)
    edges = DISTANCES if unit == "sentences" else DISTANCES[1:]
    for name, low, high in bins(edges):
        ours = (distance >= low) & (distance < high)
        yield mentions.slice(f"distance in {unit}", name, ours, nothing, together)


def _rank_among_key(mentions: Mentions) -> Ints:
    order = mentions.reading.order
    rows = np.flatnonzero(mentions.in_key)
    rank = np.zeros(len(order), dtype=np.int64)
    rank[rows[np.argsort(order[rows])]] = np.arange(len(rows))
    return rank


def _by_document(mentions: Mentions) -> Iterator[Slice]:
    reading = mentions.reading
    names = reading.alignment.units
    genre = genres(names)
    for one in sorted(set(genre)):
        at = np.array([g == one for g in genre])
        yield mentions.slice("genre", one, at[reading.unit])
    lengths = np.array([document.length for document in reading.sides[0].documents])
    if len(lengths) < 2:
        return
    unit, edges = "tokens", LENGTHS
    if np.any(lengths == UNKNOWN):
        unit, edges = "mentions", MENTIONS
        lengths = np.bincount(reading.unit[mentions.in_key], minlength=len(names))
    for name, low, high in bins(edges):
        at = (lengths >= low) & (lengths < high)
        yield mentions.slice(f"document length in {unit}", name, at[reading.unit])


def bins(edges: Edges) -> Iterator[tuple[str, int, float]]:
    """Yield the name, the least and the first too great value of each bin."""
    for low, high in pairwise(edges):
        yield (str(low) if high == low + 1 else f"{low}-{high - 1}"), low, high
    yield f"{edges[-1]}+", edges[-1], float("inf")


def _mean(values: Floats | Bools) -> float | None:
    return float(values.mean()) if len(values) else None
