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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scoref.arrays import Bools, Bytes, Ints
from scoref.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.base import Format, Wanted
from scoref.formats.builder import CorpusBuilder, TextBuilder
from scoref.formats.conllua_writer import write
from scoref.formats.lines import Stream
from scoref.formats.peeking import read_text

_COLUMNS = re.compile(rb"^(\xef\xbb\xbf)?#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE)
_HEADER = re.compile(r"#\s*global\.columns\s*=\s*(?P<names>.*)")
_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id)?\s*=?\s*(?P<name>.*)")
_BRACKET = re.compile(r"@?\((?P<fields>[^()@]*)(?P<closed>\))?|(?P<id>[^()@]*)\)")
_TEXT = {"word": 1, "lemma": 2, "pos": 3, "head": 6, "deprel": 7}
_ODD_ID = re.compile(rb"^\d+([.-])", re.MULTILINE)
_FIELD = re.compile(rb"EntityID")
_NON_REFERRING = "-Pseudo"
_NOTHING = frozenset({"_", "-", ""})
_BEFORE = 1000
_KEPT = {"MarkableID": "markable", "SemType": "semtype", "ElementOf": "element_of"}
_CELL = "`_`, or brackets such as `(EntityID=4|MarkableID=m7` and `)`"
_EXPECTED_FIELDS = "fields such as `EntityID=4|MarkableID=m7|Min=3,5`"

Node = tuple[int, int]


@dataclass(slots=True)
class _Mention:
    """A mention, or a part of one: its nodes, from the row of its opening to that of its end."""

    fields: dict[str, str]
    line: int
    first: int
    last: int = -1


