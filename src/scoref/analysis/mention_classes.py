"""Slices: how well a system resolves mentions of each class, and documents of each class.

B³ is a mean over mentions, so it has a recall and a precision for any class of mentions. The
classes of one slice together contain all mentions. *Resolution accuracy* (after Stoyanov et al.
2009) is the share of anaphors, key mentions other than the first of their entity, for which an
earlier mention of that entity is in the same response entity. Mentions are classified by

    type       name, nominal or pronoun
    size       of the key entity (for recall) and of the response entity (for precision)
    distance   from the nearest earlier mention of the key entity, in sentences, or in mentions if
               sentences are unknown; here, resolved means found together with that mention
    genre      the first part of the document's name that distinguishes documents
    length     of the document in tokens, or in key mentions if tokens are not counted
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Bools, Floats, Ints
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.document import UNKNOWN, genres
from scoref.metrics.table import NOWHERE

Edges = tuple[int, ...]
SIZES: Edges = (1, 2, 3, 4, 6, 11, 21)
DISTANCES: Edges = (0, 1, 2, 3, 6, 11)
LENGTHS: Edges = (0, 250, 500, 1000, 2000, 5000, 10000)
MENTIONS: Edges = (0, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Slice:
    """One class of mentions: their number, the share that is found, B³, and resolution accuracy.

    A share of zero mentions is None.
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


class MentionScores:
    """The B³ recall and precision of each mention, and whether it is resolved."""

    def __init__(self, mentions: AlignedMentions) -> None:
        self.mentions = mentions
        table, cell, key, res = mentions.table, mentions.cell, mentions.key, mentions.res
        shared = np.append(table.count, 0)[cell].astype(np.float64)
        self.in_key, self.in_response, self.found = key != NOWHERE, res != NOWHERE, cell != NOWHERE
        self.key_size = np.append(table.key_size, 0)[key]
        self.res_size = np.append(table.res_size, 0)[res]
        self.recall = shared / np.maximum(self.key_size, 1)
        self.precision = shared / np.maximum(self.res_size, 1)
        first = mentions.first_rows(key, self.in_key, len(table.key_size))
        self.anaphor = self.in_key.copy()
        self.anaphor[first] = False
        in_cell = mentions.first_rows(cell, self.found, len(table.count))
        self.resolved = self.anaphor & self.found
        self.resolved[in_cell] = False

    def slice(
        self, by: str, name: str, key: Bools, response: Bools, resolved: Bools | None = None
    ) -> Slice:
        """Summarise some key mentions and some response mentions."""
        resolved = self.resolved if resolved is None else resolved
        key, response = key & self.in_key, response & self.in_response
        anaphors = key & self.anaphor
        return Slice(
            by,
            name,
            key_mentions=int(key.sum()),
            response_mentions=int(response.sum()),
            found=_mean(self.found[key]),
            recall=_mean(self.recall[key]),
            precision=_mean(self.precision[response]),
            anaphors=int(anaphors.sum()),
            resolved=_mean(resolved[anaphors]),
        )

    def nearest(self) -> Ints:
        """Return the row of the nearest earlier mention of each anaphor's key entity."""
        rows = np.flatnonzero(self.in_key)
        rows = rows[np.lexsort((self.mentions.order[rows], self.mentions.key[rows]))]
        before = np.full(len(self.in_key), NOWHERE, dtype=np.int64)
        before[rows[1:]] = rows[:-1]
        return np.where(self.anaphor, before, NOWHERE)

    def distance(self) -> tuple[str, Edges, Ints]:
        """Return the distance of each anaphor from the nearest earlier mention, its unit and bins.

        Other rows have NOWHERE.
        """
        mentions, nearest = self.mentions, self.nearest()
        place, unit, edges = mentions.sentence, "sentences", DISTANCES
        if place is None:
            earlier = np.cumsum(self.in_key[np.argsort(mentions.order)])  # key mentions, by rank
            place, unit, edges = earlier[mentions.order], "mentions", DISTANCES[1:]
        anaphors = np.flatnonzero(nearest != NOWHERE)
        distance = np.full(len(nearest), NOWHERE, dtype=np.int64)
        distance[anaphors] = place[anaphors] - place[nearest[anaphors]]
        return unit, edges, distance


def slices(mentions: AlignedMentions) -> tuple[Slice, ...]:
    """Return all slices that the input allows, without empty classes."""
    scores = MentionScores(mentions)
    by = (_by_type, _by_size, _by_distance, _by_genre, _by_length)
    found = [one for slices_by in by for one in slices_by(scores)]
    found = [one for one in found if one.key_mentions or one.response_mentions]
    classes = Counter(one.by for one in found)
    # A slice of documents or distances with one class is the whole.
    return tuple(one for one in found if classes[one.by] > 1 or one.by in ("type", "size"))


def _by_type(scores: MentionScores) -> Iterator[Slice]:
    types = scores.mentions.type
    if np.all(types == NOWHERE):
        return
    for number, name in (*enumerate(MENTION_TYPES), (NOWHERE, "unknown")):
        yield scores.slice("type", name, types == number, types == number)


def _by_size(scores: MentionScores) -> Iterator[Slice]:
    of_response = dict(classify(scores.res_size, SIZES))
    for name, of_key in classify(scores.key_size, SIZES):
        yield scores.slice("size", name, of_key, of_response[name])


def _by_distance(scores: MentionScores) -> Iterator[Slice]:
    mentions, nearest = scores.mentions, scores.nearest()
    unit, edges, distance = scores.distance()
    anaphors = np.flatnonzero(nearest != NOWHERE)
    together = np.zeros(len(nearest), dtype=bool)
    together[anaphors] = scores.found[anaphors] & (
        mentions.res[anaphors] == mentions.res[nearest[anaphors]]
    )
    nothing = np.zeros(len(nearest), dtype=bool)
    for name, rows in classify(distance, edges):
        yield scores.slice(f"distance in {unit}", name, rows, nothing, together)


def _by_genre(scores: MentionScores) -> Iterator[Slice]:
    genre = np.array(genres(scores.mentions.alignment.units))
    for name in sorted(set(genre.tolist())):
        rows = (genre == name)[scores.mentions.unit]
        yield scores.slice("genre", name, rows, rows)


def _by_length(scores: MentionScores) -> Iterator[Slice]:
    mentions = scores.mentions
    if len(mentions.alignment.units) < 2:
        return
    unit, edges, lengths = document_lengths(mentions)
    for name, documents in classify(lengths, edges):
        rows = documents[mentions.unit]
        yield scores.slice(f"document length in {unit}", name, rows, rows)


def document_lengths(mentions: AlignedMentions) -> tuple[str, Edges, Ints]:
    """Return the length of each document, its unit and bins: tokens, or key mentions."""
    lengths = np.array([document.length for document in mentions.sides[0].documents])
    if np.any(lengths == UNKNOWN):
        in_key = mentions.key != NOWHERE
        return "mentions", MENTIONS, np.bincount(mentions.unit[in_key], minlength=len(lengths))
    return "tokens", LENGTHS, lengths


def classify(values: Ints, edges: Edges) -> Iterator[tuple[str, Bools]]:
    """Yield the name of each bin, and which values are in it; `edges` are the least values."""
    for low, high in zip_longest(edges, edges[1:]):
        name = f"{low}+" if high is None else str(low) if high == low + 1 else f"{low}-{high - 1}"
        yield name, (values >= low) & (True if high is None else values < high)


def _mean(values: Floats | Bools) -> float | None:
    return float(values.mean()) if len(values) else None
