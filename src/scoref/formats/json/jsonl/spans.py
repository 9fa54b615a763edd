"""The mentions of JSON lines, document by document, and put together as columns."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.formats.json.jsonl.text import Words

NO_NUMBERS: Ints = np.zeros(0, dtype=np.int64)


class Read(NamedTuple):
    """A line: where it stands, its document, its offsets and what they count.

    `offsets` are starts and ends in turn, of all mentions; `sizes` has the number of mentions
    of each entity. What was parsed is kept only as far as it is needed again: a list of words
    takes ten times the memory of its text, and to fetch that costs more than to parse.
    """

    line: int
    name: str
    length: int
    sizes: Ints
    offsets: Ints
    unit: str
    end: str | None
    to_token: array[int] | None
    words: Words
    value: dict[str, Any]


class Spans(NamedTuple):
    """The mentions of all documents: the document of each, its first offset, its end."""

    document: Ints
    start: Ints
    end: Ints

    @classmethod
    def of(cls, read: Sequence[Read]) -> Spans:
        """Put the offsets of documents together."""
        offsets = np.concatenate([NO_NUMBERS, *(one.offsets for one in read)]).reshape(-1, 2)
        mentions = [len(one.offsets) // 2 for one in read]
        return cls(np.repeat(np.arange(len(read)), mentions), offsets[:, 0], offsets[:, 1])


def to_tokens(read: Sequence[Read], document: Ints, place: Ints) -> Ints:
    """Return the token of each subtoken; other places stay as they are."""
    maps = [one.to_token if one.to_token is not None else array("q") for one in read]
    sizes = np.array([len(one) for one in maps], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    mapped = sizes[document] > 0
    found = place.copy()
    found[mapped] = np.frombuffer(b"".join(maps), dtype=np.int64)[
        first[document[mapped]] + place[mapped]
    ]
    return found
