"""Plain clusters from an index of their JSON: whole columns at once, no object per mention.

Read so are documents, or one document, whose entities are lists, named or not, and whose mentions
are all spans or all texts. All else is left to the careful reader, mistakes included.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.byte_texts import ByteTexts
from scoref.formats.json.json_index import (
    COLON,
    DEPTH,
    LIST,
    LIST_END,
    NUMBER,
    OBJECT,
    STRING,
    Index,
    index,
)
from scoref.formats.json.numbered import Numbered

_TOKENS_OF_SPAN = 6  # [0, 1] and the comma or the end behind it
_TOKENS_OF_TEXT = 2
_ODD, _OTHER_ODD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


class Columns(NamedTuple):
    """Documents by name, entities with their names and documents, mentions with their entities."""

    documents: list[str]
    entity_names: Sequence[str]
    entity_document: Ints
    entity: Ints
    spans: tuple[Ints, Ints] | None
    labels: Sequence[Hashable] | None


def read_columns(data: bytes) -> Columns | None:
    """Read clusters, or return None where the careful reader must."""
    found = index(data)
    if found is None:
        return None
    has_documents = found.kind[0] == OBJECT
    level = 3 if has_documents else 2  # how deep the mentions of an entity lie
    document, entity, span = (DEPTH * (level + below) for below in (-1, 0, 1))
    many, code = found.many, found.code
    texts = many[entity + STRING]
    opens = np.flatnonzero(code == entity + LIST)
    tokens = np.flatnonzero(code == entity + LIST_END) - opens
    odd = (
        any(many[span + DEPTH :])  # something within a mention
        or any(many[entity + OBJECT :: DEPTH])  # mentions with names
        or sum(many[STRING::DEPTH]) != sum(many[COLON::DEPTH]) + texts  # a text that is no mention
        or (texts and many[span + LIST])  # mentions of both kinds
        or tokens.min(initial=2) < 2  # an entity without mentions
    )
    spans = None if odd else _spans(found, span)
    if spans is None:
        return None
    owners = np.flatnonzero((code == document + LIST) | (code == document + OBJECT))
    of_entity = _owner(owners, opens)
    names = _names(found, DEPTH, len(owners)) if has_documents else [""]
    entity_names = _entity_names(found, 2 * DEPTH if has_documents else 0, of_entity)
    if names is None or entity_names is None:
        return None
    labels = found.strings(code[found.string_tokens] == entity + STRING) if texts else None
    # From one opening to its end, an entity has as many tokens for each of its mentions.
    sizes = tokens // (_TOKENS_OF_TEXT if texts else _TOKENS_OF_SPAN)
    of_mention = np.repeat(np.arange(len(opens)), sizes)
    # Without any mention, there are spans rather than texts.
    return Columns(names, entity_names, of_entity, of_mention, None if labels else spans, labels)


def _owner(owners: Ints, owned: Ints) -> Ints:
    """Return the number of the last owner before each place; both are in order.

    Owners are few: to look each up among the owned is quicker than the other way round.
    """
    many = np.diff(np.searchsorted(owned, owners), append=len(owned))
    return np.repeat(np.arange(len(owners)), many)


def _spans(found: Index, depth: int) -> tuple[Ints, Ints] | None:
    """Return starts and ends, if all numbers are in pairs, in order.

    A list of numbers whose end is the fourth token behind its opening is a pair. So would be the
    end of an empty list behind an empty one, but then there are too few numbers.
    """
    at = np.flatnonzero(found.code == depth + LIST)
    if sum(found.many[NUMBER::DEPTH]) != 2 * len(at) or found.many[depth + NUMBER] != 2 * len(at):
        return None
    ends = at + _TOKENS_OF_SPAN - 2
    if np.any(ends >= len(found.code)) or np.any(found.code[ends] != depth + LIST_END):
        return None
    numbers = found.numbers()
    start, end = numbers[::2].copy(), numbers[1::2].copy()
    return None if np.any(start > end) else (start, end)


def _names(found: Index, depth: int, documents: int) -> list[str] | None:
    """Return the names of documents, or None if one stands twice or is no document's."""
    names = list(found.strings(found.code[found.string_tokens] == depth + STRING))
    return names if len(names) == documents == len(set(names)) else None


def _entity_names(found: Index, depth: int, document: Ints) -> Sequence[str] | None:
    """Return the names of entities, or their numbers where they have none.

    The result is None if one stands twice in a document, or only some entities have names.
    """
    if not found.many[depth + STRING]:
        first = np.searchsorted(document, document)
        return Numbered(np.arange(1, len(document) + 1) - first)
    names = found.strings(found.code[found.string_tokens] == depth + STRING)
    return names if len(names) == len(document) and _are_distinct(names, document) else None


def _are_distinct(names: Sequence[str], document: Ints) -> bool:
    """Whether no document has a name twice."""
    if isinstance(names, ByteTexts) and (codes := names.short_codes()) is not None:
        # Sums of these that differ are of names that differ, so that few need a closer look.
        mixed = np.sort(codes * _ODD + document.astype(np.uint64) * _OTHER_ODD)
        if not np.any(mixed[1:] == mixed[:-1]):
            return True
    return len(set(zip(document.tolist(), names, strict=True))) == len(names)
