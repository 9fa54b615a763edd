"""Damage to bytes, numbers and lines of a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

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
