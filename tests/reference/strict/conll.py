"""A strict reader of CoNLL columns, by the rules of the manual, one document at a time."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field

from tests.reference.strict.reading import (
    ANY,
    Document,
    Files,
    Mention,
    Reading,
    document,
    number_unnamed,
    refuse,
    refuse_control_characters,
)

BEGIN = re.compile(r"#[ \t]*begin[ \t]+document\b[ \t]*(.*)", re.DOTALL | re.ASCII)
END = re.compile(r"#[ \t]*end[ \t]+document\b", re.ASCII)
NAME = re.compile(
    r"(?:\((?P<inside>[^()]*)\)|(?P<bare>[^();]*));?(?P<rest>\s*part\s+(?P<part>[0-9]{1,9}))?",
    re.ASCII,
)
CHUNK = re.compile(r"(?P<open>\()?(?P<id>[^()|*\s]+)(?P<close>\))?")
TWO_ANTECEDENTS = re.compile(r"[0-9]+(\+[0-9]+)+")
# Possessive quantifiers: with ordinary ones, text that does not match takes exponential time.
CELL = re.compile(r"(\(?[^()|]++\)?\|?)++")
MARKS = {"-", "_", "*"}
CLASSES = {
    *("person", "per", "norp", "fac", "facility", "org", "organization", "gpe", "loc", "location"),
    *("product", "event", "work_of_art", "law", "language", "date", "time", "percent", "money"),
    *("quantity", "ordinal", "cardinal", "number", "misc", "other"),
}
BY_SENTENCE = 12
"""The columns from which on sentences can differ: each predicate adds one."""


@dataclass(slots=True)
class Open:
    """A document that is being read."""

    name: str
    part: str
    has_end: bool = False
    sentences: list[list[str]] = field(default_factory=lambda: [[]])
    tokens: int = 0
    open: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    entities: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class Signs:
    """What a whole file uses: marks for nothing, ids, and numbers of columns."""

    marks: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    widths: set[int] = field(default_factory=set)

    def check(self) -> None:
        """Refuse files whose last column is another one."""
        if len(self.marks) > 1:
            refuse("different marks for no mention")
        if self.marks == {""} and (not self.ids or len(self.widths) > 1):
            refuse("empty cells that may be tabs at the ends of lines")
        numbers = {name for name in self.ids if name.isascii() and name.isdigit()}
        if numbers and numbers != self.ids:
            refuse("ids that are numbers and ids that are not")
        if self.ids and not any(re.search(r"[0-9]", name) for name in self.ids):
            if "*" in self.marks:
                refuse("labels where `*` is nothing")
            if all(name.lower() in CLASSES for name in self.ids):
                refuse("labels of named entities")


def read(files: Files) -> Reading:
    """Read all documents."""
    text = files[""].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "backslashreplace")
    refuse_control_characters(text)
    found: list[Open] = []
    here: Open | None = None
    for line in text.split("\n"):
        line = line.rstrip("\r")  # noqa: PLW2901
        if begin := BEGIN.fullmatch(line):
            name = NAME.fullmatch(begin[1].strip())
            here = Open(ANY, "")
            if name and not re.match(r"\(?.*\)?[^;]*part", begin[1].partition(";")[0]):
                here = Open((name["inside"] or name["bare"] or "").strip(), name["part"] or "")
            found.append(here)
        elif END.match(line):
            if here:
                here.has_end = True
            here = None
        elif not line.strip(" \t"):
            if here:
                here.sentences.append([])
        elif here:
            here.sentences[-1].append(line)
        elif not line.startswith("#"):
            refuse("a token outside of a document")
    if not found:
        refuse("no document")
    if len({one.has_end for one in found}) > 1:
        refuse("a document without end where others have one")
    signs = Signs()
    for one in found:
        read_document(one, signs)
    signs.check()
    return number_unnamed(shown(found))


def shown(found: list[Open]) -> list[Document]:
    """Name documents, with the part if a name has several."""
    several = {one.name for one in found if sum(one.name == other.name for other in found) > 1}
    documents = []
    keys = set()
    for one in found:
        if any(one.open.values()):
            refuse("an open bracket")
        key = one.name, int(one.part or 0)
        if one.name not in ("", ANY) and key in keys:
            refuse("two documents of one name and part")
        keys.add(key)
        name = f"{one.name}/{one.part}" if one.name in several and one.name and one.part else None
        documents.append(document(name or one.name, one.tokens, one.entities.values()))
    return documents


def cells_of(line: str) -> tuple[bool, list[str]]:
    """Return whether tabs divide a line, and its cells."""
    if "\t" in line:
        return True, [cell.strip(" ") for cell in line.split("\t")]
    return False, re.split(r" +", line.strip(" "))


def is_token(line: str, others: list[str]) -> bool:
    """Whether a line is no comment: it has tabs, or as many columns as the first other token."""
    if not line.startswith("#"):
        return True
    if "\t" in line:
        return not line.startswith("# ")
    cells = cells_of(line)
    is_cell = cells[1][-1] in MARKS or (
        CELL.fullmatch(cells[1][-1]) is not None and bool(re.search("[()]", cells[1][-1]))
    )
    other = cells_of(others[0]) if others else (True, [])
    return is_cell and not other[0] and len(cells[1]) == len(other[1]) > 1


def read_document(one: Open, signs: Signs) -> None:
    """Read the lines of a document: all have the same number of columns, or those of a sentence."""
    others = [line for sentence in one.sentences for line in sentence if line[0] != "#"]
    document: tuple[bool, int] | None = None
    for sentence in one.sentences:
        expected: tuple[bool, int] | None = None
        for line in sentence:
            if not is_token(line, others):
                continue
            by_tabs, cells = cells_of(line)
            found = by_tabs, len(cells)
            document = document or found
            varies = min(len(cells), document[1]) >= BY_SENTENCE and by_tabs == document[0]
            expected = expected or (found if varies else document)
            if found == (True, expected[1] + 1) and expected[0] and cells[-1] == "" != cells[-2]:
                cells.pop()  # the tab at the end is one too many
            elif found != expected:
                refuse("lines that differ in their columns")
            signs.widths.add(len(cells))
            read_cell(one, cells[-1], signs)
            one.tokens += 1


def read_cell(here: Open, cell: str, signs: Signs) -> None:
    """Read the brackets of one token: openings first, then closings."""
    if cell in MARKS or not cell:
        signs.marks.add(cell)
        return
    chunks = []
    at = 0
    while at < len(cell):
        found = CHUNK.match(cell, at)
        if not found or any(unicodedata.category(c)[0] in "ZC" for c in found["id"]):
            refuse(f"the cell {cell!r}")
        chunks.append(found)
        at = found.end()
        if at < len(cell) and cell[at] == "|":
            at += 1
            if at == len(cell):
                refuse("a cell that ends in `|`")
        elif at < len(cell) and not (found["close"] or cell[at] == "("):
            refuse(f"the cell {cell!r}")
    for one in chunks:
        name = one["id"]
        two = one["open"] and one["close"] and TWO_ANTECEDENTS.fullmatch(name)
        signs.ids |= set() if two else {name}
        if one["open"] and one["close"]:
            if not two:
                here.entities[name].append((here.tokens, here.tokens, ""))
        elif one["open"]:
            here.open[name].append(here.tokens)
    for one in chunks:
        if not (one["open"] or one["close"]) and not here.open[one["id"]]:
            refuse(f"the bare id {one['id']!r} outside of a mention")
    for one in chunks:
        if one["close"] and not one["open"]:
            if not here.open[one["id"]]:
                refuse(f"`{one['id']})` without `({one['id']}`")
            here.entities[one["id"]].append((here.open[one["id"]].pop(), here.tokens, ""))
