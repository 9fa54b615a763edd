"""The column that numbers the words of each sentence, which shows lines that changed places.

Most files have it: 0, 1, 2 and so on, after the name and the part of the document, or in the first
column. Names and parts are the same on all lines of a document, so the column starts at the same
byte, and all lines are checked at once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.formats.io.lines import Block
from scoref.formats.io.problems import Problems

_DIGITS = 6
_BLANKS = 16
_USUAL = 10
"""So many numbered sentences show that one which is not numbered is wrong."""
_TABLE = 512
_BYTES = 8
_MOST = 20
_NAME_AND_PART = re.compile(rb"[^\t ]+[\t ]+[^\t ]+")
_ZERO, _NINE = b"09"
_IS_SEPARATOR: Bools = np.zeros(256, dtype=bool)
_IS_SEPARATOR[list(b"\t ")] = True
_IS_END: Bools = _IS_SEPARATOR.copy()
_IS_END[list(b"\r\n")] = True
_NOTHING = -1


Longs = NDArray[np.uint64]


class MovedLine(NamedTuple):
    """A line whose number is that of another line of its sentence."""

    line: int
    found: int
    expected: int


class WordNumbers:
    """Checks the numbers of words in a file, unless its sentences are numbered otherwise."""

    def __init__(self) -> None:
        self.is_used = True
        self.after_part: bool | None = None
        self.first = 0
        self.numbered = 0
        self.others = 0
        self.moved: list[MovedLine] = []
        self.expected: Longs | None = None
        self.mask: Longs = np.zeros(0, dtype=np.uint64)

    def check(self, block: Block, rows: Ints, document: Ints, sentence: Ints) -> None:
        """Check the tokens of a block in the given lines, documents and sentences."""
        if not self.is_used or not len(rows):
            return
        starts = np.flatnonzero(first_of_run(sentence))
        length = np.diff(np.append(starts, len(rows)))
        place = np.arange(len(rows)) - np.repeat(starts, length)
        if self._are_usual(block, rows, document, place):
            self.numbered += len(starts)
            return
        if self.after_part is None:
            self._find_column(block, rows, document, length)
        numbers = self._numbers(block, rows, document)
        wrong = numbers - place != self.first
        if not wrong.any():
            self.numbered += len(starts)
            return
        which = np.searchsorted(starts, np.flatnonzero(wrong), side="right") - 1
        which = which[first_of_run(which)]
        self.numbered += len(starts) - len(which)
        self.others += len(which)
        self.is_used = self.others <= max(_MOST, self.numbered)
        ends = np.append(starts, len(rows))
        for at in which[: _MOST - len(self.moved)].tolist():
            low, high = int(ends[at]), int(ends[at + 1])
            expected = self.first + np.arange(high - low)
            if np.array_equal(np.sort(numbers[low:high]), expected):
                row = int(np.argmax(wrong[low:high]))
                line = block.first_line + int(rows[low + row])
                self.moved.append(MovedLine(line, int(numbers[low + row]), int(expected[row])))

    def _find_column(self, block: Block, rows: Ints, document: Ints, length: Ints) -> None:
        """Find the column, and the number of first words, that fit most words.

        Sentences of the given lengths fit by the sums of their numbers, in whatever order.
        """
        starts = np.cumsum(length) - length
        for self.after_part in (True, False):
            sums = np.add.reduceat(self._numbers(block, rows, document), starts)
            for self.first in (0, 1):
                fits = sums == length * (length - 1) // 2 + self.first * length
                if length[fits].sum() > len(rows) / 2:
                    return

    def _are_usual(self, block: Block, rows: Ints, document: Ints, place: Ints) -> bool:
        """Whether all lines have their numbers between two tabs, as in most blocks.

        The eight bytes from the first tab on are compared at once, which takes a fifth of the time.
        """
        data = block.data
        if not self.after_part or len(data) < _BYTES or int(place.max()) + self.first >= _TABLE:
            return False
        if self.expected is None:
            texts = [b"\t%d\t" % number for number in range(_TABLE)]
            masks = [b"\xff" * len(text) for text in texts]
            self.expected, self.mask = (
                np.frombuffer(b"".join(text.ljust(_BYTES, b"\0") for text in column), dtype="<u8")
                for column in (texts, masks)
            )
        windows = np.ndarray((len(data) - _BYTES + 1,), "<u8", data, strides=(1,))
        at = block.start[rows]
        at += self._width(block, rows, document)
        np.minimum(at, len(windows) - 1, out=at)
        place = place + self.first if self.first else place
        found = windows[at]
        found &= self.mask[place]
        return bool((found == self.expected[place]).all())

    def _width(self, block: Block, rows: Ints, document: Ints) -> Ints:
        """Return how long the name and the part are at the start of each line, or of all."""
        is_one = document[0] == document[-1]
        firsts = np.zeros(1, np.int64) if is_one else np.flatnonzero(first_of_run(document))
        ends = [_NAME_AND_PART.match(block.text(line)) for line in rows[firsts].tolist()]
        width = np.array([found.end() if found else 0 for found in ends], dtype=np.int64)
        return width if is_one else np.repeat(width, np.diff(np.append(firsts, len(rows))))

    def _numbers(self, block: Block, rows: Ints, document: Ints) -> Ints:
        """Return the number in the column of each line, or -1 if the column has no number."""
        data, at = block.data, block.start[rows]
        numbers = np.zeros(len(rows), dtype=np.int64)
        is_number = np.ones(len(rows), dtype=bool)
        if self.after_part:
            at = np.minimum(at + self._width(block, rows, document), block.full_end[rows])
            is_number = _IS_SEPARATOR[data[at]]
        left = np.arange(len(rows))
        for _ in range(_BLANKS if self.after_part else 0):
            left = left[_IS_SEPARATOR[data[at[left]]]]
            if not len(left):
                break
            at[left] += 1
        left = np.flatnonzero(is_number)
        begins = at.copy()
        for _ in range(_DIGITS):
            byte = data[at[left]].astype(np.int64)
            is_digit = (byte >= _ZERO) & (byte <= _NINE)
            left, byte = left[is_digit], byte[is_digit]
            if not len(left):
                break
            numbers[left] = numbers[left] * 10 + byte - _ZERO
            at[left] += 1
        return np.where(is_number & (at > begins) & _IS_END[data[at]], numbers, _NOTHING)

    def report(self, problems: Problems) -> None:
        """Refuse moved lines, if the other sentences of the file are numbered."""
        if not self.is_used or self.numbered < min(2, _USUAL * self.others):
            return
        if self.others > max(1, self.numbered // _USUAL):
            return
        for line, found, expected in self.moved:
            hint = "lines of a sentence have changed places: put them in the order of their numbers"
            shown = f"`{expected}`, as the words of other sentences are numbered"
            problems.add(line, f"the word number `{found}`", shown, hint)
