"""What the readers of CorefUD and CoNLL-UA share: brackets with fields, words and documents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints, number_by_appearance, pack
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document, show_parts
from scoref.corpus.spans import Spans
from scoref.corpus.text import GLIMPSE, Text
from scoref.exceptions import Problem
from scoref.formats.brackets.parsing import Chunks, EntityNames, Ids
from scoref.formats.conllu.lines import DocumentStart, LineReader, Lines, NotTextError
from scoref.formats.conllu.nodes import COLUMNS, word_column
from scoref.formats.format import Wanted
from scoref.formats.io.lines import BLOCK, Stream
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import odd_character

_NOTHING = frozenset({"", "_"})


class ConlluBrackets(NamedTuple):
    """Brackets in the order of the file: what each does, its name, where it is, and its fields.

    Names and fields are codes of `Ids`, and 0 is nothing. In CorefUD, the name is the entity. In
    CoNLL-UA, it is what a closing bracket has before it.
    """

    kind: Ints
    name: Ints
    node: Ints
    sentence: Ints
    line: Ints
    fields: dict[str, Ints]

    @classmethod
    def locate(
        cls, chunks: Chunks, name: Ints, fields: dict[str, Ints], lines: Lines, rows: Ints
    ) -> ConlluBrackets:
        """Say where the brackets of a block are; the cells of `chunks` are on the lines `rows`."""
        row = rows[chunks.cell]
        node, sentence = lines.nodes[row] - 1, lines.sentences[row] - 1
        return cls(chunks.kind, name, node, sentence, lines.block.first_line + row, fields)

    @classmethod
    def join(cls, parts: Sequence[ConlluBrackets]) -> ConlluBrackets:
        """Put the brackets of consecutive blocks together, which can have different fields."""
        nothing = np.zeros(0, dtype=np.int64)
        kind, name, node, sentence, line = (
            np.concatenate([nothing, *(part[at] for part in parts)]) for at in range(5)
        )
        names = dict.fromkeys(field for part in parts for field in part.fields)
        fields = {field: np.concatenate([part.field(field) for part in parts]) for field in names}
        return cls(kind, name, node, sentence, line, fields)

    def field(self, name: str) -> Ints:
        """Return what each bracket says in a field."""
        return self.fields.get(name, np.zeros_like(self.kind))


class EntityIndex(NamedTuple):
    """The entity of each mention; the code of each entity's name, and that with its document."""

    entity: Ints
    codes: Ints
    places: list[tuple[int, int]]

    @classmethod
    def of(cls, document: Ints, code: Ints) -> EntityIndex:
        """Number entities in the order of their first mentions."""
        entity, first = number_by_appearance(pack(document, code))
        places = zip(document[first].tolist(), code[first].tolist(), strict=True)
        return cls(entity, code[first], list(places))


@dataclass(slots=True)
class ConlluWords:
    """Collects the wanted columns of a file, block by block.

    `split` divides a line into cells, and `clean`, if given, is applied to each. Words after the
    first `most` of the file are not read.
    """

    wanted: Collection[str]
    split: Callable[[str], Sequence[str]]
    clean: Callable[[str], str] | None = None
    most: float = inf
    values: dict[str, list[str]] = field(init=False)
    starts: list[Bools] = field(default_factory=list)
    sentence: int = 0

    def __post_init__(self) -> None:
        self.values = {name: [] for name in COLUMNS if name in self.wanted}

    def add(self, lines: Lines) -> None:
        """Read the words of a block."""
        rows = np.flatnonzero(lines.is_word & (lines.words <= self.most))
        if not len(rows):
            return
        texts = lines.raw.decode().split("\n")
        cells = [self.split(texts[row]) for row in rows.tolist()]
        for name, values in self.values.items():
            column = word_column(name, cells)
            values.extend(map(self.clean, column) if self.clean else column)
        sentence = np.concatenate([[self.sentence], lines.sentences[rows]])
        self.starts.append(sentence[1:] != sentence[:-1])
        self.sentence = int(sentence[-1])

    def text(self, documents: Sequence[DocumentStart], words: int) -> Text:
        """Return what was read, without the columns that have no values."""
        first = np.array([*(document.words for document in documents), words], dtype=np.int64)
        nothing: list[Bools] = [np.zeros(0, dtype=bool)]
        columns = {name: v for name, v in self.values.items() if not _NOTHING.issuperset(v)}
        return Text(first, np.concatenate([*nothing, *self.starts]), columns)


