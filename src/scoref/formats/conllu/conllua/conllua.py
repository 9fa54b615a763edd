"""CoNLL-UA: CoNLL-U rows with further columns for identity, bridging and discourse deixis.

    # global.columns = ID FORM LEMMA ... MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
    # newdoc id = talk
    1 Anna ... _ (EntityID=1|MarkableID=m1|Min=1|SemType=dn) _ _ _ _

A closing bracket has no id and closes the latest mention that is open; some files write the id
of the mention before it, which is read too. Parts of a discontinuous mention share a MarkableID.
A row whose ID has a dot is an empty node, as in CoNLL-U.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus, show_parts
from scoref.exceptions import Problem
from scoref.formats.brackets.ids import Ids
from scoref.formats.conllu.conllua.cells import Brackets, Rows, looked_at, says_something
from scoref.formats.conllu.conllua.mentions import KEPT, Annotation, Column
from scoref.formats.conllu.conllua.writer import write
from scoref.formats.conllu.lines import Lines, NotTextError, Reading
from scoref.formats.conllu.words import COLUMNS, FirstWords, Words
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import BLOCK, Stream

_COLUMNS = re.compile(rb"^(\xef\xbb\xbf)?#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE)
_HEADER = re.compile(r"#\s*global\.columns\s*=\s*(?P<names>.*)")
_FIELDS = {
    "BRIDGING": ("MarkableID", "EntityID", "MentionAnchor", "EntityAnchor", "Rel"),
    "": ("EntityID", "MarkableID", "Min", "SemType", "ElementOf"),
}
_USUAL = {"IDENTITY": 10, "BRIDGING": 11, "DISCOURSE_DEIXIS": 12}
_TABS = 9
_CELL = "`_`, or brackets such as `(EntityID=4|MarkableID=m7` and `)`"
_EXPECTED_FIELDS = "fields such as `EntityID=4|MarkableID=m7|Min=3,5`"


@dataclass(slots=True)
class _Reader:
    path: str
    column: str
    words: Words | None
    first: FirstWords | None
    reading: Reading = field(init=False)
    problems: list[Problem] = field(default_factory=list)
    at: dict[str, int] | None = None
    ids: Ids = field(default_factory=Ids)
    found: dict[str, list[Column]] = field(init=False)
    empties: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reading = Reading(self.path, comments_end_sentences=True)
        self.found = {self.column: []}
        if self.column == "IDENTITY":  # its mentions are what bridging is between
            self.found["BRIDGING"] = []

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, stream: Stream, size: int) -> Corpus | None:
        for lines in self.reading.read(stream, size):
            self.check_lines(lines)
            empty = np.flatnonzero(lines.is_empty)
            pairs = (lines.nodes[empty] - 1).tolist(), lines.words[empty].tolist()
            self.empties.extend(zip(*pairs, strict=True))
            self.read_rows(lines)
            if self.words is not None:
                self.words.add(lines)
            if self.first is not None:
                self.first.add(lines)
        self.problems.extend(self.reading.complaints())
        if not self.reading.nodes and not self.problems:
            expected, hint = "rows of tokens, with an ID each", "is the file whole?"
            self.complain(0, "a file without tokens", expected, hint)
        documents = show_parts(self.reading.corpus_documents())
        annotation = Annotation(
            self.reading.documents,
            [document.name for document in documents],
            self.empties,
            self.ids,
            self.complain,
        )
        columns = {name: Column.join(found, _fields(name)) for name, found in self.found.items()}
        corpus = annotation.corpus(columns[self.column], columns.get("BRIDGING"))
        if self.problems:
            return None
        text = None
        if self.words is not None:
            text = self.words.text(self.reading.documents, self.reading.words)
        notes = tuple(annotation.notes(self.path, self.column))
        return replace(
            corpus,
            documents=documents,
            text=text,
            glimpse=self.first.by_document(self.reading.documents) if self.first else (),
            source=self.path,
            notes=notes,
        )

    def check_lines(self, lines: Lines) -> None:
        """Complain about lines that are nothing that the format has."""
        block = lines.block
        known = lines.is_word | lines.is_empty | lines.is_range | lines.is_comment
        for line in np.flatnonzero(~known & (block.end > block.start)).tolist():
            shown = block.text(line).decode()[:40]
            expected, hint = "a row that starts with the ID of a token", "comments start with `#`"
            self.complain(block.first_line + line, f"`{shown}`", expected, hint)

    def read_rows(self, lines: Lines) -> None:
        """Read the rows that say something, in the columns that the header above them names."""
        is_row = lines.is_word | lines.is_empty
        rows = looked_at(lines) if self.words is None else np.flatnonzero(is_row)
        headers = [
            (line, found["names"])
            for line, comment in lines.comments(b"global.columns")
            if (found := _HEADER.match(comment.decode()))
        ]
        low = 0
        for line, names in [*headers, (len(is_row), None)]:
            high = int(np.searchsorted(rows, line))
            if high > low:
                self.read_cells(lines, rows[low:high])
            low = high
            if names is not None:
                self.read_header(names, lines.block.first_line + line)

    def read_header(self, names: str, line: int) -> None:
        self.at = {name: at for at, name in enumerate(names.split())}
        if self.column not in self.at:
            hint = "the line names the columns in their order"
            self.complain(line, f"the columns {names[:80]}", f"{self.column} there", hint)

    def read_cells(self, lines: Lines, rows: Ints) -> None:
        if self.at is None:
            line = lines.block.first_line + int(rows[0])
            self.complain(line, "a token before `# global.columns`", "that line first")
            self.at = _USUAL
        found_rows = Rows.of(lines, rows)
        for name, found in self.found.items():
            at = self.at.get(name)
            if at is None:
                continue
            start, end = found_rows.column(at)
            if name == self.column:
                short = found_rows.count <= at
                self.check_widths(lines, rows[short], found_rows.count[short], at)
            told = says_something(lines.block.data, start, end)
            if told.any():
                found.append(self.brackets(lines, name, rows[told], (start[told], end[told])))

    def check_widths(self, lines: Lines, rows: Ints, count: Ints, at: int) -> None:
        for row, width in zip(rows.tolist(), count.tolist(), strict=True):
            hint = "write `_` in columns that have nothing"
            expected = f"the column {self.column} in place {at + 1}"
            self.complain(lines.block.first_line + row, f"a row of {width} cells", expected, hint)

    def brackets(self, lines: Lines, name: str, rows: Ints, spans: tuple[Ints, Ints]) -> Column:
        """Read the brackets of cells that say something."""
        found = Brackets.of(lines.block.data, *spans)
        line = lines.block.first_line + rows
        for cell in found.bad.tolist():
            text = lines.raw[spans[0][cell] : spans[1][cell]].decode()
            hint = "the line `# global.columns` says which column this is"
            self.complain(int(line[cell]), f"the cell `{text[:60]}`", _CELL, hint)
        fields, wrong = found.fields(_fields(name), self.ids)
        for row in wrong.tolist():
            shown = f"`({found.text(row)[:60]}`"
            hint = "put `|` between fields"
            self.complain(int(line[found.cell[row]]), shown, _EXPECTED_FIELDS, hint)
        closes, value = found.ids(self.ids)
        node = lines.nodes[rows][found.cell] - 1
        return Column(found.kind, node, line[found.cell], closes, value, fields)


def _fields(column: str) -> tuple[str, ...]:
    return _FIELDS.get(column, _FIELDS[""])


def _split(line: str) -> list[str]:
    return line.split("\t") if line.count("\t") > _TABS else line.split()


def _told(cell: str) -> str:
    cell = cell.strip()
    return "" if cell == "_" else cell


def read(
    column: str, stream: Stream, path: str, wanted: Wanted, size: int = BLOCK
) -> tuple[Corpus, list[Problem]]:
    """Read the mentions of a column, and list all that is wrong with it."""
    columns = wanted.columns & COLUMNS.keys()
    words = Words(columns, _split, _told) if columns else None
    reader = _Reader(path, column, words, FirstWords() if wanted.glimpse else None)
    try:
        corpus = reader.read(stream, size)
    except NotTextError as error:
        return CorpusBuilder(path).corpus(), [error.problem]
    return CorpusBuilder(path).corpus() if corpus is None else corpus, reader.problems


def _identity(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    return read("IDENTITY", stream, path, wanted)


def _deixis(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    return read("DISCOURSE_DEIXIS", stream, path, wanted)


def _recognise(head: bytes) -> bool:
    return _COLUMNS.search(head) is not None


FORMAT = Format(
    name="conllua",
    title="CoNLL-UA, the column IDENTITY",
    recognise=_recognise,
    read=_identity,
    write=write,
    suffix=".CONLLUA",
    supports=frozenset(
        {*COLUMNS, "nodes", "minimal spans", *KEPT.values(), "entity split_antecedents"}
    ),
)
DISCOURSE_DEIXIS = replace(
    FORMAT,
    name="conllua-deixis",
    title="CoNLL-UA, the column DISCOURSE_DEIXIS",
    read=_deixis,
    write=None,
)
