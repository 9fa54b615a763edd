"""Repairs: the response as it would be without errors of some kinds.

Pieces of conflated entities become entities of their own; pieces of a divided entity join its
anchor; extra mentions go; a missing mention joins the anchor of its entity; a missing entity
comes as an entity of its own. Repaired together, strict errors give the key.

With `joined`, divided entities are repaired as in the corrected files of Kummerfeld & Klein's
analyser: the response entities that hold their pieces are joined, with all else that is in
them.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from scoref.analysis.errors.kinds import (
    CONFLATED,
    DIVIDED,
    EXTRA_ENTITY,
    EXTRA_MENTION,
    MISSING_ENTITY,
    MISSING_MENTION,
    Found,
    first_rows,
)
from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Ints
from scoref.overlap.table import NOWHERE


def repaired(
    reading: AlignedMentions, found: Found, kinds: Collection[str], *, joined: bool = False
) -> Ints:
    """Return the response entity of each row after errors of some kinds have been repaired.

    Spans are corrected in `reading` already. Entities are numbered in three ranges: those of
    the response, pieces that were split off, and missing entities.
    """
    table = reading.table
    key, cell = reading.key, reading.cell
    pieces = len(table.res_size)
    entities = pieces + len(table.count)
    res = reading.res.copy()
    if CONFLATED in kinds:
        moved = np.append(found.conflated, False)[cell]
        res[moved] = pieces + cell[moved]
    if EXTRA_MENTION in kinds:
        res[found.extra_mention] = NOWHERE
    if EXTRA_ENTITY in kinds:
        res[found.extra_entity] = NOWHERE
    if MISSING_ENTITY in kinds:
        res[found.missing_entity] = entities + key[found.missing_entity]
    anchor = _goals(reading, found, res)
    if MISSING_MENTION in kinds:
        _introduce(reading, found, res, anchor)
    if DIVIDED in kinds and joined:
        _join(reading, found, res, anchor)
    elif DIVIDED in kinds:
        rows = np.flatnonzero(np.append(found.divided, False)[cell])
        res[rows] = res[anchor[key[rows]]]
    return res


def _goals(reading: AlignedMentions, found: Found, res: Ints) -> Ints:
    """Return the row of each key entity that its pieces and missing mentions are put with.

    That is its anchor, or a mention of the missing entity that stands for it. Where neither
    is in the response, it is the first of its mentions that is.
    """
    goal = found.key_anchor.copy()
    entities = len(goal)
    goal[(goal != NOWHERE) & (res[goal] == NOWHERE)] = NOWHERE
    introduced = first_rows(
        reading.key, reading.order, found.missing_entity & (res != NOWHERE), entities
    )
    there = first_rows(reading.key, reading.order, res != NOWHERE, entities)
    goal = np.where(goal == NOWHERE, introduced, goal)
    return np.where(goal == NOWHERE, there, goal)


def _introduce(reading: AlignedMentions, found: Found, res: Ints, goal: Ints) -> None:
    """Put missing mentions into the entity of their goal; without one, into a new entity."""
    rows = np.flatnonzero(found.missing_mention)
    entity = reading.key[rows]
    lost = goal[entity] == NOWHERE
    res[rows[~lost]] = res[goal[entity[~lost]]]
    if lost.any():  # only where an anchor is in no error, as in kk2013
        above = int(res.max(initial=NOWHERE)) + 1
        res[rows[lost]] = above + entity[lost]
        goal[entity[lost]] = rows[lost]


def _join(reading: AlignedMentions, found: Found, res: Ints, goal: Ints) -> None:
    """Join the entities that hold pieces of divided entities with those of their goals."""
    table = reading.table
    in_cells = np.flatnonzero(reading.cell != NOWHERE)
    piece = np.full(len(table.count), NOWHERE, dtype=np.int64)
    piece[reading.cell[in_cells]] = in_cells  # any row stands for its cell
    divided = np.flatnonzero(found.divided)
    ours, theirs = res[piece[divided]], res[goal[table.cell_key[divided]]]
    size = int(res.max(initial=NOWHERE)) + 1
    leader = list(range(size))

    def lead(entity: int) -> int:
        while leader[entity] != entity:
            leader[entity] = leader[leader[entity]]
            entity = leader[entity]
        return entity

    for one, other in zip(ours.tolist(), theirs.tolist(), strict=True):
        if NOWHERE not in (one, other):
            leader[lead(one)] = lead(other)
    led = np.array([lead(entity) for entity in range(size)] + [NOWHERE], dtype=np.int64)
    res[:] = led[res]
