"""The last column of a block of lines: which lines are tokens, and where their cells are.

Entities are in the last column. Most of its cells say that nothing starts or ends there, which
their last byte shows; only the other cells are parsed.
"""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.conll.column_counts import (
    UNKNOWN,
    VARIABLE,
    Boundaries,
    ColumnCheck,
    Separators,
)
from scoref.formats.conll.usage import Usage
from scoref.formats.io.control_characters import (
    control_character,
    control_character_problem,
    inner_return,
)
from scoref.formats.io.lines import IS_BLANK, Block
from scoref.formats.io.problems import Problems

_HASH, _TAB, _SPACE, _RETURN, _NEWLINE = b"#\t \r\n"
_IS_NULL: Bools = np.zeros(256, dtype=bool)
_NULLS = b"-_*"
_IS_NULL[list(_NULLS)] = True
_FEW = 64

BEGIN = re.compile(rb"#\s*begin\s+document\b\s*(?P<rest>.*)", re.DOTALL)
END = re.compile(rb"#\s*end\s+document\b")
# Quantifiers are possessive: with ordinary ones, text that is not a cell takes exponential time.
_ONE_CELL = "write one last cell on every line, without a tab after it"
_NUMBERED = re.compile(rb"(?=[^()]*+[()])(?:\(?[A-Za-z]{0,2}[-_]?[0-9]++\)?\|?)++")
_CELL = re.compile(rb"[-_*]|(?=[^()]*+[()])(?:\(?[^()|\s]++\)?\|?)++")


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Marks of tokens and of tokens with an empty cell, and the other lines with a #."""

    is_token: Bools
    is_null: Bools
    headings: list[tuple[int, bytes]]


class _TrailingTabs(NamedTuple):
    """The tabs of a line before its last cell, all its tabs, and whether its last cell is empty."""

    inner: int
    outer: int
    is_empty: bool

    @property
    def columns(self) -> int:
        """The tabs that separate columns."""
        return self.outer if self.is_empty else self.inner


