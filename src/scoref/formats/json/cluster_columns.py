"""Clusters as columns, read from an index of their JSON without a Python object per mention.

The index serves documents, or one document, whose entities are lists, with names or without, and
whose mentions are all spans or all strings. All other files, and all problems, are left to the json
module.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.lazy_sequences import ByteTexts
from scoref.formats.brackets.parsing import EntityNames
from scoref.formats.json.json_index import (
    COLON,
    DEPTH,
    LIST,
    LIST_END,
    NUMBER,
    OBJECT,
    STRING,
    JsonIndex,
    index_json,
)

_TOKENS_OF_SPAN = 6  # [0, 1] and the comma or the end after it
_TOKENS_OF_STRING = 2
_MIX, _OTHER_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)


class ClusterColumns(NamedTuple):
    """Names of documents; names and documents of entities; entities and spans of mentions.

    Mentions without `spans` have `labels`.
    """

    documents: list[str]
    entity_names: Sequence[str]
    entity_document: Ints
    entity: Ints
    spans: tuple[Ints, Ints] | None
    labels: Sequence[Hashable] | None


def read_columns(data: bytes) -> ClusterColumns | None:
    """Read clusters by their index, or return None if the json module must."""
    found = index_json(data)
    if found is None:
        return None
    has_documents = found.kind[0] == OBJECT
    level = 3 if has_documents else 2  # the depth of the mentions of an entity
    document, entity, span = (DEPTH * (level + below) for below in (-1, 0, 1))
    counts, code = found.counts, found.code
    texts = counts[entity + STRING]
    opens = np.flatnonzero(code == entity + LIST)
    tokens = np.flatnonzero(code == entity + LIST_END) - opens
    needs_json_module = (
        any(counts[span + DEPTH :])  # a value inside of a mention
        or any(counts[entity + OBJECT :: DEPTH])  # mentions with names
        or sum(counts[STRING::DEPTH])
        != sum(counts[COLON::DEPTH]) + texts  # a string that is not a mention
        or (texts and counts[span + LIST])  # mentions of both kinds
        or tokens.min(initial=2) < 2  # an entity without mentions
    )
    spans = None if needs_json_module else _spans(found, span)
    if spans is None:
        return None
    owners = np.flatnonzero((code == document + LIST) | (code == document + OBJECT))
    of_entity = _owner(owners, opens)
    names = _names(found, DEPTH, len(owners)) if has_documents else [""]
    entity_names = _entity_names(found, 2 * DEPTH if has_documents else 0, of_entity)
    if names is None or entity_names is None:
        return None
    labels = found.strings(code[found.string_tokens] == entity + STRING) if texts else None
    # Every mention of an entity has the same number of tokens.
    sizes = tokens // (_TOKENS_OF_STRING if texts else _TOKENS_OF_SPAN)
    of_mention = np.repeat(np.arange(len(opens)), sizes)
    spans = None if labels else spans  # without any mention, there are spans rather than texts
    return ClusterColumns(names, entity_names, of_entity, of_mention, spans, labels)


def _owner(owners: Ints, owned: Ints) -> Ints:
    """Return the number of the last owner before each place; both are sorted.

    Owners are few: it is faster to look up the owners among the owned than the reverse.
    """
    many = np.diff(np.searchsorted(owned, owners), append=len(owned))
    return np.repeat(np.arange(len(owners)), many)


def _spans(found: JsonIndex, depth: int) -> tuple[Ints, Ints] | None:
    """Return starts and ends, if all numbers are in pairs, the start not after the end.

    A list of numbers whose end is the fourth token after its opening is a pair. The end of an empty
    list after another empty list is at the same place, but then the count of numbers is too small.
    """
    at = np.flatnonzero(found.code == depth + LIST)
    if {sum(found.counts[NUMBER::DEPTH]), found.counts[depth + NUMBER]} != {2 * len(at)}:
        return None
    ends = at + _TOKENS_OF_SPAN - 2
    if np.any(ends >= len(found.code)) or np.any(found.code[ends] != depth + LIST_END):
        return None
    numbers = found.numbers()
    start, end = numbers[::2].copy(), numbers[1::2].copy()
    return None if np.any(start > end) else (start, end)


def _names(found: JsonIndex, depth: int, documents: int) -> list[str] | None:
    """Return the names of documents, or None if a name occurs twice or names no document."""
    names = list(found.strings(found.code[found.string_tokens] == depth + STRING))
    return names if len(names) == documents == len(set(names)) else None


def _entity_names(found: JsonIndex, depth: int, document: Ints) -> Sequence[str] | None:
    """Return the names of entities, or their numbers if they have no names.

    The result is None if a name occurs twice in a document, or if only some entities have names.
    """
    if not found.counts[depth + STRING]:
        first = np.searchsorted(document, document)
        return EntityNames(np.arange(1, len(document) + 1) - first, str)
    names = found.strings(found.code[found.string_tokens] == depth + STRING)
    return names if len(names) == len(document) and _are_distinct(names, document) else None


def _are_distinct(names: Sequence[str], document: Ints) -> bool:
    """Whether the names of each document differ."""
    if isinstance(names, ByteTexts) and (codes := names.short_codes()) is not None:
        # Different sums prove different names, so that the slow way is rarely needed.
        mixed = np.sort(codes * _MIX + document.astype(np.uint64) * _OTHER_MIX)
        if not np.any(mixed[1:] == mixed[:-1]):
            return True
    return len(set(zip(document.tolist(), names, strict=True))) == len(names)
