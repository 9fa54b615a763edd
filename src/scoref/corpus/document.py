"""Document: its displayed name, the identity that pairs it with the other side, and its genre."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

UNKNOWN = -1
"""The length of a document if its tokens were not counted."""

_SEPARATOR = re.compile(r"[/_]")
_CHUNK = re.compile(
    r"((_split\d+)?_S|[-_. /](part|chunk|window)?[-_. ]?)\d+$", re.ASCII | re.IGNORECASE
)
"""What the name of a chunk has after the name of its text: `_split1500_S17`, `-part-2`, `.2`."""
_ECBPLUS = re.compile(r"(?P<topic>\d+)_\d+(?P<corpus>ecb|ecbplus)(\.xml)?", re.ASCII)


class Document(NamedTuple):
    """A document: `name` is displayed, and `id` pairs it with a document of the other side."""

    name: str
    id: Hashable
    length: int = UNKNOWN
    source: str = ""
    line: int = 0
    part: str = ""

    @property
    def is_unnamed(self) -> bool:
        """Whether the document has no name and can only be paired by its position."""
        return isinstance(self.id, tuple) and len(self.id) == 2 and self.id[0] == ""


def text_of_chunk(name: str) -> str:
    """Return the name of the text that a chunk is from, as far as the name of the chunk says it."""
    return _CHUNK.sub("", name)


def show_parts(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Add the part to the names of documents if several parts share a name."""
    documents = tuple(documents)
    times = Counter(_base(document) for document in documents if not document.is_unnamed)

    def shown(document: Document) -> Document:
        if times[_base(document)] < 2 or not document.part:
            return document
        return document._replace(name=f"{_base(document)}/{document.part}")

    return distinct_names(map(shown, documents))


def distinct_names(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Rename documents that share a name, such as `x/1` and part 1 of `x`, to their identity."""
    documents = tuple(documents)
    times = Counter(document.name for document in documents)
    if len(times) == len(documents):
        return documents
    return tuple(d if times[d.name] == 1 else d._replace(name=repr(d.id)) for d in documents)


def ecbplus_topics(name: str) -> tuple[str, str] | None:
    """Return the topic and the subtopic of a document of ECB+, which follow from its name.

    >>> ecbplus_topics("36_1ecbplus.xml")
    ('36', '36_ecbplus')
    """
    found = _ECBPLUS.fullmatch(name)
    return (found["topic"], f"{found['topic']}_{found['corpus']}") if found else None


def _base(document: Document) -> Hashable:
    return document.id[0] if isinstance(document.id, tuple) else document.id


def genres(names: Sequence[str]) -> list[str]:
    """Infer the genre of each document from its name, or return an empty list.

    Names have parts separated by `/` or `_`. The genre is the first part that differs between
    documents, provided that there are at most half as many genres as documents.
    """
    parts = [_SEPARATOR.split(name) for name in names]
    for at in range(min(map(len, parts), default=0) - 1):
        column = [part[at] for part in parts]
        if len(set(column)) > 1:
            return column if 2 * len(set(column)) <= len(column) else []
    return []
