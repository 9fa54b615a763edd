"""The writer of JSON lines: tokens, speakers, entities, and what their offsets count."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.formats.brackets.cells import check_contiguous, written_lengths
from scoref.formats.written_names import NameRule, WrittenNames

NAMES = WrittenNames(document=NameRule(), word=NameRule(), has_unnamed=True)


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write one document per line: tokens, speakers, and entities with inclusive ends."""
    spans = corpus.as_spans()
    if spans is None:
        raise UsageError("the format jsonl has spans, but the mentions of the corpus are not spans")
    check_contiguous(spans, "jsonl")
    _check_characters(spans)
    entities: dict[int, dict[int, list[list[int]]]] = {}
    rows = zip(
        *(c.tolist() for c in (spans.document, spans.entity, spans.start, spans.end)), strict=True
    )
    for document, entity, start, end in rows:
        entities.setdefault(document, {}).setdefault(entity, []).append([start, end])
    lengths = [0] * len(corpus.documents) if corpus.characters else written_lengths(spans, "jsonl")
    for number, document in enumerate(corpus.documents):
        content: dict[str, Any] = {} if document.is_unnamed else {"doc_key": document.name}
        if corpus.characters:
            content["text"] = corpus.characters[number]
        else:
            content.update(_sentences(corpus, number, lengths[number]))
        content["offsets"] = f"{corpus.unit}-inclusive"
        content["clusters"] = list(entities.get(number, {}).values())
        stream.write((json.dumps(content, ensure_ascii=False) + "\n").encode())


def _check_characters(spans: Corpus) -> None:
    """Refuse characters whose text is not known, as that of APF files: jsonl has the text."""
    length = np.array([len(text) for text in spans.characters], dtype=np.int64)
    if not len(length) or np.all(spans.end < length[spans.document]):
        return
    row = int(np.argmax(spans.end >= length[spans.document]))
    name = spans.documents[spans.document[row]].name
    message = f"jsonl has the text of character spans, but the text of document {name} is not known"
    raise UsageError(message, "write a table with --to csv")


def _sentences(corpus: Corpus, document: int, length: int) -> dict[str, Any]:
    """Return the words of a document by sentence, and its speakers if the text has them."""
    text = corpus.text
    if text is None or "word" not in text:
        return {"sentences": [["_"] * length] if length else []}
    first = int(text.first[document])
    bounds = [*(np.flatnonzero(text.starts_sentence[first : first + length]).tolist()), length]
    if bounds[0]:
        bounds.insert(0, 0)

    def split(column: str) -> Iterable[list[str]]:
        values = text.columns[column]
        for low, high in pairwise(bounds):
            yield list(values[first + low : first + high])

    found = {"sentences": list(split("word"))}
    if "speaker" in text:
        found["speakers"] = list(split("speaker"))
    return found
