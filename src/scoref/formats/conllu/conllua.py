"""The reader of CoNLL-UA: CoNLL-U rows with columns for identity, bridging and discourse deixis.

    # global.columns = ID FORM LEMMA ... MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
    # newdoc id = talk
    1 Anna ... _ (EntityID=1|MarkableID=m1|Min=1|SemType=dn) _ _ _ _

A closing bracket has no id and closes the latest open mention. Some files write the id of the
mention before it, which is read too. Parts of a discontinuous mention share a MarkableID. A row
whose ID has a dot is an empty node, as in CoNLL-U.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from functools import partial

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.conllu.bridging import BRIDGING_FIELDS, ConlluaBridging
from scoref.formats.conllu.identity_cells import (
    TABS,
    ConlluaRows,
    find_brackets,
    has_annotation,
    parse_closings,
    parse_fields,
)
from scoref.formats.conllu.lines import Lines, find_comments
from scoref.formats.conllu.markables import ATTRIBUTES, IDENTITY_FIELDS, ConlluaAnnotation
from scoref.formats.conllu.nodes import BEFORE, COLUMNS, EmptyNode, Nodes
from scoref.formats.conllu.reader import ConlluBrackets, ConlluReader, ConlluWords
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import BLOCK, Stream
from scoref.formats.io.text import split_at_blanks

_COLUMNS = re.compile(rb"^(\xef\xbb\xbf)?#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE)
_HEADER = re.compile(r"#\s*global\.columns\s*=\s*(?P<names>.*)")
_COLUMNS_HINT = "list the columns in their order"
NAMES = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
)
"""The usual columns."""
_USUAL = {name: at for at, name in enumerate(NAMES)}
_CELL = "`_`, or brackets such as `(EntityID=4|MarkableID=m7` and `)`"
_FIELDS = "fields such as `EntityID=4|MarkableID=m7|Min=3,5`"


def read(
    column: str, stream: Stream, path: str, wanted: Wanted, size: int = BLOCK
) -> tuple[Corpus, list[Problem]]:
    """Read the mentions of a column, and list the problems of the file."""
    return ConlluaReader(column, path, wanted).read(stream, size)


class ConlluaReader(ConlluReader):
    """Reads the brackets of a column, and for identity those of the bridging column."""

    def __init__(self, column: str, path: str, wanted: Wanted) -> None:
        words = ConlluWords(wanted.columns & COLUMNS.keys(), _split, _clean)
        super().__init__(path, words, wanted, is_ua=True)
        self.column = column
        self.fields: dict[str, tuple[str, ...]] = {column: IDENTITY_FIELDS}
        if column == "IDENTITY":  # bridging connects its mentions
            self.fields["BRIDGING"] = BRIDGING_FIELDS
        self.found: dict[str, list[ConlluBrackets]] = {name: [] for name in self.fields}
        self.header: dict[str, int] | None = None
        self.empties: list[tuple[int, int]] = []

    def read_block(self, lines: Lines) -> None:
        """Keep the annotation of a block."""
        empty = np.flatnonzero(lines.is_empty)
        pairs = (lines.nodes[empty] - 1).tolist(), lines.words[empty].tolist()
        self.empties.extend(zip(*pairs, strict=True))
        self._read_rows(lines)

    def _read_rows(self, lines: Lines) -> None:
        """Read the rows with annotation, in the columns that the header above them names."""
        is_row = lines.is_word | lines.is_empty | lines.is_range
        rows = np.flatnonzero(is_row)
        headers = [
            (line, found["names"])
            for line, comment in find_comments(lines.block, lines.is_comment, b"global.columns")
            if (found := _HEADER.match(comment.decode()))
        ]
        low = 0
        for line, names in [*headers, (len(is_row), None)]:
            high = int(np.searchsorted(rows, line))
            if high > low:
                self._read_cells(lines, rows[low:high])
            low = high
            if names is None:
                continue
            columns = split_at_blanks(names)
            self.header = {name: at for at, name in enumerate(columns)}
            if len(self.header) < len(columns):
                name = next(name for name in columns if columns.count(name) > 1)
                self.problems.add_repeated(lines.number(line), f"the column {name[:40]}")
            if self.column not in self.header or columns[0] != "ID":
                shown = f"the columns {names[:80]}"
                expected = f"ID first, and {self.column} among them"
                self.problems.add(lines.number(line), shown, expected, _COLUMNS_HINT)

    def _read_cells(self, lines: Lines, rows: Ints) -> None:
        if self.header is None:
            found, expected = "a token before `# global.columns`", "`# global.columns` first"
            self.problems.add(lines.number(rows[0]), found, expected, _COLUMNS_HINT)
            self.header = _USUAL
        cells = ConlluaRows.of(lines, rows)
        width = len(self.header)
        # Real files leave out the last cell of some rows.
        for row in np.flatnonzero((cells.count > width) | (cells.count < width - 1)).tolist():
            found, expected = f"a row of {cells.count[row]} cells", f"{width} as in the header"
            hint = "write `_` in columns without annotation"
            self.problems.add(lines.number(rows[row]), found, expected, hint)
        for name in self.fields:
            if (at := self.header.get(name)) is None:
                continue
            start, end = cells.column(at)
            marked = has_annotation(lines.block.data, start, end)
            on_range = marked & lines.is_range[rows]
            if on_range.any():
                self._refuse_ranges(lines, name, rows[on_range])
                marked &= ~on_range
            if marked.any():
                self._read_brackets(lines, name, rows[marked], (start[marked], end[marked]))

    def _refuse_ranges(self, lines: Lines, name: str, rows: Ints) -> None:
        """Refuse annotation of ranges, which are not tokens: it would be ignored."""
        for row in rows.tolist():
            found, expected = f"annotation on a range, in the column {name}", "annotation of tokens"
            hint = "write the annotation on the tokens of the range, or correct the ID"
            self.problems.add(lines.number(row), found, expected, hint)

    def _read_brackets(self, lines: Lines, name: str, rows: Ints, cells: tuple[Ints, Ints]) -> None:
        """Read the brackets of cells with annotation."""
        chunks, wrong = find_brackets(lines.block.data, *cells)
        for cell in wrong.tolist():
            text = lines.raw[cells[0][cell] : cells[1][cell]].decode()
            hint = "check the order of the columns in `# global.columns`"
            self.problems.add(lines.number(rows[cell]), f"the cell `{text[:60]}`", _CELL, hint)
        fields, not_fields = parse_fields(chunks, self.fields[name], self.ids)
        closes = parse_closings(chunks, self.ids)
        brackets = ConlluBrackets.locate(chunks, closes, fields, lines, rows)
        for row in not_fields.tolist():
            text = chunks.data[chunks.start[row] : chunks.end[row]].tobytes().decode()
            line, hint = int(brackets.line[row]), "put `|` between fields"
            self.problems.add(line, f"`({text[:60]}`", _FIELDS, hint)
        self.found[name].append(brackets)

    def corpus(self) -> Corpus:
        """Make a corpus of the annotation, and report its problems."""
        annotation = ConlluaAnnotation(
            [document.name for document in self.documents],
            Nodes(self._empty_nodes(), self.lines.documents),
            self.ids,
            self.problems,
        )
        columns = {name: ConlluBrackets.join(found) for name, found in self.found.items()}
        for field in ("EntityID", "MarkableID"):
            self.check_ids(columns[self.column], columns[self.column].field(field))
        bridging = None
        if "BRIDGING" in columns:
            pairs = annotation.pairs(columns["BRIDGING"])
            pairs = pairs.where(np.argsort(pairs.ended))
            rows = pairs.bracket, pairs.document
            bridging = ConlluaBridging.of(columns["BRIDGING"], *rows, self.ids)
        return self.build(**annotation.columns(columns[self.column], bridging, self.column))

    def _empty_nodes(self) -> list[EmptyNode]:
        """Return the empty nodes, numbered after their word, or before the first one."""
        found: list[EmptyNode] = []
        starts = [document.nodes for document in self.lines.documents]
        for node, words in self.empties:
            document = self.lines.documents[bisect_right(starts, node) - 1]
            follows = bool(found) and found[-1].node == node - 1 >= document.nodes
            number = found[-1].decimal + 1 if follows else 1
            if words > document.words:
                found.append(EmptyNode(node, words - 1, number))
            else:
                found.append(EmptyNode(node, words, number if follows else 1 - BEFORE))
        return found


def _split(line: str) -> list[str]:
    return line.split("\t") if line.count("\t") > TABS else split_at_blanks(line)


def _clean(cell: str) -> str:
    cell = cell.strip()
    return "" if cell == "_" else cell


FORMAT = Format(
    name="conllua",
    title="CoNLL-UA, the column IDENTITY",
    recognise=_COLUMNS.search,
    read=partial(read, "IDENTITY"),
    suffix=".CONLLUA",
    supports=frozenset(
        {*COLUMNS, "nodes", "minimal spans", *ATTRIBUTES.values(), "entity split_antecedents"}
    ),
)
DISCOURSE_DEIXIS = replace(
    FORMAT,
    name="conllua-deixis",
    title="CoNLL-UA, the column DISCOURSE_DEIXIS",
    read=partial(read, "DISCOURSE_DEIXIS"),
)
