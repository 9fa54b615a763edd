"""Hostile tables of twice the size take at most a little more than twice the memory and time."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import scoref
from scoref.base.limits import no_limits
from scoref.exceptions import ScorefError
from tests.sampled import sampled

SIZES = (3000, 6000, 12_000)
_BYTES = 40
_ROOM = 4 << 20


def table(rows: int, column: int, many: int = 1) -> str:
    """Write a table with ids in a column that are as long as all the other rows together."""
    lines = ["document,mention,entity,head_text,entity_type"]
    for row in range(rows):
        cells = [f"d{row // 100}", f"m{row}", f"e{row}", f"h{row % 7}", "PER"]
        if row < many:
            cells[column] = str(row) + "x" * (_BYTES * rows // many)
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


def quoted(rows: int) -> str:
    """Write a table that Python's csv module splits, with one long id."""
    return table(rows, 1) + 'd,"a ""b""\n",e,,\n'


def far(rows: int) -> str:
    """Write a table with positions that are far out of proportion."""
    lines = [f"d,{row},{10**9 * row + row},e{row},,\n" for row in range(rows)]
    return "document,start,end,entity,head_start,head_end\n" + "".join(lines)


def unclosed(rows: int) -> str:
    """Write a table with a quote that is never closed."""
    return table(rows, 1) + 'd,"' + "a,b\n" * rows


FAMILIES: dict[str, Callable[[int], str]] = {
    "one long document": lambda rows: table(rows, 0),
    "one long mention": lambda rows: table(rows, 1),
    "one long entity": lambda rows: table(rows, 2),
    "one long head": lambda rows: table(rows, 3),
    "one long type": lambda rows: table(rows, 4),
    "a hundred long mentions": lambda rows: table(rows, 1, 100),
    "a hundred long entities": lambda rows: table(rows, 2, 100),
    "quotes": quoted,
    "positions": far,
    "an unclosed quote": unclosed,
    "blanks": lambda rows: table(rows, 1).replace("x", " "),
    "commas": lambda rows: table(rows, 1).replace("x", ","),
}


def cost(path: Path) -> tuple[float, int]:
    """Return the seconds and the bytes that reading and scoring a file takes at most."""
    tracemalloc.start()
    began = time.process_time()
    try:
        with no_limits():
            scoref.score(path, path, ["b3", "muc"])
    except ScorefError:
        pass
    seconds, peak = time.process_time() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return seconds, peak


@pytest.mark.parametrize("draw", sampled(FAMILIES.values(), every=4), ids=FAMILIES)
def test_costs_grow_with_the_file(draw: Callable[[int], str], tmp_path: Path) -> None:
    """Memory is a multiple of the file, and time does not grow faster than the file."""
    path = tmp_path / "table.csv"
    path.write_text(draw(1))
    cost(path)  # imports take memory too
    costs = []
    for rows in SIZES:
        path.write_text(draw(rows))
        costs.append(cost(path))
        assert costs[-1][1] < _ROOM + 60 * path.stat().st_size
    (short, low), _, (long, high) = costs
    assert high < 6 * low + _ROOM
    assert long < 12 * short + 0.5
