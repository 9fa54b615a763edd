"""Damage to the cells and columns of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.fuzz.damage_bytes import ODD_BYTES, Damage, place, some_line


def cells_of(line: bytes) -> tuple[list[bytes], bytes]:
    """Split a line at what is most likely between its cells."""
    for mark in (b"\t", b",", b";"):
        if mark in line:
            return line.split(mark), mark
    return re.split(rb" +", line.strip()), b"  "


def change_cells(change: Callable[[list[bytes], Random, list[bytes]], None]) -> Damage:
    """Make a damage of a change to the cells of a line."""

    def damage(data: bytes, rng: Random) -> bytes:
        lines, at = some_line(data, rng)
        rows = [n for n, line in enumerate(lines) if line and not line.startswith(b"#")]
        at = rng.choice(rows or [at])
        cells, mark = cells_of(lines[at])
        other = cells_of(lines[rng.choice(rows or [at])])[0]
        change(cells, rng, other)
        lines[at] = mark.join(cells)
        return b"\n".join(lines)

    damage.__name__ = change.__name__
    return damage


def lose_the_last_cell(cells: list[bytes], _: Random, __: list[bytes]) -> None:
    del cells[-1]


def lose_a_cell(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    del cells[rng.randrange(len(cells))]


def add_a_cell(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    odd = [b"-", b"_", b"*", b"", b"(1)", b"(GPE)", b"(V*)", b"x", b"0", b"1)"]
    cells.insert(rng.choice((len(cells), rng.randrange(len(cells) + 1))), rng.choice(odd))


def double_a_cell(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    at = rng.randrange(len(cells))
    cells.insert(at, cells[at])


def swap_two_cells(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    one, other = rng.randrange(len(cells)), rng.randrange(len(cells))
    cells[one], cells[other] = cells[other], cells[one]


def empty_a_cell(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    cells[rng.randrange(len(cells))] = b""


def a_cell_of_another_line(cells: list[bytes], rng: Random, other: list[bytes]) -> None:
    at = rng.randrange(len(cells))
    cells[at] = other[at % len(other)]


def a_cell_of_another_column(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    cells[rng.randrange(len(cells))] = rng.choice(cells)


def a_blank_in_a_cell(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    at = rng.randrange(len(cells))
    to = place(cells[at], rng)
    blank = rng.choice((b" ", b"\xc2\xa0", b"\x0b", b"\xe3\x80\x80", b"\t", b"\r"))
    cells[at] = cells[at][:to] + blank + cells[at][to:]


def odd_byte_in_the_last_cell(cells: list[bytes], rng: Random, _: list[bytes]) -> None:
    to = place(cells[-1], rng)
    cells[-1] = cells[-1][:to] + rng.choice(ODD_BYTES) + cells[-1][to:]


def lose_the_last_column(data: bytes, rng: Random) -> bytes:
    """Of all lines, as if it had never been written."""
    lines = []
    for line in data.split(b"\n"):
        cells, mark = cells_of(line)
        lines.append(line if line.startswith(b"#") or not line else mark.join(cells[:-1]))
    return b"\n".join(lines)


def double_a_column(data: bytes, rng: Random) -> bytes:
    """Of all lines, or only its name in the place of another one."""
    lines = data.split(b"\n")
    at, to = rng.randrange(20), rng.randrange(20)
    only_the_name = rng.random() < 0.3
    for number, line in enumerate(lines):
        cells, mark = cells_of(line)
        if line.startswith(b"#") or len(cells) < 2:
            continue
        if only_the_name:
            cells[to % len(cells)] = cells[at % len(cells)]
        else:
            cells.insert(to % (len(cells) + 1), cells[at % len(cells)])
        lines[number] = mark.join(cells)
        if only_the_name:
            break
    return b"\n".join(lines)