@dataclass(slots=True)
class LastColumn:
    """Finds cells, and refuses lines that have lost their last cell or have one too many.

    `tabs` are the numbers of tabs of lines so far, to judge lines that end in a tab. `trailing` are
    the decisions on such lines that only other sentences could support, with their first line.
    `nulls` are the marks for no mention. `document_has_tokens` says so of the document at the end
    of the latest block. `sentence_tabs` are the tabs of the latest line that does not end in a tab,
    if the next block continues its sentence. `before_tabs` are the first lines that have brackets,
    and something else than a cell, before a tab at their end.
    """

    problems: Problems
    columns: ColumnCheck = field(init=False)
    tabs: set[int] = field(default_factory=set)
    trailing: dict[_TrailingTabs, int] = field(default_factory=dict)
    nulls: Usage = field(default_factory=Usage)
    separators: Separators | None = None
    document_has_tokens: bool = False
    sentence_tabs: int = UNKNOWN
    before_tabs: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = ColumnCheck(self.problems)

    def tokens(self, block: Block) -> Tokens:
        """Classify the lines of a block."""
        data, start, end = block.data, block.start, block.end
        is_token = end > start
        hashed = np.flatnonzero((data[start] == _HASH) & is_token)
        is_token[hashed] = False
        last, before = data[end - 1], data[np.maximum(end - 2, 0)]
        is_null = _IS_NULL[last] & ((end - 1 == start) | IS_BLANK[before])
        self.separators = separators = Separators(block)
        self._check_characters(block, separators)
        headings = self._headings(block, hashed, is_token, separators)
        spaced = is_null & is_token & (before == _SPACE) & (separators.inner > 0)
        if spaced.any():
            self._check_blanks_inside(block, np.flatnonzero(spaced))
        rows = np.flatnonzero(is_token)
        boundaries = _boundaries(headings, is_token)
        tabs = separators.inner[rows]
        is_marked = is_null & is_token
        if block.tabbed.any():
            tabs = self._resolve_trailing_tabs(block, rows, separators, boundaries)
            empty = rows[tabs != separators.inner[rows]]
            is_marked[empty], is_null[empty] = False, True
            rows, tabs = rows[tabs != UNKNOWN], tabs[tabs != UNKNOWN]
        else:
            self._add_tabs(tabs)
            self._keep_sentence_tabs(tabs, rows, boundaries)
        columns = separators.columns(tabs, rows)
        np.negative(columns, out=columns, where=tabs == 0)
        self.columns.add(block, rows, columns, boundaries)
        self._add_nulls(last, is_marked, block.first_line)
        return Tokens(is_token, is_null, headings)

    def _check_characters(self, block: Block, separators: Separators) -> None:
        """Refuse control characters, and a carriage return that does not end a line."""
        data = block.data
        known = len(block.start) + int(separators.all.sum())
        if np.count_nonzero(data < _SPACE) == known:
            return
        at = control_character(data)
        at = inner_return(data) if at is None else at
        if at is None:
            return
        line = block.first_line + int(np.searchsorted(block.full_end, at))
        problem = control_character_problem(self.problems.path, line, int(data[at]))
        self.problems.append(problem)

    def report(self) -> None:
        """Report what only the whole file shows."""
        self._report_trailing_tabs()
        self._report_nulls()

    def _report_trailing_tabs(self) -> None:
        """Report lines with a tab at their end that other lines do not support.

        If every line of the file ends in a tab, all lines are like the first. In a file whose
        sentences differ, other lines can have as many columns as either reading of a line.
        """
        first = min(self.trailing, key=self.trailing.__getitem__, default=None)
        if first is None:
            return
        if not self.tabs and len(self.before_tabs) == 2:
            line = self.before_tabs["other"]
            found = "a tab at the end of every line, after brackets and after other text"
            self.problems.add(line, found, "brackets or `-` before it", _ONE_CELL)
            return
        usual = self.tabs or {first.columns}
        for one, line in self.trailing.items():
            is_empty = one.outer in usual if self.tabs else first.is_empty
            is_doubtful = self.tabs.issuperset((one.inner, one.outer))
            if one.columns not in usual or one.is_empty != is_empty or is_doubtful:
                self._report_trailing_tab(line, one.inner, sorted(usual))

    def _report_nulls(self) -> None:
        """Report marks for no mention that are not those of the rest of the file."""
        for line, found, usual, usual_line in self.nulls.deviations():
            expected = f"`{usual}` for no mention as in line {usual_line}"
            hint = f"write `{usual}`, or add the last cell if it is missing"
            self.problems.add(line, f"the cell `{found}`", expected, hint)

    def _add_nulls(self, last: Bytes, is_marked: Bools, first_line: int) -> None:
        """Count the marks for no mention, which are the last bytes of lines."""
        left = np.count_nonzero(is_marked)
        for mark in _NULLS:
            if left:  # most files have one mark
                lines = np.flatnonzero(is_marked & (last == mark))
                self.nulls.add(chr(mark), first_line + lines)
                left -= len(lines)

    def _headings(
        self, block: Block, hashed: Ints, is_token: Bools, separators: Separators
    ) -> list[tuple[int, bytes]]:
        """Return the lines with a # that are not tokens, and mark the others as tokens.

        A token has a cell at its end, and a tab or as many columns as the token before it in its
        document, or as the next token if it is the first. A token with an empty last cell has a
        tab at its end, and as many tabs as that token.
        """
        if not len(hashed):  # as in most blocks of a large document
            self.document_has_tokens |= bool(is_token.any())
            return []
        texts = {line: block.text(line) for line in hashed.tolist()}
        begins = [line for line, text in texts.items() if BEGIN.match(text)]
        edges = {line for line, text in texts.items() if END.match(text)}.union(begins)
        pieces = {line: _pieces(text) for line, text in texts.items() if line not in edges}
        is_token[[line for line in pieces if pieces[line] and b"\t" in texts[line]]] = True
        plain = np.flatnonzero(is_token)
        doubtful = [line for line in pieces if not is_token[line]]
        doubtful = [line for line in doubtful if pieces[line] or block.tabbed[line]]
        if doubtful:
            columns = separators.columns(separators.inner[plain], plain)
        for line in doubtful:
            if pieces[line]:
                is_token[line] = pieces[line] == self._columns_nearby(line, plain, columns, begins)
            elif b" " not in texts[line].partition(b"\t")[0]:  # `# a comment` is not a word
                tabs = separators.all[plain] + 1
                nearby = self._columns_nearby(line, plain, tabs, begins)
                is_token[line] = separators.all[line] + 1 == nearby
        if begins:
            self.document_has_tokens = bool(len(plain)) and int(plain[-1]) > begins[-1]
        else:
            self.document_has_tokens |= bool(len(plain))
        return [(line, text) for line, text in texts.items() if not is_token[line]]

    def _columns_nearby(self, line: int, plain: Ints, columns: Ints, begins: list[int]) -> int:
        """Return the columns of the token before a line in its document, or of the next token."""
        later = bisect(begins, line)
        start = begins[later - 1] if later else -1
        end = begins[later] if later < len(begins) else None
        at = int(np.searchsorted(plain, line))
        if at and plain[at - 1] > start:
            return int(columns[at - 1])
        if start < 0 and self.document_has_tokens:  # in an earlier block
            return abs(self.columns.columns)  # negative if blanks separate them
        if at < len(plain) and (end is None or plain[at] < end):
            return int(columns[at])
        return UNKNOWN

    def cell_starts(self, block: Block, lines: Ints, *, at_tabs: bool = True) -> Ints:
        """Return where the last cell of each line starts.

        With `at_tabs`, a cell starts after the last tab of its line, which is found faster. It is
        wrong for a cell with a blank in it.
        """
        tabs = self.separators.last_tabs(lines) if at_tabs and self.separators else None
        if tabs is None:
            return self._search_starts(block, lines)
        start = tabs + 1
        far = np.flatnonzero(tabs == UNKNOWN)
        if len(far):
            start[far] = self._search_starts(block, lines[far])
        return start

    def _search_starts(self, block: Block, lines: Ints) -> Ints:
        """Find the blank before the last cell of each line, and refuse a blank in the cell."""
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
        spaced = lines[(data[start - 1] == _SPACE) & (start > low)]
        if len(spaced) and np.any(data == _TAB):
            self._check_blanks_inside(block, spaced)
        return start

    def _resolve_trailing_tabs(
        self, block: Block, rows: Ints, separators: Separators, boundaries: Boundaries
    ) -> Ints:
        """Return how many tabs of each token separate columns; -1 if it was reported.

        A tab at the end of a line follows its last cell or precedes an empty one. A line with as
        many columns as others of its sentence, the last of them empty, has an empty cell; one
        with more columns has a tab too many. If all lines of a sentence end in a tab, other
        sentences decide. They may be in later blocks, so `report` looks at the decision again.
        """
        inner, outer, tabbed = separators.inner[rows], separators.all[rows], block.tabbed[rows]
        self._add_tabs(inner[~tabbed])
        known = np.where(tabbed, UNKNOWN, inner)
        if self.tabs:
            sentence = np.cumsum(boundaries.is_break, dtype=np.int64)[rows]
            values = np.append(self.sentence_tabs, known)  # the line before this block
            expected = _nearest_known(values, np.append(0, sentence))[1:]
            lone = tabbed & (expected == UNKNOWN)
            is_usual = np.isin(outer, np.array(sorted(self.tabs), dtype=np.int64))
            is_empty = tabbed & np.where(lone, is_usual, outer == expected)
            self._check_lost_cells(block, rows[lone & is_empty & (outer >= VARIABLE)])
        else:  # every line ends in a tab: do all have cells before it, as in the first block?
            self._look_before_tabs(block, rows)
            earlier = [one.is_empty for one in self.trailing]
            expected, lone = inner, tabbed
            # Blanks separate the cells of a line without other tabs.
            is_divided = (inner > 0) | (separators.columns(inner, rows) == 1)
            is_empty = is_divided & (any(earlier) if earlier else "other" in self.before_tabs)
        self._keep_sentence_tabs(known, rows, boundaries)
        tabs = np.where(is_empty, outer, inner)
        for at in np.flatnonzero(is_empty & (inner == 0)).tolist():
            if _pieces(block.text(rows[at])):  # `word (1)` and a tab: the two changed places
                tabs[at], lone[at] = UNKNOWN, False
                line = block.first_line + int(rows[at])
                self._report_trailing_tab(line, 2, sorted(self.tabs or {1}))
        self._remember_trailing(tabs, inner, outer, np.flatnonzero(lone), block.first_line + rows)
        for at in np.flatnonzero(tabbed & ~lone & ~is_empty & (inner != expected)).tolist():
            tabs[at] = UNKNOWN
            line = block.first_line + int(rows[at])
            self._report_trailing_tab(line, int(inner[at]), [int(expected[at])])
        return tabs

    def _check_lost_cells(self, block: Block, lines: Ints) -> None:
        """Refuse `(1)` and a tab where only other sentences say that an empty cell follows.

        This is about files whose sentences differ in their columns. Their columns before the last
        one have brackets, too, but around other ids: `(GPE)`, `(ARG1)`.
        """
        for line in lines.tolist():
            if _NUMBERED.fullmatch(cell := block.text(line).split()[-1]):
                found = f"a tab after the cell `{cell.decode()[:40]}` on every line of a sentence"
                expected = "a last cell without a tab after it"
                self.problems.add(block.first_line + line, found, expected, _ONE_CELL)

    def _look_before_tabs(self, block: Block, rows: Ints) -> None:
        """Remember the first line with brackets, and the first without a cell, before its end."""
        for row in rows.tolist():
            text = block.text(row).split()[-1]
            if not _CELL.fullmatch(text):
                self.before_tabs.setdefault("other", block.first_line + row)
            elif b"(" in text or b")" in text:
                self.before_tabs.setdefault("brackets", block.first_line + row)

    def _keep_sentence_tabs(self, known: Ints, rows: Ints, boundaries: Boundaries) -> None:
        """Keep the latest known tabs of a sentence that the next block may continue."""
        breaks = np.flatnonzero(boundaries.is_break)
        start = int(np.searchsorted(rows, breaks[-1])) if len(breaks) else 0
        if len(breaks):
            self.sentence_tabs = UNKNOWN
        if len(found := np.flatnonzero(known[start:] != UNKNOWN)):
            self.sentence_tabs = int(known[start + found[-1]])

    def _add_tabs(self, tabs: Ints) -> None:
        self.tabs.update(np.flatnonzero(np.bincount(tabs)).tolist())

    def _remember_trailing(
        self, tabs: Ints, inner: Ints, outer: Ints, lone: Ints, lines: Ints
    ) -> None:
        """Remember each kind of decision on lines that end in a tab, with its first line."""
        codes = (outer[lone] << 32) + (inner[lone] << 1) + (tabs[lone] == outer[lone])
        for at in lone[np.unique(codes, return_index=True)[1]].tolist():
            is_empty = bool(tabs[at] == outer[at])
            decision = _TrailingTabs(int(inner[at]), int(outer[at]), is_empty)
            self.trailing.setdefault(decision, int(lines[at]))

    def _report_trailing_tab(self, line: int, inner: int, usual: list[int]) -> None:
        found = f"a line of {inner + 1} columns with a tab at its end"
        shown = ", ".join(str(width + 1) for width in usual)
        expected = f"as many columns as on other lines ({shown})"
        self.problems.add(line, found, expected, "write `-` into an empty last cell")

    def _check_blanks_inside(self, block: Block, lines: Ints) -> None:
        """Refuse `(1) (2)` or `(1) -` after the last tab of a line: half of it would be lost."""
        for line in lines.tolist():
            _, tab, cell = block.text(line).rpartition(b"\t")
            if tab and b" " in cell.strip():
                found, expected = "a blank in the last cell", "a last cell without blanks"
                hint = "write `|` between the brackets of a token"
                self.problems.add(block.first_line + line, found, expected, hint)