@dataclass(slots=True)
class _Document:
    """A document while it is being read: its first row, and its mentions by column."""

    number: int
    first: int
    nodes: list[Node] | None = None
    open: dict[str, list[_Mention]] = field(default_factory=dict)
    found: dict[str, list[_Mention]] = field(default_factory=dict)

    def node(self, row: int) -> Node:
        """Return what stands in a row: a word, or an empty node behind a word."""
        return (row, 0) if self.nodes is None else self.nodes[row]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The lines of a file: which are rows of tokens, and which have something to be looked at."""

    start: Ints
    end: Ints
    so_far: Ints
    is_token: Bools
    is_empty: Bools
    looked_at: Ints

    @classmethod
    def find(cls, data: bytes, *, all_of_them: bool) -> _Rows:
        """Find the rows without making an object of each."""
        array: Bytes = np.frombuffer(data, dtype=np.uint8)
        end = np.flatnonzero(array == ord("\n"))
        start = np.concatenate([[0], end[:-1] + 1])[: len(end)]
        first = array[start]
        is_token = (first >= ord("0")) & (first <= ord("9"))
        is_empty = np.zeros(len(start), dtype=bool)
        for found in _ODD_ID.finditer(data):
            line = int(np.searchsorted(start, found.start(), side="right")) - 1
            is_empty[line] = found[1] == b"."
            is_token[line] = found[1] == b"."
        looked_at = np.ones(len(start), dtype=bool)
        if not all_of_them:
            brackets = np.flatnonzero((array == ord("(")) | (array == ord(")")))
            fields = [found.start() for found in _FIELD.finditer(data)]
            places = np.concatenate([brackets, np.array(fields, dtype=np.int64)])
            looked_at = ~is_token & (end > start)
            looked_at[np.searchsorted(start, places, side="right") - 1] = True
        so_far = np.cumsum(is_token)
        return cls(start, end, so_far, is_token, is_empty, np.flatnonzero(looked_at))

    def nodes(self, first: int, last: int) -> list[Node] | None:
        """Return what stands in the rows of a document, or None if they are all words."""
        empty = self.is_empty[self.is_token][first:last]
        if not empty.any():
            return None
        found: list[Node] = []
        words = 0
        for is_empty in empty.tolist():
            if not is_empty:
                found.append((words, 0))
                words += 1
            elif words:
                found.append((words - 1, found[-1][1] + 1))
            else:  # before the first word of the document
                found.append((0, len(found) + 1 - _BEFORE))
        return found


@dataclass(slots=True)
class _Reader:
    path: str
    column: str
    builder: CorpusBuilder
    wanted: Wanted
    problems: list[Problem] = field(default_factory=list)
    rows: _Rows = field(init=False)
    at: dict[str, int] = field(default_factory=dict)
    document: _Document | None = None
    lines: dict[str, int] = field(default_factory=dict)
    bad_min: list[int] = field(default_factory=list)
    mins: int = 0
    non_referring: int = 0
    lost_bridges: int = 0

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, data: bytes) -> None:
        rows = self.rows = _Rows.find(data, all_of_them=self.builder.words is not None)
        sentence: list[list[str]] = []
        starts, ends = rows.start.tolist(), rows.end.tolist()
        for at in rows.looked_at.tolist():
            line, number = data[starts[at] : ends[at]].decode().rstrip("\r"), at + 1
            if line[:1].isdigit():
                cells = self.read_row(at, line, number)
                if cells:
                    sentence.append(cells)
                continue
            if sentence:
                self.end_sentence(sentence)
                sentence = []
            if line.startswith("#"):
                self.read_comment(line, number)
            elif line.strip():
                expected, hint = (
                    "a row that starts with the ID of a token",
                    "comments start with `#`",
                )
                self.complain(number, f"`{line[:40]}`", expected, hint)
        if sentence:
            self.end_sentence(sentence)
        tokens = int(rows.so_far[-1]) if len(rows.so_far) else 0
        self.end(tokens)
        if not tokens and not self.problems:
            expected, hint = "rows of tokens, with an ID each", "is the file whole?"
            self.complain(0, "a file without tokens", expected, hint)

    def read_comment(self, line: str, number: int) -> None:
        if header := _HEADER.match(line):
            names = header["names"].split()
            self.at = {name: at for at, name in enumerate(names)}
            if self.column not in self.at:
                hint = "the line names the columns in their order"
                found = f"the columns {header['names'][:80]}"
                self.complain(number, found, f"{self.column} there", hint)
        elif line.startswith(("# newdoc", "#newdoc")) and (begin := _DOCUMENT.match(line)):
            before = int(self.rows.so_far[number - 1])
            self.end(before)
            name = begin["name"].strip()
            if name and name in self.lines:
                found = f"document {name} again (it stands at line {self.lines[name]} already)"
                self.complain(number, found, "documents of different names", "rename one")
            self.lines[name] = number
            self.begin(name, number, before)

    def begin(self, name: str, line: int, first: int) -> _Document:
        self.document = _Document(self.builder.document(name, line=line), first)
        return self.document

    def read_row(self, index: int, line: str, number: int) -> list[str]:
        """Read the brackets of a row; return its cells, or nothing if they are no word."""
        document = self.document or self.begin("", 1, 0)
        if not self.rows.is_token[index]:
            return []
        row = int(self.rows.so_far[index]) - 1 - document.first
        cells = line.split("\t") if line.count("\t") > 9 else line.split()
        for column in (self.column, "BRIDGING"):
            at = self.at.get(column)
            if at is None:
                if column == self.column:
                    self.complain(number, "a token before `# global.columns`", "that line first")
                    self.at = {"IDENTITY": 10, "BRIDGING": 11, "DISCOURSE_DEIXIS": 12}
                continue
            cell = cells[at].strip() if at < len(cells) else ""
            if cell not in _NOTHING:
                self.read_cell(document, column, cell, (row, number))
            elif at >= len(cells) and column == self.column:
                found = f"a row of {len(cells)} cells"
                hint = "write `_` in columns that have nothing"
                self.complain(number, found, f"the column {column} in place {at + 1}", hint)
        return [] if self.rows.is_empty[index] or self.builder.words is None else cells

    def read_cell(
        self, document: _Document, column: str, cell: str, place: tuple[int, int]
    ) -> None:
        row, line = place
        opened = document.open.setdefault(column, [])
        end = 0
        for bracket in _BRACKET.finditer(cell):
            if bracket.start() != end:
                break
            end = bracket.end()
            if bracket["fields"] is not None:
                mention = _Mention(self.fields(bracket["fields"], line), line, row)
                if bracket["closed"]:
                    self.close(document, column, mention, row)
                else:
                    opened.append(mention)
                continue
            at = _index(opened, bracket["id"])
            if at is None:
                shown = f"`{bracket['id']})`"
                name = self.builder.documents[document.number].name
                hint = (
                    "write `(EntityID=...` on the first row of the mention, or remove the bracket"
                )
                self.complain(line, shown, f"an open mention in document {name}", hint)
            else:
                self.close(document, column, opened.pop(at), row)
        if end != len(cell):
            hint = "the line `# global.columns` says which column this is"
            self.complain(line, f"the cell `{cell[:60]}`", _CELL, hint)

    def fields(self, text: str, line: int) -> dict[str, str]:
        pairs = [part.partition("=") for part in text.split("|") if part]
        if not pairs or not all(equals for _, equals, _ in pairs):
            self.complain(line, f"`({text[:60]}`", _EXPECTED_FIELDS, "put `|` between fields")
        return {name.strip(): value.strip() for name, _, value in pairs}

    def close(self, document: _Document, column: str, mention: _Mention, row: int) -> None:
        mention.last = row
        document.found.setdefault(column, []).append(mention)

    def end(self, rows: int) -> None:
        """Make the mentions of a document that is complete, with the rows up to there."""
        document, self.document = self.document, None
        if document is None:
            if rows == 0 or self.builder.documents:
                return
            document = self.begin("", 1, 0)  # tokens without brackets, before any document
            self.document = None
        document.nodes = self.rows.nodes(document.first, rows)
        words = rows - document.first
        if document.nodes is not None:
            words = sum(not empty for _, empty in document.nodes)
        self.builder.set_length(document.number, words)
        name = self.builder.documents[document.number].name
        for opened in document.open.values():
            for mention in opened:
                shown = "|".join(f"{key}={value}" for key, value in mention.fields.items())
                expected = f"its `)` before document {name} ends"
                hint = "write `)` on the last row of the mention, or remove the bracket"
                self.complain(mention.line, f"`({shown[:60]}`", expected, hint)
        bridges = self.bridges(document)
        for parts in self.whole(document):
            self.add(document, parts, bridges)
        self.lost_bridges += len(bridges)

    def bridges(self, document: _Document) -> dict[str, dict[str, str]]:
        """Return what the bridging column says of markables."""
        found: dict[str, dict[str, str]] = {}
        for mention in document.found.get("BRIDGING", []):
            names = {"MentionAnchor": "bridge", "EntityAnchor": "bridge_entity"}
            names["Rel"] = "bridge_relation"
            told = {names[key]: value for key, value in mention.fields.items() if key in names}
            found[mention.fields.get("MarkableID", "")] = told
        return found

    def whole(self, document: _Document) -> Iterator[list[_Mention]]:
        """Put the parts of discontinuous mentions together, in the order of their first parts."""
        parts: dict[str, list[_Mention]] = {}
        for at, mention in enumerate(document.found.get(self.column, [])):
            parts.setdefault(mention.fields.get("MarkableID") or f"#{at}", []).append(mention)
        for mentions in parts.values():
            mentions.sort(key=lambda mention: mention.first)
        yield from sorted(parts.values(), key=lambda ms: (ms[0].first, -ms[0].last))

    def add(
        self, document: _Document, parts: list[_Mention], bridges: dict[str, dict[str, str]]
    ) -> None:
        first = parts[0]
        entity = first.fields.get("EntityID", "")
        others = {part.fields.get("EntityID", "") for part in parts}
        if not entity or len(others) > 1:
            markable = first.fields.get("MarkableID", "")
            found = f"MarkableID {markable} in entities {', '.join(sorted(others))}"
            found = found if entity else "a mention without EntityID"
            hint = "parts of one mention share its MarkableID, other mentions have their own"
            self.complain(parts[-1].line, found, "one EntityID", hint)
            return
        if entity.endswith(_NON_REFERRING):
            self.non_referring += 1
            return
        rows: Sequence[int] = range(first.first, first.last + 1)
        if len(parts) > 1:
            rows = sorted({row for part in parts for row in range(part.first, part.last + 1)})
        span = document.node(rows[0])[0], document.node(rows[-1])[0]
        told: dict[str, str | int] = {
            name: first.fields.get(key, "") for key, name in _KEPT.items()
        }
        told.update(bridges.pop(first.fields.get("MarkableID", ""), {}))
        if document.nodes is not None or len(rows) != span[1] - span[0] + 1:
            nodes = [document.node(row) for row in rows]
            if any(empty for _, empty in nodes) or len(nodes) != span[1] - span[0] + 1:
                told["nodes"] = " ".join(_show(node) for node in nodes)
        if minimum := first.fields.get("Min", ""):
            told.update(self.minimum(document, minimum, rows, first.line))
        number = self.builder.entity(document.number, entity)
        for target in filter(None, first.fields.get("ElementOf", "").split(",")):
            self.split_antecedent(self.builder.entity(document.number, target), entity)
        self.builder.mention(document.number, span, number, first.line, **told)

    def split_antecedent(self, whole: int, member: str) -> None:
        told = self.builder.of_entity.setdefault("split_antecedents", {})
        before = told.get(whole, "")
        if member not in before.split(","):
            told[whole] = f"{before},{member}" if before else member

    def minimum(
        self, document: _Document, text: str, rows: Sequence[int], line: int
    ) -> dict[str, int]:
        """Read a Min, `3` or `3,5`: rows of the document, counted from 1, end inclusive."""
        self.mins += 1
        ends = text.split(",")
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() for end in ends):
            hint = "rows of the document, counted from 1"
            self.complain(line, f"`Min={text[:40]}`", "`Min=3` or `Min=3,5`", hint)
            return {}
        low, high = int(ends[0][:18]) - 1, int(ends[-1][:18]) - 1
        if not rows[0] <= low <= high <= rows[-1]:
            self.bad_min.append(line)
            return {}
        return {"min_start": document.node(low)[0], "min_end": document.node(high)[0]}

    def end_sentence(self, rows: list[list[str]]) -> None:
        if self.builder.words is not None:
            columns = {
                name: [_told(row[at]) if at < len(row) else "" for row in rows]
                for name, at in _TEXT.items()
                if name in self.wanted.columns
            }
            self.builder.words.sentence(**columns)

    def notes(self) -> Iterator[str]:
        if self.non_referring:
            yield f"{self.path}: {self.non_referring} non-referring mentions are left out"
        if self.bad_min:
            yield (
                f"{self.path}: {len(self.bad_min)} of {self.mins} values of Min are outside their"
                f" mentions and are not used; the first is in line {self.bad_min[0]}"
            )
        if self.lost_bridges:
            yield (
                f"{self.path}: {self.lost_bridges} bridging markables are no mentions of the column"
                f" {self.column} and are left out"
            )


def _index(opened: Sequence[_Mention], name: str) -> int | None:
    """Return which open mention a closing bracket means: the latest, or the latest of an id."""
    for at in reversed(range(len(opened))):
        fields = opened[at].fields
        value = name.rpartition("=")[2]
        if not name or value in {fields.get("MarkableID"), fields.get("EntityID")}:
            return at
    return None


def _show(node: Node) -> str:
    return f"{node[0]}.{node[1]}" if node[1] else str(node[0])


def _told(cell: str) -> str:
    return "" if cell.strip() == "_" else cell.strip()


def _reading(
    column: str, stream: Stream, path: str, wanted: Wanted
) -> tuple[Corpus, list[Problem]]:
    builder = CorpusBuilder(path, words=TextBuilder() if wanted.columns & _TEXT.keys() else None)
    text, problems = read_text(stream, path)
    if problems:
        return builder.corpus(), problems
    data = text.encode()
    reader = _Reader(path, column, builder, wanted)
    reader.read(data if data.endswith(b"\n") else data + b"\n")
    if reader.problems:
        return CorpusBuilder(path).corpus(), reader.problems
    builder.notes.extend(reader.notes())
    return builder.corpus(), []


def _identity(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    return _reading("IDENTITY", stream, path, wanted)


def _deixis(stream: Stream, path: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    return _reading("DISCOURSE_DEIXIS", stream, path, wanted)


def _recognise(head: bytes) -> bool:
    return _COLUMNS.search(head) is not None


FORMAT = Format(
    name="conllua",
    title="CoNLL-UA, the column IDENTITY",
    recognise=_recognise,
    read=_identity,
    write=write,
    suffix=".CONLLUA",
    keeps=frozenset(
        {*_TEXT, "nodes", "minimal spans", *_KEPT.values(), "entity split_antecedents"}
    ),
)
DISCOURSE_DEIXIS = replace(
    FORMAT,
    name="conllua-deixis",
    title="CoNLL-UA, the column DISCOURSE_DEIXIS",
    read=_deixis,
    write=None,
)
