"""Corpus: the mentions of one side, one row each, whatever file they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import wraps
from os import PathLike
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints
from scoref.base.byte_texts import Slices
from scoref.corpus import fingerprint
from scoref.corpus.attributes import (
    entity_attributes,
    given_links,
    given_spans,
    is_span,
    mention_attributes,
    together,
    type_column,
)
from scoref.corpus.span_entities import SpanLabels, span_entities, unboxed
from scoref.corpus.spans import Links, Spans
from scoref.corpus.text import Text
from scoref.exceptions import MentionError, UsageError

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")

GLIMPSE = 5000
"""So many words of a file show whether it is of the same text, and cost next to nothing."""

UNKNOWN = -1
"""The length of a document whose tokens nobody counted."""


# Keys are hashable, but a mapping's key type is invariant: only Any takes a dict[str, ...].
Entities = Iterable[Iterable[Any]] | Mapping[Any, Iterable[Any]]


class Document(NamedTuple):
    """A document: its name as shown, and the identity that pairs it with the other side."""

    name: str
    id: Hashable
    length: int = UNKNOWN
    source: str = ""
    line: int = 0
    part: str = ""

    @property
    def is_unnamed(self) -> bool:
        """Whether the document has no name, so that only its position can pair it."""
        return isinstance(self.id, tuple) and len(self.id) == 2 and self.id[0] == ""


def show_parts(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Name documents by name and part where several parts share a name, else by name."""
    documents = tuple(documents)
    times = Counter(_base(document) for document in documents if not document.is_unnamed)

    def shown(document: Document) -> Document:
        if times[_base(document)] < 2 or not document.part:
            return document
        return document._replace(name=f"{_base(document)}/{document.part}")

    return distinct_names(map(shown, documents))


