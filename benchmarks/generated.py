"""Text that a language model wrote: aligned with its source, at growing sizes and beside a peer."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.jobs import Bench
from benchmarks.measure import Measurement, Ratio, run_inside
from benchmarks.report import Row, Section, limit, verdict

_TEXT2TEXT = "SCOREF_TEXT2TEXT"
_SIZES = (2_000, 20_000, 200_000)
_ROUNDS = 3
_GROWTH = 14.0  # ten times the words may take that many times the time
_FASTER = 100


def generated(bench: Bench) -> Section:
    """Align generated texts of growing sizes; the official cleaner, if found, gets the smallest."""
    sizes = _SIZES[:2] if bench.quick else _SIZES
    grown = [run_inside("generated text", size, _ROUNDS)[0] for size in sizes]
    rows = [
        Measurement(f"{one.name}, {size:,} words", one.costs)
        for one, size in zip(grown, sizes, strict=True)
    ]
    more = grown[-1].cpu / grown[-2].cpu
    remarks = [
        f"ten times the words, times the CPU time: {verdict(Ratio(more, more, more), _GROWTH)}",
        limit(f"{sizes[-1]:,} words", grown[-1], 5.0),
    ]
    checkout = os.environ.get(_TEXT2TEXT, "")
    if (Path(checkout) / "src" / "text2text_coref").is_dir():
        (peer,) = run_inside("generated text, text2text-coref", sizes[0], 1)
        rows.append(Measurement(f"{peer.name}, {sizes[0]:,} words", peer.costs))
        faster = peer.cpu / grown[0].cpu
        met = "met" if faster >= _FASTER else "missed"
        remarks.append(
            f"target: {_FASTER} times faster than the cleaner, measured {faster:.0f}: {met}"
        )
    else:
        remarks.append(f"text2text-coref was not found: name a checkout in {_TEXT2TEXT}")
    return Section(
        title="Generated text, 3 % of the words altered",
        rows=tuple(map(Row, rows)),
        different=True,
        remarks=(*remarks, "measured within a process: without starting Python"),
    )
