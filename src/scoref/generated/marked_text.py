"""MarkedText: a generated text without its markup, and the mentions that the markup states.

A markup turns a completion into a stream of plain text and tags. `read_stream` cuts the text into
words and pairs the tags, whichever markup it was. Language models forget tags, close them twice, or
close them under another number: what can be repaired is repaired, and everything is counted.
"""

from __future__ import annotations

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


class _Opened(NamedTuple):
    entity: str
    word: int
    empty: int
    line: int


def read_stream(stream: MarkedStream) -> MarkedText:
    """Cut the text of a stream into words, and pair its tags.

    A closing tag closes the latest open mention of its entity. If there is none, it closes the
    latest open mention of the same line, whose tags then disagree about the entity: the opening
    tag decides.
    """
    text = MarkedText()
    opened: list[_Opened] = []
    orphans: list[tuple[str, int, int, int, int]] = []
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
        elif isinstance(item, Open):
            place = len(text.words), len(text.empties), len(text.lines) + fresh
            opened.append(_Opened(item.entity, *place))
        elif isinstance(item, Close):
            at = _find(opened, item.entity)
            if at is None:
                orphans.append((item.entity, len(text.words), len(text.empties), len(text.lines), len(text.marks)))
                continue
            if any(one.entity for one in opened[at + 1 :]):
                text.damage["crossing"] += 1
            one = opened.pop(at)
            _add(text, item.entity or one.entity, one, len(text.words), len(text.empties))
        else:
            text.empties.append(len(text.words))
    _pair_orphans(text, opened, orphans)
    return text


def _find(opened: list[_Opened], entity: str) -> int | None:
    """Return the latest open mention that a closing tag closes."""
    for at in range(len(opened) - 1, -1, -1):
        if entity in (ANY, opened[at].entity) or opened[at].entity == ANY:
            return at
    return None


def _add(text: MarkedText, entity: str, one: _Opened, end: int, empty_end: int) -> None:
    empties = tuple(range(one.empty, empty_end))
    if end == one.word and not empties:
        text.damage["empty"] += 1
    else:
        text.marks.append(TextMark(entity, one.word, end, empties))


def _pair_orphans(
    text: MarkedText,
    opened: list[_Opened],
    orphans: list[tuple[str, int, int, int, int]],
) -> None:
    """Pair closing tags of a wrong entity with openings that are left, and keep the others open."""
    for _, word, empty, line, _ in orphans:
        for at in range(len(opened) - 1, -1, -1):
            if opened[at].word < word and opened[at].line == line:
                _add(text, opened[at].entity, opened.pop(at), word, empty)
                text.damage["renumbered"] += 1
                break
        else:
            text.damage["unopened"] += 1
    for one in opened:
        if one.entity:
            text.damage["unclosed"] += 1
            text.marks.append(TextMark(one.entity, one.word, OPEN_END, ()))
        else:
            text.damage["unopened"] += 1
