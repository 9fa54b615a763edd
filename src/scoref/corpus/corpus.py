"""Corpus: the mentions of one side, one row per mention, whatever file they came from."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints
from scoref.base.byte_texts import Slices
from scoref.corpus import fingerprint
from scoref.corpus.attributes import is_span
from scoref.corpus.cache import cached
from scoref.corpus.document import Document
from scoref.corpus.span_entities import SpanLabels
from scoref.corpus.spans import Links, Spans
from scoref.corpus.text import Text

# Keys are hashable, but a mapping's key type is invariant: only Any takes a dict[str, ...].
Entities = Iterable[Iterable[Any]] | Mapping[Any, Iterable[Any]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Corpus:
    """Mentions as columns of equal length, in the order of their file.

    `document` and `entity` are numbers. Entities are numbered through the corpus in the order
    in which they first appear, and none spans two documents. A mention is a token span, `start`
    to `end` inclusive. If mentions are other Python objects, `labels` holds them, and `start`
    and `end` only count them. `line` is where a mention begins in its file, or 0.

    `attributes` are further columns of mentions: `type` (one of `name`, `nominal`, `pronoun`),
    `head_start` and `head_end`, `nodes` (the parts of a discontinuous mention, or an empty
    node), and what else a file states. `entity_attributes` are columns of entities, such as
    `type` and `class` in ACE. Empty strings and -1 mean "not known".

    `text` has the words, if they were read; `glimpse` may have the first words of each document
    if not. `characters` are the texts of the documents if spans count characters instead of
    tokens. `bridging` links and `non_referring` mentions are spans, since some are in no entity;
    they are None if the format does not support them.
    """

    documents: Sequence[Document]
    document: Ints
    start: Ints
    end: Ints
    entity: Ints
    entity_names: Sequence[str]
    line: Ints
    labels: Sequence[Hashable] | None = None
    attributes: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    entity_attributes: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    text: Text | None = None
    characters: tuple[str, ...] = ()
    glimpse: tuple[Sequence[str], ...] = ()
    bridging: Links | None = None
    non_referring: Spans | None = None
    grouped_by: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    cache: dict[Any, Any] | None = field(default=None, init=False, repr=False)

    @classmethod
    def without_mentions(cls, documents: Sequence[Document], source: str = "") -> Corpus:
        """Return a corpus of documents without annotations."""
        none = np.zeros(0, dtype=np.int64)
        return cls(
            documents=documents,
            document=none,
            start=none,
            end=none,
            entity=none,
            entity_names=(),
            line=none,
            source=source,
        )

    @classmethod
    def from_entities(
        cls,
        documents: Mapping[Any, Entities],
        types: Mapping[Any, Any] | None = None,
        source: str = "",
        *,
        mentions: Mapping[Any, Any] | None = None,
        entities: Mapping[Any, Any] | None = None,
        bridging: Mapping[Any, Any] | None = None,
        non_referring: Mapping[Any, Any] | None = None,
    ) -> Corpus:
        """Build a corpus from `{"doc": [[mention, ...], ...]}` with any hashable mentions.

        Entities may also be a mapping from their names. A mention written as a list, as in
        JSON, counts as a tuple, and so does an array or a tensor. A pair of whole numbers is a
        token span, end inclusive, when the other side of a comparison comes from a file.

        `types` gives mentions their type, `name`, `nominal` or `pronoun`: `{mention: type}`,
        or `{"doc": {mention: type}}` if documents have equal mentions. `mentions` gives
        them any attributes, `{"doc": {mention: {"type": "name", "head": (3, 4)}}}`, and
        `entities` gives attributes to entities, by name or as a list in their order:
        `{"doc": [{"type": "PER", "class": "SPC"}, ...]}`.

        `bridging` maps anaphors to anchors, `{"doc": {anaphor: anchor}}` or a list of several
        anchors; `non_referring` are mentions that refer to nothing, `{"doc": [mention, ...]}`.
        All of these are token spans, and need not be in an entity.
        """
        from scoref.corpus.from_entities import corpus_from_entities  # noqa: PLC0415  # it builds on this

        return corpus_from_entities(
            documents,
            types,
            source,
            mentions=mentions,
            entities=entities,
            bridging=bridging,
            non_referring=non_referring,
        )

    def __len__(self) -> int:
        return len(self.document)

    @property
    def entity_count(self) -> int:
        """The number of entities."""
        return len(self.entity_names)

    @property
    def unit(self) -> str:
        """What spans count: `token` or `character`."""
        return "character" if self.characters else "token"

    def where(self, rows: Bools) -> Corpus:
        """Keep some mentions. Documents and the numbers of entities stay."""
        at = np.flatnonzero(rows)
        labels: Sequence[Hashable] | None = self.labels
        if isinstance(labels, SpanLabels):
            labels = labels.where(at)
        elif isinstance(labels, Slices):
            labels = labels.pick(at)
        elif labels is not None:
            labels = tuple(labels[row] for row in at.tolist())
        return replace(
            self,
            document=self.document[at],
            start=self.start[at],
            end=self.end[at],
            entity=self.entity[at],
            line=self.line[at],
            labels=labels,
            attributes={name: column[at] for name, column in self.attributes.items()},
        )

    def mention(self, row: int) -> Hashable:
        """Return one mention as a user knows it: a label, or a (start, end) span."""
        if self.labels is not None:
            return self.labels[row]
        return int(self.start[row]), int(self.end[row])

    def entities(self) -> dict[str, list[list[Hashable]]]:
        """Return what `from_entities` takes: the entities of each document, by its name."""
        lists: list[list[Hashable]] = [[] for _ in self.entity_names]
        documents: dict[str, list[list[Hashable]]] = {d.name: [] for d in self.documents}
        for row, (document, entity) in enumerate(zip(self.document, self.entity, strict=True)):
            if not lists[entity]:
                documents[self.documents[document].name].append(lists[entity])
            lists[entity].append(self.mention(row))
        return documents

    def as_spans(self) -> Corpus | None:
        """Return the same corpus with spans for labels, or None if not all labels are spans."""
        if self.labels is None:
            return self
        if isinstance(self.labels, SpanLabels):
            return replace(self, start=self.labels.start, end=self.labels.end, labels=None)
        if not all(is_span(label) for label in self.labels):
            return None
        spans = np.array(self.labels, dtype=np.int64).reshape(-1, 2)
        return replace(self, start=spans[:, 0].copy(), end=spans[:, 1].copy(), labels=None)

    def enable_cache(self) -> Corpus:
        """Cache from now on what is computed from this corpus, and return it.

        It pays for a key that many responses are scored against. A copy with anything changed
        has no cache.
        """
        if self.cache is None:
            object.__setattr__(self, "cache", {})
        return self

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[dict[str, Any]]]:
        """Pickle all but the cache, which can be computed again."""
        state = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        return _rebuild, (state,)

    @cached
    def fingerprint(self) -> str:
        """Return a short hash of the documents, mentions and entities, and of nothing else.

        The same annotation has the same fingerprint from any file format, with its
        documents in any order and its entities under any names.
        """
        return fingerprint.shown(self.hash_total())

    def hash_total(self) -> int:
        """Return what the corpus, or a part of one, adds to the fingerprint of an annotation."""
        documents = fingerprint.of_documents(document.id for document in self.documents)
        if self.labels is None:
            mentions = fingerprint.of_spans(self.start, self.end, self.attributes.get("nodes"))
        elif isinstance(self.labels, SpanLabels):
            mentions = fingerprint.of_spans(self.labels.start, self.labels.end)
        else:
            mentions = fingerprint.of_labels(self.labels)
        return fingerprint.total(documents, self.document, mentions, self.entity)

    def write(self, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
        """Write the corpus to a file, by default in CoNLL columns."""
        from scoref.formats import write  # noqa: PLC0415  # formats build on this module

        write(self, path, format)


def _rebuild(state: dict[str, Any]) -> Corpus:
    return Corpus(**state)
