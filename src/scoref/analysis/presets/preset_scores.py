"""What presets share: their result, decisions, and files as published code reads them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import NamedTuple

from scoref.base.phrases import counted
from scoref.base.viewed import Tabular
from scoref.exceptions import FormatError, UsageError
from scoref.formats.io.problems import Problems
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import read_text

TextFile = str | PathLike[str]


@dataclass(frozen=True, slots=True, eq=False)
class PresetScores(Tabular):
    """The scores of a preset.

    * `preset`: Its name.
    * `tables`: The scores, from 0 to 1, and counts: by table, then by row, then by column.
    * `figures`: Single figures by name, such as the `bias` of GAP; None if one does not exist.
    * `notes`: What a user should know about the data, and the warnings of the published code.
    * `signatures`: The signatures of the scores, if they are those of `scoref.score`.
    """

    preset: str
    tables: Mapping[str, Mapping[str, Mapping[str, float]]]
    figures: Mapping[str, float | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        figures = "".join(f", {name} {value:.4f}" for name, value in self.figures.items() if value)
        return f"<PresetScores: {self.preset}, {counted(len(self.tables), 'table')}{figures}>"


class Decisions(NamedTuple):
    """How many answers are true and false positives, false and true negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def rates(self, empty: float = math.nan, no_answer: float = 0.0) -> dict[str, float]:
        """Return recall, precision and F1: `empty` of nothing, `no_answer` without answers."""
        return {
            "recall": share(self.tp, self.tp + self.fn, empty),
            "precision": share(self.tp, self.tp + self.fp, no_answer),
            "f1": share(2 * self.tp, 2 * self.tp + self.fp + self.fn, empty),
        }


def share(part: float, whole: float, empty: float) -> float:
    """Return a share, or `empty` if the whole is nothing."""
    return part / whole if whole else empty


class TextRow(NamedTuple):
    """The line of a row, counted from 1, and its cells by column."""

    line: int
    cells: Mapping[str, str]


def read_table(
    path: TextFile, columns: Sequence[str], encoding: str | None, *, has_header: bool = True
) -> tuple[list[TextRow], Problems]:
    """Return the rows of a table that has some columns, and a list for problems.

    Cells are separated by tabs, or by commas if line 1 has no tab, and can be quoted as in CSV.
    """
    text, problems = read_file(path, encoding)
    rows = iter(_split(text, problems))
    header = [*columns]
    if has_header:
        line, names = next(rows, (1, []))
        header = [name.strip() for name in names]
        if missing := [name for name in columns if header.count(name) != 1]:
            found, expected = f"no column `{missing[0]}`", f"the columns {', '.join(columns)}"
            problems.add(line, found, expected, "is this the right file? Line 1 names the columns")
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
    return found_rows, problems


def _split(text: str, problems: Problems) -> list[tuple[int, list[str]]]:
    """Return the line and the cells of each row that is not blank.

    A quote at the start of a cell that is not closed at its end is a part of the text, as for
    published code. Then no cell may have several lines: such a quote would hide the rows after it.
    """
    delimiter = "\t" if "\t" in text.lstrip("\r\n").partition("\n")[0] else ","
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
