"""Writing CorefUD: ten columns, with entities in MISC."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from scoref.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.text import Text

_HEADER = "# global.Entity = eid-etype-head-other\n"


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """Write documents as CoNLL-U; what is not known of a word is `_`."""
    spans = corpus.as_spans()
    if spans is None or corpus.characters:
        raise UsageError("only mentions that are token spans can be written as CorefUD")
    nodes = spans.attributes.get("nodes", np.full(len(spans), ""))
    if any("." in text for text in set(nodes.tolist())):
        raise UsageError("mentions with empty nodes cannot be written as CorefUD from here")
    names = _entity_names(spans)
    types = spans.entity_attributes.get("type", np.full(spans.entity_count, ""))
    heads = spans.attributes.get("head_start", np.full(len(spans), -1))
    furthest = np.zeros(len(spans.documents), dtype=np.int64)
    np.maximum.at(furthest, spans.document, spans.end + 1)
    cells: list[dict[int, tuple[list[str], list[str], list[str]]]] = [{} for _ in spans.documents]
    for row in np.lexsort((-spans.end, spans.start)).tolist():
        entity = int(spans.entity[row])
        words = _words(str(nodes[row]), int(spans.start[row]), int(spans.end[row]))
        pieces = _pieces(words)
        head = str(words.index(int(heads[row])) + 1) if heads[row] in words else ""
        kind = str(types[entity]).replace("-", "")
        for number, (start, end) in enumerate(pieces, 1):
            name = names[entity] + (f"[{number}/{len(pieces)}]" if len(pieces) > 1 else "")
            fields = f"{name}-{kind}-{head}".rstrip("-")
            _add(cells[spans.document[row]], name, fields, start, end)
    for number, document in enumerate(spans.documents):
        length = max(document.length, int(furthest[number]))
        stream.write(f"# newdoc id = {_name(document.id)}\n".encode())
        stream.write(_HEADER.encode())
        _write_words(stream, spans.text, number, length, cells[number])


def _add(
    cells: dict[int, tuple[list[str], list[str], list[str]]],
    name: str,
    fields: str,
    start: int,
    end: int,
) -> None:
    """Put a bracket on its tokens: closings first, then openings, then mentions of one word."""
    if start == end:
        cells.setdefault(start, ([], [], []))[2].append(f"({fields})")
    else:
        cells.setdefault(start, ([], [], []))[1].append(f"({fields}")
        cells.setdefault(end, ([], [], []))[0].insert(0, f"{name})")


def _write_words(
    stream: BinaryIO,
    text: Text | None,
    document: int,
    length: int,
    cells: dict[int, tuple[list[str], list[str], list[str]]],
) -> None:
    first = int(text.first[document]) if text is not None else 0
    number = 0
    for token in range(length):
        starts = bool(text.starts_sentence[first + token]) if text is not None else token == 0
        if starts or token == 0:
            stream.write(b"\n" if token else b"")
            stream.write(f"# sent_id = {document + 1}-{token + 1}\n".encode())
            number = 0
        number += 1
        columns = {
            name: text.columns[name][first + token] or "_"
            for name in ("word", "lemma", "pos", "head", "deprel")
            if text is not None and name in text
        }
        entity = "".join("".join(group) for group in cells.get(token, ()))
        line = [
            str(number),
            columns.get("word", "_"),
            columns.get("lemma", "_"),
            columns.get("pos", "_"),
            "_",
            "_",
            columns.get("head", "_"),
            columns.get("deprel", "_"),
            "_",
            f"Entity={entity}" if entity else "_",
        ]
        stream.write(("\t".join(line) + "\n").encode())
    stream.write(b"\n")


def _entity_names(spans: Corpus) -> list[str]:
    """Name entities uniquely in the file, by their own names where these will do."""
    own = [str(spans.entity_names[at]) for at in range(spans.entity_count)]
    plain = all(name and not set(name) & set("-()[]|= \t") for name in own)
    if plain and len(set(own)) == len(own):
        return own
    return [f"e{number}" for number in range(1, len(own) + 1)]


def _name(identity: object) -> str:
    if isinstance(identity, tuple) and len(identity) == 2:
        name, part = identity
        return f"{name}_{part}" if name else f"{part}"
    return str(identity)


def _words(nodes: str, start: int, end: int) -> list[int]:
    return [int(word) for word in nodes.split()] if nodes else list(range(start, end + 1))


def _pieces(words: list[int]) -> list[tuple[int, int]]:
    """Group words into runs."""
    runs: list[tuple[int, int]] = []
    for word in words:
        if runs and word == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], word)
        else:
            runs.append((word, word))
    return runs
