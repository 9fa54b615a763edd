"""The lines of CoNLL-U and CoNLL-UA, a block at a time: words, empty nodes, ranges, comments.

The first bytes of a line show what it is. All lines of a block are classified at once, and no
Python object is made for a line that has no annotation. Rows must be complete: a lost line or cell
must not move an annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.io.lines import (
    BLOCK,
    IS_BLANK,
    Block,
    LineTooLongError,
    MarkedBytes,
    Stream,
    blocks,
)
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import (
    control_character,
    control_character_problem,
    inner_return,
    not_utf8,
)

_COLUMNS = 10
_DOT, _DASH, _HASH, _TAB = b".-#\t"
_ZERO, _NINE = b"09"
_MOST_DIGITS = 18
_ENDS_ID: Bools = IS_BLANK.copy()
_ENDS_ID[ord("\n")] = True
_LOST = "check that no line is missing, repeated or moved"
_NEWDOC = re.compile(rb"#\s*newdoc\b(?:\s+id\b)?\s*=?\s*(?P<name>.*)", re.DOTALL)


class NotTextError(Exception):
    """A file that is not text: of its problems, only the last one matters."""


class DocumentStart(NamedTuple):
    """The start of a document: its name and line, and how much of the file is before it."""

    name: str
    line: int
    nodes: int = 0
    words: int = 0
    sentences: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a block, and what each of them is.

    A node is a word or an empty node; a range such as `1-2` is neither. `id` is the number that a
    row starts with, and `id_end` where it ends. `nodes`, `words` and `sentences` count those of the
    file up to each line and with it; a sentence counts from its first node.
    """

    block: Block
    raw: bytes
    is_word: Bools
    is_empty: Bools
    is_range: Bools
    is_comment: Bools
    id: Ints
    id_end: Ints
    nodes: Ints
    words: Ints
    sentences: Ints

    def number(self, row: int) -> int:
        """Return the number of a line in the file, counted from 1."""
        return self.block.first_line + int(row)


