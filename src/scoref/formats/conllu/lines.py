"""The lines of CoNLL-U and CoNLL-UA, a block at a time: words, empty nodes, ranges, comments.

The first bytes of a line show what it is. All lines of a block are classified at once, and no
Python object is made for a line that has no annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.io.lines import BLOCK, IS_BLANK, Block, LineTooLongError, Stream, blocks
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import (
    control_character,
    control_character_problem,
    inner_return,
    not_utf8,
)

_DOT, _DASH, _HASH = b".-#"
_MOST_DIGITS = 18
_FOLLOWS_DIGIT: Bools = IS_BLANK.copy()
_FOLLOWS_DIGIT[list(b"\n.-0123456789")] = True
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

    A node is a word or an empty node; a range such as `1-2` is neither. `nodes`, `words` and
    `sentences` count those of the file up to each line and with it; a sentence counts from its
    first node.
    """

    block: Block
    raw: bytes
    is_word: Bools
    is_empty: Bools
    is_range: Bools
    is_comment: Bools
    nodes: Ints
    words: Ints
    sentences: Ints

    def number(self, row: int) -> int:
        """Return the number of a line in the file, counted from 1."""
        return self.block.first_line + int(row)


@dataclass(slots=True)
class LineReader:
    """Reads the lines of a file block by block, and keeps its documents and totals.

    Sentences end with a blank line or a document, and with `comments_end_sentences` with a comment.
    """

    problems: Problems
    comments_end_sentences: bool = False
    documents: list[DocumentStart] = field(default_factory=list)
    nodes: int = 0
    words: int = 0
    sentences: int = 0
    offset: int = 0
    after_break: bool = True

    def read(self, stream: Stream, size: int = BLOCK) -> Iterator[Lines]:
        """Yield the lines of a stream, and report odd IDs and repeated names of documents."""
        try:
            for block in blocks(stream, size):
                raw = block.data.tobytes()
                self._check(raw, block.first_line)
                lines = self._lines(block, raw)
                yield lines
                self.nodes, self.words = int(lines.nodes[-1]), int(lines.words[-1])
                self.sentences = int(lines.sentences[-1])
                self.offset += len(raw)
        except LineTooLongError as error:
            self.problems.add_too_long(error.line)
            raise NotTextError from None
        if not self.documents:
            self.documents.append(DocumentStart("", 1))
        lines_of: dict[str, int] = {}
        for name, line, *_ in self.documents:
            if name and (first_line := lines_of.setdefault(name, line)) != line:
                self.problems.add_duplicate(line, name, first_line, "names")

    def _check(self, raw: bytes, first_line: int) -> None:
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
        digit = (first >= ord("0")) & (first <= ord("9"))
        is_empty, is_range, odd = _odd_ids(block.data, block.start, np.flatnonzero(digit))
        for line in odd.tolist():
            shown = block.text(line).split()[0].decode()[:40]
            what, expected = f"the ID `{shown}`", "a number, or `1-2`, or `4.1`"
            self.problems.add(block.first_line + line, what, expected, "write a tab after the ID")
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
        if self.comments_end_sentences:
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
        return Lines(block, raw, *kinds, nodes, words, sentences)

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


def _odd_ids(data: Bytes, start: Ints, rows: Ints) -> tuple[Bools, Bools, Ints]:
    """Mark lines whose ID is an empty node, such as `4.1`, or a range; list lines with odd IDs."""
    empty, range_ = np.zeros(len(start), dtype=bool), np.zeros(len(start), dtype=bool)
    odd = [np.zeros(0, dtype=np.int64)]
    for offset in range(1, _MOST_DIGITS):  # most IDs have ended after one or two digits
        byte = data[start[rows] + offset]
        empty[rows[byte == _DOT]] = True
        range_[rows[byte == _DASH]] = True
        odd.append(rows[~_FOLLOWS_DIGIT[byte]])
        rows = rows[(byte >= ord("0")) & (byte <= ord("9"))]
        if not len(rows):
            break
    return empty, range_, np.concatenate([*odd, rows])
