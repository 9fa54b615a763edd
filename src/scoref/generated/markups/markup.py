"""What a markup is: how it is recognised, parsed and written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from scoref.generated.marked_text import MarkedStream, MarkedText
from scoref.generated.quotes import QuoteList


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
