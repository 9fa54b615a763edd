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

from scoref.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.base import Format, Wanted
from scoref.formats.builder import CorpusBuilder, TextBuilder
from scoref.formats.conllua_writer import write
from scoref.formats.lines import Stream
from scoref.formats.peeking import read_text

_COLUMNS = re.compile(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", re.MULTILINE)
_HEADER = re.compile(r"#\s*global\.columns\s*=\s*(?P<names>.*)")
_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id)?\s*=?\s*(?P<name>.*)")
_BRACKET = re.compile(r"@?\((?P<fields>[^()@]*)(?P<closed>\))?|(?P<id>[^()@]*)\)")
_TEXT = {"word": 1, "lemma": 2, "pos": 3, "head": 6, "deprel": 7}
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
    """A document while it is being read: its nodes by row, and its mentions by column."""

    number: int
    nodes: list[Node] = field(default_factory=list)
    words: int = 0
    open: dict[str, list[_Mention]] = field(default_factory=dict)
    found: dict[str, list[_Mention]] = field(default_factory=dict)

    def add_row(self, *, is_empty: bool) -> None:
        """Count a word, or an empty node behind the word before it."""
        if not is_empty:
            self.nodes.append((self.words, 0))
            self.words += 1
        elif self.words:
            word, empty = self.nodes[-1]
            self.nodes.append((word, empty + 1))
        else:  # before the first word of the document
            self.nodes.append((0, len(self.nodes) + 1 - _BEFORE))


@dataclass(slots=True)
class _Reader:
    path: str
    column: str
    builder: CorpusBuilder
    wanted: Wanted
    problems: list[Problem] = field(default_factory=list)
    at: dict[str, int] = field(default_factory=dict)
    document: _Document | None = None
    lines: dict[str, int] = field(default_factory=dict)
    bad_min: list[int] = field(default_factory=list)
    mins: int = 0
    non_referring: int = 0
    lost_bridges: int = 0

    def complain(self, line: int, found: str, expected: str, hint: str = "") -> None:
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def read(self, text: str) -> None:
        sentence: list[list[str]] = []
        for number, line in enumerate(text.split("\n"), 1):
            if line[:1].isdigit():
                document = self.document or self.begin("", number)
                cells = self.read_row(document, line, number)
                if cells:
                    sentence.append(cells)
                continue
            if sentence:
                self.end_sentence(sentence)
                sentence = []
            if line.startswith("#"):
                self.read_comment(line, number)
            elif line.strip():
                self.complain(number, f"`{line[:40]}`", "a row that starts with the ID of a token")
        if sentence:
            self.end_sentence(sentence)
        self.end()
        if not self.builder.documents and not self.problems:
            self.complain(0, "a file without tokens", "rows of tokens, with an ID each")

    def read_comment(self, line: str, number: int) -> None:
        if header := _HEADER.match(line):
            names = header["names"].split()
            self.at = {name: at for at, name in enumerate(names)}
            if self.column not in self.at:
                self.complain(number, f"the columns {header['names'][:80]}", f"{self.column} there")
        elif line.startswith(("# newdoc", "#newdoc")) and (begin := _DOCUMENT.match(line)):
            self.end()
            name = begin["name"].strip()
            if name and name in self.lines:
                found = f"document {name} again (it stands at line {self.lines[name]} already)"
                self.complain(number, found, "documents of different names", "rename one")
            self.lines[name] = number
            self.begin(name, number)

    def begin(self, name: str, line: int) -> _Document:
        self.document = _Document(self.builder.document(name, line=line))
        return self.document

    def read_row(self, document: _Document, line: str, number: int) -> list[str]:
        """Count a row and read its brackets; return its cells, or nothing if they are no word."""
        wanted = self.builder.words is not None
        if not wanted and "(" not in line and ")" not in line and "EntityID" not in line:
            identity = line.split(None, 1)[0]
            if "-" not in identity:
                document.add_row(is_empty="." in identity)
            return []
        cells = line.split("\t") if line.count("\t") > 9 else line.split()
        identity = cells[0].strip()
        if "-" in identity:
            return []
        document.add_row(is_empty="." in identity)
        for column in (self.column, "BRIDGING"):
            at = self.at.get(column)
            if at is None:
                if column == self.column:
                    self.complain(number, "a token before `# global.columns`", "that line first")
                    self.at = {"IDENTITY": 10, "BRIDGING": 11, "DISCOURSE_DEIXIS": 12}
                continue
            cell = cells[at].strip() if at < len(cells) else ""
            if cell not in _NOTHING:
                self.read_cell(document, column, cell, number)
            elif at >= len(cells) and column == self.column:
                found = f"a row of {len(cells)} cells"
                self.complain(number, found, f"the column {column} in place {at + 1}")
        return [] if "." in identity or not wanted else cells

    def read_cell(self, document: _Document, column: str, cell: str, line: int) -> None:
        row = len(document.nodes) - 1
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
                self.complain(line, shown, f"an open mention in document {name}")
            else:
                self.close(document, column, opened.pop(at), row)
        if end != len(cell):
            self.complain(line, f"the cell `{cell[:60]}`", _CELL)

    def fields(self, text: str, line: int) -> dict[str, str]:
        pairs = [part.partition("=") for part in text.split("|") if part]
        if not pairs or not all(equals for _, equals, _ in pairs):
            self.complain(line, f"`({text[:60]}`", _EXPECTED_FIELDS)
        return {name.strip(): value.strip() for name, _, value in pairs}

    def close(self, document: _Document, column: str, mention: _Mention, row: int) -> None:
        mention.last = row
        document.found.setdefault(column, []).append(mention)

    def end(self) -> None:
        """Make the mentions of a document that is complete."""
        document, self.document = self.document, None
        if document is None:
            return
        self.builder.set_length(document.number, document.words)
        name = self.builder.documents[document.number].name
        for opened in document.open.values():
            for mention in opened:
                shown = "|".join(f"{key}={value}" for key, value in mention.fields.items())
                expected = f"its `)` before document {name} ends"
                self.complain(mention.line, f"`({shown[:60]}`", expected)
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
            self.complain(
                parts[-1].line, found if entity else "a mention without EntityID", "one EntityID"
            )
            return
        if entity.endswith(_NON_REFERRING):
            self.non_referring += 1
            return
        rows = sorted({row for part in parts for row in range(part.first, part.last + 1)})
        nodes = [document.nodes[row] for row in rows]
        span = nodes[0][0], nodes[-1][0]
        told: dict[str, str | int] = {
            name: first.fields.get(key, "") for key, name in _KEPT.items()
        }
        told.update(bridges.pop(first.fields.get("MarkableID", ""), {}))
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
            self.complain(line, f"`Min={text[:40]}`", "`Min=3` or `Min=3,5`")
            return {}
        low, high = int(ends[0][:18]) - 1, int(ends[-1][:18]) - 1
        if not rows[0] <= low <= high <= rows[-1]:
            self.bad_min.append(line)
            return {}
        return {"min_start": document.nodes[low][0], "min_end": document.nodes[high][0]}

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
    reader = _Reader(path, column, builder, wanted)
    reader.read(text)
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
