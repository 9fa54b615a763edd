"""Time grows linearly with hostile text: four times the lines take at most eight times as long."""

from __future__ import annotations

import io
import time
from collections.abc import Callable

import pytest

from scoref.formats import Wanted
from scoref.formats.conll import reader
from scoref.formats.registry import detect_format
from tests.sampled import sampled

LINES = 4000
LEAST_SECONDS = 0.004
"""What is faster than this is not compared: it is the noise of the clock."""


def document(body: str) -> bytes:
    """Return a document with a body."""
    return f"#begin document (d); part 000\n{body}\n#end document\n".encode()


def columns(first: int, many: int) -> str:
    """Return a line with so many columns more than 12."""
    return "x\t" * (12 + (first * 7 + many) % 50) + "-"


FAMILIES: dict[str, Callable[[int], bytes]] = {
    "comments that look like tokens": lambda n: document("a -\n# b -\n" * n),
    "tokens that look like comments": lambda n: document("a -\n# -\n" * n),
    "comments": lambda n: document("# comment\n" * n + "a -"),
    "tokens outside documents": lambda n: b"#begin document d\n#end document\nx -\n" * n,
    "documents": lambda n: b"".join(b"#begin document %d\nx -\n" % i for i in range(n)),
    "blanks in a heading": lambda n: b"#begin document x%b y\na -\n" % (b" " * 20 * n),
    "parts in a heading": lambda n: b"#begin document %b\na -\n" % (b"part 1 " * 5 * n),
    "blanks at the ends of lines": lambda n: document(
        "\n".join("a -" + " " * 40 for _ in range(n))
    ),
    "blanks at the end of a line": lambda n: document("a -" + " " * 40 * n),
    "tabs at the ends of lines": lambda n: document("a\tb\t\na\t-\n" * n),
    "lines of other widths": lambda n: document("\n".join(columns(0, i) for i in range(n // 10))),
    "sentences of other widths": lambda n: document(
        "\n\n".join(columns(0, i) for i in range(n // 10))
    ),
    "columns": lambda n: document(("x\t" * 20 * n + "-\n") * 2),
    "wrong cells": lambda n: document("a (\n" * n),
    "words for cells": lambda n: document("a dog\n" * n),
    "a long cell": lambda n: document("a " + "|".join(f"({i})" for i in range(n))),
    "a long id": lambda n: document("a (" + "1" * 20 * n + ")"),
    "long ids": lambda n: document("\n".join(f"a ({i:030d})" for i in range(n))),
    "odd ids": lambda n: document("\n".join(f"a (\u00a0{i})" for i in range(n))),
    "two antecedents": lambda n: document("a (1+2)\n" * n),
    "mixed ids": lambda n: document("a (1)\nb (e)\n" * n),
    "mixed marks": lambda n: document("a -\nb _\nc *\n" * n),
    "deep brackets": lambda n: document("a (1\n" * n + "a 1)\n" * n),
    "brackets that are not closed": lambda n: document("a (1\nb 2)\n" * n),
    "blanks in cells": lambda n: document("a\t(1) (2)\n" * n),
    "control characters": lambda n: document("a\0\x0b -\n" * n),
    "carriage returns": lambda n: document("a\r-\n" * n),
}


def seconds(data: bytes) -> float:
    """Return the CPU time of reading, the best of three."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        reader.read(io.BytesIO(data), "toy", Wanted())
        detect_format(data[: 1 << 16], "toy")
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("family", sampled(FAMILIES.values(), every=4), ids=FAMILIES)
def test_time_grows_linearly(family: Callable[[int], bytes]) -> None:
    """Quadratic time would be sixteen times as long."""
    once = max(seconds(family(LINES)), LEAST_SECONDS)
    twice, four_times = seconds(family(2 * LINES)), seconds(family(4 * LINES))
    assert four_times <= 8 * once, (once, twice, four_times)
