"""CSV and TSV tables: one mention per row, columns known by the names in the header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import BinaryIO, NamedTuple

import numpy as np

from scoref.base.lazy_sequences import ByteTexts
from scoref.base.phrases import counted
from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats.format import Format, Wanted
from scoref.formats.io.lines import Stream
from scoref.formats.io.text import (
    BYTE_ORDER_MARK,
    control_character,
    control_character_problem,
    decode,
    read_bytes,
)
from scoref.formats.table.cells import (
    BLOCK,
    PADDING,
    CodedTextColumn,
    LabelColumn,
    NumberColumn,
    TableShape,
    split_cells,
)
from scoref.formats.table.columns import Coded, TableColumns, to_corpus
from scoref.formats.table.layout import NUMBERS, TableLayout, find_layout, layout_problem
from scoref.formats.table.table_writer import NAMES, SUPPORTED, to_columns

DELIMITERS = (",", "\t", ";", "|")
_LONGEST_HEADER = 1 << 14


def read(stream: Stream, path: str, _: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a table with any of the delimiters."""
    data = read_bytes(stream).removeprefix(BYTE_ORDER_MARK)
    nothing = CorpusBuilder(path).corpus()
    if problems := text_problems(data, path):
        return nothing, problems
    header = split_header(data)
    layout = find_layout(header.names, extra=True)
    if not isinstance(layout, TableLayout):
        return nothing, [layout_problem(path, header.line, layout)]
    data += PADDING
    table = _read_rows(data, header, layout, path)
    table.notes += _note_outer_blanks(table)
    table.notes += _note_unread_cells(data, header, layout, table)
    return to_corpus(table, path)


def _read_rows(data: bytes, header: Header, layout: TableLayout, path: str) -> TableColumns:
    at = {role: layout.at[role] for role in layout.roles}
    labels = LabelColumn(at.pop("mention")) if "mention" in at else None
    numbers = {
        role: NumberColumn(column, header.names[column], path)
        for role, column in at.items()
        if role in NUMBERS
    }
    texts = {role: CodedTextColumn(column) for role, column in at.items() if role not in NUMBERS}
    columns: list[NumberColumn | CodedTextColumn | LabelColumn] = [*numbers.values()]
    columns += [*texts.values(), *([labels] if labels else [])]
    problems: list[Problem] = []
    lines = [np.zeros(0, dtype=np.int64)]
    for cells in split_cells(data, header.end, _shape(header, path), problems):
        lines.append(cells.line)
        for one in columns:
            one.add(cells)
    problems += [problem for number in numbers.values() for problem in number.problems]
    return TableColumns(
        path,
        {role: Coded(*text.all()) for role, text in texts.items()},
        {role: number.all() for role, number in numbers.items()},
        np.concatenate(lines),
        problems,
        labels=labels.all() if labels else None,
        file_bytes=len(data) - len(PADDING),
    )


def _shape(header: Header, path: str) -> TableShape:
    return TableShape(header.delimiter, len(header.names), header.line + 1, path)


def _note_unread_cells(
    data: bytes, header: Header, layout: TableLayout, table: TableColumns
) -> list[str]:
    """Return a note if a row without a mention has cells in columns that are not read.

    They can describe the document, or a mention whose other cells were lost.
    """
    unread = sorted({*range(len(header.names))} - {layout.at[role] for role in layout.roles})
    bare = table.bare()
    if not unread or not bare.any():
        return []
    filled = [  # few tables have such rows, so only these are split again
        (cells.end[:, unread] > cells.start[:, unread]).any(axis=1)
        for cells in split_cells(data, header.end, _shape(header, table.path), [])
    ]
    rows = np.flatnonzero(bare & np.concatenate(filled))
    if not len(rows):
        return []
    note = (
        f"{counted(len(rows), 'row has', 'rows have')} a document but no mention, and a cell in a"
        f" column that is not read, such as line {table.line[rows[0]]}"
    )
    return [f"{table.path}: {note}"]


