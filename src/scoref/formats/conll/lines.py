"""The lines of a CoNLL file: tokens with their columns and cells, and the documents around them.

A document goes from `#begin document` to `#end document`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.document import Document
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
_USUAL = re.compile(r"\((?P<name>[^();\s]+)\); part (?P<part>[0-9]{1,18})")
_PART = re.compile(r"\bpart\s+(?P<part>\d{1,18})\s*;?$", re.ASCII)
_EXPECTED = "`#begin document (name); part 000`"


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
        self._is_mark = is_mark
        self.tabbed = block.tabbed.copy()
        self.has_cell = self.is_token & ~is_mark & ~self.tabbed

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

    def forget_tabs(self, lines: Ints, expected: Ints) -> None:
        """Forget the tab that ends a line, if the line has the expected columns without it.

        The test files of the reference scorer have such lines.
        """
        of_one = np.flatnonzero(self.tabbed[lines] & (self.tabs[lines] == expected))
        for line in lines[of_one].tolist():
            end = self.block.data[self.block.end[line] : self.block.full_end[line]]
            if np.count_nonzero(end == _TAB) == 1:
                self.tabs[line] -= 1
                self.tabbed[line] = False
                self.has_cell[line] = not self._is_mark[line]

    def marks(self) -> tuple[Ints, Ints]:
        """Return the tokens without mention, and the mark of each."""
        lines = np.flatnonzero(self.is_token & ~self.has_cell)
        marks: Ints = self.block.data[self.block.end[lines] - 1].astype(np.int64)
        marks[self.tabbed[lines]] = EMPTY
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
        while len(padded := np.flatnonzero(IS_BLANK[data[start]] & (start < end))):
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


class Heading:
    """A document: `part` as written, and its tokens from `first` up to `last`, excluded.

    `has_end` says whether `#end document` ends it, rather than the next document or the file.
    """

    def __init__(self, name: str, part: str, line: int, first: int) -> None:
        self.name, self.part, self.line = name, part, line
        self.first, self.last = first, -1
        self.has_end = False

    @property
    def shown(self) -> str:
        """The name and the part."""
        return f"{self.name}/{self.part}" if self.part else self.name

    @property
    def id(self) -> str | tuple[str, int]:
        """The name and the number of the part; part 0 and a document without part are the same."""
        number = int(self.part or 0)
        return (self.name, number) if number else self.name


class ConllDocuments:
    """Finds the documents of a file, block by block."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.headings: list[Heading] = []
        self.is_open = False
        self.outside = 0

    @property
    def complete(self) -> int:
        """How many documents have ended."""
        return len(self.headings) - self.is_open

    def add(self, block: Block, lines: TokenLines, count: Ints) -> None:
        """Read the headings of a block; `count` is the number of tokens up to each line."""
        for line, text in lines.edges:
            so_far = int(count[line])
            if begin := BEGIN.match(text):
                self._look_outside(block, count, so_far)
                self._report_outside()
                self.end(so_far)
                name, part = _name_and_part(begin["rest"].decode(errors="backslashreplace"))
                self.headings.append(Heading(name, part, block.first_line + line, so_far))
                self.is_open = True
            elif self.is_open:
                self.end(so_far)
                self.headings[-1].has_end = True
        self._look_outside(block, count, int(count[-1]))

    def end(self, tokens: int) -> None:
        """End the document that is open, if there is one, after so many tokens of the file."""
        if self.is_open:
            self.headings[-1].last = tokens
            self.is_open = False

    def _look_outside(self, block: Block, count: Ints, so_far: int) -> None:
        """Keep the line of the first token after the end of a document, or before any."""
        ended = self.headings[-1].last if self.headings else 0
        if not self.is_open and so_far > ended and not self.outside:
            first = int(np.searchsorted(count, ended, side="right"))  # `count` never falls
            self.outside = block.first_line + first

    def _report_outside(self) -> None:
        if self.outside:
            hint = "put every token between `#begin document` and `#end document`"
            found, expected = "a token outside a document", f"{_EXPECTED} first"
            self.problems.add(self.outside, found, expected, hint)
        self.outside = 0

    def check(self, head: bytes) -> None:
        """Report a file without documents, which starts with `head`, and repeated names."""
        if self.headings:
            self._report_outside()
        elif not head:
            expected = f"a document that starts with {_EXPECTED}"
            self.problems.add(0, "an empty file", expected, "check the program that wrote it")
        else:
            from scoref.formats.io.content import (  # noqa: PLC0415  # only errors need it
                describe_content,
            )

            content = describe_content(head)
            name = f"what looks like {content.name}" if content else "the file"
            hint = content.hint if content else "leave out --format, or name another one"
            found = f"no `#begin document` line in {name}"
            self.problems.add(0, found, f"documents that start with {_EXPECTED}", hint)
        lines: dict[str | tuple[str, int], int] = {}
        for heading in self.headings:
            first_line = lines.setdefault(heading.id, heading.line)
            if heading.name and first_line != heading.line:
                self.problems.add_duplicate(
                    heading.line, heading.shown, first_line, "names or parts"
                )
        self._check_ends()

    def _check_ends(self) -> None:
        """Refuse a document without an end where others have one: the rest of it may be lost."""
        ended = next((heading for heading in self.headings if heading.has_end), None)
        for heading in self.headings:
            if ended and not heading.has_end:
                found = f"document {heading.shown} without `#end document`".replace("  ", " ")
                expected = f"`#end document` as after the document of line {ended.line}"
                hint = "is the document complete? then write `#end document` after it"
                self.problems.add(heading.line, found, expected, hint)

    def __iter__(self) -> Iterator[Document]:
        unnamed = 0
        for heading in self.headings:
            name, identity = heading.name, heading.id
            if not name:
                unnamed += 1
                name, identity = f"#{unnamed}", ("", unnamed)
            length = heading.last - heading.first
            yield Document(name, identity, length, self.problems.path, heading.line, heading.part)


def _name_and_part(rest: str) -> tuple[str, str]:
    """Split `(bc/cctv_0001); part 003`, with or without parentheses and part."""
    if usual := _USUAL.fullmatch(rest):  # halves the cost of a heading
        return usual["name"], usual["part"]
    part, rest = "", rest.strip()
    if found := _PART.search(rest):
        part = found["part"]
        rest = rest[: found.start()].rstrip()
        rest = rest[:-1] if rest.endswith((";", ",")) else rest
    name = rest.rstrip(";").strip()
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1].strip()
    return name, part
