"""The reader of JSON lines: from lines to the columns of a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document, distinct_names
from scoref.formats.format import Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.json.jsonl.document import JsonlDocument, parse_document
from scoref.formats.json.jsonl.fields import CHARACTER, EXCLUSIVE
from scoref.formats.json.jsonl.json_lines import parse_lines
from scoref.formats.json.jsonl.spans import JsonlSpans, check_spans, infer_ends, map_to_tokens
from scoref.formats.json.jsonl.text import add_text
from scoref.formats.json.numbered import Numbered


@dataclass(slots=True)
class JsonlReader:
    """Collects the documents of a file; `end` says whether ends are inclusive, if that is known."""

    problems: Problems
    wanted: Wanted
    end: str | None
    documents: list[JsonlDocument] = field(default_factory=list)
    text: TextBuilder | None = None
    # The words of the first document whose ends no field settles.
    open_words: list[str] | None = None

    def read(self, stream: Stream) -> Corpus:
        """Read a file; with problems, the corpus is empty."""
        if self.wanted.columns:
            self.text = TextBuilder()
        for line, value in parse_lines(stream, self.problems):
            self.add(line, value)
        documents, problems = self.documents, self.problems
        if not documents and not problems:
            problems.add(0, "no documents", "one JSON object per line", "is the file complete?")
        if len({one.unit == CHARACTER for one in documents}) > 1:
            problems.add(0, "offsets of tokens and offsets of characters", "one kind in a file")
        self.check_names()
        spans = JsonlSpans.of(documents)
        end = self.end or infer_ends(documents, spans, self.open_words or [], problems)
        is_exclusive = np.array(
            [(self.end or one.end or end) == EXCLUSIVE for one in documents], dtype=np.int64
        )
        if not problems:
            check_spans(documents, spans, is_exclusive, problems)
        if problems:
            return CorpusBuilder(problems.path).corpus()
        return self.corpus(spans._replace(end=spans.end - is_exclusive[spans.document]))

    def add(self, line: int, value: Any) -> None:
        """Add the document of a line, and its words if they are wanted."""
        found = parse_document(
            value,
            line,
            self.problems,
            predicted=self.wanted.predicted,
            by_sentence=self.text is not None,
        )
        if found is None:
            return
        document, text = found
        self.documents.append(document)
        if document.end is None and self.open_words is None and len(document.offsets):
            self.open_words = list(chain.from_iterable(text.sentences))
        if self.text is not None:
            self.text.document()
            if document.unit != CHARACTER:
                add_text(self.text, text, value, document.to_token, self.wanted.columns)

    def check_names(self) -> None:
        """Refuse two documents of one name: only one of them can be paired."""
        first: dict[str, JsonlDocument] = {}
        for one in self.documents:
            before = first.setdefault(one.name, one) if one.name else one
            if before is not one:
                found = f"document {one.name} again (first in line {before.line})"
                self.problems.add(
                    one.line, found, "documents with different names", "rename one of them"
                )

    def corpus(self, spans: JsonlSpans) -> Corpus:
        """Return the corpus of all documents."""
        documents, path = self.documents, self.problems.path
        sizes = np.concatenate([np.zeros(0, np.int64), *(one.sizes for one in documents)])
        entities = np.array([len(one.sizes) for one in documents], dtype=np.int64)
        first_entity = np.repeat(np.cumsum(entities) - entities, entities)
        characters = documents[0].unit == CHARACTER
        notes = [f"{path}: the predicted entities are read, not the gold ones"]
        return Corpus(
            documents=distinct_names(
                [_document(number, one, path) for number, one in enumerate(documents, 1)]
            ),
            document=spans.document,
            start=map_to_tokens(documents, spans.document, spans.start),
            end=map_to_tokens(documents, spans.document, spans.end),
            entity=np.repeat(np.arange(len(sizes)), sizes),
            entity_names=Numbered(np.arange(len(sizes)) - first_entity),
            line=np.array([one.line for one in documents], dtype=np.int64)[spans.document],
            text=self.text.text() if self.text is not None else None,
            characters=tuple(one.characters for one in documents) if characters else (),
            source=path,
            notes=tuple(notes) if any(one.beside_gold for one in documents) else (),
        )


def _document(number: int, found: JsonlDocument, path: str) -> Document:
    """Make a document; those without a name are paired by their order."""
    length = 1 + found.to_token[-1] if found.to_token else found.length
    identity = found.name or ("", number)
    return Document(found.name or f"#{number}", identity, length, path, found.line)
