"""Every odd byte and every mark at every place of small files: `python -m tests.fuzz.places`.

Random damage seldom hits the one place at which one mark matters. This tries them all, for as many
files as one likes. It takes minutes for each format and is not a part of the suite.

With `--lenient`, it also prints what only the strict reader refuses, even if the mentions are the
same. Together with damage that nobody can see, such as a lost last line, it is a silent change.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.fuzz import spacy_stand_in
from tests.fuzz.damage_bytes import MARKS, NUMBERS, ODD_BYTES
from tests.fuzz.generators import GENERATORS
from tests.fuzz.judge import FAILURES, SAME, FuzzInput, Judge, draw_input
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
    options = parser.parse_args(arguments)
    spacy_stand_in.install()
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str, str]] = set()
    with Judge(every=10**9) as judge:
        for name in options.format:
            files = small_files(options.seed, name, options.bytes)
            for _, original in zip(range(options.files), files, strict=False):
                for beside in original:
                    for how, data in damage_everywhere(original[beside]):
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
                            print(f"  before: {original[beside]!r}\n  after:  {data!r}", flush=True)
    print(f"{counts.total():,} inputs: {dict(counts)}")
    return int(bool(seen))


if __name__ == "__main__":
    raise SystemExit(main())
