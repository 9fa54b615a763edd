"""Damage to JSON, to attributes and tags, and to the encoding and the line ends of a file."""

from __future__ import annotations

import json
import re
import unicodedata
from random import Random
from typing import Any

from tests.fuzz.damage_bytes import another_number, double_bytes, insert_a_mark, place

ODD_VALUES: list[Any] = [None, True, 0, -1, 1.5, float("nan"), float("inf"), 2**31, 10**400, "",
                         "x", "\ud800", [], {}, [[]], [0, 1], "\0", "\x1b[31m", {"a": 1},
                         [[[0, 0]]]]  # fmt: skip


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


def double_an_attribute(data: bytes, rng: Random) -> bytes:
    """Repeat `Name=value`, with this value or that of another one."""
    found = list(re.finditer(rb"[A-Za-z]\w*=[^|()\s<>=]+(?:\([^()]*\))?", data))
    if not found:
        return double_a_key(data, rng)
    match, other = rng.choice(found), rng.choice(found)
    name, value = match[0].partition(b"=")[0], rng.choice((match, other))[0].partition(b"=")[2]
    mark = rng.choice((b"|", b"|", b" "))
    return data[: match.end()] + mark + name + b"=" + value + data[match.end() :]


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
