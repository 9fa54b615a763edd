"""The writer of CoNLL-2012 columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.formats.brackets.cells import BracketCells, check_contiguous, check_nesting, token_spans
from scoref.formats.conll import reader
from scoref.formats.conll.dialect import LABELS
from scoref.formats.written_names import CONTROL, EDGES, NameRule, WrittenNames

_COLUMNS = (
    *(("word", "_"), ("pos", "-"), ("parse", "*"), ("lemma", "-")),
    *(("", "-"), ("", "-"), ("speaker", "-"), ("named_entity", "*")),
)
"""The columns before the last one, and what is written where nothing is known."""

_CELL = NameRule(f"[ {CONTROL}]|{EDGES}")
NAMES = WrittenNames(
    document=NameRule(rf"[\s{CONTROL}]|^#"),
    entity=NameRule(
        rf"[\s{CONTROL}()|+*]", f"[-_]+|(?i:{'|'.join(sorted(LABELS))})", is_printable=True
    ),
    word=_CELL,
    has_parts=True,
    has_unnamed=True,
    are_uniform=True,
)


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write a corpus in the columns of CoNLL-2012, with words and other columns if it has them."""
    spans, lengths = token_spans(corpus, "CoNLL columns")
    check_nesting(spans, touching=True)
    check_contiguous(spans, "CoNLL columns")
    cells = _cells(spans)
    for number, (document, length) in enumerate(zip(spans.documents, lengths, strict=True)):
        name, part = document.id if isinstance(document.id, tuple) else (document.id, 0)
        if document.is_unnamed:
            stream.write(b"#begin document ()\n")
            name, part = "-", 0
        else:
            stream.write(f"#begin document ({name}); part {part:03d}\n".encode())
        rows = _token_rows(corpus.text, number, length)
        for token, (starts, in_sentence, columns) in enumerate(rows):
            if starts and token:
                stream.write(b"\n")
            cell = "|".join(cells[number].at(token)) or "-"
            line = [str(name), str(part), str(in_sentence), *columns, cell]
            stream.write(("\t".join(line) + "\n").encode())
        stream.write(b"\n#end document\n")


def _cells(spans: Corpus) -> list[BracketCells]:
    """Return the brackets of each document; of equal mentions, the first entity's opens first."""
    cells = [BracketCells() for _ in spans.documents]
    for row in np.lexsort((spans.entity, -spans.end, spans.start)).tolist():
        name = spans.entity_names[spans.entity[row]]
        ends = int(spans.start[row]), int(spans.end[row])
        cells[spans.document[row]].add(*ends, f"({name}", f"{name})")
    return cells


def _token_rows(
    text: Text | None, document: int, length: int
) -> Iterator[tuple[bool, int, list[str]]]:
    """Yield whether each token starts a sentence, its number in the sentence, and its columns."""
    if text is None:
        yield from ((not token, token, ["_"]) for token in range(length))
        return
    first = int(text.first[document])
    in_sentence = 0
    for token in range(first, first + length):
        starts = bool(text.starts_sentence[token])
        in_sentence = 0 if starts else in_sentence + 1
        columns = [
            text.columns[name][token] or nothing if name in text else nothing
            for name, nothing in _COLUMNS
        ]
        yield starts, in_sentence, columns


FORMAT = replace(reader.FORMAT, write=write, names=NAMES)
