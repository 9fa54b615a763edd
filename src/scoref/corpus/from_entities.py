"""A corpus made of Python objects: documents, their entities, their mentions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

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
from scoref.corpus.span_entities import span_entities, unboxed
from scoref.exceptions import MentionError, UsageError


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
    """Build a corpus, as `Corpus.from_entities` describes it."""
    only_spans = types is mentions is entities is None
    corpus = _corpus_of_spans(documents, source) if only_spans else None
    if corpus is None:
        corpus = _corpus_of_labels(documents, types, source, mentions, entities)
    if bridging is not None:
        corpus = replace(corpus, bridging=links_by_document(documents, bridging))
    if non_referring is not None:
        corpus = replace(corpus, non_referring=spans_by_document(documents, non_referring))
    return corpus


def _corpus_of_spans(documents: Mapping[Any, Entities], source: str) -> Corpus | None:
    """Build a corpus whose mentions are all (start, end), without an object per mention."""
    found = span_entities(documents)
    if found is None:
        return None
    positions = np.arange(len(found.labels), dtype=np.int64)
    return Corpus(
        documents=_documents(documents, source),
        document=found.document,
        start=positions,
        end=positions,
        entity=found.entity,
        entity_names=found.names,
        line=np.zeros(len(found.labels), dtype=np.int64),
        labels=found.labels,
        source=source,
    )


def _corpus_of_labels(
    documents: Mapping[Any, Entities],
    types: Mapping[Any, Any] | None,
    source: str,
    mentions: Mapping[Any, Any] | None,
    entities: Mapping[Any, Any] | None,
) -> Corpus:
    """Build a corpus of any hashable mentions, with their attributes."""
    rows: list[tuple[int, int]] = []
    labels: list[Hashable] = []
    names: list[str] = []
    places: list[tuple[Hashable, str, int]] = []
    for number, (document, its_entities) in enumerate(documents.items()):
        for order, (name, members) in enumerate(_named(its_entities)):
            _check_entity(members, document)
            labels.extend(_hashable(mention, document) for mention in members)
            rows.extend([(number, len(names))] * len(members))
            names.append(name)
            places.append((document, name, order))
    document_column, entity_column = _columns(rows)
    positions = np.arange(len(labels), dtype=np.int64)
    ids = list(documents)
    document_ids = [ids[number] for number, _ in rows]
    attributes = mention_attributes(labels, document_ids, mentions)
    if types is not None:
        attributes["type"] = type_column(labels, document_ids, types)
    return Corpus(
        documents=_documents(documents, source),
        document=document_column,
        start=positions,
        end=positions,
        entity=entity_column,
        entity_names=tuple(names),
        line=np.zeros(len(labels), dtype=np.int64),
        labels=tuple(labels),
        attributes=attributes,
        entity_attributes=entity_attributes(places, entities),
        source=source,
    )


def _documents(names: Iterable[Any], source: str) -> tuple[Document, ...]:
    return distinct_names(Document(str(name), name, source=source) for name in names)


def _named(entities: Entities) -> Iterable[tuple[str, list[Any]]]:
    if isinstance(entities, Mapping):
        return [(str(name), _mentions(entity)) for name, entity in entities.items()]
    return [(str(number), _mentions(entity)) for number, entity in enumerate(entities, 1)]


def _mentions(entity: Any) -> list[Any]:
    entity = unboxed(entity)
    if isinstance(entity, str | bytes) or not isinstance(entity, Iterable):
        raise UsageError(
            f"an entity is {entity!r}, but must be a list of mentions",
            'pass {"doc": [["a", "b"], ["c"]]}: documents, their entities, their mentions',
        )
    return list(entity)


def _check_entity(mentions: list[Any], document: Hashable) -> None:
    if not mentions:
        raise MentionError(
            f"document {document!r} has an entity without mentions", "leave empty entities out"
        )


def _hashable(mention: Any, document: Hashable) -> Hashable:
    mention = unboxed(mention)
    if isinstance(mention, list | tuple):
        mention = tuple(map(unboxed, mention))
    try:
        hash(mention)
    except TypeError:
        raise MentionError(
            f"document {document!r} has the mention {mention!r}, which is not hashable",
            "use strings, numbers, or tuples such as (start, end)",
        ) from None
    return mention  # type: ignore[no-any-return]  # hash() has shown what it is


def _columns(rows: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 2)
    return columns[:, 0].copy(), columns[:, 1].copy()
