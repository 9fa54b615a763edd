"""What a markup is: how it is recognised, parsed and written; and what its writers share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from scoref.llm.marked_text import MarkedStream, MarkedText
from scoref.llm.quotes import QuoteList


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
