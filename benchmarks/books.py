"""A long text: windows, curves, seams and stitching, beside its score."""

from __future__ import annotations

import sys

from benchmarks.jobs import GENERATE, Bench
from benchmarks.measure import Command, run, run_inside
from benchmarks.report import Row, Section, verdict

_TOKENS = 200_000
_ROUNDS = 7
_WINDOWS_TARGET, _CURVE_TARGET = 1.5, 5.0


def books(bench: Bench) -> Section:
    """Measure commands for long texts beside the score of the whole text, all from files."""
    directory = bench.directory / "book"
    shape = f"--documents=1 --tokens={_TOKENS} --mentions={_TOKENS // 7}".split()
    run(Command.of("generate", sys.executable, GENERATE, directory, *shape), bench.directory)
    found = run_inside("book", str(directory), 1 if bench.quick else _ROUNDS)
    whole, windows, curve, *_ = found
    return Section(
        title=f"A text of {_TOKENS:,} tokens, from files",
        rows=tuple(map(Row, found)),
        remarks=(
            f"1,000 windows, {verdict(windows.against(whole), _WINDOWS_TARGET)}",
            f"a curve of 100 points, {verdict(curve.against(whole), _CURVE_TARGET)}",
            "measured within a process: without starting Python",
        ),
    )
