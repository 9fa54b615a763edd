"""Tables other than corpora, such as attributes and the files of presets, as rows of texts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import NamedTuple

from scoref.base.phrases import counted
from scoref.exceptions import FormatError, UsageError
from scoref.formats.io.problems import Problems
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import read_text

TextFile = str | PathLike[str]


class TextRow(NamedTuple):
    """The line of a row, counted from 1, and its cells by column."""

    line: int
    cells: Mapping[str, str]


def read_table(
    path: TextFile, columns: Sequence[str], encoding: str | None, *, has_header: bool = True
) -> tuple[list[TextRow], Problems]:
    """Return the rows of a table that has some columns, and a list for problems.

    Cells are separated by tabs, commas or semicolons, as in line 1, and can be quoted as in CSV.
    """
    text, problems = read_file(path, encoding)
    return parse_table(text, columns, problems, has_header=has_header), problems


def parse_table(
    text: str, columns: Sequence[str], problems: Problems, *, has_header: bool = True
) -> list[TextRow]:
    """Return the rows of the text of a table, or raise its problems."""
    rows = iter(_split(text, problems))
    header = [*columns]
    if has_header:
        line, names = next(rows, (1, []))
        header = [name.strip() for name in names]
        if missing := [name for name in columns if name not in header]:
            found, expected = f"no column `{missing[0]}`", f"the columns {', '.join(columns)}"
            problems.add(line, found, expected, "is this the right file? Line 1 names the columns")
        for name in sorted({name for name in header if name and header.count(name) > 1}):
            problems.add_repeated(line, f"the column `{name}`")
        raise_problems(problems)
    found_rows = []
    for line, cells in rows:
        if len(cells) == len(header):
            found_rows.append(TextRow(line, dict(zip(header, cells, strict=True))))
        else:
            problems.add(line, counted(len(cells), "cell"), f"{len(header)}: {', '.join(header)}")
    if not found_rows and not problems:
        problems.add(0, "no rows", "a row per example")
    raise_problems(problems)
    return found_rows


def _split(text: str, problems: Problems) -> list[tuple[int, list[str]]]:
    """Return the line and the cells of each row that is not blank.

    A quote at the start of a cell that is not closed at its end is a part of the text, as for
    published code. Then no cell may have several lines: such a quote would hide the rows after it.
    """
    head = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max("\t,;", key=head.count)
    rows: list[tuple[int, list[str]]] = []
    for strict in (True, False):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        rows, line = [], 1
        try:
            for cells in reader:
                if not strict and {"\n", "\r"} & {*"".join(cells)}:
                    problems.add(line, "a quoted cell over several lines", "a row on one line")
                rows += [(line, cells)] if cells else []
                line = reader.line_num + 1
        except csv.Error as error:
            if not strict:
                problems.add(line, f"a row that cannot be split ({error})", "cells of text")
        else:
            break
    raise_problems(problems)
    return rows


def read_file(path: TextFile, encoding: str | None) -> tuple[str, Problems]:
    """Return the text of one file, and a list for its problems."""
    found = sources(path)
    if len(found) > 1 or found[0].parts or found[0].stem:
        raise UsageError(f"{path} is a directory, expected a file", "name one file")
    with open_source(found[0], encoding) as stream:
        text, problems = read_text(stream, found[0].shown)
    raise_problems(Problems(found[0].shown, problems))
    return text, Problems(found[0].shown)


def raise_problems(problems: Problems) -> None:
    """Raise problems, if there are any."""
    if problems:
        raise FormatError(problems, problems.path)
