"""What the readers of CorefUD and CoNLL-UA share: lines, words, documents and problems."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from scoref.base.arrays import Ints, number_by_appearance, pack
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document, show_parts
from scoref.corpus.spans import Spans
from scoref.exceptions import Problem
from scoref.formats.brackets.ids import EntityNames, Ids
from scoref.formats.conllu.lines import LineReader, Lines, NotTextError
from scoref.formats.conllu.words import ConlluWords, FirstWords
from scoref.formats.io.lines import BLOCK, Stream
from scoref.formats.io.problems import Problems


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


class ConlluReader(ABC):
    """Reads a file block by block, and makes a corpus of it at the end."""

    def __init__(
        self, path: str, words: ConlluWords | None, *, glimpse: bool, comments_end_sentences: bool
    ) -> None:
        self.problems = Problems(path)
        self.lines = LineReader(self.problems, comments_end_sentences)
        self.words = words
        self.first_words = FirstWords() if glimpse else None
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
        return self.corpus(), self.problems

    @property
    def documents(self) -> Sequence[Document]:
        """The documents of the file, when all of it was read."""
        return show_parts(self.lines.corpus_documents())

    def build(self, spans: Spans, index: EntityIndex, **columns: Any) -> Corpus:
        """Build the corpus of mentions and entities, with `columns` such as `attributes`."""
        starts = self.lines.documents
        text = None
        if self.words is not None and not self.problems:
            text = self.words.text(starts, self.lines.words)
        return Corpus(
            documents=self.documents,
            document=spans.document,
            start=spans.start,
            end=spans.end,
            entity=index.entity,
            entity_names=EntityNames(index.codes, self.ids),
            text=text,
            glimpse=self.first_words.by_document(starts) if self.first_words else (),
            source=self.problems.path,
            **columns,
        )
