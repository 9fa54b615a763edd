"""Measurements as text for the terminal and as Markdown for the manual."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import NamedTuple

from benchmarks.measure import Measurement, Ratio, own_peak

Lines = list[list[str]]


class Row(NamedTuple):
    """A measurement, and the size of what was read where that says something."""

    measured: Measurement
    megabytes: float | None = None


class Point(NamedTuple):
    """What a size costs, for the figure."""

    name: str
    megabytes: float
    cpu: float
    peak: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Commands compared with the first of them unless they do different things, or remarks."""

    title: str
    rows: tuple[Row, ...]
    remarks: tuple[str, ...]
    points: tuple[Point, ...] = ()
    different: bool = False

    def table(self) -> Lines:
        """Return the cells, header first, without columns that say nothing."""
        if not self.rows:
            return []
        first = self.rows[0].measured
        header = ["command", "CPU s", "CPU ms/MB", "peak MB", f"times {first.name}"]
        cells = [_cells(row, None if self.different else first) for row in self.rows]
        columns = [column for column in zip(header, *cells, strict=True) if any(column[1:])]
        return [list(line) for line in zip(*columns, strict=True)]


def verdict(measured: Ratio, target: float) -> str:
    """Say whether a ratio is within its target."""
    return f"target: at most {target:g}, measured {measured}: {_met(measured.median <= target)}"


def limit(what: str, measured: Measurement, seconds: float) -> str:
    """Say whether a measurement is within its limit on this machine."""
    shown = f"{measured.cpu:.3g} CPU-s"
    return f"{what}: at most {seconds:g} CPU-s wanted, {shown}: {_met(measured.cpu <= seconds)}"


def _met(is_met: bool) -> str:  # noqa: FBT001
    return "met" if is_met else "missed"


def as_text(section: Section) -> str:
    """Render for a terminal."""
    return _paragraphs([section.title], _aligned(section.table()), section.remarks)


def as_markdown(section: Section) -> str:
    """Render for the manual."""
    remarks = [f"* {remark}" for remark in section.remarks]
    return _paragraphs([f"### {section.title}"], _piped(section.table()), remarks)


def circumstances() -> str:
    """Say how the numbers came about, and on what."""
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "C")
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    python = f"Python {platform.python_version()}, NumPy {version('numpy')}"
    return f"""\
CPU time is user and system time, the median over rounds. Ratios are taken within a round:
the median, and the range over rounds. Memory is the highest peak; a child starts from
this program's own, so {own_peak():.0f} MB can mean anything less.
scoref {version("scoref")}, {python}, {machine}, locale {locale}.{_bytecode()}"""


def _bytecode() -> str:
    """Say what slows an editable install down, but not NumPy, which pip has compiled."""
    if not sys.dont_write_bytecode:
        return ""
    return "\nPYTHONDONTWRITEBYTECODE is set: what has no bytecode yet is compiled in every run."


def _paragraphs(*paragraphs: Sequence[str]) -> str:
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)


def _cells(row: Row, first: Measurement | None) -> list[str]:
    """Return the cells of a command, beside the first one if they can be compared."""
    measured, megabytes = row
    ratio = "1" if measured is first else str(measured.against(first)) if first else ""
    return [
        measured.name,
        f"{measured.cpu:.3f}",
        f"{1000 * measured.cpu / megabytes:.1f}" if megabytes else "",
        f"{measured.peak:.0f}",
        ratio,
    ]


def _aligned(table: Lines) -> list[str]:
    """Align the first column to the left, and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    ruler = ["-" * width for width in widths]
    return [
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in [*table[:1], ruler, *table[1:]]
        if line
    ]


def _piped(table: Lines) -> list[str]:
    """Write a Markdown table, numbers to the right."""
    ruler = ["---", *["---:"] * (len(table[0]) - 1)] if table else []
    return [f"| {' | '.join(line)} |" for line in [*table[:1], ruler, *table[1:]] if line]
