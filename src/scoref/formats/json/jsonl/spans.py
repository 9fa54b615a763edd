"""The mentions of all documents as columns, and whether their ends are inclusive."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.spans import Spans
from scoref.formats.io.problems import Problems
from scoref.formats.json.jsonl.document import EXCLUSIVE, INCLUSIVE, JsonlDocument

_SHOWN = 60
_HINT = "name the kind of ends with --format jsonl-inclusive or --format jsonl-exclusive"
_CHARACTERS = (
    "; for spans of characters, replace `sentences` by `text` and add"
    ' `"offsets": "character-exclusive"`'
)


def join_spans(documents: Sequence[JsonlDocument]) -> Spans:
    """Return the mentions of all documents, with ends as written."""
    offsets = np.concatenate([np.zeros(0, np.int64), *(one.offsets for one in documents)])
    mentions = [len(one.offsets) // 2 for one in documents]
    return Spans(np.repeat(np.arange(len(documents)), mentions), offsets[::2], offsets[1::2])


def infer_ends(
    documents: Sequence[JsonlDocument], spans: Spans, open_words: Sequence[str], problems: Problems
) -> str:
    """Infer from the offsets of the file whether ends are inclusive, where no field says so.

    A span [3, 3] can only be inclusive, and one that ends behind the last token only exclusive.
    `open_words` are the words of the first document whose ends no field settles.
    """
    is_open = np.array([one.end is None for one in documents], dtype=bool)[spans.document]
    if not is_open.any():
        return INCLUSIVE
    length = np.array([one.length for one in documents], dtype=np.int64)
    inclusive = np.flatnonzero(is_open & (spans.start == spans.end))
    exclusive = np.flatnonzero(is_open & (spans.end == length[spans.document]))

    def shown(row: int) -> tuple[int, int, int]:
        line = documents[int(spans.document[row])].line
        return int(spans.start[row]), int(spans.end[row]), line

    if len(inclusive) and len(exclusive):
        start, end, line = shown(exclusive[0])
        other_start, other_end, other_line = shown(inclusive[0])
        found = (
            f"the span [{start}, {end}], whose end can only be exclusive, and in line {other_line}"
            f" [{other_start}, {other_end}], whose end can only be inclusive"
        )
        problems.add(line, found, "ends of one kind", _HINT)
    elif not len(inclusive) and not len(exclusive):
        start, end, line = shown(int(np.argmax(is_open)))
        readings = (" ".join(open_words[start : end + 1]), " ".join(open_words[start:end]))
        both = " or ".join(
            f"`{text if len(text) <= _SHOWN else f'{text[: _SHOWN - 3]}...'}`" for text in readings
        )
        found = f"only spans such as [{start}, {end}], which can mean {both}"
        problems.add(line, found, "a span that shows whether ends are inclusive", _HINT)
    return INCLUSIVE if len(inclusive) else EXCLUSIVE


def check_spans(
    documents: Sequence[JsonlDocument], spans: Spans, is_exclusive: Ints, problems: Problems
) -> None:
    """Add the spans that are not in their texts to the problems."""
    length = np.array([one.length for one in documents], dtype=np.int64)
    last = spans.end - is_exclusive[spans.document]
    fits = (spans.start >= 0) & (spans.start <= last) & (last < length[spans.document])
    for row in np.flatnonzero(~fits).tolist():
        number = int(spans.document[row])
        one, last_offset = documents[number], length[number] + is_exclusive[number] - 1
        found = f"the span [{spans.start[row]}, {spans.end[row]}] in document {one.name}"
        expected = f"offsets from 0 to {last_offset}, the end not before the start"
        beyond = last[row] >= length[number]
        problems.add(one.line, found, expected, f"{_HINT}{_CHARACTERS}" if beyond else _HINT)


def map_to_tokens(documents: Sequence[JsonlDocument], document: Ints, place: Ints) -> Ints:
    """Return the token of each subtoken; places in documents without a map stay as they are."""
    maps = [one.to_token if one.to_token is not None else array("q") for one in documents]
    sizes = np.array([len(one) for one in maps], dtype=np.int64)
    if not sizes.any():
        return place
    first = np.cumsum(sizes) - sizes
    mapped = sizes[document] > 0
    token, found = np.frombuffer(b"".join(maps), dtype=np.int64), place.copy()
    found[mapped] = token[first[document[mapped]] + place[mapped]]
    return found
