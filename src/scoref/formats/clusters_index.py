"""Plain clusters from an index of their JSON: whole columns at once, no object per mention.

Read so are documents, or one document, whose entities are lists, named or not, and whose mentions
are all spans or all texts. All else is left to the careful reader, mistakes included.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from scoref.arrays import Bools, Ints
from scoref.formats.jsonindex import (
    COLON,
    COMMA,
    LIST,
    LIST_END,
    NUMBER,
    OBJECT,
    STRING,
    Index,
    index,
)


class Columns(NamedTuple):
    """Documents by name, entities with their names and documents, mentions with their entities."""

    documents: list[str]
    entity_names: list[str]
    entity_document: Ints
    entity: Ints
    spans: tuple[Ints, Ints] | None
    labels: Sequence[Hashable] | None


def read_columns(data: bytes) -> Columns | None:
    """Read clusters, or return None where the careful reader must."""
    found = index(data)
    if found is None or found.kind[0] not in (LIST, OBJECT):
        return None
    kind, depth = found.kind, found.depth
    has_documents = kind[0] == OBJECT
    level = 3 if has_documents else 2  # how deep the mentions of an entity lie
    if np.any((kind == OBJECT) & (depth > level - 1)) or depth.max() > level + 1:
        return None
    opens = kind == LIST
    is_entity = opens & (depth == level)
    is_key = np.zeros(len(kind), dtype=bool)
    is_key[:-1] = kind[1:] == COLON
    is_text = (kind == STRING) & ~is_key
    is_span = opens & (depth == level + 1)
    has_spans = bool(is_span.any())
    spans = _spans(found, is_span)
    empty = is_entity[:-1] & (kind[1:] == LIST_END)
    misplaced = is_text & (has_spans | (depth != level))
    if spans is None or empty.any() or misplaced.any():
        return None
    entities = np.flatnonzero(is_entity)
    documents = np.flatnonzero((opens | (kind == OBJECT)) & (depth == level - 1))
    document = _owner(documents, entities)
    names = _names(found, is_key & (depth == 1), len(documents)) if has_documents else [""]
    entity_names = _entity_names(found, is_key & (depth == 2), document)
    if names is None or entity_names is None:
        return None
    labels = found.strings(is_text) if is_text.any() else None
    entity = _owner(entities, np.flatnonzero(is_span if has_spans else is_text))
    # Without any mention, there are spans rather than texts.
    return Columns(names, entity_names, document, entity, None if labels else spans, labels)


def _owner(owners: Ints, owned: Ints) -> Ints:
    """Return the number of the last owner before each place; both are in order.

    Owners are few: to look each up among the owned is quicker than the other way round.
    """
    many = np.diff(np.searchsorted(owned, owners), append=len(owned))
    return np.repeat(np.arange(len(owners)), many)


def _spans(found: Index, is_span: Bools) -> tuple[Ints, Ints] | None:
    """Return starts and ends, if all numbers are in pairs, in order."""
    kind = found.kind
    at = np.flatnonzero(is_span)
    for offset, expected in enumerate((NUMBER, COMMA, NUMBER, LIST_END), 1):
        if np.any(kind[at + offset] != expected):
            return None
    if len(found.number_end) != 2 * len(at):
        return None  # numbers stand elsewhere too
    numbers = found.numbers().reshape(-1, 2)
    if np.any(numbers[:, 0] > numbers[:, 1]):
        return None
    return numbers[:, 0].copy(), numbers[:, 1].copy()


def _names(found: Index, chosen: Bools, documents: int) -> list[str] | None:
    """Return the names of documents, or None if one stands twice or is no document's."""
    names = list(found.strings(chosen))
    return names if len(names) == documents == len(set(names)) else None


def _entity_names(found: Index, chosen: Bools, document: Ints) -> list[str] | None:
    """Return the names of entities, or their numbers where they have none."""
    if chosen.any():
        names = list(found.strings(chosen))
        if len(names) != len(document):
            return None
        distinct = set(zip(document.tolist(), names, strict=True))
        return names if len(distinct) == len(names) else None
    many = np.bincount(document)
    first = np.repeat(np.cumsum(many) - many, many)
    return list(map(str, (np.arange(len(document)) - first + 1).tolist()))
