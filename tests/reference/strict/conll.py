"""A strict reader of CoNLL columns, by the rules of the manual, one document at a time."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
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
NUMBERED = re.compile(r"(?=[^()]*+[()])(\(?[A-Za-z]{0,2}[-_]?[0-9]++\)?\|?)++")
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
    sentences: list[list[str]] = field(default_factory=lambda: [[]])
    tokens: int = 0
    open: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    entities: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class Signs:
    """What a whole file uses: marks for nothing, and ids."""

    marks: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)

    def check(self) -> None:
        """Refuse files whose last column is another one."""
        if len(self.marks) > 1:
            refuse("different marks for no mention")
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
    signs, usual = Signs(), usual_widths(found)
    for one in found:
        read_document(one, signs, usual)
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


def readings(line: str) -> dict[int, str]:
    """Return the last cell of a line by the number of columns that it has if read so."""
    content = line.rstrip(" \t")
    cells = content.split("\t") if "\t" in content else re.split(r" +", content.strip(" "))
    found = {len(cells): cells[-1].strip(" ")}
    if "\t" in line[len(content) :]:
        if "\t" not in content and not is_cell(cells[-1]):
            found.pop(2, None)  # `New York` and an empty cell
        found.setdefault(line.count("\t") + 1, "")  # a line with a tab is divided at its tabs
    return found


def usual_widths(found: list[Open]) -> Counter[int]:
    """Count the columns of lines that have only one reading."""
    every = [readings(line) for one in found for lines in tokens_of(one) for line in lines]
    return Counter(width for one in every if len(one) == 1 for width in one)


def is_cell(text: str) -> bool:
    """Whether a piece can be a cell of the last column."""
    return text in MARKS or (CELL.fullmatch(text) is not None and ("(" in text or ")" in text))


def is_token(line: str, before: str | None) -> bool:
    """Whether a line with a # is a token, by the token before it or, for the first, after it."""
    content = line.rstrip(" \t")
    pieces = re.split(r"[ \t]+", content)
    if len(pieces) > 1 and is_cell(pieces[-1]):
        return "\t" in content or (
            before is not None and len(pieces) == next(iter(readings(before)))
        )
    return (  # its last cell is empty
        "\t" in line[len(content) :]
        and " " not in content.partition("\t")[0]
        and before is not None
        and line.count("\t") == before.count("\t")
    )


def tokens_of(one: Open) -> list[list[str]]:
    """Return the lines of each sentence without comments."""
    lines = [line for sentence in one.sentences for line in sentence]
    before = next((line for line in lines if line[0] != "#" or is_token(line, None)), None)
    sentences = []
    for sentence in one.sentences:
        kept = []
        for line in sentence:
            if line.startswith("#") and not is_token(line, before):
                continue
            kept.append(line)
            before = line
        sentences.append(kept)
    return sentences


def read_document(one: Open, signs: Signs, usual: Counter[int]) -> None:
    """Read the lines of a document: all have the same number of columns, or those of a sentence."""
    sentences = [sentence for sentence in tokens_of(one) if sentence]
    widths = [width_of(sentence, usual) for sentence in sentences]
    if len(set(widths)) > 1 and min(widths) < BY_SENTENCE:
        every = [line for sentence in sentences for line in sentence]
        widths = [width_of(every, usual)] * len(sentences)
    for width, sentence in zip(widths, sentences, strict=True):
        for line in sentence:
            read_cell(one, readings(line)[width], signs)
            one.tokens += 1


def width_of(lines: list[str], usual: Counter[int]) -> int:
    """Return the number of columns of some lines.

    A tab at the end is superfluous, unless other lines have as many columns with an empty cell.
    Where no other line can tell, it is what makes sense of the last cell.
    """
    common = set.intersection(*(set(readings(line)) for line in lines))
    if not common:
        refuse("lines that differ in their number of columns")
    cells = [readings(line)[min(common)] for line in lines]
    sense = not any(usual[n] for n in common) and not all(map(is_cell, cells))
    if sense and len(common) > 1 and any(is_cell(cell) and cell not in MARKS for cell in cells):
        refuse("brackets on some lines before the tab at the end of every line")
    width = max(common, key=lambda n: (usual[n], n if sense else -n))
    if width > max(min(common), BY_SENTENCE) and any(map(NUMBERED.fullmatch, cells)):
        refuse("numbers in brackets before the tab at the end of every line of a sentence")
    return width


def read_cell(here: Open, cell: str, signs: Signs) -> None:
    """Read the brackets of one token: openings first, then closings."""
    if cell in MARKS or not cell:
        signs.marks |= {cell} & MARKS
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
