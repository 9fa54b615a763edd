"""Errors between two partitions: the operations that mend the response, and their kinds.

Kummerfeld & Klein (2013). The pieces of a response entity are what it shares with each key
entity, and each of its extra mentions. Four operations turn the response into the key: *split*
a piece from a larger response entity, *remove* an extra mention, *introduce* a missing one,
*merge* a piece into a larger key entity. Operations that belong together are one error:

    extra entity      no mention of a response entity is a key mention, save pronouns, and two
                      or more are extra: these are removed
    missing entity    the same with the sides exchanged: these are introduced
    extra mention     any other extra mention
    missing mention   any other missing mention
    conflated         a piece of a response entity other than its anchor
    divided           a piece of a key entity other than its anchor

The anchor makes k pieces cost k - 1 errors. Two rules can choose it:

    strict     the piece with the first mention that is no pronoun among those that both sides
               have, else with the first of these; a missing entity anchors its key entity.
               Every extra and every missing mention is then in an error, an entity of one
               mention can be extra or missing as a whole, and applying all corrections gives
               the key.
    kk2013     the piece with the first mention of the entity that is no pronoun, else with
               its first mention, even if only one side has it. Such a mention then is in no
               error, and what is right counts as conflated or divided instead. This is the
               rule of the original analyser, which also drops response singletons.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Bools, Ints
from scoref.exceptions import UsageError
from scoref.overlap.table import NOWHERE

SPAN = "span"
CONFLATED, EXTRA_MENTION, EXTRA_ENTITY = "conflated", "extra_mention", "extra_entity"
DIVIDED, MISSING_MENTION, MISSING_ENTITY = "divided", "missing_mention", "missing_entity"
KINDS = (
    SPAN,
    CONFLATED,
    EXTRA_MENTION,
    EXTRA_ENTITY,
    DIVIDED,
    MISSING_MENTION,
    MISSING_ENTITY,
)
TITLES = {
    SPAN: "span error",
    CONFLATED: "conflated entities",
    EXTRA_MENTION: "extra mention",
    EXTRA_ENTITY: "extra entity",
    DIVIDED: "divided entity",
    MISSING_MENTION: "missing mention",
    MISSING_ENTITY: "missing entity",
}
STRICT, KK2013 = "strict", "kk2013"
MODES = (STRICT, KK2013)
_LEAST = 2  # extra or missing mentions that make an entity


class Found(NamedTuple):
    """The errors of a reading, by what they are about.

    Cells marked `conflated` or `divided` are pieces to split off or to merge. Rows marked as
    extra or missing are mentions; those of one entity are one error if they are an entity.
    `key_anchor` is the row that the pieces of each key entity are merged with, or NOWHERE
    where a missing entity is. `operations` counts operations before they become errors.
    """

    conflated: Bools
    divided: Bools
    extra_mention: Bools
    extra_entity: Bools
    missing_mention: Bools
    missing_entity: Bools
    key_anchor: Ints
    res_anchor: Ints
    operations: dict[str, int]


def find(reading: AlignedMentions, pronoun: Bools, mode: str = STRICT) -> Found:
    """Find all errors but those of spans; `pronoun` marks the rows that count as pronouns."""
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r}", f"one of: {', '.join(MODES)}")
    table, key, res, cell = reading.table, reading.key, reading.res, reading.cell
    strict = mode == STRICT
    both, extra, missing = cell != NOWHERE, key == NOWHERE, (res == NOWHERE) & (key != NOWHERE)
    extra &= res != NOWHERE
    small_key, small_res = table.count < table.cell_key_size, table.count < table.cell_res_size
    is_extra = _is_entity(res, extra, both & ~pronoun, len(table.res_size), strict=strict)
    is_missing = _is_entity(key, missing, both & ~pronoun, len(table.key_size), strict=strict)
    among_key, among_res = (both, both) if strict else (key != NOWHERE, res != NOWHERE)
    key_anchor = _anchors(key, reading.order, among_key, pronoun, len(table.key_size))
    res_anchor = _anchors(res, reading.order, among_res, pronoun, len(table.res_size))
    if strict:
        key_anchor = np.where(is_missing, NOWHERE, key_anchor)
    extra_entity = extra & is_extra[res]
    missing_entity = missing & is_missing[key]
    extra_mention, missing_mention = extra & ~extra_entity, missing & ~missing_entity
    if not strict:  # an anchor that only one side has is in no error
        extra_mention[res_anchor[res_anchor != NOWHERE]] = False
        missing_mention[key_anchor[key_anchor != NOWHERE]] = False
        if len(table.key_size):  # nothing has to be merged with a singleton
            missing_mention &= table.key_size[key] > 1
    extras, introduced = int(extra.sum()), int(missing.sum())
    alone = int((table.key_size[key[missing]] == 1).sum())
    return Found(
        conflated=small_res & ~_holds(cell, res_anchor, len(table.count)),
        divided=small_key & ~_holds(cell, key_anchor, len(table.count)),
        extra_mention=extra_mention,
        extra_entity=extra_entity,
        missing_mention=missing_mention,
        missing_entity=missing_entity,
        key_anchor=key_anchor,
        res_anchor=res_anchor,
        operations={
            "split": int(small_res.sum()) + extras,
            "remove": extras,
            "introduce": introduced,
            "merge": int(small_key.sum()) + introduced - alone,
        },
    )


def _is_entity(entity: Ints, alone: Bools, telling: Bools, entities: int, *, strict: bool) -> Bools:
    """Mark entities that are extra, or missing, as a whole.

    `alone` marks rows that one side has, `telling` those of both sides that are no pronouns.
    """
    if not entities:
        return np.zeros(1, dtype=bool)
    many = np.bincount(entity[alone], minlength=entities)
    told = np.bincount(entity[telling], minlength=entities)
    whole: Bools = (many >= _LEAST) & (told == 0)
    if strict:
        whole |= (many == 1) & (np.bincount(entity[entity != NOWHERE], minlength=entities) == 1)
    return whole


def _anchors(entity: Ints, order: Ints, among: Bools, pronoun: Bools, entities: int) -> Ints:
    """Return the row of each entity's first mention that is no pronoun, else of its first."""
    anchor = first_rows(entity, order, among & ~pronoun, entities)
    first = first_rows(entity, order, among, entities)
    return np.where(anchor == NOWHERE, first, anchor)


def first_rows(entity: Ints, order: Ints, among: Bools, entities: int) -> Ints:
    """Return the first row of each entity among some rows, or NOWHERE."""
    rows = np.flatnonzero(among & (entity != NOWHERE))
    rows = rows[np.argsort(order[rows])]
    found = np.full(entities, NOWHERE, dtype=np.int64)
    found[entity[rows][::-1]] = rows[::-1]  # the last to be written is the first in the text
    return found


def _holds(cell: Ints, anchor: Ints, cells: int) -> Bools:
    """Mark the cells that hold an anchor."""
    holds = np.zeros(cells + 1, dtype=bool)
    holds[cell[anchor[anchor != NOWHERE]]] = True  # a row without a cell marks the last
    return holds[:-1]
