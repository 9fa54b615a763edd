"""A document in a terminal: its words, with the mentions of both sides bracketed and numbered.

The key comes above the response, sentence by sentence. `[the ferry]1` is a mention of entity 1; a
response entity has the number of the key entity that it is aligned with, or a letter. An error
has a mark, which does not depend on colour:

    [it]1-    missing: the response lacks this mention
    [it]a+    extra: the key lacks it
    [it]2=1   misplaced: here in entity 2, but the key has it in entity 1
    [it]1~    the other side has it with other boundaries
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from scoref.analysis.entity_numbers import EXTRA, MISPLACED, MISSING, entity_label
from scoref.analysis.errors import TITLES, Errors
from scoref.base.phrases import counted
from scoref.base.visible import visible
from scoref.exceptions import UsageError
from scoref.metrics.table import NOWHERE
from scoref.views.errors import describe_error

# Of the sixteen colours of a terminal, six can be read on black and on white.
_COLOURS = (34, 32, 35, 36, 33, 31)
_LABELS = ("key", "response")
_LEGEND = (
    *("[ ]1 entity 1", "[ ]1- missing", "[ ]a+ extra"),
    *("[ ]2=1 in 2, belongs in 1", "[ ]1~ other boundaries"),
)
_NO_BREAK = "\u00a0"


class Mark(NamedTuple):
    """A mention of one side: its tokens in the document, the colour, and what follows it."""

    start: int
    end: int
    colour: int
    label: str


def show(errors: Errors, document: str, width: int = 80, *, colour: bool = False) -> str:
    """Show a document with its mentions, then list its errors."""
    reading = errors.original
    unit = errors.unit_of(document)
    text, place = reading.text, int(reading.place[unit])
    if text is None or "word" not in text or place == NOWHERE or reading.spans is None:
        raise UsageError(
            f"cannot show {document}: its words are not known",
            "use a file with a word column, whose mentions are token spans",
        )
    first, last = int(text.first[place]), int(text.first[place + 1])
    words = [visible(word) for word in text.columns["word"][first:last]]
    starts = [*np.flatnonzero(text.starts_sentence[first:last]).tolist(), len(words)]
    sides = [_PlacedMarks(marks) for marks in _marks(errors, unit)]
    lines = [visible(document), *_legend(width), ""]
    for number, (start, end) in enumerate(pairwise(starts), start=1):
        for side, marks in zip(_LABELS, sides, strict=True):
            head = f"{number if side == 'key' else '':>4}  {side:<8}  "
            pieces = _bracketed(words, start, end, marks, colour=colour)
            lines += _wrapped(head, list(pieces), max(width, 40))
        lines.append("")
    return "\n".join([*lines, *_listed(errors.where(document=document), width)])


def _marks(errors: Errors, unit: int) -> tuple[list[Mark], list[Mark]]:
    """Return the mentions of a document on both sides, in the order of the text."""
    reading, numbering = errors.original, errors.original.numbers
    rows = np.flatnonzero(reading.unit == unit)
    rows = rows[np.argsort(reading.order[rows])]
    key_spans, response_spans = reading.side_spans("key"), reading.side_spans("response")
    meant = errors.listing.meant
    blurred = {*np.flatnonzero(meant != NOWHERE).tolist(), *meant[meant != NOWHERE].tolist()}
    key_marks, response_marks = [], []
    for row in rows.tolist():
        status = int(numbering.status[row])
        key, res = int(reading.key[row]), int(reading.res[row])
        number = int(numbering.key_number[key]) if key != NOWHERE else 0
        other = int(numbering.res_number[res]) if res != NOWHERE else 0
        tail = {MISSING: "-", EXTRA: "+", MISPLACED: f"={number}"}.get(status, "")
        tail = "~" if row in blurred else tail
        if key != NOWHERE:
            start, end = (int(column[row]) for column in key_spans)
            label = f"{number}{'' if status == MISPLACED else tail}"
            key_marks.append(Mark(start, end, number, label))
        if res != NOWHERE:
            start, end = (int(column[row]) for column in response_spans)
            response_marks.append(Mark(start, end, other, f"{entity_label(other)}{tail}"))
    return key_marks, response_marks


class _PlacedMarks:
    """Marks by their first and by their last token, for sentences that are shown in order."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = marks
        self._opening: dict[int, list[int]] = {}
        self._closing: dict[int, list[int]] = {}
        for number, mark in enumerate(marks):
            self._opening.setdefault(mark.start, []).append(number)
            self._closing.setdefault(mark.end, []).append(number)
        self._open: list[int] = []

    def of_tokens(self, start: int, end: int) -> Iterator[tuple[int, list[Mark], list[Mark]]]:
        """Return the tokens of a sentence, with the marks that open and close at each.

        A mention across sentences opens again in each sentence, and closes at its end.
        """
        marks = self._marks
        again = [number for number in self._open if marks[number].end >= start]
        new = (self._opening.get(at, ()) for at in range(start, end))
        self._open = [number for number in chain(again, *new) if marks[number].end >= end]
        for at in range(start, end):
            opening = [*(again if at == start else ()), *self._opening.get(at, ())]
            closing = [*self._closing.get(at, ()), *(self._open if at == end - 1 else ())]
            yield (
                at,
                sorted((marks[one] for one in sorted(opening)), key=lambda mark: -mark.end),
                sorted((marks[one] for one in sorted(closing)), key=lambda mark: -mark.start),
            )


def _bracketed(
    words: Sequence[str], start: int, end: int, marks: _PlacedMarks, *, colour: bool
) -> Iterator[tuple[str, int]]:
    """Yield each word of a sentence with its brackets, and how many columns it takes."""
    for at, opening, closing in marks.of_tokens(start, end):
        before = [_painted("[", mark.colour, colour=colour) for mark in opening]
        after = [_painted(f"]{mark.label}", mark.colour, colour=colour) for mark in closing]
        columns = len(opening) + len(words[at]) + sum(1 + len(mark.label) for mark in closing)
        yield "".join([*before, words[at], *after]), columns


def _painted(text: str, entity: int, *, colour: bool) -> str:
    code = _COLOURS[abs(entity) % len(_COLOURS)]
    return f"\033[1;{code}m{text}\033[0m" if colour else text


def _wrapped(head: str, pieces: Sequence[tuple[str, int]], width: int) -> list[str]:
    """Break a sentence into lines; colours take no room."""
    lines, line, room = [], head, width - len(head)
    for piece, columns in pieces:
        if columns + 1 > room and line.strip() != head.strip():
            lines.append(line.rstrip())
            line, room = " " * len(head), width - len(head)
        line += f"{piece} "
        room -= columns + 1
    return [*lines, line.rstrip()]


def _legend(width: int) -> list[str]:
    """Explain the signs, each on one line."""
    signs = (sign.replace(" ", _NO_BREAK) for sign in _LEGEND)
    return [line.replace(_NO_BREAK, " ") for line in textwrap.wrap("   ".join(signs), width)]


def _listed(errors: Errors, width: int) -> Iterator[str]:
    yield counted(len(errors), "error")
    for error in errors:
        line = visible(f"{TITLES[error.kind]}: {describe_error(error)}")
        yield from textwrap.wrap(
            line, max(width, 40), initial_indent="  ", subsequent_indent=" " * 4
        )
