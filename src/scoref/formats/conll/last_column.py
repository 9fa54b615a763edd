"""The last column of a block of lines: which lines are tokens, and where their cells are.

Entities are in the last column. Most of its cells say that nothing starts or ends there, which
their last byte shows; only the other cells are parsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.io.lines import IS_BLANK, Block
from scoref.formats.io.problems import Problems

_HASH, _TAB, _SPACE = b"#\t "
_IS_NULL: Bools = np.zeros(256, dtype=bool)
_IS_NULL[list(b"-_*")] = True
_FEW = 64

BEGIN = re.compile(rb"#\s*begin\s+document\b\s*(?P<rest>.*)", re.DOTALL)
END = re.compile(rb"#\s*end\s+document\b")
# Quantifiers are possessive: with ordinary ones, text that is not a cell takes exponential time.
_CELL = re.compile(rb"[-_*]|(?=[^()]*+[()])(?:\(?[^()|\s]++\)?\|?)++")


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Marks of tokens and of tokens with an empty cell, and the other lines with a #."""

    is_token: Bools
    is_null: Bools
    headings: list[tuple[int, bytes]]


@dataclass(slots=True)
class LastColumn:
    """Finds cells. The widths of lines are kept to judge lines that end in a tab."""

    problems: Problems
    widths: set[int] = field(default_factory=set)

    def tokens(self, block: Block) -> Tokens:
        """Classify the lines of a block."""
        data, start, end = block.data, block.start, block.end
        is_token = end > start
        hashed = np.flatnonzero((data[start] == _HASH) & is_token)
        is_token[hashed] = False
        before = data[np.maximum(end - 2, 0)]
        is_null = _IS_NULL[data[end - 1]] & ((end - 1 == start) | IS_BLANK[before])
        headings = []
        for line in hashed.tolist():
            text = block.text(line)
            is_token[line] = _is_hash_token(text, block, line, is_token)
            if not is_token[line]:
                headings.append((line, text))
        if block.tabbed.any():
            self._check_trailing_tabs(block, is_token, is_null)
        return Tokens(is_token, is_null, headings)

    def cell_starts(self, block: Block, lines: Ints) -> Ints:
        """Return where the last cell of each line starts."""
        data, low = block.data, block.start[lines]
        start = block.end[lines] - 1
        at = _inside_cell(data, start, low, np.arange(len(lines)))
        for _ in range(_FEW):
            if not len(at):
                break
            start[at] -= 1
            at = _inside_cell(data, start, low, at)
        for line in at.tolist():  # very long cells are rare: one at a time
            text = data[low[line] : start[line]].tobytes()
            start[line] = low[line] + max(text.rfind(blank) for blank in b"\t\v\f\r ") + 1
        self._check_blanks_inside(block, lines, start)
        return start

    def _check_trailing_tabs(self, block: Block, is_token: Bools, is_null: Bools) -> None:
        """Decide whether a tab at the end of a line follows its last cell or precedes an empty one.

        A line with as many columns as others, the last of them empty, has an empty cell; one
        with more columns than others has a tab too many. `is_null` is changed in place.
        """
        tabs = np.flatnonzero(block.data == _TAB)
        first = np.searchsorted(tabs, block.start)
        used = np.searchsorted(tabs, block.end) - first
        full = np.searchsorted(tabs, block.full_end) - first
        self.widths.update(np.unique(used[is_token & ~block.tabbed]).tolist())
        doubtful = np.flatnonzero(block.tabbed & is_token & ~is_null)
        if not self.widths:  # every line ends in a tab: do all have cells before it?
            cells = [_CELL.fullmatch(block.text(at).split()[-1]) for at in doubtful.tolist()]
            is_null[doubtful] = not all(cells)
            return
        widths = np.array(sorted(self.widths), dtype=np.int64)
        empty = np.isin(full[doubtful], widths)
        surplus = np.isin(used[doubtful], widths)
        is_null[doubtful[empty | ~surplus]] = True
        for line in doubtful[~empty & ~surplus].tolist():
            usual = ", ".join(str(width + 1) for width in widths.tolist())
            found = f"a line of {used[line] + 1} columns with a tab at its end"
            expected = f"as many columns as on other lines ({usual})"
            hint = "write `-` into an empty last cell"
            self.problems.add(block.first_line + line, found, expected, hint)

    def _check_blanks_inside(self, block: Block, lines: Ints, start: Ints) -> None:
        """Refuse `(1) (2)` after the last tab of a line: half of it would be lost."""
        data = block.data
        spaced = np.flatnonzero((data[start - 1] == _SPACE) & (start > block.start[lines]))
        if not len(spaced) or not np.any(data == _TAB):
            return
        for at in spaced.tolist():
            before = data[block.start[lines[at]] : start[at]].tobytes()
            _, tab, cell = before.rpartition(b"\t")
            pieces = cell.split()
            if tab and pieces and re.search(rb"[()]", pieces[-1]):
                line, found = int(lines[at]), "a blank between the brackets of a cell"
                hint = "write `|` between the brackets of a token"
                expected = "a last cell without blanks"
                self.problems.add(block.first_line + line, found, expected, hint)


def _inside_cell(data: Bytes, start: Ints, low: Ints, at: Ints) -> Ints:
    """Keep the cells that go on before `start`."""
    at = at[start[at] > low[at]]
    return at[~IS_BLANK[data[start[at] - 1]]]


def _is_hash_token(text: bytes, block: Block, line: int, is_token: Bools) -> bool:
    """Whether a line with a # is a token whose first column starts with #, and not a comment.

    A token has a cell at its end, and a tab or as many columns as the nearest token.
    """
    if BEGIN.match(text) or END.match(text):
        return False
    pieces = text.split()
    if len(pieces) < 2 or not _CELL.fullmatch(pieces[-1]):
        return False
    if b"\t" in text:
        return True
    tokens = np.flatnonzero(is_token)
    if not len(tokens):
        return False
    nearest = int(tokens[np.argmin(np.abs(tokens - line))])
    return len(block.text(nearest).split()) == len(pieces)
