"""A strict reader of CoNLL columns, written from the manual: one line, one sentence at a time."""

from __future__ import annotations

import re
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
)

BEGIN = re.compile(r"#[ \t]*begin[ \t]+document\b[ \t]*(.*)", re.DOTALL)
END = re.compile(r"#[ \t]*end[ \t]+document\b")
NAME = re.compile(
    r"(?:\((?P<inside>[^()]*)\)|(?P<bare>[^();]*));?(?P<rest>\s*part\s+(?P<part>\d{1,9}))?"
)
CHUNK = re.compile(r"(?P<open>\()?(?P<id>[^()|*\s\x00-\x20\x7f]+)(?P<close>\))?")
NOTHING = {"-", "_", "*", ""}


@dataclass(slots=True)
class Open:
    """A document that is being read."""

    name: str
    part: str
    tokens: int = 0
    sentence: list[str] = field(default_factory=list)
    open: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    entities: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))


def read(files: Files) -> Reading:
    """Read all documents."""
    text = files[""].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "backslashreplace")
    found: list[Open] = []
    here: Open | None = None
    marks: set[str] = set()
    usual = usual_widths(text)
    for line in [*text.split("\n"), ""]:
        line = line.rstrip("\r")  # noqa: PLW2901
        begin = BEGIN.fullmatch(line)
        ends = END.match(line)
        if here and (begin or ends or not line.strip(" \t\r")):
            end_sentence(here, marks, usual)
        if begin:
            name = NAME.fullmatch(begin[1].strip())
            here = Open(ANY, "")
            if name and not re.match(r"\(?.*\)?[^;]*part", begin[1].partition(";")[0]):
                here = Open((name["inside"] or name["bare"] or "").strip(), name["part"] or "")
            found.append(here)
        elif ends:
            here = None
        elif line.strip(" \t\r"):
            if here:
                here.sentence.append(line)
            elif not line.startswith("#"):
                refuse("a token outside of a document")
    if here:
        end_sentence(here, marks, usual)
    if not found:
        refuse("no document")
    if "*" in marks and len(marks) > 1:
        refuse("`*` as a cell where others write nothing in another way")
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
    cells = re.split(r"[ \t]+", line.strip(" \t"))
    found = {len(cells): cells[-1]}
    if "\t" in line:
        for cut in (line.rstrip(" \t"), line):
            by_tabs = [cell.strip(" ") for cell in cut.split("\t")]
            found.setdefault(len(by_tabs), by_tabs[-1])
    return found


def usual_widths(text: str) -> Counter[int]:
    """Count the columns of lines that have only one reading."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    one = [readings(line) for line in lines if line.strip(" \t") and not line.startswith("#")]
    return Counter(width for found in one if len(found) == 1 for width in found)


def end_sentence(here: Open, marks: set[str], usual: Counter[int]) -> None:
    """Read the lines of a sentence, all of which have the same number of columns."""
    lines, here.sentence = here.sentence, []
    tokens = [line for line in lines if not line.startswith("#")]
    widths = [set(readings(line)) for line in tokens]
    common = set.intersection(*widths) if widths else set()
    if tokens and not common:
        refuse("a sentence whose lines differ in their number of columns")
    # A tab at the end is superfluous, unless other lines have as many columns with an empty cell.
    # Where no other line can tell, it is what makes sense of the last cell.
    sense = not usual and all(re.fullmatch(r"[^()]*", readings(t)[min(common)]) for t in tokens)
    width = max(common or usual, key=lambda n: (usual[n], n if sense else -n), default=0)
    for line in lines:
        if line.startswith("#") and not is_token(line, width):
            continue
        cells = readings(line)
        read_cell(here, cells[width] if width in cells else cells[max(cells)], marks)
        here.tokens += 1


def is_token(line: str, width: int) -> bool:
    """A word may begin with `#`: with the columns of its sentence, and a cell of coreference."""
    cell = (
        readings(line).get(width) if width else line.rpartition("\t")[2] if "\t" in line else None
    )
    return cell is not None and width != 1 and (cell in NOTHING or "(" in cell or ")" in cell)


def read_cell(here: Open, cell: str, marks: set[str]) -> None:
    """Read the brackets of one token: openings first, then closings."""
    if cell in NOTHING:
        marks.add(cell)
        return
    chunks = []
    at = 0
    while at < len(cell):
        found = CHUNK.match(cell, at)
        if not found or not (found["open"] or found["close"] or found[0] == found["id"]):
            refuse(f"the cell {cell!r}")
        chunks.append(found)
        at = found.end()
        if at < len(cell) and cell[at] == "|":
            at += 1
            if at == len(cell):
                refuse("a cell that ends in `|`")
        elif at < len(cell) and not (found["close"] or cell[at] == "("):
            refuse(f"the cell {cell!r}")
    bare = []
    for one in chunks:
        if one["open"] and one["close"]:
            if not re.fullmatch(r"\d+(\+\d+)+", one["id"]):  # two antecedents are ignored
                here.entities[one["id"]].append((here.tokens, here.tokens, ""))
        elif one["open"]:
            here.open[one["id"]].append(here.tokens)
        elif not one["close"]:
            bare.append(one["id"])
    for name in bare:
        if not here.open[name]:
            refuse(f"the bare id {name!r} outside of a mention")
    for one in chunks:
        if one["close"] and not one["open"]:
            if not here.open[one["id"]]:
                refuse(f"`{one['id']})` without `({one['id']}`")
            here.entities[one["id"]].append((here.open[one["id"]].pop(), here.tokens, ""))
