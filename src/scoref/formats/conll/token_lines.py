"""The lines of a block: which are tokens, how many columns they have, and where their cells are."""

from __future__ import annotations

import re
from bisect import bisect

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.formats.conll.dialect import EMPTY
from scoref.formats.io.lines import IS_BLANK, NEAR, Block, MarkedBytes
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import (
    control_character,
    control_character_problem,
    inner_return,
)

BEGIN = re.compile(rb"#\s*begin\s+document\b\s*(?P<rest>.*)", re.DOTALL)
END = re.compile(rb"#\s*end\s+document\b")

_HASH, _TAB, _SPACE = b"#\t "
_IS_MARK: Bools = np.zeros(256, dtype=bool)
_IS_MARK[list(b"-_*")] = True
# Quantifiers are possessive: with ordinary ones, text that is not a cell takes exponential time.
_CELL = re.compile(rb"[-_*]|(?=[^()]*+[()])(?:\(?[^()|\s]++\)?\|?)++")


class TokenLines:
    """The lines of a block.

    `is_token` marks tokens, `edges` are the lines that begin or end a document, and `is_break`
    marks the lines that end a sentence. `has_cell` marks tokens whose last cell has brackets.
    """

    def __init__(self, block: Block, inside: int | None) -> None:
        """Divide a block. It starts outside of a document, or inside of one with so many columns.

        They are 0 if the document has no token yet, and negative if blanks divide its lines.
        """
        data, start, end = block.data, block.start, block.end
        self.block = block
        self._tab_places = MarkedBytes(data == _TAB)
        self.tabs: Ints = np.diff(self._tab_places.before(block.full_end), prepend=0)
        self.is_token = end > start
        hashed = np.flatnonzero((data[start] == _HASH) & self.is_token)
        self.is_token[hashed] = False
        self.is_break = ~self.is_token
        self.edges: list[tuple[int, bytes]] = []
        if len(hashed):  # unlike in most blocks of a large document
            self._divide_hashed(hashed.tolist(), inside)
        before = data[np.maximum(end - 2, 0)]
        is_mark = _IS_MARK[data[end - 1]] & ((end - 1 == start) | IS_BLANK[before])
        spaced = is_mark & (before == _SPACE) & (self.tabs > 0)
        for line in np.flatnonzero(spaced).tolist():
            is_mark[line] = len(block.text(line).rpartition(b"\t")[2].strip()) == 1
        self.has_cell = self.is_token & ~is_mark & ~block.tabbed

    def _divide_hashed(self, hashed: list[int], inside: int | None) -> None:
        """Find edges, tokens whose first column starts with a #, and comments.

        Such a token has a tab, and no blank after the #; or it has a cell at its end, and as many
        columns as the first other token of its document. Outside of documents are comments only.
        """
        texts = {line: self.block.text(line) for line in hashed}
        self.edges = [
            (line, text) for line, text in texts.items() if BEGIN.match(text) or END.match(text)
        ]
        columns, plain, edges = inside, np.flatnonzero(self.is_token), [at for at, _ in self.edges]
        is_edge = set(edges)
        for line, text in texts.items():
            if line in is_edge:
                columns = 0 if BEGIN.match(text) else None
                continue
            self.is_break[line] = False
            if columns is None:
                continue
            if self.tabs[line]:
                self.is_token[line] = not text.startswith(b"# ")
            elif len(pieces := text.split()) > 1 and _CELL.fullmatch(pieces[-1]):
                columns = columns or self._columns_around(line, plain, edges)
                self.is_token[line] = -len(pieces) == columns

    def _columns_around(self, line: int, plain: Ints, edges: list[int]) -> int:
        """Return the columns of the first token of the document around a line, 1 if it has none."""
        later = bisect(edges, line)
        low = edges[later - 1] if later else 0
        high = edges[later] if later < len(edges) else len(self.is_token)
        first = plain[np.searchsorted(plain, low) :][:1]
        return int(self.columns(first)[0]) if len(first) and first[0] < high else 1

    def columns(self, lines: Ints) -> Ints:
        """Return the number of columns of lines: negative for lines without tabs."""
        columns = self.tabs[lines] + 1
        spaced = np.flatnonzero(columns == 1)
        if len(spaced):
            start, end = self.block.start[lines[spaced]], self.block.end[lines[spaced]]
            is_blank = self.block.data == _SPACE  # it has no tabs
            begins = is_blank.copy()
            begins[1:] &= ~is_blank[:-1]
            runs = MarkedBytes(begins)
            columns[spaced] = runs.before(start) - runs.before(end) + is_blank[start] - 1
        return columns

    def marks(self) -> tuple[Ints, Ints]:
        """Return the tokens without mention, and the mark of each."""
        lines = np.flatnonzero(self.is_token & ~self.has_cell)
        marks: Ints = self.block.data[self.block.end[lines] - 1].astype(np.int64)
        marks[self.block.tabbed[lines]] = EMPTY
        return lines, marks

    def cells(self, lines: Ints) -> tuple[Ints, Ints]:
        """Return where the last cell of each line starts and ends.

        A cell starts after the last tab of its line, or after the last blank if it has no tab.
        """
        data, low, end = self.block.data, self.block.start[lines], self.block.end[lines]
        distance = self._tab_places.distance(end)
        spaced = np.flatnonzero(self.tabs[lines] == 0)
        if len(spaced):
            blanks = MarkedBytes(data <= _SPACE)  # or the end of the line before
            distance[spaced] = blanks.distance(end[spaced])
        start = np.maximum(end - distance + 1, low)
        for at in np.flatnonzero(distance > NEAR).tolist():
            text = self.block.text(lines[at])
            start[at] = end[at] - len(re.split(rb"\t" if b"\t" in text else rb"[ \t]", text)[-1])
        while len(padded := np.flatnonzero(IS_BLANK[data[start]])):
            start[padded] += 1
        return start, end


def refuse_control_characters(lines: TokenLines, problems: Problems) -> None:
    """Refuse control characters, and a carriage return that does not end a line."""
    block, data = lines.block, lines.block.data
    if np.count_nonzero(data < _SPACE) == len(block.start) + int(lines.tabs.sum()):
        return
    at = control_character(data)
    at = inner_return(data) if at is None else at
    if at is not None:
        line = block.first_line + int(np.searchsorted(block.full_end, at))
        problems.append(control_character_problem(problems.path, line, int(data[at])))
