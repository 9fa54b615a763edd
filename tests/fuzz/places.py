"""Every odd byte and every mark at every place of small files: `python -m tests.fuzz.places`.

Random damage seldom hits the one place at which one mark matters. This tries them all, for as many
files as one likes; in JSON also every value in the place of every other one, and in XML every
attribute and element. It takes minutes for each format and is not a part of the suite.

With `--lenient`, it also prints what only the strict reader refuses, even if the mentions are the
same. Together with damage that nobody can see, such as a lost last line, it is a silent change.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from tests.fuzz import spacy_stand_in
from tests.fuzz.damage_bytes import MARKS, NUMBERS, ODD_BYTES
from tests.fuzz.damage_structure import ODD_VALUES, json_values
from tests.fuzz.generators import GENERATORS
from tests.fuzz.judge import FAILURES, SAME, FuzzInput, Judge, draw_input
from tests.reference.strict.reading import Files

ATTRIBUTE = re.compile(rb' ([\w:]+)="([^"<>]*)"')
TAG = re.compile(rb"<(/?)(\w+)[^<>]*?(/?)>")
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


def damage_xml(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file with an attribute or an element lost, doubled, changed or moved, in turn."""
    attributes = list(ATTRIBUTE.finditer(data))
    for found in attributes:
        name, value = found.groups()
        others = {other[2] for other in attributes if other[1] == name} - {value}
        for new in (
            *(b"", b' xml:%s="%s"' % (name, value), b'%s xml:%s="%s"' % (found[0], name, value)),
            *(b' %sx="%s"' % (name, value), b' %s="&x;"' % name),
            *(b' %s="%s"' % (name, other) for other in others),
        ):
            yield f"{new!r} for {found[0]!r}", data[: found.start()] + new + data[found.end() :]
    for start, end in elements(data):
        element, rest = data[start:end], data[:start] + data[end:]
        shown = repr(element[:40])
        name, inner = TAG.match(element)[2], TAG.sub(b"", element)  # type: ignore[index]
        for new in (b"", element * 2, inner, b"<x>" + element + b"</x>"):
            yield f"{new[:40]!r} for {shown}", data[:start] + new + data[end:]
        renamed = re.sub(rb"(</?)%s\b" % name, rb"\1%sx" % name, element)
        yield f"rename {shown}", data[:start] + renamed + data[end:]
        for tag in TAG.finditer(rest):
            yield f"move {shown} to {tag.end()}", rest[: tag.end()] + element + rest[tag.end() :]


def elements(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each element begins and ends."""
    begun: list[int] = []
    for tag in TAG.finditer(data):
        if not tag[1]:
            begun.append(tag.start())
        if (tag[1] or tag[3]) and begun:
            yield begun.pop(), tag.end()


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
    parser.add_argument("--lenient", action="store_true", help="print what only scoref reads, too")
    parser.add_argument("--values", action="store_true", help="damage JSON and XML, not bytes")
    options = parser.parse_args(arguments)
    spacy_stand_in.install()
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str, str]] = set()
    with Judge(every=10**9) as judge:
        for name in options.format:
            files = small_files(options.seed, name, options.bytes)
            for _, original in zip(range(options.files), files, strict=False):
                for beside in original:
                    before = original[beside]
                    damaged = chain(damage_values(before), damage_xml(before))
                    if not options.values:
                        damaged = chain(damaged, damage_everywhere(before))
                    for how, data in damaged:
                        changed = {**original, beside: data}
                        number = counts.total() * 2 + 1  # neither scored nor run through commands
                        found = judge.judge(FuzzInput(name, original, changed, (how,), number))
                        counts[found.kind] += 1
                        key = (name, found.kind, re.sub(r"\(.*\)|\d+", "", found.reason))
                        lenient = options.lenient and found.kind == SAME and found.reason
                        if (found.kind in FAILURES or lenient) and key not in seen:
                            seen.add(key)
                            print(f"{name}: {found.kind}: {found.reason}\n  {found.detail}")
                            print(f"  {how}{f' of {beside}' if beside else ''}")
                            print(f"  before: {before!r}\n  after:  {data!r}", flush=True)
    print(f"{counts.total():,} inputs: {dict(counts)}")
    return int(bool(seen))


if __name__ == "__main__":
    raise SystemExit(main())