class ConlluReader(ABC):
    """Reads a file block by block, and makes a corpus of it at the end."""

    def __init__(self, path: str, words: ConlluWords, wanted: Wanted, *, is_ua: bool) -> None:
        self.problems = Problems(path, repair=wanted.repair)
        self.lines = LineReader(self.problems, is_ua)
        self.words = words if words.wanted else None
        # The first words show whether two files have the same text.
        first = ConlluWords({"word"}, words.split, str.strip, GLIMPSE)
        self.first_words = first if wanted.glimpse else None
        self.ids = Ids()

    @abstractmethod
    def read_block(self, lines: Lines) -> None:
        """Keep the annotation of a block."""

    @abstractmethod
    def corpus(self) -> Corpus:
        """Make a corpus of the annotation, and report its problems."""

    def read(self, stream: Stream, size: int = BLOCK) -> tuple[Corpus, list[Problem]]:
        """Read a stream, and list its problems. With problems, the corpus is incomplete."""
        try:
            for lines in self.lines.read(stream, size):
                self.read_block(lines)
                for words in (self.words, self.first_words):
                    if words is not None:
                        words.add(lines)
        except NotTextError:
            return CorpusBuilder(self.problems.path).corpus(), self.problems[-1:]
        named = any(document.name for document in self.lines.documents)
        if not (self.lines.nodes or named or self.problems):
            expected, hint = "rows of tokens with IDs", "check that the file is complete"
            self.problems.add(0, "a file without tokens", expected, hint)
        corpus = self.corpus()
        notes = (*corpus.notes, *self.problems.repair_notes())
        return replace(corpus, notes=notes), self.problems

    @property
    def documents(self) -> Sequence[Document]:
        """The documents of the file, when all of it was read."""
        builder, starts = CorpusBuilder(self.problems.path), self.lines.documents
        ends = [*(document.words for document in starts[1:]), self.lines.words]
        for (name, line, _, words, _), end in zip(starts, ends, strict=False):
            builder.document(name, end - words, line)
        return show_parts(builder.documents)

    def check_ids(self, brackets: ConlluBrackets, codes: Ints) -> None:
        """Refuse ids with blanks or invisible characters; `codes` has the id of each bracket."""
        different, first = np.unique(codes, return_index=True)
        for code, row in zip(different.tolist(), first.tolist(), strict=True):
            name = self.ids.decode(code)
            if odd := odd_character(name):
                self.problems.add_odd(int(brackets.line[row]), f"the id `{name[:40]}`", odd)

    def build(self, spans: Spans, index: EntityIndex, **columns: Any) -> Corpus:
        """Build the corpus of mentions and entities, with `columns` such as `attributes`."""
        starts = self.lines.documents
        text, glimpse = None, tuple[Sequence[str], ...]()
        if self.words is not None and not self.problems:
            text = self.words.text(starts, self.lines.words)
        if self.first_words is not None:
            first = [*(document.words for document in starts), self.lines.words]
            words = self.first_words.values["word"]
            glimpse = tuple(words[start:end] for start, end in pairwise(first))
        return Corpus(
            documents=self.documents,
            document=spans.document,
            start=spans.start,
            end=spans.end,
            entity=index.entity,
            entity_names=EntityNames(index.codes, self.ids.decode),
            text=text,
            glimpse=glimpse,
            source=self.problems.path,
            **columns,
        )