def distinct_names(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Tell apart documents that would be shown by one name, such as `x/1` and part 1 of `x`."""
    documents = tuple(documents)
    times = Counter(document.name for document in documents)
    if len(times) == len(documents):
        return documents
    return tuple(d if times[d.name] == 1 else d._replace(name=repr(d.id)) for d in documents)


def _base(document: Document) -> Hashable:
    return document.id[0] if isinstance(document.id, tuple) else document.id


def cached(
    function: Callable[Concatenate[Corpus, Arguments], Found],
) -> Callable[Concatenate[Corpus, Arguments], Found]:
    """Compute something from a corpus only once, if the corpus has a cache."""

    @wraps(function)
    def look_up(corpus: Corpus, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        if corpus.cache is None:
            return function(corpus, *args, **kwargs)
        place = (function.__qualname__, *args, *kwargs.items())
        if place not in corpus.cache:
            found = function(corpus, *args, **kwargs)
            corpus.cache[place] = found.enable_cache() if isinstance(found, Corpus) else found
        return cast("Found", corpus.cache[place])

    return look_up


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Corpus:
    """Mentions as columns of equal length, in the order of their file.

    `document` and `entity` are numbers; entities are numbered through the corpus in the
    order in which they first appear, and none spans two documents. A mention is a token
    span, `start` to `end` inclusive. Where mentions are Python objects instead, `labels`
    holds them, and `start` and `end` only count them. `line` is where a mention begins in
    its file, or 0. `attributes` are further columns of mentions: `type` (one of `name`,
    `nominal`, `pronoun`), `head_start` and `head_end`, `nodes` (the parts of a discontinuous
    mention, or an empty node), and what else a file says.
    `entity_attributes` are columns of entities, such as `type` and `class` in ACE. Empty
    strings and -1 stand for what is not known. `text` has the words, if they were read. Where
    spans count characters instead of tokens, `characters` are the texts of the documents. Where
    words were not read, `glimpse` may have the first words of each document. `bridging` links and
    `non_referring` mentions are told by spans, since some are in no entity; None if the file
    cannot tell them.
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
        """Return a corpus of documents that nobody has annotated."""
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

        Entities may also be a mapping from their names. A mention written as a list, as
        JSON has it, counts as a tuple, and so does an array or a tensor. A pair of whole
        numbers is a token span, end inclusive, when the other side of a comparison comes from
        a file.

        `types` gives mentions their type, `name`, `nominal` or `pronoun`: `{mention: type}`,
        or `{"doc": {mention: type}}` where documents have equal mentions. `mentions` gives
        them any attributes, `{"doc": {mention: {"type": "name", "head": (3, 4)}}}`, and
        `entities` gives attributes to entities, by name or as a list in their order:
        `{"doc": [{"type": "PER", "class": "SPC"}, ...]}`.

        `bridging` are the anchors of anaphors, `{"doc": {anaphor: anchor}}` or a list of several
        anchors; `non_referring` are mentions that refer to nothing, `{"doc": [mention, ...]}`.
        All of these are token spans, and need not be in an entity.
        """
        if bridging is not None or non_referring is not None:
            plain = cls.from_entities(
                documents, types, source, mentions=mentions, entities=entities
            )
            return replace(
                plain,
                bridging=None if bridging is None else given_links(documents, bridging),
                non_referring=None
                if non_referring is None
                else given_spans(documents, non_referring),
            )
        if types is mentions is entities is None and (found := span_entities(documents)):
            positions = np.arange(len(found.labels), dtype=np.int64)
            return cls(
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
        rows: list[tuple[int, int]] = []
        labels: list[Hashable] = []
        names: list[str] = []
        places: list[tuple[Hashable, str, int]] = []
        for number, (document, given) in enumerate(documents.items()):
            for order, (name, members) in enumerate(_named(given)):
                _check_entity(members, document)
                labels.extend(_hashable(mention, document) for mention in members)
                rows.extend([(number, len(names))] * len(members))
                names.append(name)
                places.append((document, name, order))
        document_column, entity_column = _columns(rows)
        positions = np.arange(len(labels), dtype=np.int64)
        ids = list(documents)
        attributes = mention_attributes(labels, [ids[number] for number, _ in rows], mentions)
        if types is not None:
            attributes["type"] = type_column(labels, [ids[number] for number, _ in rows], types)
        return cls(
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

    @classmethod
    def concatenate(cls, corpora: Sequence[Corpus], source: str) -> Corpus:
        """Put corpora together, one after the other: all of spans, or all of labels."""
        corpora = _alike([corpus for corpus in corpora if corpus.documents] or corpora, source)
        labels = [corpus.labels for corpus in corpora if corpus.labels is not None]
        rows = np.arange(sum(map(len, corpora)), dtype=np.int64) if labels else None
        documents = np.cumsum([0, *(len(corpus.documents) for corpus in corpora)])
        entities = np.cumsum([0, *(corpus.entity_count for corpus in corpora)])
        pairs = list(zip(corpora, documents.tolist(), entities.tolist(), strict=False))
        return cls(
            documents=show_parts(document for corpus in corpora for document in corpus.documents),
            document=np.concatenate([corpus.document + at for corpus, at, _ in pairs]),
            start=np.concatenate([corpus.start for corpus in corpora]) if rows is None else rows,
            end=np.concatenate([corpus.end for corpus in corpora]) if rows is None else rows,
            labels=None if rows is None else tuple(one for part in labels for one in part),
            entity=np.concatenate([corpus.entity + at for corpus, _, at in pairs]),
            entity_names=tuple(name for corpus in corpora for name in corpus.entity_names),
            line=np.concatenate([corpus.line for corpus in corpora]),
            attributes=together([(corpus.attributes, len(corpus)) for corpus in corpora]),
            entity_attributes=together(
                [(corpus.entity_attributes, corpus.entity_count) for corpus in corpora]
            ),
            characters=tuple(text for corpus in corpora for text in corpus.characters),
            glimpse=tuple(words for corpus in corpora for words in corpus.glimpse)
            if all(len(corpus.glimpse) == len(corpus.documents) for corpus in corpora)
            else (),
            text=Text.concatenate([c.text for c in corpora if c.text])
            if all(corpus.text for corpus in corpora)
            else None,
            bridging=_besides(Links, [(corpus.bridging, corpus, at) for corpus, at, _ in pairs]),
            non_referring=_besides(Spans, [(c.non_referring, c, at) for c, at, _ in pairs]),
            source=source,
            notes=tuple(note for corpus in corpora for note in corpus.notes),
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
        """Return the same corpus with spans for labels, or None if they are not all spans."""
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
        given = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        return _rebuilt, (given,)

    @cached
    def fingerprint(self) -> str:
        """Return a short hash of the documents, mentions and entities, and of nothing else.

        The same annotation has the same fingerprint from any file format, with its
        documents in any order and its entities under any names.
        """
        return fingerprint.shown(self.hash_total())

    def hash_total(self) -> int:
        """Return what the corpus adds to a fingerprint, as all of an annotation or a part."""
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


def _rebuilt(given: dict[str, Any]) -> Corpus:
    return Corpus(**given)


def _alike(corpora: Sequence[Corpus], source: str) -> Sequence[Corpus]:
    """Return corpora that all have spans of one unit, or all labels; refuse others."""
    if len({corpus.unit for corpus in corpora}) > 1:
        raise MentionError(
            f"some files of {source} count tokens, others characters", "read them one by one"
        )
    if len({corpus.labels is None for corpus in corpora if len(corpus)}) < 2:
        return [c if len(c) else replace(c, labels=None) for c in corpora]
    spans = [corpus.as_spans() for corpus in corpora]
    if None in spans:
        raise MentionError(
            f"some files of {source} have mentions by name, others token spans",
            "read them one by one",
        )
    return [corpus for corpus in spans if corpus is not None]


Besides = TypeVar("Besides", Links, Spans)


def _besides(
    kind: type[Besides], parts: Iterable[tuple[Besides | None, Corpus, int]]
) -> Besides | None:
    """Put together what is said besides entities; `parts` have the first number of documents."""
    told = [
        said.in_documents(np.arange(first, first + len(corpus.documents)))
        for said, corpus, first in parts
        if said is not None
    ]
    return kind.concatenate(told) if told else None


def _documents(names: Iterable[Any], source: str) -> tuple[Document, ...]:
    return distinct_names(Document(str(name), name, source=source) for name in names)


def _named(entities: Entities) -> Iterable[tuple[str, list[Any]]]:
    if isinstance(entities, Mapping):
        return [(str(name), _listed(mentions)) for name, mentions in entities.items()]
    return [(str(number), _listed(mentions)) for number, mentions in enumerate(entities, 1)]


def _listed(mentions: Any) -> list[Any]:
    mentions = unboxed(mentions)
    if isinstance(mentions, str | bytes) or not isinstance(mentions, Iterable):
        raise UsageError(
            f"an entity is {mentions!r}, but must be a list of mentions",
            'pass {"doc": [["a", "b"], ["c"]]}: documents, their entities, their mentions',
        )
    return list(mentions)


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
