"""Damage: to bytes, cells, lines, structure and encoding."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from random import Random
from typing import Any

ODD_BYTES = [b"\0", b"\xff", b"\x80", b"\x1b", b"\x0b", b"\x0c", b"\x1c", b"\x85", b"\r", b"\xa0",
             b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xed\xa0\x80", b" ", b"\t", b"\n",
             b"\x7f", b"\xe3\x80\x80"]  # fmt: skip
MARKS = [bytes([mark]) for mark in b"()|[]{}<>\"',;:=-_*#&/\\%+.@019"]
NUMBERS = ["0", "-1", "1.0", "1.5", "1e3", "00", "+1", "9" * 20, "2147483648", "NaN", "",
           "\u0663", "1_0", "0x1", " 1"]  # fmt: skip

Damage = Callable[[bytes, Random], bytes]


def place(data: bytes, rng: Random) -> int:
    """Return a place in a file."""
    return rng.randrange(len(data) + 1)


# --------------------------------------------------------------------------- bytes


def flip_a_bit(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def lose_bytes(data: bytes, rng: Random) -> bytes:
    at = place(data, rng)
    return data[:at] + data[at + rng.choice((1, 1, 2, 5, 20)) :]


def insert_a_byte(data: bytes, rng: Random) -> bytes:
    at = place(data, rng)
    return data[:at] + bytes([rng.randrange(256)]) + data[at:]


def insert_an_odd_byte(data: bytes, rng: Random) -> bytes:
    at = place(data, rng)
    return data[:at] + rng.choice(ODD_BYTES) + data[at:]


def odd_byte_in_a_number(data: bytes, rng: Random) -> bytes:
    found = [match.start() for match in re.finditer(rb"\d", data)]
    at = rng.choice(found or [0]) + rng.randrange(2)
    return data[:at] + rng.choice(ODD_BYTES) + data[at:]


def double_bytes(data: bytes, rng: Random) -> bytes:
    at = place(data, rng)
    size = rng.choice((1, 2, 8, 40))
    return data[: at + size] + data[at:]


def insert_a_mark(data: bytes, rng: Random) -> bytes:
    at = place(data, rng)
    return data[:at] + rng.choice(MARKS) + data[at + rng.randrange(2) :]


def lose_a_mark(data: bytes, rng: Random) -> bytes:
    mark = rng.choice(MARKS)
    found = [match.start() for match in re.finditer(re.escape(mark), data)]
    if not found:
        return lose_bytes(data, rng)
    at = rng.choice(found)
    return data[:at] + data[at + 1 :]


def another_number(data: bytes, rng: Random) -> bytes:
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return insert_a_byte(data, rng)
    match = rng.choice(found)
    number = (
        rng.choice(NUMBERS)
        if rng.random() < 0.4
        else str(int(match[0][:9]) + rng.choice((-1, 1, 2)))
    )
    return data[: match.start()] + number.encode() + data[match.end() :]


def other_digits(data: bytes, rng: Random) -> bytes:
    """Write a number with digits of another script, which Python takes for a number too."""
    found = list(re.finditer(rb"\d+", data))
    if not found:
        return insert_an_odd_byte(data, rng)
    match = rng.choice(found)
    zero = rng.choice((0x660, 0x966, 0xFF10, 0x1D7CE, 0x2070))
    digits = "".join(chr(zero + digit - ord("0")) for digit in match[0])
    return data[: match.start()] + digits.encode() + data[match.end() :]


def cut_the_rest(data: bytes, rng: Random) -> bytes:
    return data[: place(data, rng)]


def cut_the_beginning(data: bytes, rng: Random) -> bytes:
    return data[place(data, rng) :]


def only_rubbish(data: bytes, rng: Random) -> bytes:
    parts = [rng.choice([rng.choice(ODD_BYTES), rng.choice(MARKS), rng.randbytes(1)])
             for _ in range(rng.randint(0, 30))]  # fmt: skip
    return b"".join(parts)


# --------------------------------------------------------------------------- lines


def some_line(data: bytes, rng: Random) -> tuple[list[bytes], int]:
    """Split a file into lines, and choose one that has something in it."""
    lines = data.split(b"\n")
    full = [at for at, line in enumerate(lines) if line]
    return lines, rng.choice(full or [0])


def lose_a_line(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    del lines[at]
    return b"\n".join(lines)


def lose_any_line(data: bytes, rng: Random) -> bytes:
    lines = data.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def double_a_line(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    lines.insert(at, lines[at])
    return b"\n".join(lines)


def swap_two_lines(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    to = rng.choice((at + 1, at - 1, rng.randrange(len(lines)))) % len(lines)
    lines[at], lines[to] = lines[to], lines[at]
    return b"\n".join(lines)


def cut_a_line(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    lines[at] = lines[at][: place(lines[at], rng)]
    return b"\n".join(lines)


def join_two_lines(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    lines[at : at + 2] = [rng.choice((b"", b" ", b"\t")).join(lines[at : at + 2])]
    return b"\n".join(lines)


def split_a_line(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    to = place(lines[at], rng)
    return b"\n".join([*lines[:at], lines[at][:to], lines[at][to:], *lines[at + 1 :]])


def insert_a_line(data: bytes, rng: Random) -> bytes:
    lines, at = some_line(data, rng)
    lines.insert(at, rng.choice((b"", b" ", b"# a remark", b"#", b"rubbish", b"\t", b"\r")))
    return b"\n".join(lines)


def repeat_the_file(data: bytes, rng: Random) -> bytes:
    return data + data[place(data, rng) if rng.random() < 0.5 else 0 :]


# --------------------------------------------------------------------------- cells


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
    """Of all lines, or under the name of another one: which of the two is read?"""
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


def double_an_attribute(data: bytes, rng: Random) -> bytes:
    """Repeat `Name=value`, with this value or that of another one."""
    found = list(re.finditer(rb"[A-Za-z]\w*=[^|()\s<>=]+(?:\([^()]*\))?", data))
    if not found:
        return double_a_key(data, rng)
    match, other = rng.choice(found), rng.choice(found)
    name, value = match[0].partition(b"=")[0], rng.choice((match, other))[0].partition(b"=")[2]
    mark = rng.choice((b"|", b"|", b" "))
    return data[: match.end()] + mark + name + b"=" + value + data[match.end() :]


# --------------------------------------------------------------------------- structure

ODD_VALUES: list[Any] = [None, True, 0, -1, 1.5, float("nan"), float("inf"), 2**31, 10**400, "", "x", "\ud800", [], {}, [[]],
                         [0, 1], "\0", "\x1b[31m", {"a": 1}, [[[0, 0]]]]  # fmt: skip


def json_values(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all values in a value."""
    found = [path]
    if isinstance(value, dict):
        for name, inner in value.items():
            found += json_values(inner, (*path, name))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            found += json_values(inner, (*path, at))
    return found


