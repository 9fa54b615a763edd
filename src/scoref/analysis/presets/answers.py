"""What presets share: decisions, tables of scores, and tables as published code reads them."""

from __future__ import annotations

import csv
import io
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple

from scoref.base.phrases import counted
from scoref.base.viewed import Tabular, find_view
from scoref.exceptions import FormatError, UsageError
from scoref.formats.io.problems import Problems
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import read_text

TextFile = str | PathLike[str]


class Decisions(NamedTuple):
    """How many answers are true and false positives, false and true negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def rates(self, empty: float = math.nan, no_answer: float = math.nan) -> dict[str, float]:
        """Return recall, precision and F1, or `empty` for what does not exist.

        * `no_answer`: The precision if nothing was answered.
        """
        return {
            "recall": share(self.tp, self.tp + self.fn, empty),
            "precision": share(self.tp, self.tp + self.fp, no_answer),
            "f1": share(2 * self.tp, 2 * self.tp + self.fp + self.fn, empty),
        }


def share(part: float, whole: float, empty: float) -> float:
    """Return a share, or `empty` if the whole is nothing."""
    return part / whole if whole else empty


class PresetTable(NamedTuple):
    """What the rows are, and rows of scores (float) and counts (int) by column."""

    title: str
    rows: Mapping[str, Mapping[str, float]]


class PresetScores(Tabular):
    """The scores of a preset: tables with the same columns, and remarks below them."""

    __slots__ = ()

    @abstractmethod
    def tables(self) -> Sequence[PresetTable]:
        """Return the tables."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """Return everything, for programs."""

    def remarks(self) -> Sequence[str]:
        """Return the figures below the tables."""
        return ()

    def draw(self, path: TextFile) -> None:
        """Draw the scores, as .svg or .png."""
        find_view("PresetScores.draw")(self, path)


def read_file(path: TextFile, encoding: str | None) -> tuple[str, Problems]:
    """Return the text of one file, and a list for its problems."""
    found = sources(path)
    if len(found) > 1 or found[0].parts or found[0].stem:
        raise UsageError(f"{path} is a directory, expected a file", "name one file")
    with open_source(found[0], encoding) as stream:
        text, problems = read_text(stream, found[0].shown)
    return text, raised(Problems(found[0].shown, problems))


def read_table(
    path: TextFile, columns: Sequence[str], encoding: str | None, *, has_header: bool = True
) -> tuple[list[tuple[int, dict[str, str]]], Problems]:
    """Return the line and the columns of each row, and a list for problems.

    Cells are separated by tabs, or by commas if line 1 has no tab. They can be quoted as in CSV,
    but hold no line end: a quote that is never closed would hide the rows after it.
    """
    text, problems = read_file(path, encoding)
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows, line, header = [], 1, [] if has_header else [*columns]
    try:
        for cells in reader:
            if any("\n" in cell or "\r" in cell for cell in cells):
                problems.add(line, "a quoted cell over several lines", "a row on one line")
                break
            if not header:
                header = [name.strip() for name in cells]
                if missing := [name for name in columns if header.count(name) != 1]:
                    found = f"a header without one column `{missing[0]}`"
                    problems.add(line, found, f"the columns {', '.join(columns)}")
                    break
            elif cells and len(cells) != len(header):
                expected = f"{len(header)}: {', '.join(header)}"
                problems.add(line, counted(len(cells), "cell"), expected)
            elif cells:
                rows.append((line, dict(zip(header, cells, strict=True))))
            line = reader.line_num + 1
    except csv.Error as error:
        problems.add(line, f"a row that cannot be split ({error})", "cells of text")
    if not rows and not problems:
        problems.add(0, "no rows", "a row per example")
    return rows, raised(problems)


def raised(problems: Problems) -> Problems:
    """Raise problems, if there are any."""
    if problems:
        raise FormatError(problems, problems.path)
    return problems
