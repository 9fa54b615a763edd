"""JSON lines from an index of them: many lines at once, no object per mention or word.

Read so are lines whose words are lists of texts, or of such lists, and whose entities are lists of
pairs of whole numbers. What other fields hold does not matter. All else is left to the careful
reader, mistakes included.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.json.json_index import (
    COLON,
    COMMA,
    DEPTH,
    LINE,
    LIST,
    LIST_END,
    NUMBER,
    OBJECT,
    STRING,
    Index,
    index,
)
from scoref.formats.json.jsonl.fields import Layout
from scoref.formats.json.jsonl.text import NO_WORDS, Words, words_of

_TOKENS_OF_SPAN = 6  # [0, 1] and the comma or the end behind it
_WORDS, _SENTENCES, _ENTITIES, _NUMBERS = 1, 2, 4, 8


def _fitting() -> bytes:
    """Say of each token by its code which kinds of values it may be part of."""
    fits = np.zeros(256, dtype=np.uint8)
    fits[: 2 * DEPTH] = 255  # outside of values that are lists
    for kind, element, deepest in (
        (_WORDS, STRING, 2),
        (_SENTENCES, STRING, 3),
        (_ENTITIES, NUMBER, 4),
        (_NUMBERS, NUMBER, 2),
    ):
        for depth in range(2, deepest + 1):
            fits[[DEPTH * depth + token for token in (LIST, LIST_END, COMMA)]] |= kind
        fits[DEPTH * deepest + element] |= kind
    return fits.tobytes()


_FITTING = _fitting()
_PARSE = json.JSONDecoder().raw_decode
_NONE: Ints = np.zeros(0, dtype=np.int64)


class Line(NamedTuple):
    """A document: its line and layout, the texts and numbers of its fields, how many words."""

    line: int
    layout: Layout
    name: str
    stated: str
    words: int
    sizes: Ints
    offsets: Ints
    subtokens: Ints
    fields: _Fields
    first_field: int

    def parse(self, key: int) -> Any:
        """Parse the value of a key, by its place in the layout, that is a list."""
        return self.fields.parse(self.first_field + key)


Choose = Callable[[tuple[str, ...]], Layout | None]


class _OddError(Exception):
    """Something that only the careful reader can tell right from wrong."""


def read_lines(data: bytes, first_line: int, choose: Choose) -> list[Line] | None:
    """Read lines, or return None where the careful reader must.

    The layout of documents is chosen by their keys, once for all that have the same.
    """
    found = index(data, lines=True)
    if found is None or found.many[DEPTH + LIST]:  # a line that is a list
        return None
    if not found.many[DEPTH + OBJECT]:
        return []
    try:
        return _lines(_Fields(found), first_line, choose)
    except _OddError:
        return None


def _lines(fields: _Fields, first_line: int, choose: Choose) -> list[Line]:
    found = fields.found
    layouts = fields.layouts(choose)
    # A row a document, and in it the numbers of its fields among all of these lines.
    at = np.array([layout[1:] for layout in layouts], dtype=np.int64)
    has_name, is_stated, has_map, has_numbers = (at >= 0).T[2:]
    at += fields.first[:, None]
    words, entities, name, stated, subtokens, sentence_numbers = at.T
    fields.check(words, _WORDS | _SENTENCES)
    fields.check(entities, _ENTITIES)
    fields.check(subtokens[has_map], _NUMBERS)
    fields.check(sentence_numbers[has_numbers], _NUMBERS)
    first_word, last_word = fields.bounds(found.string_tokens, words)
    numbers = found.numbers()
    number_tokens = np.flatnonzero(found.kind == NUMBER)
    offsets = fields.bounds(number_tokens, entities)
    fields.check_pairs(entities, offsets[1] - offsets[0])
    sizes, size_bounds = fields.sizes(entities)
    low, high = fields.bounds(number_tokens, subtokens)
    line = np.searchsorted(np.flatnonzero(found.kind == LINE), fields.documents) + first_line
    return list(
        map(
            Line,
            line.tolist(),
            layouts,
            fields.texts(name, has_name),
            fields.texts(stated, is_stated),
            (last_word - first_word).tolist(),
            _slices(sizes, size_bounds[:-1], size_bounds[1:]),
            _slices(numbers, *offsets),
            _slices(numbers, low, np.where(has_map, high, low)) if has_map.any() else repeat(_NONE),
            repeat(fields),
            fields.first.tolist(),
        )
    )


def _slices(column: Ints, low: Ints, high: Ints) -> list[Ints]:
    return [column[start:end] for start, end in zip(low.tolist(), high.tolist(), strict=True)]


class _Fields:
    """The fields of documents that are lines, all in a row: their keys and values.

    The value of field i are the tokens from `value[i]` on, before `stop[i]`. Those of document d
    begin with `first[d]`.
    """

    def __init__(self, found: Index) -> None:
        self.found = found
        self.documents = np.flatnonzero(found.code == DEPTH + OBJECT)
        colons = np.flatnonzero(found.code == DEPTH + COLON)
        self.first = np.searchsorted(colons, self.documents)
        self.value = colons + 1
        self.stop = np.append(colons[1:] - 1, len(found.code))  # the next key
        keys = np.searchsorted(found.string_tokens, colons - 1)
        self.key_start = (found.quotes[2 * keys] + 1).tolist()
        self.key_end = found.quotes[2 * keys + 1].tolist()

    def layouts(self, choose: Choose) -> list[Layout]:
        """Return the layout of each document."""
        raw = self.found.raw
        keys = [raw[low:high] for low, high in zip(self.key_start, self.key_end, strict=True)]
        bounds = [*self.first.tolist(), len(keys)]
        written = [tuple(keys[low:high]) for low, high in pairwise(bounds)]
        layouts: dict[tuple[bytes, ...], Layout] = {}
        for one in set(written):
            layout = choose(tuple(key.decode() for key in one))
            if layout is None or b"\\" in b"".join(one):
                raise _OddError
            layouts[one] = layout
        return [layouts[one] for one in written]

    def check(self, fields: Ints, kinds: int) -> None:
        """Check that the values of some fields are lists of one of some kinds."""
        if np.any(self.fits[fields] & np.uint8(kinds) == 0):
            raise _OddError

    @cached_property
    def fits(self) -> Bytes:
        """What kinds of lists the value of each field may be: what fits all of its tokens."""
        found = self.found
        tokens = np.frombuffer(found.code.tobytes().translate(_FITTING), dtype=np.uint8)
        fits = np.bitwise_and.reduceat(tokens, self.value)
        fits[found.kind[self.value] != LIST] = 0
        return fits

    def bounds(self, places: Ints, fields: Ints) -> tuple[Ints, Ints]:
        """Return which of some tokens, given by their places, are in the values of some fields."""
        low, high = self.value[fields], self.stop[fields]
        return np.searchsorted(places, low), np.searchsorted(places, high)

    def within(self, places: Ints, fields: Ints) -> tuple[Ints, Ints]:
        """Return those of some tokens that are in the values of some fields; how many in each."""
        low, high = self.bounds(places, fields)
        many = high - low
        if many.sum() < len(places):
            places = places[np.arange(many.sum()) + np.repeat(low - np.cumsum(many) + many, many)]
        return places, many

    def check_pairs(self, entities: Ints, numbers: Ints) -> None:
        """Check that all mentions are pairs of numbers, of which each document has so many.

        A list of numbers whose end is the fourth token behind its opening is a pair. So would be
        the end of an empty list behind an empty one, but then there are too few numbers.
        """
        code = self.found.code
        mentions, many = self.within(np.flatnonzero(code == 4 * DEPTH + LIST), entities)
        ends = code[mentions + _TOKENS_OF_SPAN - 2]
        if np.any(numbers != 2 * many) or np.any(ends != 4 * DEPTH + LIST_END):
            raise _OddError

    def sizes(self, entities: Ints) -> tuple[Ints, Ints]:
        """Return how many mentions entities have that have any, and the bounds of documents."""
        code = self.found.code
        opens, many = self.within(np.flatnonzero(code == 3 * DEPTH + LIST), entities)
        ends, _ = self.within(np.flatnonzero(code == 3 * DEPTH + LIST_END), entities)
        sizes = (ends - opens) // _TOKENS_OF_SPAN  # no more than one token is an empty entity
        before = np.append(0, np.cumsum(sizes > 0))
        return sizes[sizes > 0], before[np.append(0, np.cumsum(many))]

    def texts(self, fields: Ints, has: Bools) -> list[str]:
        """Return the texts of a field, with nothing where a document lacks it."""
        rows = np.flatnonzero(has)
        tokens = self.value[fields[rows]]
        if np.any(self.found.kind[tokens] != STRING):
            raise _OddError
        texts = [""] * len(fields)
        strings = self.found.strings(np.searchsorted(self.found.string_tokens, tokens))
        for row, text in zip(rows.tolist(), strings, strict=True):
            texts[row] = text
        return texts

    def parse(self, field: int) -> Any:
        """Parse a value that is a list: it ends before the next key."""
        raw = self.found.raw
        stop = self.key_start[field + 1] - 1 if field + 1 < len(self.key_start) else len(raw)
        low = raw.index(b"[", self.key_end[field])
        return _PARSE(raw[low:stop].decode())[0]


def parse_words(found: Line) -> Words:
    """Parse the words of a line that was read by its index."""
    layout = found.layout
    value = {layout.keys[layout.words]: found.parse(layout.words)}
    if layout.sentence_numbers >= 0:
        value["sent_id"] = found.parse(layout.sentence_numbers)
    return words_of(value, by_sentence=True) or NO_WORDS
