"""Checks that rows of CoNLL-U are complete: a lost line or cell must not move an annotation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.conllu.lines import DocumentStart, Lines
from scoref.formats.io.lines import IS_BLANK
from scoref.formats.io.problems import Problems

COLUMNS = 10
_TAB = ord("\t")
_ZERO, _NINE = ord("0"), ord("9")
_RANGE = re.compile(rb"[0-9]+-[0-9]+")
_ENDS_ID = IS_BLANK.copy()
_ENDS_ID[ord("\n")] = True
_LOST = "check that no line is missing, repeated or moved"


@dataclass(slots=True)
class RowCheck:
    """Checks the rows of a file, block by block: the number of columns, and the order of IDs.

    In CoNLL-UA, the header names the columns, words can have any IDs (`any_words`), and IDs are
    those of a document, not of a sentence.
    """

    problems: Problems
    any_words: bool = False
    sentence: int = 0
    word: int = 0
    """The ID of the latest word of the sentence; 0 before its first word."""
    decimal: int = 0
    """The decimal of the latest empty node after that word."""
    line: int = 0
    """The line of the latest node."""

    def add(self, lines: Lines, documents: Sequence[DocumentStart] = ()) -> None:
        """Report the rows of a block that have other columns, or IDs that do not follow.

        With `any_words`, the `documents` up to the end of the block are needed.
        """
        count = _tabs(lines) + 1
        # In CoNLL-UA, rows of fewer columns are divided at blanks; in CoNLL-U, they are refused.
        tabbed = count > COLUMNS if self.any_words else count == COLUMNS
        if not self.any_words:
            self._check_columns(lines, count)
        self._check_ranges(lines, tabbed)
        self._check_ids(lines, tabbed, documents)

    def finish(self) -> None:
        """Report a last sentence or document without words."""
        if self.word == 0 < self.decimal:
            self._refuse_empty(self.line)

    def _check_columns(self, lines: Lines, count: Ints) -> None:
        is_row = lines.is_word | lines.is_empty | lines.is_range
        for row in np.flatnonzero(is_row & (count != COLUMNS)).tolist():
            found, hint = f"a line of {count[row]} columns", "write `_` in columns without a value"
            expected = f"{COLUMNS} columns with tabs between them"
            self.problems.add(lines.number(row), found, expected, hint)
        for row in np.flatnonzero(is_row & (count == COLUMNS) & lines.block.tabbed).tolist():
            found, hint = "a line with a tab at its end", "write `_` into an empty last column"
            self.problems.add(lines.number(row), found, "a value or `_` in the last column", hint)

    def _check_ranges(self, lines: Lines, tabbed: Bools) -> None:
        for row in np.flatnonzero(lines.is_range).tolist():
            found = lines.block.text(row).split(b"\t" if tabbed[row] else None, 1)[0]
            if not _RANGE.fullmatch(found):
                shown = f"the ID `{found.decode()[:40]}`"
                hint = "write two numbers with `-` between them, and a tab after them"
                self.problems.add(lines.number(row), shown, "a range such as `1-2`", hint)

    def _check_ids(self, lines: Lines, tabbed: Bools, documents: Sequence[DocumentStart]) -> None:
        """Words count from 1 in each sentence, and empty nodes from 1 after each word."""
        is_node = lines.is_word | lines.is_empty
        rows = np.flatnonzero(is_node)
        if not len(rows):
            return
        start = lines.block.start[rows]
        word, after = leading_numbers(lines.block.data, start)
        empty = lines.is_empty[rows]
        decimal = np.zeros_like(word)
        decimal[empty], after[empty] = leading_numbers(lines.block.data, after[empty] + 1)
        sentence = lines.sentences[rows]
        same = sentence == np.concatenate([[self.sentence], sentence[:-1]])
        if self.any_words:
            same = np.ones(len(rows), dtype=bool)
            if empty.any() or self.decimal:  # only the IDs of empty nodes must follow
                same = ~np.isin(lines.nodes[rows] - 1, [document.nodes for document in documents])
        last_word = np.concatenate([[self.word], word[:-1]])
        last_decimal = np.concatenate([[self.decimal], decimal[:-1]])
        line = np.concatenate([[self.line], lines.block.first_line + rows])
        for at in np.flatnonzero(~same & (last_word == 0) & (last_decimal > 0)).tolist():
            self._refuse_empty(int(line[at]))
        last_word, last_decimal = np.where(same, last_word, 0), np.where(same, last_decimal, 0)
        follows = np.where(
            empty,
            (word == last_word) & (decimal == last_decimal + 1),
            self.any_words | (word == last_word + 1),
        )
        end = lines.block.data[after]
        follows &= (end == _TAB) | (~tabbed[rows] & _ENDS_ID[end])
        for at in np.flatnonzero(~follows).tolist():
            shown = lines.block.text(rows[at]).split(b"\t")[0].decode()[:40]
            expected = f"`{last_word[at] + 1}` or `{last_word[at]}.{last_decimal[at] + 1}`"
            self.problems.add(lines.number(rows[at]), f"the ID `{shown}`", expected, _LOST)
        self.sentence = int(sentence[-1])
        self.word, self.decimal, self.line = int(word[-1]), int(decimal[-1]), int(line[-1])

    def _refuse_empty(self, line: int) -> None:
        what = "document" if self.any_words else "sentence"
        found, expected = f"a {what} that has only empty nodes", f"a word in each {what}"
        self.problems.add(line, found, expected, _LOST)


def _tabs(lines: Lines) -> Ints:
    """Count the tabs of each line."""
    block = lines.block
    tabs = np.flatnonzero(block.data == _TAB)
    count: Ints = np.searchsorted(tabs, block.full_end) - np.searchsorted(tabs, block.start)
    return count


def leading_numbers(data: Bytes, start: Ints) -> tuple[Ints, Ints]:
    """Return the number that starts at each place, 0 if none does, and where it ends."""
    value, at = np.zeros(len(start), dtype=np.int64), start.copy()
    rows = np.arange(len(start))
    while len(rows):
        byte = data[at[rows]].astype(np.int64)
        digit = (byte >= _ZERO) & (byte <= _NINE)
        rows, byte = rows[digit], byte[digit]
        value[rows] = value[rows] * 10 + byte - _ZERO
        at[rows] += 1
    return value, at