def damage_json(data: bytes, rng: Random) -> bytes:
    """Replace, lose, double, rename or wrap a value somewhere in JSON."""
    lines = data.split(b"\n") if data.count(b"\n{") or data.count(b"\n") == 1 else [data]
    at = rng.randrange(len([line for line in lines if line.strip()]) or 1)
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return another_number(data, rng)
    top = json_values(value)
    path = rng.choice([one for one in top if len(one) < rng.choice((2, 3, 9))])
    if not path:
        value = rng.choice([[value], {"x": value}, rng.choice(ODD_VALUES)])
    else:
        inner = value
        for step in path[:-1]:
            inner = inner[step]
        last = path[-1]
        kind = rng.randrange(6)
        if kind == 0:
            del inner[last]
        elif kind == 1:
            inner[last] = rng.choice(ODD_VALUES)
        elif kind == 2:
            inner[last] = rng.choice(([inner[last]], {"x": inner[last]}))
        elif kind == 3 and isinstance(inner, list):
            inner.insert(rng.randrange(len(inner) + 1), inner[last])
        elif kind == 4 and isinstance(inner, dict):
            inner[rng.choice([*inner, "text", "tokens", "clusters", "type", "x"])] = inner.pop(last)
        else:
            other = rng.choice(top)
            found = value
            for step in other:
                try:
                    found = found[step]
                except (KeyError, IndexError, TypeError):
                    break
            inner[last] = json.loads(json.dumps(found))
    lines[at] = json.dumps(value).encode()
    return b"\n".join(lines)


def double_a_key(data: bytes, rng: Random) -> bytes:
    """Write a name of a JSON object twice."""
    found = list(re.finditer(rb'"[^"]*": (\d+|"[^"]*"|\[[^\[\]]*\])', data))
    if not found:
        return double_bytes(data, rng)
    match = rng.choice(found)
    return data[: match.end()] + b", " + match[0] + data[match.end() :]


def nest_deeply(data: bytes, rng: Random) -> bytes:
    at = place(data, rng)
    mark, times = rng.choice((b"[", b"{", b"(", b"<a>", b'{"a":')), rng.choice((3, 200, 5000))
    return data[:at] + mark * times + data[at:]


