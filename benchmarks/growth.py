"""What more data costs: the same pair many times over, in time and in memory."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.jobs import Bench, Pair, copies, scoref, wc
from benchmarks.measure import Measurement, Ratio, measure
from benchmarks.report import Point, Row, Section, verdict

_TIMES = (1, 3, 10, 30, 100)
_QUICK = (1, 3, 10)
_LARGE = 30  # from here on, three rounds do
_BYTES_TARGET = 100


class _Grown(NamedTuple):
    times: int
    megabytes: float
    mentions: int
    wc: Measurement
    ours: Measurement


def growth(bench: Bench, pair: Pair) -> Section:
    """Score a pair many times over, beside counting its words."""
    grown = list(_grow(bench, pair))
    rows = [
        Row(Measurement(f"{measured.name} x{one.times}", measured.costs), one.megabytes)
        for one in grown
        for measured in (one.wc, one.ours)
    ]
    last, before = grown[-1], grown[-3]
    ratio = last.ours.against(last.wc)
    # What starting takes is no part of what a mention takes.
    more_memory = last.ours.peak - grown[0].ours.peak
    each = more_memory * 1e6 / (last.mentions - grown[0].mentions)
    more = last.ours.cpu / before.ours.cpu
    return Section(
        title=f"Growth ({pair.title}, up to {last.megabytes:,.0f} MB)",
        rows=tuple(rows),
        different=True,
        remarks=(
            f"at x{last.times}, times wc -lw: {verdict(ratio, 1.0)}",
            f"bytes for each further mention: {verdict(Ratio(each, each, each), _BYTES_TARGET)}",
            f"from x{before.times} to x{last.times} the CPU time grows {more:.1f} times",
        ),
        points=tuple(
            Point(measured.name, one.megabytes, measured.cpu, measured.peak)
            for one in grown
            for measured in (one.wc, one.ours)
        ),
    )


def _grow(bench: Bench, pair: Pair) -> Iterator[_Grown]:
    for times in _QUICK if bench.quick else _TIMES:
        large = copies(bench, pair, times)
        rounds = min(bench.rounds, 3) if times >= _LARGE else bench.rounds
        counted, scored = measure([wc(large), scoref(large)], rounds, bench.directory)
        yield _Grown(times, large.megabytes, times * mentions(pair), counted, scored)
        shutil.rmtree(large.key.parent)  # hundreds of megabytes each


def mentions(pair: Pair) -> int:
    """Count the mentions of both sides."""
    words = (*scoref(pair, "scoref", "--to", "json", "-m", "mentions").steps[0],)
    told = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    return int(told["key"]["mentions"] + told["response"]["mentions"])
