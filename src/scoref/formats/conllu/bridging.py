"""Bridging links as files write them, and the mentions that they connect."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.corpus.spans import Links, Spans, nearest_mention


class Bridge(NamedTuple):
    """A bridging markable: the places of its anaphor and anchors, by which mentions are found.

    If the file names no anchor but only its entity, `anchors` is empty.
    """

    anaphor: Hashable
    anchors: Sequence[Hashable]
    entity: Hashable


def find_links(
    bridges: Iterable[Bridge],
    spans: Spans,
    mention_at: Mapping[Any, int],
    entities: Sequence[Hashable],
) -> tuple[Links, int]:
    """Return the links between mentions, and how many bridges lack one of their mentions.

    `mention_at` has the row of the mention at a place, and `entities` the entity of each row. An
    anchor of which only the entity is named is the nearest mention of that entity.
    """
    mentions_of: dict[Hashable, list[int]] = {}
    for row, entity in enumerate(entities):
        mentions_of.setdefault(entity, []).append(row)
    ends: list[tuple[int, int]] = []
    incomplete = 0
    for bridge in bridges:
        anaphor = mention_at.get(bridge.anaphor)
        if anaphor is None:
            incomplete += 1
            continue
        anchors = [mention_at.get(anchor) for anchor in bridge.anchors]
        anchors = anchors or [nearest_mention(mentions_of.get(bridge.entity, ()), anaphor)]
        incomplete += None in anchors
        ends.extend((anaphor, anchor) for anchor in anchors if anchor is not None)
    rows = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    return Links(*map(spans.where, rows)), incomplete