def damage_tags(data: bytes, rng: Random) -> bytes:
    """Lose, double, rename or empty a tag or an attribute of XML, or a field of another format."""
    found = list(re.finditer(rb"</?\w+[^<>]*>|\w+=\"[^\"]*\"|\w+=[^|()\s]+|[A-Z]\w*:\S+", data))
    if not found:
        return insert_a_mark(data, rng)
    match, other = rng.choice(found), rng.choice(found)
    new = rng.choice(
        (b"", match[0] * 2, other[0], match[0].lower(), re.sub(rb"=.*", b"=", match[0]))
    )
    return data[: match.start()] + new + data[match.end() :]


# --------------------------------------------------------------------------- encoding


def encode_otherwise(data: bytes, rng: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    name = rng.choice(["utf-16", "utf-16-le", "utf-32", "latin-1", "cp037", "utf-8-sig", "utf-7"])
    return text.encode(name, "replace")


def carriage_returns(data: bytes, rng: Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r\n", b"\r\n", b"\r", b"\n\r", b"\r\r\n")))


def some_carriage_returns(data: bytes, rng: Random) -> bytes:
    """Mix line ends, as an editor or a merge does."""
    parts = data.split(b"\n")
    return b"".join(part + rng.choice((b"\n", b"\n", b"\r\n")) for part in parts[:-1]) + parts[-1]


def join_two_files(data: bytes, rng: Random) -> bytes:
    """Put a file behind itself, with what a second file begins with."""
    return data + rng.choice((b"", b"\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n")) + data


def mark_the_middle(data: bytes, rng: Random) -> bytes:
    """Put a byte order mark before a line, as files that were joined have it."""
    starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
    at = rng.choice(starts)
    return data[:at] + b"\xef\xbb\xbf" + data[at:]


def lengthen_a_cell(data: bytes, rng: Random) -> bytes:
    """Repeat a piece until it is longer than buffers and limits of libraries."""
    found = list(re.finditer(rb"[^\s,;|()\[\]{}\"<>=]+", data))
    if not found:
        return double_bytes(data, rng)
    match = rng.choice(found)
    times = rng.choice((50, 300, 5000)) // len(match[0]) + 1
    return data[: match.start()] + match[0] * times + data[match.end() :]


def normalise_otherwise(data: bytes, rng: Random) -> bytes:
    """Write letters with accents in another form of Unicode."""
    text = data.decode("utf-8", "surrogateescape")
    form: Any = rng.choice(("NFC", "NFD", "NFKC", "NFKD"))
    return unicodedata.normalize(form, text).encode("utf-8", "surrogateescape")


def no_final_newline(data: bytes, _: Random) -> bytes:
    return data.rstrip(b"\n")


def other_blanks(data: bytes, rng: Random) -> bytes:
    one, other = rng.choice(((b"\t", b" "), (b" ", b"\t"), (b"  ", b"\xc2\xa0"), (b" ", b"  ")))
    return data.replace(one, other)


CELLS = (
    lose_the_last_cell,
    lose_the_last_cell,
    lose_a_cell,
    add_a_cell,
    add_a_cell,
    double_a_cell,
    swap_two_cells,
    empty_a_cell,
    a_cell_of_another_line,
    a_cell_of_another_column,
    a_blank_in_a_cell,
    odd_byte_in_the_last_cell,
)
DAMAGE: list[Damage] = [
    flip_a_bit,
    flip_a_bit,
    lose_bytes,
    insert_a_byte,
    insert_an_odd_byte,
    insert_an_odd_byte,
    odd_byte_in_a_number,
    double_bytes,
    insert_a_mark,
    insert_a_mark,
    lose_a_mark,
    lose_a_mark,
    another_number,
    another_number,
    other_digits,
    cut_the_rest,
    cut_the_beginning,
    only_rubbish,
    lose_a_line,
    lose_a_line,
    lose_any_line,
    double_a_line,
    swap_two_lines,
    cut_a_line,
    join_two_lines,
    split_a_line,
    insert_a_line,
    repeat_the_file,
    *map(change_cells, CELLS),
    lose_the_last_column,
    double_a_column,
    double_an_attribute,
    damage_json,
    damage_json,
    damage_json,
    double_a_key,
    nest_deeply,
    damage_tags,
    damage_tags,
    encode_otherwise,
    carriage_returns,
    some_carriage_returns,
    no_final_newline,
    other_blanks,
    join_two_files,
    mark_the_middle,
    lengthen_a_cell,
    normalise_otherwise,
]


def damage(files: dict[str, bytes], rng: Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Damage a file once or a few times, and sometimes the file next to it."""
    files = dict(files)
    applied = []
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        beside = [name for name in files if name]
        name = rng.choice(beside) if beside and rng.random() < 0.15 else ""
        if not files[name]:
            continue
        chosen = rng.choice(DAMAGE)
        files[name] = chosen(files[name], rng)
        applied.append(chosen.__name__)
    return files, tuple(applied)
