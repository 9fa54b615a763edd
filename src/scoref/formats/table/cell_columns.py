"""The columns of a delimited table, read from cells a block at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.lazy_sequences import ASCII_BLANKS, ByteTexts
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import MOST_DIGITS, is_whole_number
from scoref.formats.table.cells import WORD, TableCells

_LONG = 256
"""Texts of more bytes are compared one by one: one long text must not widen arrays of others."""

_MASKS = np.array([(1 << 8 * many) - 1 for many in range(WORD + 1)], dtype=np.uint64)
_NO_NUMBERS: Ints = np.zeros(0, dtype=np.int64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HASHES = 1 << 64

Words = np.ndarray[Any, np.dtype[np.uint64]]
"""Eight bytes of each text as an integer."""


class NumberColumn:
    """A column of whole numbers; an empty cell is -1, and an invalid one -2."""

    def __init__(self, column: int, name: str, path: str) -> None:
        self.column, self.name = column, name
        self.parts = [_NO_NUMBERS]
        self.problems = Problems(path)

    def add(self, cells: TableCells) -> None:
        """Add the cells of a block."""
        start, end = cells.start[:, self.column], cells.end[:, self.column]
        view = np.frombuffer(cells.raw, dtype=np.uint8)
        length = end - start
        value = np.zeros(len(start), dtype=np.int64)
        fine = (length > 0) & (length <= MOST_DIGITS)
        for back in range(min(int(length.max(initial=0)), MOST_DIGITS)):
            there = length > back
            digit = view[end - 1 - back * there] - np.uint8(48)  # below 0 wraps to above 9
            fine &= ~there | (digit <= 9)
            value += digit * (there * 10**back)
        value[~fine] = -1
        for row in np.flatnonzero(~fine & (length > 0)).tolist():
            text = cells.raw[start[row] : end[row]].decode()
            value[row] = parse_number(text)
            if text.strip(ASCII_BLANKS) and value[row] < 0:
                value[row] = -2
                found = f"`{text[:40]}` in the column `{self.name}`"
                line = int(cells.line[row])
                hint = "write offsets in the text, counted from 0"
                self.problems.add(line, found, "a whole number from 0", hint)
        self.parts.append(value)

    def all(self) -> Ints:
        """Return all values."""
        return np.concatenate(self.parts)


def parse_number(text: str) -> int:
    """Parse a number with blanks around it or `.0` after it; -1 means that it is not a number."""
    head, dot, tail = text.strip(ASCII_BLANKS).partition(".")
    if is_whole_number(head) and not tail.strip("0"):
        return int(head) if tail or not dot else -1
    return -1


class LabelColumn:
    """A column of texts that are decoded only when they are used."""

    def __init__(self, column: int) -> None:
        self.column = column
        self.start = [_NO_NUMBERS]
        self.end = [_NO_NUMBERS]
        self.raw = b""

    def add(self, cells: TableCells) -> None:
        """Add the cells of a block."""
        self.raw = cells.raw
        self.start.append(cells.start[:, self.column])
        self.end.append(cells.end[:, self.column])

    def all(self) -> ByteTexts:
        """Return all values."""
        return ByteTexts(self.raw, np.concatenate(self.start), np.concatenate(self.end))


class CodedTextColumn:
    """A column of texts as numbers: equal numbers for equal texts.

    Equal neighbours are found by comparing their bytes, eight at a time. The first text of each run
    is hashed. Texts with one hash are compared, so that a collision is noticed.
    """

    def __init__(self, column: int) -> None:
        self.heads = LabelColumn(column)
        self.runs = 0
        self.run = [_NO_NUMBERS]
        self.hash: list[Words] = [_NO_NUMBERS.astype(np.uint64)]

    def add(self, cells: TableCells) -> None:
        """Add the cells of a block."""
        column = self.heads.column
        start, end = cells.start[:, column], cells.end[:, column]
        self.heads.raw = cells.raw
        if not len(start):
            return
        length = end - start
        longest = min(int(length.max()), _LONG)
        new = length > _LONG
        new[0] = True
        new[1:] |= length[1:] != length[:-1]
        words = [
            _words_at(cells.raw, start, length, offset)
            for offset in range(0, max(longest, 1), WORD)
        ]
        for word in words:
            new[1:] |= word[1:] != word[:-1]
        heads = np.flatnonzero(new)
        self.run.append(np.cumsum(new) + (self.runs - 1))
        self.runs += len(heads)
        start, end, length = start[heads], end[heads], length[heads]
        self.heads.start.append(start)
        self.heads.end.append(end)
        hashed = _mixed([word[heads] for word in words], length)
        for at in np.flatnonzero(length > _LONG).tolist():
            hashed[at] = hash(cells.raw[start[at] : end[at]]) % _HASHES
        self.hash.append(hashed)

    def all(self) -> tuple[Ints, ByteTexts]:
        """Return the number of each text, and the text of each number."""
        heads, hashed = self.heads.all(), np.concatenate(self.hash)
        _, first, number = np.unique(hashed, return_index=True, return_inverse=True)
        if not _same(heads, first[number]):  # a collision: number the texts one by one
            seen: dict[str, int] = {}
            sure = np.array([seen.setdefault(text, len(seen)) for text in heads], dtype=np.int64)
            _, first, number = np.unique(sure, return_index=True, return_inverse=True)
        return number[np.concatenate(self.run)], heads.pick(first)


def _words_at(raw: bytes, start: Ints, length: Ints, offset: int) -> Words:
    """Return eight bytes of each text, from an offset on, as an integer; fewer at its end."""
    words = np.ndarray((len(raw) - WORD + 1,), dtype="<u8", buffer=raw, strides=(1,))
    left = np.clip(length - offset, 0, WORD)
    found: Words = words[np.minimum(start + offset, len(words) - 1)] & _MASKS[left]
    return found


def _mixed(words: list[Words], length: Ints) -> Words:
    """Return an integer for each text: up to eight bytes the text itself, else a hash of it."""
    hashed = words[0]
    for number, word in enumerate(words[1:], 1):
        at = np.flatnonzero(length > number * WORD)
        mixed = (hashed[at] ^ word[at]) * _MIX
        hashed[at] = mixed ^ (mixed >> np.uint64(29))
    return hashed


def _same(texts: ByteTexts, first: Ints) -> bool:
    """Whether each text is equal to the first text of its number."""
    length = texts.end - texts.start
    if length.max(initial=0) <= WORD:
        return True  # their hashes are the texts
    if not np.array_equal(length, length[first]):
        return False
    for offset in range(0, min(int(length.max(initial=0)), _LONG), WORD):
        at = np.flatnonzero(length > offset)
        words = _words_at(texts.raw, texts.start[at], length[at], offset)
        expected = _words_at(texts.raw, texts.start[first[at]], length[at], offset)
        if not np.array_equal(words, expected):
            return False
    return all(
        texts.raw[texts.start[at] : texts.end[at]]
        == texts.raw[texts.start[first[at]] : texts.end[first[at]]]
        for at in np.flatnonzero(length > _LONG).tolist()
    )
