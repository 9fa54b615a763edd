"""Repairs: the response without errors of some kinds, and the score that it would have.

A piece of a conflated entity becomes a separate entity. A piece of a divided entity joins the
anchor. Extra mentions are removed. A missing mention joins the anchor of its entity, and a missing
entity becomes a separate entity. Repairing all strict errors gives the key.

With `joined`, divided entities are repaired as in the corrected files of Kummerfeld & Klein's
analyser: the response entities that hold the pieces are joined, with all their other mentions.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.errors import kinds as k
from scoref.base.arrays import Bools, Ints
from scoref.base.union_find import groups
from scoref.overlap.table import NOWHERE


def repair_response(
    mentions: AlignedMentions, marked: Mapping[str, Bools], key_anchor: Ints, *, joined: bool
) -> Ints:
    """Return the response entity of each row after the marked errors have been repaired.

    The spans of `mentions` are already corrected. Entities are numbered in three ranges: those of
    the response, the pieces that are split off, and the missing entities.
    """
    table = mentions.table
    key, cell = mentions.key, mentions.cell
    pieces = len(table.res_size)
    entities = pieces + len(table.count)
    res = mentions.res.copy()
    moved = marked[k.CONFLATED]
    res[moved] = pieces + cell[moved]
    res[marked[k.EXTRA_MENTION] | marked[k.EXTRA_ENTITY]] = NOWHERE
    introduced = marked[k.MISSING_ENTITY]
    res[introduced] = entities + key[introduced]
    target = _targets(mentions, introduced, key_anchor, res)
    _introduce(np.flatnonzero(marked[k.MISSING_MENTION]), key, res, target)
    divided = np.flatnonzero(marked[k.DIVIDED])
    if joined:
        _, pieces_at = np.unique(cell[divided], return_index=True)
        _join(divided[pieces_at], key, res, target)
    else:
        res[divided] = res[target[key[divided]]]
    return res


def _targets(mentions: AlignedMentions, introduced: Bools, key_anchor: Ints, res: Ints) -> Ints:
    """Return, for each key entity, the row that its pieces and missing mentions join.

    The row is the anchor, else a mention of the missing entity that takes its place, else the
    first mention that is in the response.
    """
    key, entities = mentions.key, len(key_anchor)
    target = key_anchor.copy()
    target[(target != NOWHERE) & (res[target] == NOWHERE)] = NOWHERE
    for among in (introduced, res != NOWHERE):
        target = np.where(target == NOWHERE, mentions.first_rows(key, among, entities), target)
    return target


def _introduce(rows: Ints, key: Ints, res: Ints, target: Ints) -> None:
    """Put missing mentions into the entity of their target, or else into a new entity."""
    lost = rows[target[key[rows]] == NOWHERE]
    # Rows are lost only in kk2013, where an anchor can be part of no error.
    new = int(res.max(initial=NOWHERE)) + 1 + key[lost]
    target[key[lost]] = lost
    res[lost] = new
    res[rows] = res[target[key[rows]]]


def _join(pieces: Ints, key: Ints, res: Ints, target: Ints) -> None:
    """Join the entities that hold pieces of divided entities with the entities of their targets."""
    size = int(res.max(initial=NOWHERE)) + 1
    links = np.stack([res[pieces], res[target[key[pieces]]]], axis=1)
    joined = np.full(size + 1, NOWHERE, dtype=np.int64)
    for group in groups(size, links[(links != NOWHERE).all(axis=1)].tolist()):
        joined[group] = group[0]
    res[:] = joined[res]
