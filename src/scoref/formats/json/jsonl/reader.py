"""JSON lines of neural systems: one document per line, entities as lists of offsets.

Systems differ: offsets count tokens, subtokens or characters, and the end of a span is its last
token or the token after it. If the name of the field does not say which, the offsets of the file
decide. A file whose offsets fit both conventions is refused.

    sentences, clusters             e2e, LingMess, BookCoref: tokens, end detected
    sentences, subtoken_map, ...    minimized: subtokens, end inclusive
    cased_words, span_clusters      wl-coref: tokens, end exclusive
    tokens, clusters_token_offsets  maverick: tokens, end inclusive
    text, clusters                  fastcoref: characters, end exclusive
    offsets                         written by scoref: states what offsets count
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

import numpy as np

from scoref.corpus.builder import CorpusBuilder, TextBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import distinct_names
from scoref.corpus.spans import Spans
from scoref.exceptions import Problem
from scoref.formats.brackets.ids import EntityNames
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import first_keys, without_garbage_collection
from scoref.formats.json.jsonl.document import (
    CHARACTER,
    EXCLUSIVE,
    INCLUSIVE,
    MARKS,
    JsonlDocument,
    add_text,
    parse_document,
)
from scoref.formats.json.jsonl.json_lines import JsonLine, parse_lines
from scoref.formats.json.jsonl.spans import check_spans, infer_ends, join_spans, map_to_tokens
from scoref.formats.json.jsonl.writer import NAMES, write
from scoref.formats.order_of_repeats import FIRST_OF_REPEATS

_CORENLP = re.compile(rb'"sentences"\s*:\s*\[\s*\{')


def read(
    end: str | None, stream: Stream, path: str, wanted: Wanted
) -> tuple[Corpus, list[Problem]]:
    """Read a file whose ends are inclusive, exclusive, or to be detected."""
    problems = Problems(path)
    with without_garbage_collection():
        corpus = JsonlReader(problems, wanted, end).read(parse_lines(stream, problems))
    return corpus, problems


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

    def read(self, lines: Iterable[JsonLine]) -> Corpus:
        """Read the lines of a file; with problems, the corpus is empty."""
        if self.wanted.columns:
            self.text = TextBuilder()
        for line in lines:
            self.add(line)
        documents, problems = self.documents, self.problems
        if not documents and not problems:
            problems.add(0, "no documents", "one JSON object per line", "is the file complete?")
        if len({one.unit == CHARACTER for one in documents}) > 1:
            problems.add(0, "offsets of tokens and offsets of characters", "one kind in a file")
        first: dict[str, JsonlDocument] = {}
        for one in documents:  # of two documents of one name, only one can be paired
            if one.name and (before := first.setdefault(one.name, one)) is not one:
                problems.add_duplicate(one.line, one.name, before.line)
        spans = join_spans(documents)
        end = self.end or infer_ends(documents, spans, self.open_words or [], problems)
        is_exclusive = np.array(
            [(self.end or one.end or end) == EXCLUSIVE for one in documents], dtype=np.int64
        )
        if not problems:
            check_spans(documents, spans, is_exclusive, problems)
        if problems:
            return CorpusBuilder(problems.path).corpus()
        return self.corpus(spans._replace(end=spans.end - is_exclusive[spans.document]))

    def add(self, line: JsonLine) -> None:
        """Add the document of a line, and its words if they are wanted."""
        predicted, by_sentence = self.wanted.predicted, self.text is not None
        found = parse_document(line, self.problems, predicted=predicted, by_sentence=by_sentence)
        if found is None:
            return
        document, text = found
        self.documents.append(document)
        stated = str(line.value.get("offsets", ""))
        if self.end and stated and not stated.endswith(self.end):
            expected = f"{self.end} ends, as --format says"
            hint = "the file says what its ends are: leave out --format, or write --format jsonl"
            self.problems.add(line.number, f"`offsets` with `{stated}`", expected, hint)
        if document.end is None and self.open_words is None and len(document.offsets):
            self.open_words = list(chain.from_iterable(text.sentences))
        if self.text is not None:
            self.text.document()
            if document.unit != CHARACTER:
                add_text(self.text, text, line.value, document.to_token, self.wanted.columns)

    def corpus(self, spans: Spans) -> Corpus:
        """Return the corpus of all documents."""
        documents, path = self.documents, self.problems.path
        builder = CorpusBuilder(path)
        for one in documents:
            length = 1 + one.to_token[-1] if one.to_token else one.length
            builder.document(one.name, length, one.line)
        sizes = np.concatenate([np.zeros(0, np.int64), *(one.sizes for one in documents)])
        entities = np.array([len(one.sizes) for one in documents], dtype=np.int64)
        first_entity = np.repeat(np.cumsum(entities) - entities, entities)
        characters = documents[0].unit == CHARACTER
        notes = [f"{path}: the predicted entities are read, not the annotated entities"]
        return Corpus(
            documents=distinct_names(builder.documents),
            document=spans.document,
            start=map_to_tokens(documents, spans.document, spans.start),
            end=map_to_tokens(documents, spans.document, spans.end),
            entity=np.repeat(np.arange(len(sizes)), sizes),
            entity_names=EntityNames(np.arange(len(sizes)) - first_entity, str),
            line=np.array([one.line for one in documents], dtype=np.int64)[spans.document],
            text=self.text.text() if self.text is not None else None,
            characters=tuple(one.characters for one in documents) if characters else (),
            source=path,
            notes=tuple(notes) if any(one.beside_gold for one in documents) else (),
        )


def _recognise(head: bytes) -> bool:
    """Whether a file starts with an object that has a field of one of these systems."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    keys = first_keys(start.removeprefix(b"["))
    if keys is None or _CORENLP.search(start):
        return False
    return bool(keys & MARKS)


FORMAT = Format(
    name="jsonl",
    title="JSON lines of neural systems",
    recognise=_recognise,
    read=partial(read, None),
    write=write,
    suffix=".jsonl",
    names=NAMES,
    supports=frozenset({"word", "speaker", FIRST_OF_REPEATS}),
    sees_words=True,
)
WITH_INCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-inclusive",
    title="JSON lines, ends inclusive",
    read=partial(read, INCLUSIVE),
)
WITH_EXCLUSIVE_ENDS = replace(
    FORMAT,
    name="jsonl-exclusive",
    title="JSON lines, ends exclusive",
    read=partial(read, EXCLUSIVE),
    write=None,
)
