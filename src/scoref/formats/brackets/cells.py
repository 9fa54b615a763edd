"""What writers of brackets share: the cells of tokens, and checks of what cells cannot express."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from scoref.base.limits import PER_BYTE, limits_are_on
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.exceptions import UsageError

_FREE = 1 << 20
Item = TypeVar("Item")


@dataclass(slots=True)
class BracketCells:
    """The brackets of each token of a document: openings, whole mentions and closings.

    Mentions are added in the order in which they open, longer ones first. So of mentions that
    start or end together, the longer one opens first and closes last.
    """

    openings: dict[Hashable, list[str]] = field(default_factory=dict)
    whole: dict[Hashable, list[str]] = field(default_factory=dict)
    closings: dict[Hashable, list[str]] = field(default_factory=dict)

    def add(self, first: Hashable, last: Hashable, opening: str, closing: str) -> None:
        """Add a mention from its first to its last token; one of a single token ends with `)`."""
        if first == last:
            self.whole.setdefault(first, []).append(f"{opening})")
        else:
            self.openings.setdefault(first, []).append(opening)
            self.closings.setdefault(last, []).insert(0, closing)

    def at(self, token: Hashable, *, closings_first: bool = True) -> list[str]:
        """Return the brackets of a token in the order of writing."""
        opened = [*self.openings.get(token, ()), *self.whole.get(token, ())]
        closed = self.closings.get(token, [])
        return [*closed, *opened] if closings_first else [*opened, *closed]


def runs(items: Iterable[Item], follows: Callable[[Item, Item], bool]) -> list[tuple[Item, Item]]:
    """Return the first and the last item of each run in which every item follows the previous."""
    found: list[tuple[Item, Item]] = []
    for item in items:
        if found and follows(found[-1][1], item):
            found[-1] = (found[-1][0], item)
        else:
            found.append((item, item))
    return found


def is_next(one: int, other: int) -> bool:
    """Whether a token follows another."""
    return other == one + 1


def token_spans(corpus: Corpus, title: str) -> tuple[Corpus, list[int]]:
    """Return a corpus of token spans and the lengths of its documents, or refuse other mentions."""
    spans = corpus.as_spans()
    if spans is None or corpus.characters:
        raise UsageError(f"only mentions that are token spans can be written as {title}")
    return spans, written_lengths(spans, title)


def check_tokens(documents: Sequence[Document], lengths: Sequence[int], title: str) -> None:
    """Refuse a corpus that has neither tokens nor a named document: readers refuse such files."""
    if not any(lengths) and all(document.is_unnamed for document in documents):
        message = f"a corpus without tokens cannot be written as {title}"
        raise UsageError(message, "check that the file to convert is complete")


def written_lengths(spans: Corpus, title: str) -> list[int]:
    """Return how many tokens or characters of each document to write.

    A document of unknown length is written up to its last mention. Mentions far apart would make a
    large file of nothing, which is refused.
    """
    known = np.array([document.length for document in spans.documents], dtype=np.int64)
    lengths = known.copy()
    np.maximum.at(lengths, spans.document, spans.end + 1)
    invented = int(np.where(known < 0, lengths, 0).max(initial=0))
    if invented > max(_FREE, PER_BYTE * len(spans)) and limits_are_on():
        raise UsageError(
            f"{title} has every token of a document: {invented:,} for"
            f" {counted(len(spans), 'mention')}, since the input does not say how many there are",
            "write a table with --to csv, or lift all limits with --no-limits",
        )
    return list(np.maximum(lengths, 0).tolist())


def check_nesting(spans: Corpus, *, touching: bool) -> None:
    """Refuse mentions of one entity that cross, since a bracket closes the latest open one.

    With `touching`, also refuse a mention that starts on the last token of another, for formats
    in which a token's openings are read before its closings.
    """
    rows = np.flatnonzero(spans.end > spans.start)
    rows = rows[np.lexsort((-spans.end[rows], spans.start[rows], spans.entity[rows]))]
    around: list[int] = []
    for row in rows.tolist():
        while around and (
            spans.entity[around[-1]] != spans.entity[row]
            or spans.end[around[-1]] < spans.start[row] + (not touching)
        ):
            around.pop()
        if around and spans.end[around[-1]] < spans.end[row]:
            name = spans.entity_names[spans.entity[row]]
            document = spans.documents[spans.document[row]].name
            raise UsageError(
                f"entity {name} of document {document} has the mentions"
                f" {spans.mention(around[-1])} and {spans.mention(row)}, which cross or touch:"
                " brackets cannot express this",
                "write another format, for example with --to jsonl",
            )
        around.append(row)


def check_contiguous(spans: Corpus, title: str) -> None:
    """Refuse discontinuous mentions and empty nodes."""
    nodes = spans.attributes.get("nodes")
    if nodes is not None and (nodes != "").any():
        row = int(np.argmax(nodes != ""))
        document = spans.documents[spans.document[row]].name
        raise UsageError(
            f"document {document} has a mention that is discontinuous or has an empty node"
            f" ({nodes[row]}), which {title} cannot express",
            "write CorefUD with --to corefud",
        )
