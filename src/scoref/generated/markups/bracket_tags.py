"""Square brackets as tags: which of the brackets of a text enclose mentions.

The entity is stated at the closing bracket, so a closing bracket with an entity encloses the words
since the latest open bracket. A closing bracket without an entity, such as that of `[1]` in a
source, belongs with its opening bracket to the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from scoref.generated.marked_text import Close, Item, Open, MarkedStream
from scoref.generated.markups.markup import DocumentToWrite
from scoref.generated.markups.writing import crossing, opening_and_closing

LABEL = r"\d+|[A-Za-z_]\w*"
"""The name of an entity, which a word can follow: `[he]#3's`."""
NEVER = r"(?!)()"
"""A pattern that nothing matches, for closing tags that do not state an entity."""


@dataclass(frozen=True, slots=True)
class BracketSyntax:
    """How an entity is written at brackets.

    * `closing`: A pattern of closing tags; its first group is the entity.
    * `opening`: A pattern of opening tags that name their entity, if there are any.
    * `written`: How a closing tag is written, as a format of the entity.
    """

    closing: str
    written: str
    opening: str = rf"\[#({LABEL}) "

    def count(self, text: str) -> int:
        """Count the tags that state an entity."""
        tags = re.compile(self.opening if self.closing == NEVER else self.closing)
        return sum(1 for _ in tags.finditer(text))

    def parse(self, text: str) -> MarkedStream:
        """Yield the text and its tags."""
        tokens = re.compile(rf"(\\[\[\]])|(?:{self.opening})|(?:{self.closing})|([\[\]])")
        items: list[Item] = []
        waiting: list[tuple[int, str]] = []  # open brackets: their item, and the entity if stated
        literal: list[tuple[int, int]] = []  # pairs of brackets of the text, by item
        done = 0
        for match in tokens.finditer(text):
            items.append(text[done : match.start()])
            done = match.end()
            escape, opened, closed, plain = match.groups()
            if escape:
                items.append(escape[1])
            elif opened is not None or plain == "[":
                waiting.append((len(items), opened or ""))
                items.append("[")
            elif plain == "]":
                self._close_plain(items, waiting, literal)
            else:
                self._close(items, waiting, literal, closed)
        items.append(text[done:])
        return join_text(items)

    @staticmethod
    def _close_plain(
        items: list[Item], waiting: list[tuple[int, str]], literal: list[tuple[int, int]]
    ) -> None:
        """Close a bracket without an entity: one that was opened with an entity, or a literal one."""
        at, entity = waiting.pop() if waiting else (-1, "")
        if entity:
            items[at] = Open(entity)
            items.append(Close(entity))
        else:
            if at >= 0:
                literal.append((at, len(items)))
            items.append("]")

    @staticmethod
    def _close(
        items: list[Item],
        waiting: list[tuple[int, str]],
        literal: list[tuple[int, int]],
        entity: str,
    ) -> None:
        """Close a mention; without an open bracket, one that seemed to be literal was its start."""
        named = [at for at, (_, name) in enumerate(waiting) if name == entity]
        plain = [at for at, (_, name) in enumerate(waiting) if not name]
        if named and (not plain or named[-1] > plain[-1]):
            items[waiting.pop(named[-1])[0]] = Open(entity)
        elif plain:
            items[waiting.pop(plain[-1])[0]] = Open()
        elif literal:
            items[literal.pop()[0]] = Open()
        items.append(Close(entity))

    def write(self, document: DocumentToWrite, escaped: bool) -> str:
        """Write a document, one sentence per line."""

        def word(text: str) -> str:
            return re.sub(r"([\[\]])", r"\\\1", text) if escaped else text

        return write_enclosed(document, word, "[", "[#{} ", self.written, self.written)


def join_text(items: Iterable[Item]) -> Iterator[Item]:
    """Join strings that follow each other, so that a bracket inside a word does not divide it."""
    for is_text, group in groupby(items, key=lambda item: isinstance(item, str)):
        if is_text:
            yield "".join(group)  # type: ignore[arg-type]
        else:
            yield from group


def write_enclosed(
    document: DocumentToWrite,
    word: Callable[[str], str],
    opening: str,
    named_opening: str,
    closing: str,
    named_closing: str,
) -> str:
    """Write a document with tags around its mentions; mentions that cross have named tags."""
    opens, closes = opening_and_closing(document.mentions)
    named = {(one.start, one.end, one.entity) for one in crossing(document.mentions)}
    lines, at = [], 0
    for sentence in document.sentences:
        words = []
        for text in sentence:
            before = "".join(
                (named_opening if (at, end, name) in named else opening).format(name)
                for end, name in opens.get(at, ())
            )
            after = "".join(
                (named_closing if (start, at, name) in named else closing).format(name)
                for start, name in closes.get(at, ())
            )
            words.append(f"{before}{word(text)}{after}")
            at += 1
        lines.append(" ".join(words))
    return "\n".join(lines)


def strongest(syntaxes: Iterable[BracketSyntax], text: str) -> BracketSyntax:
    """Return the syntax with the most tags in a text."""
    return max(syntaxes, key=lambda syntax: syntax.count(text))
