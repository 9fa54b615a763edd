"""Building a corpus from Python objects: documents, their entities, their mentions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from scoref.corpus.attributes import (
    entity_attributes,
    links_by_document,
    mention_attributes,
    spans_by_document,
    type_column,
)
from scoref.corpus.corpus import Corpus, Entities
from scoref.corpus.document import Document, distinct_names
from scoref.corpus.span_rows import EntityRows, span_rows, unboxed
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
