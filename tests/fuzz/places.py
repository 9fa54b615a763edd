"""Every odd byte and every mark at every place of small files: `python -m tests.fuzz.places`.

Random damage seldom hits the one place at which one mark matters. This tries them all, for as many
files as one likes. It takes minutes for each format and is not a part of the suite.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from tests.fuzz import spacy_stand_in
from tests.fuzz.damage_bytes import MARKS, NUMBERS, ODD_BYTES
from tests.fuzz.damage_structure import ODD_VALUES, json_values
from tests.fuzz.generators import GENERATORS
from tests.fuzz.judge import FAILURES, FuzzInput, Judge, draw_input
from tests.reference.strict.reading import Files

PIECES = [*ODD_BYTES, *MARKS, b"a", b"\r\n", b"\n\n", b"\\n", "\u0663".encode()]


def damage_everywhere(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file with one thing lost, changed or put in, at every place in turn."""
    for at in range(len(data) + 1):
        if at < len(data):
            yield f"lose {at}", data[:at] + data[at + 1 :]
            yield f"double {at}", data[: at + 1] + data[at:]
        for piece in PIECES:
            yield f"insert {piece!r} at {at}", data[:at] + piece + data[at:]
            if at < len(data) and data[at : at + len(piece)] != piece:
                yield f"put {piece!r} at {at}", data[:at] + piece + data[at + 1 :]
    for found in re.finditer(rb"\d+", data):
        for number in NUMBERS:
            yield (
                f"{number!r} for the number at {found.start()}",
                data[: found.start()] + number.encode() + data[found.end() :],
            )
    lines = data.splitlines(keepends=True)
    for at in range(len(lines)):
        rest = [*lines[:at], *lines[at + 1 :]]
        for to in range(len(lines)):
            yield f"move line {at} to {to}", b"".join([*rest[:to], lines[at], *rest[to:]])
            yield f"copy line {at} to {to}", b"".join([*lines[:to], lines[at], *lines[to:]])
        yield f"lose line {at}", b"".join(rest)
    for at, line in enumerate(lines):  # cells
        for mark in (b"\t", b" ", b"|", b",", b"="):
            cells = line.split(mark)
            for one in range(len(cells) if len(cells) > 1 else 0):
                fewer = [*cells[:one], *cells[one + 1 :]]
                yield (
                    f"lose cell {one} of line {at}",
                    b"".join([*lines[:at], mark.join(fewer), *lines[at + 1 :]]),
                )
                for to in range(len(cells)):
                    moved = mark.join([*fewer[:to], cells[one], *fewer[to:]])
                    copied = mark.join([*cells[:to], cells[one], *cells[to + 1 :]])
                    for verb, changed in (("move", moved), ("copy", copied)):
                        yield (
                            f"{verb} cell {one} to {to} in line {at}",
                            b"".join([*lines[:at], changed, *lines[at + 1 :]]),
                        )


def damage_values(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield JSON with one value lost, doubled, wrapped or replaced, and one name replaced."""
    try:
        lines = [data]
        values: list[Any] = [json.loads(data)]
    except ValueError:
        lines = data.splitlines()
        try:
            values = [json.loads(line) for line in lines]
        except ValueError:
            return  # not JSON
    for number, value in enumerate(values):
        # Each value and each name of the file is tried in the place of each other one.
        others = {json.dumps(at_path(value, path)) for path in json_values(value)}
        others |= {json.dumps(odd) for odd in [*ODD_VALUES, False, 1.0, "0", 0.0]}
        names = {step for path in json_values(value) for step in path if isinstance(step, str)}
        for path in json_values(value)[1:]:
            for how, change in changes_at(path, value, sorted(others), sorted(names)):
                changed = json.loads(json.dumps(value))
                change(at_path(changed, path[:-1]))
                line = json.dumps(changed).encode()
                where = f"{path} of line {number}"
                yield f"{how} at {where}", b"\n".join([*lines[:number], line, *lines[number + 1 :]])


def at_path(value: Any, path: Sequence[Any]) -> Any:
    """Return the value at a path."""
    for step in path:
        value = value[step]
    return value


def put(new: str, last: Any, inner: Any) -> None:
    """Put another value in the place of one."""
    inner[last] = json.loads(new)


def rename(new: str, last: str, inner: Any) -> None:
    """Give a value another name, which can be that of another value."""
    inner[new] = inner.pop(last)


def copy(new: str, last: str, inner: Any) -> None:
    """Give a value a second name."""
    inner.setdefault(new, inner[last])


def changes_at(
    path: Sequence[Any], value: Any, others: Sequence[str], names: Sequence[str]
) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Yield what can happen to the value at a path, as changes to what the value is in."""
    last, own = path[-1], at_path(value, path)
    yield "lose", lambda inner: inner.pop(last)
    for other in [*others, json.dumps([own]), json.dumps({"x": own}), json.dumps([own, own])]:
        yield f"put {other[:40]}", partial(put, other, last)
    if isinstance(last, int):
        yield "double", lambda inner: inner.insert(last, own)
        yield "reverse", lambda inner: inner.reverse()
        return
    for name in [*names, "", "text", "tokens", "clusters", "type", "offsets", "id", "subtoken_map"]:
        yield f"rename {name}", partial(rename, name, last)
        yield f"copy to {name}", partial(copy, name, last)


def small_files(seed: str, name: str, most: int) -> Iterator[Files]:
    """Yield files of a format that have at most so many bytes."""
    number = 0
    while True:
        original = draw_input(seed, name, number).original
        if sum(map(len, original.values())) <= most:
            yield original
        number += 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Damage some small files at every place, and print each kind of failure once."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.places", description=__doc__)
    parser.add_argument("--format", action="append", choices=GENERATORS, required=True)
    parser.add_argument("--seed", default="places")
    parser.add_argument("--files", type=int, default=3, help="how many files (default: 3)")
    parser.add_argument("--bytes", type=int, default=500, help="most bytes of one (default: 500)")
    parser.add_argument("--values", action="store_true", help="damage values of JSON, not bytes")
    options = parser.parse_args(arguments)
    spacy_stand_in.install()
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str, str]] = set()
    with Judge(every=10**9) as judge:
        for name in options.format:
            files = small_files(options.seed, name, options.bytes)
            for _, original in zip(range(options.files), files, strict=False):
                for beside in original:
                    damage = damage_values if options.values else damage_everywhere
                    for how, data in damage(original[beside]):
                        changed = {**original, beside: data}
                        number = counts.total() * 2 + 1  # neither scored nor run through commands
                        found = judge.judge(FuzzInput(name, original, changed, (how,), number))
                        counts[found.kind] += 1
                        key = (name, found.kind, re.sub(r"\(.*\)|\d+", "", found.reason))
                        if found.kind in FAILURES and key not in seen:
                            seen.add(key)
                            print(f"{name}: {found.kind}: {found.reason}\n  {found.detail}")
                            print(f"  {how}{f' of {beside}' if beside else ''}")
                            print(f"  before: {original[beside]!r}\n  after:  {data!r}", flush=True)
    print(f"{counts.total():,} inputs: {dict(counts)}")
    return int(bool(seen))


if __name__ == "__main__":
    raise SystemExit(main())
