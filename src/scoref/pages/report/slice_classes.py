"""The classes of errors and documents, so that each slice of the report opens its errors.

Slices of mentions are by size and by distance; an error is in the class of its first mention.
Slices of documents are by genre and by length. The type of an error is known without this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.slices import SIZES, MentionScores, classify, document_lengths
from scoref.base.arrays import Bools, Ints
from scoref.corpus.document import genres
from scoref.metrics.table import NOWHERE
from scoref.pages.report.content import SystemAnalysis


class SliceClasses(NamedTuple):
    """What a slice classifies by, the names of its classes, and the class of each item."""

    by: str
    names: tuple[str, ...]
    of: Ints


def mention_classes(mentions: AlignedMentions) -> list[SliceClasses]:
    """Classify rows by the size of their entity and by distance."""
    scores = MentionScores(mentions)
    size = np.where(scores.in_key, scores.key_size, scores.res_size)
    unit, edges, distance = scores.distance()
    return [
        _classes("size", classify(size, SIZES), len(size)),
        _classes(f"distance in {unit}", classify(distance, edges), len(size)),
    ]


def document_classes(mentions: AlignedMentions) -> list[SliceClasses]:
    """Classify documents by genre and by length."""
    genre = np.array(genres(mentions.alignment.units))
    unit, edges, lengths = document_lengths(mentions)
    by_genre = ((name, genre == name) for name in sorted(set(genre.tolist())))
    return [
        _classes("genre", by_genre, len(lengths)),
        _classes(f"document length in {unit}", classify(lengths, edges), len(lengths)),
    ]


def error_classes(analysis: SystemAnalysis) -> Ints:
    """Return the classes of each error as an array of shape (errors, slices of mentions)."""
    listing = analysis.errors.listing
    first = listing.first_row
    meant = listing.meant[first]
    rows = np.where(meant == NOWHERE, first, meant)
    return np.stack([one.of[rows] for one in mention_classes(analysis.mentions)], axis=1)


def slice_name(by: str) -> str:
    """Return the short name of a slice in a link: size, distance, genre or length."""
    return "length" if by.startswith("document length") else by.split(maxsplit=1)[0]


def _classes(by: str, classes: Iterable[tuple[str, Bools]], items: int) -> SliceClasses:
    of = np.full(items, NOWHERE, dtype=np.int64)
    names = []
    for number, (name, members) in enumerate(classes):
        of[members] = number
        names.append(name)
    return SliceClasses(by, tuple(names), of)