def _note_outer_blanks(table: TableColumns) -> list[str]:
    """Return a note if ids have outer blanks, which some programs write and others leave out."""
    names: dict[str, Sequence[str]] = {role: coded.names for role, coded in table.texts.items()}
    names["mention"] = table.labels or ()
    for role in ("document", "mention", "entity"):
        texts = names.get(role, ())
        if isinstance(texts, ByteTexts) and len(edged := texts.with_outer_blanks()):
            shown = texts[int(edged[0])][:40]
            note = (
                f"ids in the column of `{role}` begin or end with blanks, which are part of the id"
            )
            return [f"{table.path}: {note}, such as `{shown}`"]
    return []


_STATED_DELIMITERS = tuple(f"sep={delimiter}".encode() for delimiter in DELIMITERS)


class Header(NamedTuple):
    """The names in the header, the delimiter, the header's line, and the byte where it ends."""

    names: list[str]
    delimiter: str
    line: int
    end: int


def split_header(data: bytes) -> Header:
    """Split the header at the delimiter with which it has the required columns."""
    line, at = 1, 0
    end = data.find(b"\n") + 1 or len(data)
    if data[:end].rstrip(b"\r\n") in _STATED_DELIMITERS:  # for Excel
        line += data[:end].endswith(b"\n")
        at, end = end, data.find(b"\n", end) + 1 or len(data)
    text = data[at:end][:_LONGEST_HEADER].decode(errors="replace")
    text = text.removesuffix("\n").removesuffix("\r")
    found = [(_names(text, delimiter), delimiter) for delimiter in DELIMITERS]
    complete = [one for one in found if isinstance(find_layout(one[0]), TableLayout)]
    names, delimiter = complete[0] if complete else max(found, key=lambda one: len(one[0]))
    return Header(names, delimiter, line, end)


def _names(line: str, delimiter: str) -> list[str]:
    """Split a header; a header that cannot be split is one name, which is not a known column."""
    if "\r" in line:
        return [line]
    if '"' not in line:
        return [name.strip() for name in line.split(delimiter)]
    import csv  # noqa: PLC0415  # few headers have quotes

    reader = csv.reader([line], delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        names = [name.strip() for name in next(reader)]
    except csv.Error:
        return [line]
    return [line] if any('"' in name for name in names) else names


def text_problems(data: bytes, path: str) -> list[Problem]:
    """Return the problem of a file that is not UTF-8 text, or has control characters."""
    if not data.isascii():
        return decode(data, path)[1]
    view = np.frombuffer(data, dtype=np.uint8)
    for begin in range(0, len(data), BLOCK):  # which stays in the cache
        if (found := control_character(view[begin : begin + BLOCK])) is not None:
            at = begin + found
            return [control_character_problem(path, data.count(b"\n", 0, at) + 1, data[at])]
    return []


@lru_cache(maxsize=1)  # csv and tsv both look at the head of a file
def _recognised_delimiter(head: bytes) -> str | None:
    """Return the delimiter of a table whose header has the required columns, or None."""
    header = split_header(head.removeprefix(BYTE_ORDER_MARK))
    return header.delimiter if isinstance(find_layout(header.names), TableLayout) else None


def write(corpus: Corpus, stream: BinaryIO, delimiter: str = ",") -> None:
    """Write a table with the columns that the corpus has values for."""
    import csv  # noqa: PLC0415  # a scorer rarely writes
    import io  # noqa: PLC0415

    columns = to_columns(corpus)
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    # Python 3.11 puts no quotes around a cell that holds a CR.
    has_return = any("\r" in str(cell) for cells in columns.values() for cell in cells)
    writer = csv.writer(
        text,
        delimiter=delimiter,
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL,
    )
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    text.flush()
    text.detach()


FORMAT = Format(
    name="csv",
    title="a table with a header",
    recognise=lambda head: _recognised_delimiter(head) in {",", ";", "|"},
    read=read,
    write=write,
    suffix=".csv",
    supports=SUPPORTED,
    names=NAMES,
)
TSV = replace(
    FORMAT,
    name="tsv",
    title="a table with tabs",
    recognise=lambda head: _recognised_delimiter(head) == "\t",
    write=partial(write, delimiter="\t"),
    suffix=".tsv",
)
