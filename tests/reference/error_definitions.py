"""Errors re-derived slowly from the definitions, with sets, one document at a time.

Written from the description of Kummerfeld & Klein's procedure in words, operation by operation,
without looking at overlap tables: to agree with it is to agree with the definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

Entity = frozenset[str]
Operation = tuple[Entity, Entity]


def anchor(entity: Collection[str], pronouns: Collection[str]) -> str | None:
    """Return the first mention that is no pronoun; mentions sort as they stand in the text."""
    return min((m for m in entity if m not in pronouns), default=None)


def holds_anchor(piece: Entity, whole: Collection[str], pronouns: Collection[str]) -> bool:
    """Whether a piece has the anchor of the whole, or its first mention if it has no anchor."""
    first = anchor(whole, pronouns)
    if first is None:
        return min(whole) in piece
    return first in piece


def operations(
    key: Sequence[Entity], response: Sequence[Entity]
) -> tuple[list[Operation], list[Operation], set[str], set[str]]:
    """Return splits and merges (piece, whole), extra mentions and missing mentions."""
    in_key = {m for entity in key for m in entity}
    in_response = {m for entity in response for m in entity}
    splits, pieces = [], []
    for whole in response:
        for entity in key:
            if piece := whole & entity:
                pieces.append(piece)
                if piece != whole:
                    splits.append((piece, whole))
        splits += [(frozenset({m}), whole) for m in sorted(whole - in_key)]
    missing = in_key - in_response
    pieces += [frozenset({m}) for m in sorted(missing)]
    merges = [(piece, entity) for entity in key for piece in pieces if piece < entity]
    return splits, merges, in_response - in_key, missing


def original_errors(
    key: Sequence[Entity], response: Sequence[Entity], pronouns: Collection[str]
) -> Counter[str]:
    """Count errors as the original analyser does; response singletons go first."""
    response = [entity for entity in response if len(entity) > 1]
    splits, merges, extra, missing = operations(key, response)
    errors: Counter[str] = Counter()
    for whole in response:
        spurious = whole & extra
        if len(spurious) >= 2 and all(m in pronouns for m in whole - extra):
            errors["extra_entity"] += 1
            splits = [s for s in splits if not (s[1] == whole and s[0] <= spurious)]
    for entity in key:
        lacking = entity & missing
        if len(lacking) >= 2 and all(m in pronouns for m in entity - missing):
            errors["missing_entity"] += 1
            merges = [m for m in merges if not (m[1] == entity and m[0] <= lacking)]
    splits = [s for s in splits if not holds_anchor(*s, pronouns)]
    merges = [m for m in merges if not holds_anchor(*m, pronouns)]
    errors["extra_mention"] = sum(piece <= extra for piece, _ in splits)
    errors["conflated"] = len(splits) - errors["extra_mention"]
    errors["missing_mention"] = sum(piece <= missing for piece, _ in merges)
    errors["divided"] = len(merges) - errors["missing_mention"]
    return errors


def strict_errors(
    key: Sequence[Entity], response: Sequence[Entity], pronouns: Collection[str]
) -> Counter[str]:
    """Count errors so that every difference is in one."""
    in_key = {m for entity in key for m in entity}
    in_response = {m for entity in response for m in entity}
    errors: Counter[str] = Counter()
    for one, others, alone_name, entity_name, piece_name in (
        (response, key, "extra_mention", "extra_entity", "conflated"),
        (key, response, "missing_mention", "missing_entity", "divided"),
    ):
        elsewhere = in_key if one is response else in_response
        for whole in one:
            alone = {m for m in whole if m not in elsewhere}
            shared = whole - alone
            is_entity = alone == whole == {*alone} and len(whole) == 1
            is_entity |= len(alone) >= 2 and all(m in pronouns for m in shared)
            if is_entity:
                errors[entity_name] += 1
            else:
                errors[alone_name] += len(alone)
            pieces = sum(bool(whole & other) for other in others)
            # All pieces but the anchor; a missing entity is the anchor of its key entity.
            if one is key and is_entity:
                errors[piece_name] += pieces
            elif pieces:
                errors[piece_name] += pieces - 1
    return errors
