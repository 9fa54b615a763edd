"""What the writers of markups share: which mentions open and close at each token."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.generated.markups.markup import MentionToWrite

Tags = dict[int, list[tuple[int, str]]]


def opening_and_closing(mentions: Sequence[MentionToWrite]) -> tuple[Tags, Tags]:
    """Return (end, entity) of the mentions that open, and (start, entity) of those that close.

    Of mentions that open together the longest opens first, and of mentions that close together the
    one that opened last closes first.
    """
    opening: Tags = {}
    closing: Tags = {}
    for start, end, entity in sorted(mentions, key=lambda one: (one.start, -one.end)):
        opening.setdefault(start, []).append((end, entity))
        closing.setdefault(end, []).insert(0, (start, entity))
    return opening, closing


def crossing(mentions: Sequence[MentionToWrite]) -> set[MentionToWrite]:
    """Return the mentions that cross another one: tags of these have to name their entity."""
    found: set[MentionToWrite] = set()
    around: list[MentionToWrite] = []
    for one in sorted(mentions, key=lambda one: (one.start, -one.end)):
        around = [other for other in around if other.end >= one.start]
        for other in around:
            if other.start < one.start and other.end < one.end:
                found |= {one, other}
        around.append(one)
    return found
