"""Builds a corpus mention by mention, and a text sentence by sentence."""

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
    """Collects the tokens of documents: `document` begins one, `sentence` adds tokens to it."""

    first: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)
    tokens: int = 0

    def document(self) -> None:
        """Begin a document."""
        self.first.append(self.tokens)

    def sentence(self, **columns: Sequence[str]) -> None:
        """Add a sentence: the words, and other columns such as `pos`, one value per token.

        A column that a sentence lacks is empty for its tokens.
        """
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
        """Add the words of many sentences without other columns."""
        if self.columns.keys() != {"word"} and self.tokens:
            for sentence in words:
                self.sentence(word=sentence)
            return
        column = self.columns.setdefault("word", [])
        column.extend(chain.from_iterable(words))
        self.lengths.extend(map(len, words))
        self.tokens = len(column)

    def text(self) -> Text:
        """Return the text, without columns that are empty."""
        starts = np.zeros(self.tokens + 1, dtype=bool)
        starts[np.cumsum([0, *self.lengths])] = True
        return Text(
            np.array([*self.first, self.tokens], dtype=np.int64),
            starts[:-1],
            {name: values for name, values in self.columns.items() if any(values)},
        )


class CorpusBuilder:
    """Builds a corpus document by document and mention by mention, in the order of a file.

    This is the way for the reader of a format to make a corpus:

    >>> import scoref
    >>> builder = scoref.CorpusBuilder("toy.txt")
    >>> document = builder.document("toy", length=6)
    >>> anna = builder.entity(document, "anna", type="person")
    >>> builder.mention(document, (0, 1), anna, line=1, type="name")
    >>> builder.mention(document, (4, 4), anna, line=2, type="pronoun")
    >>> corpus = builder.corpus()
    >>> corpus.entities()
    {'toy': [[(0, 1), (4, 4)]]}
    >>> corpus.attributes["type"].tolist()
    ['name', 'pronoun']

    Entities without a mention are not in the corpus. With `text`, the corpus has the words of its
    documents: call `sentence` for each sentence of a document.

    * `path`: The file, for messages.
    * `documents`: The documents so far.
    * `notes`: What a user should know about the file. A command prints each as a note.
    """

    def __init__(self, path: str, *, text: bool = False) -> None:
        self.path = path
        self.documents: list[Document] = []
        self.notes: list[str] = []
        self._unnamed = 0
        self._text = TextBuilder() if text else None
        self._rows: list[tuple[int, int, int, int, int]] = []
        self._entity_names: list[str] = []
        self._entity_numbers: dict[tuple[int, Hashable], int] = {}
        self._mention_attributes: dict[str, dict[int, Any]] = {}
        self._entity_attributes: dict[str, dict[int, Any]] = {}

    def document(
        self, name: str, length: int = UNKNOWN, line: int = 0, identity: Hashable = None
    ) -> int:
        """Begin a document, and return its number.

        * `name`: The name by which the document is paired; documents without a name (`""`) are
          counted, and paired by their order.
        * `length`: The number of tokens, if the file says how many.
        * `line`: The line where the document begins, for messages.
        * `identity`: What the document is paired by, if it is not the name, such as a name and a
          part.
        """
        number = len(self.documents)
        if not name:
            self._unnamed += 1
            name, identity = f"#{self._unnamed}", ("", self._unnamed)
        identity = name if identity is None else identity
        self.documents.append(Document(name, identity, length, self.path, line))
        if self._text is not None:
            self._text.document()
        return number

    def sentence(self, **columns: Sequence[str]) -> None:
        """Add a sentence to the text of the latest document, if the corpus has a text.

        Columns are `word` and, for example, `pos`, `lemma` or `speaker`, one value per token.
        """
        if self._text is not None and columns:
            self._text.sentence(**columns)

    def entity(self, document: int, key: Hashable, **attributes: str) -> int:
        """Return the number of an entity of a document; a new `key` adds an entity.

        The key becomes the name of the entity. Attributes are `type`, `subtype` and `class`.
        """
        number = self._entity_numbers.setdefault((document, key), len(self._entity_names))
        if number == len(self._entity_names):
            self._entity_names.append(str(key))
        for name, value in attributes.items():
            if value:
                self._entity_attributes.setdefault(name, {}).setdefault(number, value)
        return number

    def mention(
        self,
        document: int,
        span: tuple[int, int],
        entity: int,
        line: int = 0,
        **attributes: str | int,
    ) -> None:
        """Add a mention.

        * `document`: The number of the document.
        * `span`: The first and the last token, counted from 0: the end is inclusive.
        * `entity`: The number of the entity.
        * `line`: The line of the mention, for messages.
        * `attributes`: What else the file says about the mention, such as `type` (a string) or
          `head_start` and `head_end` (tokens). An empty string or -1 means no value.
        """
        for name, value in attributes.items():
            if value != _MISSING[type(value)]:
                self._mention_attributes.setdefault(name, {})[len(self._rows)] = value
        self._rows.append((document, span[0], span[1], entity, line))

    def corpus(self) -> Corpus:
        """Return the corpus; its entities have the order of their first mentions."""
        columns = np.array(self._rows, dtype=np.int64).reshape(-1, 5)
        entity, first = number_by_appearance(columns[:, 3])
        original = columns[first, 3].tolist()
        return Corpus(
            documents=show_parts(self.documents),
            document=columns[:, 0].copy(),
            start=columns[:, 1].copy(),
            end=columns[:, 2].copy(),
            entity=entity,
            entity_names=tuple(self._entity_names[at] for at in original),
            line=columns[:, 4].copy(),
            attributes={
                name: _column([values.get(at) for at in range(len(columns))])
                for name, values in self._mention_attributes.items()
            },
            entity_attributes={
                name: _column([values.get(at) for at in original])
                for name, values in self._entity_attributes.items()
            },
            text=self._text.text() if self._text is not None else None,
            source=self.path,
            notes=tuple(self.notes),
        )


def _column(values: list[Any]) -> NDArray[Any]:
    """Make a column; a missing value is -1 or an empty string."""
    kind = type(next((value for value in values if value is not None), ""))
    return np.array([_MISSING[kind] if value is None else value for value in values])
