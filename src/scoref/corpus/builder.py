"""A corpus built mention by mention, for readers of formats that are parsed as objects."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import number_by_appearance
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document, show_parts
from scoref.corpus.text import Text

_MISSING = {int: -1, str: ""}


@dataclass(slots=True)
class TextBuilder:
    """Collects the tokens of documents, one after the other."""

    first: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)
    tokens: int = 0

    def document(self) -> None:
        """Begin a document."""
        self.first.append(self.tokens)

    def sentence(self, **columns: Sequence[str]) -> None:
        """Add the tokens of a sentence; a column that they lack is empty for them."""
        length = len(next(iter(columns.values())))
        if columns.keys() != self.columns.keys():
            for name in {*columns, *self.columns}:
                if name not in self.columns:
                    self.columns[name] = [""] * self.tokens
                columns.setdefault(name, [""] * length)
        for name, values in columns.items():
            self.columns[name].extend(values)
        self.lengths.append(length)
        self.tokens += length

    def sentences(self, words: Sequence[Sequence[str]]) -> None:
        """Add the words of many sentences, which have nothing else."""
        if self.columns.keys() != {"word"} and self.tokens:
            for sentence in words:
                self.sentence(word=sentence)
            return
        column = self.columns.setdefault("word", [])
        column.extend(chain.from_iterable(words))
        self.lengths.extend(map(len, words))
        self.tokens = len(column)

    def text(self) -> Text:
        """Return the text, without columns that say nothing."""
        starts = np.zeros(self.tokens + 1, dtype=bool)
        starts[np.cumsum([0, *self.lengths])] = True
        return Text(
            np.array([*self.first, self.tokens], dtype=np.int64),
            starts[:-1],
            {name: values for name, values in self.columns.items() if any(values)},
        )


@dataclass(slots=True)
class CorpusBuilder:
    """Collects documents, mentions and entities in the order of a file."""

    path: str
    documents: list[Document] = field(default_factory=list)
    rows: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    numbers: dict[tuple[int, Hashable], int] = field(default_factory=dict)
    of_mention: dict[str, dict[int, Any]] = field(default_factory=dict)
    of_entity: dict[str, dict[int, Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    words: TextBuilder | None = None

    def document(
        self, name: str, length: int = UNKNOWN, line: int = 0, identity: Hashable = None
    ) -> int:
        """Begin a document, and return its number."""
        number = len(self.documents)
        if not name:
            name, identity = f"#{number + 1}", ("", number + 1)
        identity = name if identity is None else identity
        self.documents.append(Document(name, identity, length, self.path, line))
        if self.words is not None:
            self.words.document()
        return number

    def set_length(self, document: int, length: int) -> None:
        """Say how many tokens a document has, where that is known only at its end."""
        self.documents[document] = self.documents[document]._replace(length=length)

    def entity(self, document: int, key: Hashable, **attributes: str) -> int:
        """Return the number of an entity, which is new if its key is."""
        number = self.numbers.setdefault((document, key), len(self.names))
        if number == len(self.names):
            self.names.append(str(key))
        for name, value in attributes.items():
            if value:
                self.of_entity.setdefault(name, {}).setdefault(number, value)
        return number

    def mention(
        self,
        document: int,
        span: tuple[int, int],
        entity: int,
        line: int = 0,
        **attributes: str | int,
    ) -> None:
        """Add a mention, with its attributes: `type`, `head_start`, `nodes` and the like."""
        for name, value in attributes.items():
            if value != _MISSING[type(value)]:
                self.of_mention.setdefault(name, {})[len(self.rows)] = value
        self.rows.append((document, span[0], span[1], entity, line))

    def extend(
        self, rows: Sequence[tuple[int, int, int, int, int]], attributes: dict[str, list[Any]]
    ) -> None:
        """Add many mentions at once: document, start, end, entity and line; their attributes."""
        first = len(self.rows)
        self.rows.extend(rows)
        for name, values in attributes.items():
            told = self.of_mention.setdefault(name, {})
            told.update(
                (first + at, value)
                for at, value in enumerate(values)
                if value != _MISSING[type(value)]
            )
            if not told:
                del self.of_mention[name]

    def reorder(self, order: list[int]) -> None:
        """Put mentions into another order."""
        place = {before: now for now, before in enumerate(order)}
        self.rows = [self.rows[before] for before in order]
        for name, values in self.of_mention.items():
            self.of_mention[name] = {place[at]: value for at, value in values.items()}

    def corpus(self) -> Corpus:
        """Return what was collected, entities numbered as they first appear in a mention."""
        columns = np.array(self.rows, dtype=np.int64).reshape(-1, 5)
        entity, first = number_by_appearance(columns[:, 3])
        original = columns[first, 3].tolist()
        return Corpus(
            documents=show_parts(self.documents),
            document=columns[:, 0].copy(),
            start=columns[:, 1].copy(),
            end=columns[:, 2].copy(),
            entity=entity,
            entity_names=tuple(self.names[at] for at in original),
            line=columns[:, 4].copy(),
            attributes={
                name: _column([values.get(at) for at in range(len(columns))])
                for name, values in self.of_mention.items()
            },
            entity_attributes={
                name: _column([values.get(at) for at in original])
                for name, values in self.of_entity.items()
            },
            text=self.words.text() if self.words is not None else None,
            source=self.path,
            notes=tuple(self.notes),
        )


def _column(values: list[Any]) -> NDArray[Any]:
    """Make a column, with -1 or nothing where there is no value."""
    kind = type(next((value for value in values if value is not None), ""))
    return np.array([_MISSING[kind] if value is None else value for value in values])
