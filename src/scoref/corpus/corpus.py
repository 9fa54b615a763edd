"""Corpus: the mentions of one side, one row per mention, independent of the file format."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints
from scoref.base.lazy_sequences import ByteTexts
from scoref.base.viewed import pandas_table, polars_table
from scoref.base.visible import visible
from scoref.corpus import fingerprint
from scoref.corpus.attributes import is_span
from scoref.corpus.cache import cached
from scoref.corpus.document import Document
from scoref.corpus.spans import Links, SpanLabels, Spans
from scoref.corpus.text import Text

# The key type of a Mapping is invariant, so a dict[str, ...] is accepted only with Any.
Entities = Iterable[Iterable[Any]] | Mapping[Any, Iterable[Any]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Corpus:
    """Mentions as columns of equal length, in the order of their file.

    `document` and `entity` are indices into `documents` and `entity_names`. Entities are numbered
    in the order of their first mentions, and an entity is in one document. A mention is a token
    span from `start` to `end`, inclusive. If mentions are other Python objects, `labels` holds
    them, and `start` and `end` are row numbers. `line` is the line of the file where a mention
    begins, or 0.

    `attributes` are more columns of mentions: `type` (`name`, `nominal` or `pronoun`),
    `head_start` and `head_end`, `nodes` (the tokens of a discontinuous mention, or an empty node),
    and others that a file states. `entity_attributes` are columns of entities, such as `type` and
    `class` in ACE. An empty string or -1 means "unknown".

    `text` holds the words if they were read; otherwise `glimpse` may hold the first words of each
    document. `characters` holds the text of each document if spans count characters instead of
    tokens. `bridging` links and `non_referring` mentions are spans, since they need not be in an
    entity; they are None if the format does not support them.

    Two corpora are equal if they have the same documents, mentions and entities, as the
    fingerprint of a signature says: words, attributes, names of entities, order and file do not
    matter.
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

        A list, an array or a tensor as a mention counts as a tuple. A pair of integers counts as a
        token span, end inclusive, if the other side is read from a file.

        * `documents`: The entities of each document, as a list, or as a mapping from their names.
        * `types`: Mention types, `name`, `nominal` or `pronoun`: `{mention: type}`, or
          `{"doc": {mention: type}}` if several documents have equal mentions.
        * `source`: What the corpus is called in messages.
        * `mentions`: Any attributes of mentions:
          `{"doc": {mention: {"type": "name", "head": (3, 4)}}}`.
        * `entities`: Attributes of entities, by name or in order:
          `{"doc": [{"type": "PER", "class": "SPC"}, ...]}`.
        * `bridging`: The anchor, or a list of anchors, of each anaphor:
          `{"doc": {anaphor: anchor}}`. All are token spans, which need not be in an entity.
        * `non_referring`: Mentions that refer to nothing, as token spans:
          `{"doc": [mention, ...]}`.
        """
        from scoref.corpus.from_entities import corpus_from_entities  # noqa: PLC0415  # a cycle

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self is other or (
            (len(self), len(self.documents), self.unit)
            == (len(other), len(other.documents), other.unit)
            and self.hash_total() == other.hash_total()
        )

    def __hash__(self) -> int:
        return hash((len(self), len(self.documents)))

    def __repr__(self) -> str:
        from scoref.corpus.in_short import summarise  # noqa: PLC0415  # only shown

        return f"<Corpus{' ' * bool(self.source)}{visible(self.source)}: {summarise(self)}>"

    def _repr_html_(self) -> str:
        """Show the numbers of documents, mentions and entities in a notebook."""
        from scoref.corpus.in_short import show_in_notebook  # noqa: PLC0415  # only notebooks need it

        return show_in_notebook(self)

    def to_dict(self) -> dict[str, list[list[Hashable]]]:
        """Return the entities of each document by its name; `score` takes this dict too."""
        return self.entities()

    def to_pandas(self) -> Any:
        """Return a row per mention as a DataFrame of pandas, with the columns of table files."""
        return pandas_table(self._records())

    def to_polars(self) -> Any:
        """Return a row per mention as a DataFrame of polars, with the columns of table files."""
        return polars_table(self._records())

    def _records(self) -> Iterable[Sequence[object]]:
        from scoref.formats.table.table_writer import to_columns  # noqa: PLC0415  # a cycle

        columns = to_columns(self, is_file=False)
        return [list(columns), *zip(*columns.values(), strict=True)]

    @property
    def entity_count(self) -> int:
        """The number of entities."""
        return len(self.entity_names)

    @property
    def unit(self) -> str:
        """The unit that spans count: `token` or `character`."""
        return "character" if self.characters else "token"

    def where(self, rows: Bools) -> Corpus:
        """Keep the mentions of some rows. Documents and entity numbers stay the same."""
        at = np.flatnonzero(rows)
        labels: Sequence[Hashable] | None = self.labels
        if isinstance(labels, SpanLabels | ByteTexts):
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
        """Return one mention as the user passed it: a label, or a (start, end) span."""
        if self.labels is not None:
            return self.labels[row]
        return int(self.start[row]), int(self.end[row])

    def entities(self) -> dict[str, list[list[Hashable]]]:
        """Return the entities of each document by its name, as `from_entities` takes them."""
        lists: list[list[Hashable]] = [[] for _ in self.entity_names]
        documents: dict[str, list[list[Hashable]]] = {d.name: [] for d in self.documents}
        for row, (document, entity) in enumerate(zip(self.document, self.entity, strict=True)):
            if not lists[entity]:
                documents[self.documents[document].name].append(lists[entity])
            lists[entity].append(self.mention(row))
        return documents

    def as_spans(self) -> Corpus | None:
        """Return the corpus with spans instead of labels, or None if a label is not a span."""
        if self.labels is None:
            return self
        if isinstance(self.labels, SpanLabels):
            return replace(self, start=self.labels.start, end=self.labels.end, labels=None)
        if not all(is_span(label) for label in self.labels):
            return None
        spans = np.array(self.labels, dtype=np.int64).reshape(-1, 2)
        return replace(self, start=spans[:, 0].copy(), end=spans[:, 1].copy(), labels=None)

    def enable_cache(self) -> Corpus:
        """Cache what is computed from this corpus from now on, and return the corpus.

        The cache saves time if many responses are scored against one key. A modified copy of the
        corpus has no cache.
        """
        if self.cache is None:
            object.__setattr__(self, "cache", {})
        return self

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[dict[str, Any]]]:
        """Pickle the corpus without its cache."""
        state = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        return _rebuild, (state,)

    @cached
    def fingerprint(self) -> str:
        """Return a short hash of the documents, mentions and entities, and of nothing else.

        It does not depend on the file format, the order of documents or the names of entities.
        """
        return fingerprint.digest(self.hash_total())

    def hash_total(self) -> int:
        """Return the sum of hashes that this corpus, or part of a corpus, adds to a fingerprint."""
        documents = fingerprint.of_documents(document.id for document in self.documents)
        if self.labels is None:
            mentions = fingerprint.of_spans(self.start, self.end, self.attributes.get("nodes"))
        elif isinstance(self.labels, SpanLabels):
            mentions = fingerprint.of_spans(self.labels.start, self.labels.end)
        else:
            mentions = fingerprint.of_labels(self.labels)
        return fingerprint.total(documents, self.document, mentions, self.entity)

    def write(
        self,
        path: str | PathLike[str],
        format: str | None = None,  # noqa: A002
        *,
        force: bool = False,
    ) -> tuple[str, ...]:
        """Write the corpus to a file, by default in CoNLL columns; return notes on renamed names.

        * `path`: The file to write.
        * `format`: The name of a format that can be written.
        * `force`: Whether to replace an existing text file next to a brat annotation.
        """
        from scoref.formats.corpus_writer import write  # noqa: PLC0415  # a cycle

        return write(self, path, format, force=force)


def _rebuild(state: dict[str, Any]) -> Corpus:
    return Corpus(**state)
