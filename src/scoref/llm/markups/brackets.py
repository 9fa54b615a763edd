"""Brackets with the entity: `[a man]#1`, `[a man]_1`, `[a man: 1]`, `[a man](#1)` and others.

The entity is stated at the closing bracket, so a closing bracket with an entity encloses the words
since the latest open bracket. A closing bracket without an entity, such as that of `[1]` in a
source, belongs with its opening bracket to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from scoref.llm.marked_text import Close, Item, MarkedStream, Open
from scoref.llm.markups.markup import DocumentToWrite, TextMarkup, join_text, write_enclosed

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
        brackets = _Brackets()
        # Tags touch the words that they enclose; a bracket before a space is a token of the text.
        touching = 2 * text.count("[ ") < text.count("[")
        done = 0
        for match in tokens.finditer(text):
            brackets.items.append(text[done : match.start()])
            done = match.end()
            escape, opened, closed, plain = match.groups()
            if escape:
                brackets.items.append(escape[1])
            elif plain == "[" and touching and text[done : done + 1].isspace():
                brackets.open_literal()
            elif opened is not None or plain == "[":
                brackets.open(opened or "")
            elif plain == "]":
                brackets.close_plain()
            else:
                brackets.close(closed)
        brackets.items.append(text[done:])
        return join_text(brackets.items)

    def write(self, document: DocumentToWrite, *, escaped: bool) -> str:
        """Write a document, one sentence per line."""

        def word(text: str) -> str:
            return re.sub(r"([\[\]])", r"\\\1", text) if escaped else text

        return write_enclosed(document, word, ("[", "[#{} "), (self.written, self.written))


class _Brackets:
    """The items of a text, its open brackets, and the pairs of brackets that belong to the text."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._open: dict[int, str] = {}  # the entity of an open bracket, if stated, by its item
        self._of_entity: dict[str, list[int]] = {}
        self._literal: list[int] = []
        self._tokens = 0  # opening brackets that are tokens of the text

    def open(self, entity: str) -> None:
        """Add an opening bracket, which belongs to the text until it is closed."""
        self._open[len(self.items)] = entity
        self._of_entity.setdefault(entity, []).append(len(self.items))
        self.items.append("[")

    def open_literal(self) -> None:
        """Add an opening bracket of the text."""
        self._tokens += 1
        self.items.append("[")

    def close_plain(self) -> None:
        """Close a bracket without an entity: of the text, or of a mention that opened with it."""
        if self._tokens or not self._open:
            self._tokens = max(self._tokens - 1, 0)
            self.items.append("]")
            return
        at, entity = self._open.popitem()
        self._of_entity[entity].pop()
        if entity:
            self.items[at] = Open(entity)
            self.items.append(Close(entity))
        else:
            self._literal.append(at)
            self.items.append("]")

    def close(self, entity: str) -> None:
        """Close a mention; if no bracket is open, one that seemed to be literal was its start."""
        stacks = [self._of_entity.get(name, []) for name in {entity, ""}]
        if numbers := [stack[-1] for stack in stacks if stack]:
            at = max(numbers)
            name = self._open.pop(at)
            self._of_entity[name].pop()
            self.items[at] = Open(name)
        elif self._literal:
            self.items[self._literal.pop()] = Open()
        self.items.append(Close(entity))


def strongest(syntaxes: Iterable[BracketSyntax], text: str) -> BracketSyntax:
    """Return the syntax with the most tags in a text."""
    return max(syntaxes, key=lambda syntax: syntax.count(text))


HASH = BracketSyntax(rf"\] ?# ?({LABEL})", "]#{}")
UNDERSCORE = BracketSyntax(r"\]_\{?(\d+|[A-Za-z]+\d*)\}?", "]_{}")
COLON = BracketSyntax(rf" ?: ?({LABEL}) ?\]", ": {}]")
_SYNTAXES = (
    HASH,
    UNDERSCORE,
    COLON,
    BracketSyntax(rf" ?\| ?#?({LABEL}) ?\]", " | {}]"),
    BracketSyntax(r"\]\^\{?(\d+|[A-Za-z]+\d*)\}?", "]^{}"),
    BracketSyntax(rf"\]\{{#?({LABEL})\}}", "]{{{}}}"),
    BracketSyntax(r"\]\((\d+)\)", "]({})"),
    BracketSyntax(r"\](\d+)\b", "]{}"),
    BracketSyntax(r" ?# ?(\d+) ?\]", " #{}]"),
    BracketSyntax(
        NEVER, "]", opening=r"(?<![|,])\[(?=#\w|[EeCc]\d|\d+ ?[:|])#?([A-Za-z]?\d+)\b ?[:|]? ?"
    ),
)


def count(text: str) -> int:
    """Count tags."""
    return strongest(_SYNTAXES, text).count(text)


def parse(text: str) -> MarkedStream:
    """Parse the variant that has the most tags."""
    return strongest(_SYNTAXES, text).parse(text)


MARKUP = TextMarkup(
    name="brackets",
    title="brackets and a number",
    example="[Ann]#1 saw [the man]#2 . [She]#1 waved .",
    count=count,
    parse=parse,
    write=HASH.write,
)
WITH_UNDERSCORE = TextMarkup(
    name="brackets-underscore",
    title="brackets, an underscore and a number",
    example="[Ann]_1 saw [the man]_2 . [She]_1 waved .",
    count=UNDERSCORE.count,
    parse=UNDERSCORE.parse,
    write=UNDERSCORE.write,
)
WITH_COLON = TextMarkup(
    name="brackets-colon",
    title="brackets with a colon and a number",
    example="[Ann: 1] saw [the man: 2] . [She: 1] waved .",
    count=COLON.count,
    parse=COLON.parse,
    write=COLON.write,
)


_LINK = BracketSyntax(r"\]\( ?#?(?![a-z]+://)([^()\[\]#\s]{1,200}) ?\)", "](#{})")

MARKDOWN = TextMarkup(
    name="markdown",
    title="Markdown links",
    example="[Ann](#1) saw [the man](#2) . [She](#1) waved .",
    count=BracketSyntax(r"\]\( ?#()", "").count,
    parse=_LINK.parse,
    write=_LINK.write,
)
