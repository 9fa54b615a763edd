"""Errors between two partitions: the operations that correct the response, and their kinds.

The definitions are those of Kummerfeld & Klein (2013). The pieces of a response entity are the
mentions that it shares with each key entity, and each of its extra mentions. Four operations turn
the response into the key: *split* a piece from a larger response entity, *remove* an extra
mention, *introduce* a missing mention, *merge* a piece into a larger key entity. Operations that
belong together form one error:

    extra entity      a response entity with two or more extra mentions whose other mentions are
                      pronouns: the extra mentions are removed
    missing entity    the same with key and response exchanged: the mentions are introduced
    extra mention     any other extra mention
    missing mention   any other missing mention
    conflated         a piece of a response entity other than its anchor
    divided           a piece of a key entity other than its anchor

Because the anchor is not an error, k pieces cost k - 1 errors. The mode chooses the anchor:

    strict     Among the mentions that both sides have, the anchor is the first that is not a
               pronoun, else the first. A missing entity anchors its key entity. Every extra and
               every missing mention is part of an error, an entity of one mention can be extra or
               missing as a whole, and repairing all errors gives the key.
    kk2013     The anchor is the first mention of the entity that is not a pronoun, else its first
               mention, even if only one side has it. Such a mention is part of no error, and
               correct pieces count as conflated or divided instead. This is the rule of the
               original analyser, which also drops response singletons.

Pronouns are the mentions of type pronoun, stated or inferred. In kk2013, files that do not state
types follow the rule of the analyser: a pronoun is a mention of one token that is tagged as a
pronoun or a determiner, or whose word is on a list.

A repair removes errors of some kinds from the response.
A piece of a conflated entity becomes a separate entity. A piece of a divided entity joins the
anchor. Extra mentions are removed. A missing mention joins the anchor of its entity, and a missing
entity becomes a separate entity. Repairing all strict errors gives the key.

With `joined`, divided entities are repaired as in the corrected files of Kummerfeld & Klein's
analyser: the response entities that hold the pieces are joined, with all their other mentions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.errors import kinds as k
from scoref.base.arrays import Bools, Ints
from scoref.base.union_find import groups
from scoref.matching.alignment import Alignment
from scoref.metrics.table import NOWHERE, PRONOUN

_LEAST = 2  # extra or missing mentions that make an entity
_TAGS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "WRB", "DT"})
_WORDS = frozenset(
    word
    for line in (
        "i me my mine myself we us our ours ourselves one",
        "you your yours yourself yourselves thyself ya",
        "he him his himself she her hers herself it its itself",
        "they them their theirs themselves 'em em this that these those",
        "who whom whose whoever whomever what whatever which when where how",
        "everybody everyone everything anybody anyone somebody someone something",
        "nobody noone nothing all few several some many most none",
    )
    for word in line.split()
)


class PartitionErrors(NamedTuple):
    """All errors other than span errors.

    `marked` has the rows of each kind of error. `key_anchor` is the row with which the pieces of
    each key entity are merged, or NOWHERE if that is a missing entity. `operations` counts the
    operations before they are combined into errors.
    """

    marked: Mapping[str, Bools]
    key_anchor: Ints
    res_anchor: Ints
    operations: Mapping[str, int]


def find_partition_errors(mentions: AlignedMentions, pronoun: Bools, mode: str) -> PartitionErrors:
    """Find all errors other than span errors; `pronoun` marks the rows that count as pronouns."""
    table, key, res, cell = mentions.table, mentions.key, mentions.res, mentions.cell
    strict = mode == k.STRICT
    in_key, in_res, both = key != NOWHERE, res != NOWHERE, cell != NOWHERE
    extra, missing = in_res & ~in_key, in_key & ~in_res
    small_key, small_res = table.count < table.cell_key_size, table.count < table.cell_res_size
    is_extra = _is_entity(res, extra, both & ~pronoun, table.res_size, strict=strict)
    is_missing = _is_entity(key, missing, both & ~pronoun, table.key_size, strict=strict)
    among_key, among_res = (both, both) if strict else (in_key, in_res)
    key_anchor = mentions.anchors(key, among_key, pronoun, len(table.key_size))
    res_anchor = mentions.anchors(res, among_res, pronoun, len(table.res_size))
    if strict:
        key_anchor = np.where(is_missing[:-1], NOWHERE, key_anchor)
    extra_entity, missing_entity = extra & is_extra[res], missing & is_missing[key]
    extra_mention, missing_mention = extra & ~extra_entity, missing & ~missing_entity
    if not strict:  # an anchor that only one side has is part of no error
        extra_mention[res_anchor[res_anchor != NOWHERE]] = False
        missing_mention[key_anchor[key_anchor != NOWHERE]] = False
        missing_mention &= np.append(table.key_size, 0)[key] > 1  # a singleton has no merge
    extras, introduced = int(extra.sum()), int(missing.sum())
    alone = int((table.key_size[key[missing]] == 1).sum())
    marked = {
        k.CONFLATED: _in_cells(cell, small_res, res_anchor),
        k.DIVIDED: _in_cells(cell, small_key, key_anchor),
        k.EXTRA_MENTION: extra_mention,
        k.EXTRA_ENTITY: extra_entity,
        k.MISSING_MENTION: missing_mention,
        k.MISSING_ENTITY: missing_entity,
    }
    split, merge = int(small_res.sum()) + extras, int(small_key.sum()) + introduced - alone
    operations = {"split": split, "remove": extras, "introduce": introduced, "merge": merge}
    return PartitionErrors(marked, key_anchor, res_anchor, operations)


def _is_entity(entity: Ints, alone: Bools, found: Bools, size: Ints, *, strict: bool) -> Bools:
    """Mark entities that are extra, or missing, as a whole; the last value is for NOWHERE.

    `alone` marks rows that one side has. `found` marks rows of both sides that are not pronouns.
    """
    many = np.bincount(entity[alone], minlength=len(size))
    whole: Bools = (many >= _LEAST) & (np.bincount(entity[found], minlength=len(size)) == 0)
    if strict:
        whole |= (many == 1) & (size == 1)
    return np.append(whole, False)


def _in_cells(cell: Ints, chosen: Bools, anchor: Ints) -> Bools:
    """Mark the rows of the chosen cells that do not hold an anchor."""
    chosen = np.append(chosen, False)
    chosen[cell[anchor[anchor != NOWHERE]]] = False  # the cell of an unaligned anchor is the last
    marked: Bools = chosen[cell]
    return marked


def is_pronoun(mentions: AlignedMentions, mode: str) -> Bools:
    """Mark the rows that count as pronouns."""
    text, token, spans = mentions.text, mentions.token, mentions.spans
    if mode != k.KK2013 or mentions.stated or text is None or token is None or spans is None:
        marked: Bools = mentions.type == PRONOUN
        return marked
    alone = np.flatnonzero((spans[0] == spans[1]) & (token != NOWHERE))
    words, tags = text.columns["word"], text.columns.get("pos")
    marked = np.zeros(len(token), dtype=bool)
    marked[alone] = [
        words[at].lower() in _WORDS or (tags is not None and tags[at] in _TAGS)
        for at in token[alone].tolist()
    ]
    return marked


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


def drop_response_singletons(alignment: Alignment) -> Alignment:
    """Remove response entities of one mention."""
    size = np.bincount(alignment.res[alignment.res != NOWHERE], minlength=1)
    alone = (alignment.res != NOWHERE) & (size[alignment.res] == 1)
    return replace(alignment, res=np.where(alone, NOWHERE, alignment.res))
