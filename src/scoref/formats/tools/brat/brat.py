"""brat standoff: text-bound annotations and links between them, as spans of characters.

    T1  Person 0 4          Anna
    T2  Person 10 13;17 20  the ... man
    R1  Coref Arg1:T2 Arg2:T1
    *   Equiv T1 T3

Annotations that are linked by a relation with `coref` in its name, or by an equivalence, are an
entity. An annotation without links is an entity of its own. The text is in a .txt file next to the
annotation.
"""

from __future__ import annotations

import re

from scoref.formats.format import Format
from scoref.formats.text_reader import text_reader
from scoref.formats.tools.brat.reader import parse
from scoref.formats.tools.brat.writer import companions, write

_LINE = re.compile(rb"(\xef\xbb\xbf)?([TREAMN#]\d*|\*)\t[^\t\n]*")
_ANNOTATION = re.compile(rb"(\xef\xbb\xbf)?T\d+\t\S+ \d+ \d+")


def _recognise(head: bytes) -> bool:
    """Whether the first lines are those of an annotation."""
    lines = [line for line in head.split(b"\n")[:20] if line.strip()]
    are_lines = bool(lines) and all(map(_LINE.match, lines[:-1] or lines))
    return are_lines and any(map(_ANNOTATION.match, lines))


FORMAT = Format(
    name="brat",
    title="brat standoff",
    recognise=_recognise,
    read=text_reader(parse),
    write=write,
    suffix=".ann",
    supports=frozenset({"nodes", "label", "word"}),
    companions=companions,
)