@dataclass(slots=True)
class LineReader:
    """Reads the lines of a file block by block, and keeps its documents and totals.

    Sentences end with a blank line or a document. In CoNLL-UA (`is_ua`), comments end them too, a
    header names the columns, words can have any IDs, and IDs are those of a document.
    """

    problems: Problems
    is_ua: bool
    documents: list[DocumentStart] = field(default_factory=list)
    nodes: int = 0
    words: int = 0
    sentences: int = 0
    offset: int = 0
    after_break: bool = True
    sentence: int = 0
    """The number of the sentence with the latest node."""
    word: int = 0
    """The ID of the latest word of that sentence; 0 before its first word."""
    decimal: int = 0
    """The decimal of the latest empty node after that word."""
    line: int = 0
    """The line of the latest node."""

    def read(self, stream: Stream, size: int = BLOCK) -> Iterator[Lines]:
        """Yield the lines of a stream, and report odd rows and repeated names of documents."""
        try:
            for block in blocks(stream, size):
                raw = block.data.tobytes()
                self._check_bytes(raw, block.first_line)
                lines = self._lines(block, raw)
                self._check_rows(lines)
                yield lines
                self.nodes, self.words = int(lines.nodes[-1]), int(lines.words[-1])
                self.sentences = int(lines.sentences[-1])
                self.offset += len(raw)
        except LineTooLongError as error:
            self.problems.add_too_long(error.line)
            raise NotTextError from None
        if self.word == 0 < self.decimal:
            self._refuse_empty(self.line)
        if not self.documents:
            self.documents.append(DocumentStart("", 1))
        lines_of: dict[str, int] = {}
        for name, line, *_ in self.documents:
            if name and (first_line := lines_of.setdefault(name, line)) != line:
                self.problems.add_duplicate(line, name, first_line, "names")

    def _check_bytes(self, raw: bytes, first_line: int) -> None:
        """Refuse control characters and bytes that are not valid UTF-8."""
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            line = first_line + raw.count(b"\n", 0, error.start)
            offset = self.offset + error.start
            problem = not_utf8(self.problems.path, line, offset, raw[error.start])
            self.problems.append(problem)
            raise NotTextError from None
        at = control_character(raw)
        at = inner_return(raw) if at is None else at
        if at is not None:
            line = first_line + raw.count(b"\n", 0, at)
            self.problems.append(control_character_problem(self.problems.path, line, raw[at]))
            raise NotTextError

    def _lines(self, block: Block, raw: bytes) -> Lines:
        first = block.data[block.start]
        digit = (first >= _ZERO) & (first <= _NINE)
        rows = np.flatnonzero(digit)
        id_, id_end = np.zeros(len(first), dtype=np.int64), block.start.copy()
        id_[rows], id_end[rows] = _leading_numbers(block.data, block.start[rows])
        follows = block.data[id_end[rows]]
        is_empty, is_range = np.zeros_like(digit), np.zeros_like(digit)
        is_empty[rows[follows == _DOT]] = True
        is_range[rows[follows == _DASH]] = True
        is_word = digit & ~is_empty & ~is_range
        is_comment = (first == _HASH) & (block.end > block.start)
        begins = [
            (line, begun["name"].decode().strip())
            for line, comment in find_comments(block, is_comment, b"newdoc")
            if (begun := _NEWDOC.match(comment))
        ]
        unknown = (block.end > block.start) & ~(digit | is_comment)
        for line in np.flatnonzero(unknown).tolist():
            shown = block.text(line).decode()[:40]
            expected, hint = "a row that starts with the ID of a token", "comments start with `#`"
            self.problems.add(block.first_line + line, f"`{shown}`", expected, hint)
        is_node = is_word | is_empty
        nodes, words = self.nodes + np.cumsum(is_node), self.words + np.cumsum(is_word)
        ends = block.end == block.start
        if self.is_ua:
            ends |= is_comment
        ends[[line for line, _ in begins]] = True
        sentences = self.sentences + np.cumsum(self._starts(is_node, ends))
        before = slice(begins[0][0] if begins else None)
        if not self.documents and (is_node | is_range)[before].any():
            self.documents.append(DocumentStart("", 1))
        for line, name in begins:
            so_far = (int(column[line]) for column in (nodes, words, sentences))
            self.documents.append(DocumentStart(name, block.first_line + line, *so_far))
        kinds = is_word, is_empty, is_range, is_comment
        return Lines(block, raw, *kinds, id_, id_end, nodes, words, sentences)

    def _starts(self, is_node: Bools, ends: Bools) -> Bools:
        """Mark the first node of each sentence."""
        starts = np.zeros(len(is_node), dtype=bool)
        rows = np.flatnonzero(is_node)
        ended = np.cumsum(ends)
        if len(rows):
            before = np.concatenate([[0], ended[rows[:-1]]])
            starts[rows] = ended[rows] != before
            starts[rows[0]] |= self.after_break
            self.after_break = bool(ended[-1] != ended[rows[-1]])
        else:
            self.after_break = self.after_break or bool(ended[-1])
        return starts

    def _check_rows(self, lines: Lines) -> None:
        """Report rows with other columns, and IDs that are not complete or do not follow."""
        data = lines.block.data
        tabs = MarkedBytes(data == _TAB)
        count = np.diff(tabs.before(lines.block.full_end), prepend=0) + 1
        if not self.is_ua:
            self._check_columns(lines, count)
        # In CoNLL-UA, rows of fewer columns are divided at blanks; in CoNLL-U, they are refused.
        tabbed = count > _COLUMNS if self.is_ua else count == _COLUMNS
        decimal, end = np.zeros_like(count), lines.id_end.copy()
        rows = np.flatnonzero(lines.is_empty | lines.is_range)
        decimal[rows], end[rows] = _leading_numbers(data, end[rows] + 1)
        is_ended = (data[end] == _TAB) | (~tabbed & _ENDS_ID[data[end]])
        is_range = is_ended & (end > lines.id_end + 1)
        for row in np.flatnonzero(lines.is_range & ~is_range).tolist():
            hint = "write two numbers with `-` between them, and a tab after them"
            self._refuse_id(lines, row, "a range such as `1-2`", hint)
        self._check_ids(lines, decimal, is_ended)

    def _check_columns(self, lines: Lines, count: Ints) -> None:
        is_row = lines.is_word | lines.is_empty | lines.is_range
        for row in np.flatnonzero(is_row & (count != _COLUMNS)).tolist():
            found, hint = f"a line of {count[row]} columns", "write `_` in columns without a value"
            expected = f"{_COLUMNS} columns with tabs between them"
            self.problems.add(lines.number(row), found, expected, hint)
        for row in np.flatnonzero(is_row & (count == _COLUMNS) & lines.block.tabbed).tolist():
            found, hint = "a line with a tab at its end", "write `_` into an empty last column"
            self.problems.add(lines.number(row), found, "a value or `_` in the last column", hint)

    def _check_ids(self, lines: Lines, decimal: Ints, is_ended: Bools) -> None:
        """Words count from 1 in each sentence, and empty nodes from 1 after each word."""
        rows = np.flatnonzero(lines.is_word | lines.is_empty)
        if not len(rows):
            return
        word, decimal, empty = lines.id[rows], decimal[rows], lines.is_empty[rows]
        sentence = lines.sentences[rows]
        same = sentence == np.concatenate([[self.sentence], sentence[:-1]])
        if self.is_ua:
            same = np.ones(len(rows), dtype=bool)
            if empty.any() or self.decimal:  # only the IDs of empty nodes must follow
                starts = [document.nodes for document in self.documents]
                same = ~np.isin(lines.nodes[rows] - 1, starts)
        last_word = np.concatenate([[self.word], word[:-1]])
        last_decimal = np.concatenate([[self.decimal], decimal[:-1]])
        line = np.concatenate([[self.line], lines.block.first_line + rows])
        for at in np.flatnonzero(~same & (last_word == 0) & (last_decimal > 0)).tolist():
            self._refuse_empty(int(line[at]))
        last_word, last_decimal = np.where(same, last_word, 0), np.where(same, last_decimal, 0)
        follows = np.where(
            empty,
            (word == last_word) & (decimal == last_decimal + 1),
            self.is_ua | (word == last_word + 1),
        )
        for at in np.flatnonzero(~follows | ~is_ended[rows]).tolist():
            expected = f"`{last_word[at] + 1}` or `{last_word[at]}.{last_decimal[at] + 1}`"
            if is_ended[rows[at]]:
                self._refuse_id(lines, rows[at], expected, _LOST)
                continue
            if self.is_ua:
                expected = "a number, or `1-2`, or `4.1`"
            self._refuse_id(lines, rows[at], expected, "write a tab after the ID")
        self.sentence = int(sentence[-1])
        self.word, self.decimal, self.line = int(word[-1]), int(decimal[-1]), int(line[-1])

    def _refuse_id(self, lines: Lines, row: int, expected: str, hint: str) -> None:
        text = lines.block.text(row)
        shown = text.split(b"\t" if b"\t" in text else None, 1)[0].decode()[:40]
        self.problems.add(lines.number(row), f"the ID `{shown}`", expected, hint)

    def _refuse_empty(self, line: int) -> None:
        what = "document" if self.is_ua else "sentence"
        found, expected = f"a {what} that has only empty nodes", f"a word in each {what}"
        self.problems.add(line, found, expected, _LOST)


def find_comments(block: Block, is_comment: Bools, name: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the comments that begin with a name, with their lines."""
    rows = np.flatnonzero(is_comment)
    at = block.start[rows] + 1
    while (blank := IS_BLANK[block.data[at]]).any():
        at[blank] += 1
    for letter in name:  # most comments are left out by the first one
        fits = block.data[at] == letter
        rows, at = rows[fits], at[fits] + 1
    for line in rows.tolist():
        yield line, block.text(line)


def _leading_numbers(data: Bytes, start: Ints) -> tuple[Ints, Ints]:
    """Return the number that starts at each place, 0 if none does, and where it ends.

    Of a number of too many digits, the rest is behind its end.
    """
    value, at = np.zeros(len(start), dtype=np.int64), start.copy()
    rows = np.arange(len(start))
    for _ in range(_MOST_DIGITS):  # most IDs have ended after one or two digits
        byte = data[at[rows]].astype(np.int64)
        digit = (byte >= _ZERO) & (byte <= _NINE)
        rows, byte = rows[digit], byte[digit]
        value[rows] = value[rows] * 10 + byte - _ZERO
        at[rows] += 1
        if not len(rows):
            break
    return value, at
