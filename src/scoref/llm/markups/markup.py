"""What a markup is: how it is recognised, parsed and written; and what markups share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple, Protocol

from scoref.llm.marked_text import Item, MarkedStream, MarkedText, QuoteList, read_stream


class MentionToWrite(NamedTuple):
    """A mention of a document to write: tokens from `start` to `end`, inclusive, and its entity."""

    start: int
    end: int
    entity: str


@dataclass(frozen=True, slots=True, eq=False)
class DocumentToWrite:
    """A document to write: its name, its sentences of words, and its mentions in text order.

    Words are numbered through the document. `empties` are the numbers of those that are empty
    nodes.
    """

    name: str
    sentences: Sequence[Sequence[str]]
    mentions: Sequence[MentionToWrite]
    empties: frozenset[int] = frozenset()


class Writer(Protocol):
    """Writes a document in a markup."""

    def __call__(self, document: DocumentToWrite, *, escaped: bool) -> str:
        """Return the text; `escaped` protects all characters that could be tags."""


@dataclass(frozen=True, slots=True)
class TextMarkup:
    """A way to write mentions and entities into a text, or next to it.

    * `name`: The name for `--markup`, in the signature, and for `scoref convert --to`.
    * `title`: A few words that describe the markup, for messages.
    * `example`: A sentence in this markup.
    * `count`: How many tags of this markup a completion has; the markup with the most is chosen.
    * `parse`: Turns a completion into a stream of text and tags, or into quotes.
    * `write`: Writes a document; None if the markup is only read.
    * `prefix`: What precedes the numbers of entities that are written.
    * `has_empty_nodes`: Whether empty nodes can be written.
    """

    name: str
    title: str
    example: str
    count: Callable[[str], int]
    parse: Callable[[str], MarkedStream | MarkedText | QuoteList]
    write: Writer | None = None
    prefix: str = ""
    has_empty_nodes: bool = False

    def read(self, text: str) -> MarkedText | QuoteList:
        """Return the marked words of a completion, or its quotes."""
        parsed = self.parse(text)
        return parsed if isinstance(parsed, MarkedText | QuoteList) else read_stream(parsed)


Tags = dict[int, list[tuple[int, str]]]


def opening_and_closing(mentions: Sequence[MentionToWrite]) -> tuple[Tags, Tags]:
    """Return (end, entity) of the mentions that open, and (start, entity) of those that close.

    Of mentions that open together the longest opens first, and of mentions that close together the
    one that opened last closes first.
    """
    opening: Tags = {}
    closing: Tags = {}
    for start, end, entity in sorted(mentions, key=lambda one: (one.start, -one.end)):
        opening.setdefault(start, []).append((end, entity))
        closing.setdefault(end, []).insert(0, (start, entity))
    return opening, closing


def crossing(mentions: Sequence[MentionToWrite]) -> set[MentionToWrite]:
    """Return the mentions that cross another one: tags of these have to name their entity."""
    found: set[MentionToWrite] = set()
    around: list[MentionToWrite] = []
    for one in sorted(mentions, key=lambda one: (one.start, -one.end)):
        around = [other for other in around if other.end >= one.start]
        for other in around:
            if other.start < one.start and other.end < one.end:
                found |= {one, other}
        around.append(one)
    return found


def write_enclosed(
    document: DocumentToWrite,
    word: Callable[[str], str],
    opening: tuple[str, str],
    closing: tuple[str, str],
) -> str:
    """Write a document with tags around its mentions.

    The second opening and closing tag are those of mentions that cross others.
    """
    opens, closes = opening_and_closing(document.mentions)
    named = crossing(document.mentions)
    lines, at = [], 0
    for sentence in document.sentences:
        words = []
        for text in sentence:
            before = "".join(
                opening[(at, end, name) in named].format(name) for end, name in opens.get(at, ())
            )
            after = "".join(
                closing[(start, at, name) in named].format(name)
                for start, name in closes.get(at, ())
            )
            words.append(f"{before}{word(text)}{after}")
            at += 1
        lines.append(" ".join(words))
    return "\n".join(lines)


def join_text(items: Iterable[Item]) -> Iterator[Item]:
    """Join strings that follow each other, so that a bracket inside a word does not divide it."""
    for is_text, group in groupby(items, key=lambda item: isinstance(item, str)):
        if is_text:
            yield "".join(group)  # type: ignore[arg-type]
        else:
            yield from group


class FoundJson(NamedTuple):
    """A value of JSON, and whether it was cut off."""

    value: Any
    is_cut: bool


_START = re.compile(r'[{\[](?=\s*(?:["{\[\]}]|-?\d))')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_CLOSING = {"{": "}", "[": "]"}
_MOST_STARTS = 50
_MOST_DEPTH = 200


def find_json(text: str) -> FoundJson | None:
    """Return the first object or list of a text that contains more than brackets of the text.

    It can come after a preamble, have trailing commas, or be cut off: then it is closed after its
    last complete element. Nothing that the text contains can take long or raise an error.

    >>> find_json('Here it is: [["Ann", "she"], ["the man",')
    FoundJson(value=[['Ann', 'she'], ['the man']], is_cut=True)
    """
    for match in islice(_START.finditer(text), _MOST_STARTS):
        found = _decode(text[match.start() :])
        if found is not None and found.value:
            return found
    return None


def _decode(text: str) -> FoundJson | None:
    """Decode the value at the start of a text, as far as it is complete."""
    end, closing = _extent(text)
    whole = text[:end].rstrip(", \n\t") + closing
    for candidate in (whole, _TRAILING_COMMA.sub(r"\1", whole)):
        try:
            value = json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list):
            return FoundJson(value, is_cut=bool(closing))
    return None


def _extent(text: str) -> tuple[int, str]:
    """Return how far the first value is complete, and the brackets that are not closed there.

    Deeply nested values are not read: no list of mentions is nested deeply.
    """
    waiting: list[str] = []
    end, closing = 0, ""
    for match in _TOKEN.finditer(text):
        found = match[0]
        if found in _CLOSING:
            waiting.append(_CLOSING[found])
            if len(waiting) > _MOST_DEPTH:
                return 0, ""
        elif found in ("}", "]", ","):
            end = match.start()
            if found != ",":
                waiting.pop()
                end = match.end()
            closing = "".join(reversed(waiting))
            if not waiting:
                break
    return end, closing
