"""MarkedText and QuoteList: what a generated text says, whichever markup it is in.

A markup turns a completion into a stream of plain text and tags. `read_stream` cuts the text into
words and pairs the tags. Language models forget tags, close them twice, or
close them under another number: what can be repaired is repaired, and everything is counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

ANY = ""
"""The label of a tag that does not say which entity it belongs to."""
OPEN_END = -1
"""The end of a mark that was never closed."""


class Open(NamedTuple):
    """The start of a mention; the entity can be stated by the closing tag instead."""

    entity: str = ANY


class Close(NamedTuple):
    """The end of a mention: of the innermost open one of the entity."""

    entity: str = ANY


class Empty(NamedTuple):
    """An empty node, which stands for a word that is not in the text."""

    form: str = ""


Item = str | Open | Close | Empty
MarkedStream = Iterable[Item]


class TextMark(NamedTuple):
    """A mention of an entity: the words from `start` up to `end`, exclusive, and its empty nodes.

    `end` is OPEN_END if the mention was never closed.
    """

    entity: str
    start: int
    end: int
    empties: tuple[int, ...] = ()


@dataclass(slots=True)
class MarkedText:
    """The words of a generated text, its marks, and what was wrong with its tags.

    * `lines`: The numbers of the words that begin a line.
    * `empties`: For each empty node, the number of the word that it precedes.
    * `damage`: How many tags were unclosed, unopened, crossing, renumbered or empty.
    """

    words: list[str] = field(default_factory=list)
    marks: list[TextMark] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    empties: list[int] = field(default_factory=list)
    damage: Counter[str] = field(default_factory=Counter)


class Quote(NamedTuple):
    """A quoted mention of an entity, with everything the list says about its place.

    * `entity`: The entity of the list.
    * `text`: The words as quoted.
    * `group`: Quotes of one group are listed in the order of the text.
    * `sentence`: The number of the sentence or line from 1, or 0.
    * `context`: Words around the mention, or empty.
    * `start`: The first character or token, as the list counts it, or -1.
    """

    entity: str
    text: str
    group: str
    sentence: int = 0
    context: str = ""
    start: int = -1


class Answer(NamedTuple):
    """The antecedent that a list states for a quote: its words, which name the entity."""

    quote: int
    antecedent: str


@dataclass(slots=True)
class QuoteList:
    """Quotes in the order of the list, and antecedents to place after them.

    * `is_cut`: Whether the list broke off.
    """

    quotes: list[Quote] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    is_cut: bool = False


class _Opened(NamedTuple):
    entity: str
    word: int
    empty: int
    line: int


class _OpenMentions:
    """The mentions that are open, in the order of their opening tags."""

    def __init__(self) -> None:
        self._open: dict[int, _Opened] = {}
        self._of_entity: dict[str, list[int]] = {}
        self._number = 0

    def add(self, one: _Opened) -> None:
        """Add a mention."""
        self._open[self._number] = one
        self._of_entity.setdefault(one.entity, []).append(self._number)
        self._number += 1

    def close(self, entity: str) -> tuple[_Opened, bool] | None:
        """Remove and return the latest mention that a closing tag closes, if there is one.

        The second value says whether a mention of a known entity that began later stays open.
        """
        if not self._open:
            return None
        stacks = [self._of_entity.get(entity, []), self._of_entity.get(ANY, [])]
        numbers = [stack[-1] for stack in stacks if stack]
        latest = next(reversed(self._open))
        if entity == ANY:
            numbers = [latest]
        if not numbers:
            return None
        chosen = max(numbers)
        one = self._open.pop(chosen)
        self._of_entity[one.entity].pop()
        other = self._open.get(latest, one)
        return one, other.word > one.word and other.entity != ANY

    def left(self) -> list[_Opened]:
        """Return the mentions that were never closed."""
        return list(self._open.values())


def read_stream(stream: MarkedStream) -> MarkedText:
    """Cut the text of a stream into words, and pair its tags.

    A closing tag closes the latest open mention of its entity. If there is none, it closes the
    latest open mention of the same line, whose tags then disagree about the entity: the opening
    tag decides.
    """
    text = MarkedText()
    opened = _OpenMentions()
    unopened: list[_Opened] = []  # closing tags without an opening one
    fresh = True
    for item in stream:
        if isinstance(item, str):
            for number, line in enumerate(item.split("\n")):
                fresh = fresh or number > 0
                words = line.split()
                if words and fresh:
                    text.lines.append(len(text.words))
                    fresh = False
                text.words += words
        elif isinstance(item, Empty):
            text.empties.append(len(text.words))
        else:
            line_number = len(text.lines) + (fresh and isinstance(item, Open))
            tag = _Opened(item.entity, len(text.words), len(text.empties), line_number)
            if isinstance(item, Open):
                opened.add(tag)
            elif (found := opened.close(item.entity)) is None:
                unopened.append(tag)
            else:
                text.damage["crossing"] += found[1]
                _add(text, item.entity or found[0].entity, found[0], tag)
    _pair_orphans(text, opened.left(), unopened)
    text.damage = +text.damage
    return text


def _add(text: MarkedText, entity: str, one: _Opened, end: _Opened) -> None:
    empties = tuple(range(one.empty, end.empty))
    if end.word == one.word and not empties:
        text.damage["empty"] += 1
    else:
        text.marks.append(TextMark(entity, one.word, end.word, empties))


def _pair_orphans(text: MarkedText, left: list[_Opened], unopened: list[_Opened]) -> None:
    """Pair closing tags of a wrong entity with openings that are left, and keep the others open."""
    by_line: dict[int, list[_Opened]] = {}
    for one in left:
        if one.entity != ANY:
            by_line.setdefault(one.line, []).append(one)
        else:
            text.damage["unopened"] += 1
    for end in unopened:
        waiting = by_line.get(end.line, [])
        at = bisect_left(waiting, end.word, key=lambda one: one.word) - 1
        if at < 0:
            text.damage["unopened"] += 1
        else:
            one = waiting.pop(at)
            _add(text, one.entity, one, end)
            text.damage["renumbered"] += 1
    for one in (one for waiting in by_line.values() for one in waiting):
        text.damage["unclosed"] += 1
        text.marks.append(TextMark(one.entity, one.word, OPEN_END, ()))
