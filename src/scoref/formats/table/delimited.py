"""CSV and TSV tables: one mention a row, columns known by the names in the header."""

from __future__ import annotations

from functools import lru_cache
from typing import BinaryIO, NamedTuple

import numpy as np

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import not_utf8, read_bytes
from scoref.formats.table.cells import PADDING, Labels, Numbers, Shape, Texts, split
from scoref.formats.table.columns import (
    KEEPS,
    NUMBERS,
    Coded,
    Layout,
    Table,
    describe_missing,
    find_layout,
    to_columns,
    to_corpus,
)

DELIMITERS = (",", "\t", ";", "|")
_MARK = b"\xef\xbb\xbf"
_LONGEST_HEADER = 1 << 14


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a table, whatever its delimiter."""
    data = read_bytes(stream).removeprefix(_MARK)
    nothing = CorpusBuilder(path).corpus()
    if problem := _not_text(data, path):
        return nothing, [problem]
    header = split_header(data)
    layout = find_layout(header.names)
    if not isinstance(layout, Layout):
        return nothing, [describe_missing(path, header.line, layout)]
    return to_corpus(_read_rows(data + PADDING, header, layout, path), path)


def _read_rows(data: bytes, header: Header, layout: Layout, path: str) -> Table:
    labels: Labels | None = None
    numbers: dict[str, Numbers] = {}
    texts: dict[str, Texts] = {}
    for role in layout.roles:
        column = layout.at[role]
        if role in NUMBERS:
            numbers[role] = Numbers(column, header.names[column], path)
        elif role == "mention":
            labels = Labels(column)
        else:
            texts[role] = Texts(column)
    columns: list[Numbers | Texts | Labels] = [*numbers.values(), *texts.values()]
    columns += [labels] if labels else []
    problems: list[Problem] = []
    lines = [np.zeros(0, dtype=np.int64)]
    shape = Shape(header.delimiter, len(header.names), header.line + 1, path)
    for cells in split(data, header.end, shape, problems):
        lines.append(cells.line)
        for one in columns:
            one.add(cells)
    problems += [problem for number in numbers.values() for problem in number.problems]
    return Table(
        path,
        {role: Coded(*text.all()) for role, text in texts.items()},
        {role: number.all() for role, number in numbers.items()},
        np.concatenate(lines),
        problems,
        labels=labels.all() if labels else None,
    )


class Header(NamedTuple):
    """The names in the header, the delimiter, the header's line, and the byte where it ends."""

    names: list[str]
    delimiter: str
    line: int
    end: int


def split_header(data: bytes) -> Header:
    """Find the header, and the delimiter with which it makes sense."""
    line, at = 1, 0
    end = data.find(b"\n") + 1 or len(data)
    if data.startswith(b"sep=") and len(data[:end].strip()) == 5:  # what Excel wants to be told
        line, at, end = 2, end, data.find(b"\n", end) + 1 or len(data)
    text = data[at:end][:_LONGEST_HEADER].decode(errors="replace").strip("\r\n")
    found = [(_names(text, delimiter), delimiter) for delimiter in DELIMITERS]
    whole = [one for one in found if isinstance(find_layout(one[0]), Layout)]
    names, delimiter = whole[0] if whole else max(found, key=lambda one: len(one[0]))
    return Header(names, delimiter, line, end)


def _names(line: str, delimiter: str) -> list[str]:
    return [name.strip().strip('"') for name in line.split(delimiter)]


def _not_text(data: bytes, path: str) -> Problem | None:
    if (at := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, at) + 1
        return Problem(path, line, "a NUL byte", "a table as text", "is this the right file?")
    if data.isascii():
        return None
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return not_utf8(path, line, error.start, data[error.start])
    return None


@lru_cache(maxsize=1)  # tables with commas and with tabs ask for the same file
def recognised_delimiter(head: bytes) -> str | None:
    """Return the delimiter of a table whose header has the columns that are needed."""
    header = split_header(head.removeprefix(_MARK))
    return header.delimiter if isinstance(find_layout(header.names), Layout) else None


def write(corpus: Corpus, stream: BinaryIO, delimiter: str = ",") -> None:
    """Write a table with the columns that the corpus has something for."""
    import csv  # noqa: PLC0415  # a scorer rarely writes
    import io  # noqa: PLC0415

    columns = to_columns(corpus)
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    text.flush()
    text.detach()


def _recognise(head: bytes) -> bool:
    return recognised_delimiter(head) in {",", ";", "|"}


FORMAT = Format(
    name="csv",
    title="a table with a header",
    recognise=_recognise,
    read=read,
    write=write,
    suffix=".csv",
    supports=KEEPS,
)