def _inside_cell(data: Bytes, start: Ints, low: Ints, at: Ints) -> Ints:
    """Keep the cells that go on before `start`."""
    at = at[start[at] > low[at]]
    return at[~IS_BLANK[data[start[at] - 1]]]


def _pieces(text: bytes) -> int:
    """Return how many columns a line with a # has if its last one is a cell, or 0."""
    pieces = text.split()
    return len(pieces) if len(pieces) > 1 and _CELL.fullmatch(pieces[-1]) else 0


def _boundaries(headings: list[tuple[int, bytes]], is_token: Bools) -> Boundaries:
    """Find where sentences and documents end; a comment ends neither."""
    is_break = ~is_token
    edges = []
    for line, text in headings:
        is_edge = bool(BEGIN.match(text) or END.match(text))
        is_break[line] = is_edge
        if is_edge:
            edges.append(line)
    return Boundaries(is_break, np.array(edges, dtype=np.int64))


def _nearest_known(values: Ints, group: Ints) -> Ints:
    """Return the last known value of the same group up to each place, or else the next one."""
    places = np.arange(len(values))
    known = values != UNKNOWN
    last = np.maximum.accumulate(np.where(known, places, 0))
    following = np.minimum.accumulate(np.where(known, places, len(places) - 1)[::-1])[::-1]
    nearest = np.where(known[last] & (group[last] == group), last, following)
    return np.where(group[nearest] == group, values[nearest], UNKNOWN)
