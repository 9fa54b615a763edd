"""Building a corpus from Python objects: documents, their entities, their mentions.

A resolver in a training loop returns tens of thousands of small tuples per checkpoint. `span_rows`
checks all of them at once, in C code. If anything may not be a span, the input is left to the
slower conversion, which checks one mention at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.attributes import (
    entity_attributes,
    links_by_document,
    mention_attributes,
    spans_by_document,
    type_column,
)
from scoref.corpus.corpus import Corpus, Entities
from scoref.corpus.document import Document, distinct_names
from scoref.corpus.spans import SpanLabels
from scoref.exceptions import MentionError, UsageError

_LISTS = frozenset({list, tuple})


class EntityRows(NamedTuple):
    """All mentions of all documents, with the document and the entity of each.

    `names` are the names of entities.
    """

    document: Ints
    entity: Ints
    labels: Sequence[Hashable]
    names: tuple[str, ...]


def corpus_from_entities(
    documents: Mapping[Any, Entities],
    types: Mapping[Any, Any] | None,
    source: str,
    *,
    mentions: Mapping[Any, Any] | None,
    entities: Mapping[Any, Any] | None,
    bridging: Mapping[Any, Any] | None,
    non_referring: Mapping[Any, Any] | None,
) -> Corpus:
    """Build a corpus; see `Corpus.from_entities`."""
    has_attributes = not (types is mentions is entities is None)
    rows = None if has_attributes else span_rows(documents)
    rows = rows or _label_rows(documents)
    positions = np.arange(len(rows.labels), dtype=np.int64)
    corpus = Corpus(
        documents=distinct_names(Document(str(id_), id_, source=source) for id_ in documents),
        document=rows.document,
        start=positions,
        end=positions,
        entity=rows.entity,
        entity_names=rows.names,
        line=np.zeros(len(rows.labels), dtype=np.int64),
        labels=rows.labels,
        source=source,
        bridging=None if bridging is None else links_by_document(documents, bridging),
        non_referring=None
        if non_referring is None
        else spans_by_document(documents, non_referring),
    )
    if not has_attributes:
        return corpus
    ids = list(documents)
    document_ids = [ids[number] for number in rows.document.tolist()]
    attributes = mention_attributes(rows.labels, document_ids, mentions)
    if types is not None:
        attributes["type"] = type_column(rows.labels, document_ids, types)
    first_rows = np.unique(rows.entity, return_index=True)[1].tolist()
    of_entities = [
        (document_ids[row], name) for row, name in zip(first_rows, rows.names, strict=True)
    ]
    return replace(
        corpus, attributes=attributes, entity_attributes=entity_attributes(of_entities, entities)
    )


def span_rows(documents: Mapping[Any, Any]) -> EntityRows | None:
    """Convert `{"doc": [[(start, end), ...], ...]}`, or return None for any other input.

    Entities may be arrays of two columns. If the result is None, no iterator was consumed.
    """
    lists = list(documents.values())
    if not _only(lists, _LISTS):
        return None
    entities = _as_lists(list(chain.from_iterable(lists)))
    if entities is None:
        return None
    sizes = _lengths(entities)
    mentions = list(chain.from_iterable(entities))
    if not sizes.all() or not _only(mentions, _LISTS) or set(map(len, mentions)) - {2}:
        return None
    try:  # an array takes integers of any type, and nothing else
        numbers = array("q", list(chain.from_iterable(mentions)))
    except (TypeError, OverflowError):
        return None
    spans = np.frombuffer(numbers, dtype=np.int64).reshape(-1, 2)
    start, end = spans[:, 0].copy(), spans[:, 1].copy()
    if len(start) and (start.min() < 0 or (end < start).any()):
        return None
    entity_counts = _lengths(lists)
    document = np.repeat(np.arange(len(lists)), entity_counts)
    names = [str(number) for number in range(1, int(entity_counts.max(initial=0)) + 1)]
    return EntityRows(
        document=np.repeat(document, sizes),
        entity=np.repeat(np.arange(len(entities)), sizes),
        labels=SpanLabels(start, end),
        names=tuple(chain.from_iterable(names[:count] for count in entity_counts.tolist())),
    )


def unboxed(value: Any) -> Any:
    """Convert an array or a tensor to lists and numbers, and return any other value unchanged.

    Tensors are hashed by identity, so two tensors of the same value would be two mentions.
    """
    is_array = hasattr(value, "__array__") and hasattr(value, "tolist")
    return value.tolist() if is_array and not isinstance(value, np.generic) else value


def _as_lists(entities: list[Any]) -> list[Any] | None:
    """Return entities as lists or tuples, or None if some are not, such as iterators."""
    kinds = set(map(type, entities))
    if kinds <= _LISTS:
        return entities
    if not all(kind in _LISTS or hasattr(kind, "tolist") for kind in kinds):
        return None
    entities = [unboxed(entity) for entity in entities]
    return entities if _only(entities, _LISTS) else None


def _only(values: Iterable[Any], kinds: Collection[type]) -> bool:
    return set(map(type, values)) <= set(kinds)


def _lengths(lists: Sequence[Any]) -> Ints:
    return np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))


def _label_rows(documents: Mapping[Any, Entities]) -> EntityRows:
    """List any hashable mentions with their documents and entities."""
    rows: list[tuple[int, int]] = []
    labels: list[Hashable] = []
    names: list[str] = []
    for number, (document, entities) in enumerate(documents.items()):
        for name, members in _named(entities, f"document {str(document)!r}"):
            if not members:
                raise MentionError(
                    f"document {str(document)!r} has an entity without mentions",
                    "leave empty entities out",
                )
            labels.extend(_hashable(mention, document) for mention in members)
            rows.extend([(number, len(names))] * len(members))
            names.append(name)
    document, entity = np.array(rows, dtype=np.int64).reshape(-1, 2).T.copy()
    return EntityRows(document, entity, tuple(labels), tuple(names))


def _named(entities: Entities, document: str) -> Iterable[tuple[str, list[Any]]]:
    if isinstance(entities, Mapping):
        return [(str(name), list_mentions(entity)) for name, entity in entities.items()]
    check_entities(entities, document)
    return [(str(number), list_mentions(entity)) for number, entity in enumerate(entities, 1)]


def check_entities(entities: Any, document: str) -> None:
    """Refuse what cannot be the entities of a document, which is named in the message."""
    if isinstance(entities, str | bytes) or not isinstance(entities, Iterable):
        raise UsageError(
            f"{document} is {entities!r}, but must be a list of entities",
            'an entity is a list of mentions: a document is [["a", "b"], ["c"]]',
        )


def list_mentions(entity: Any) -> list[Any]:
    """Return the mentions of an entity, or refuse what cannot be one."""
    entity = unboxed(entity)
    if isinstance(entity, str | bytes | Mapping) or not isinstance(entity, Iterable):
        raise UsageError(
            f"an entity is {entity!r}, but must be a list of mentions",
            'pass {"doc": [["a", "b"], ["c"]]}: documents, their entities, their mentions',
        )
    return list(entity)


def _hashable(mention: Any, document: Hashable) -> Hashable:
    mention = unboxed(mention)
    if isinstance(mention, list | tuple):
        mention = tuple(map(unboxed, mention))
    try:
        hash(mention)
    except TypeError:
        raise MentionError(
            f"document {str(document)!r} has the mention {mention!r}, which is not hashable",
            "use strings, numbers, or tuples such as (start, end)",
        ) from None
    return mention  # type: ignore[no-any-return]  # hash() has succeeded
