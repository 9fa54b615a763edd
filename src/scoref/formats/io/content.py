"""What a file of an unknown format looks like, by its first bytes, and what would help."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_SAMPLE = 4096
_MARK = rb"(?:\xef\xbb\xbf)?\s*"
_CELL = re.compile(rb"\S+[\t ](?:.*[\t ])?(?:[-_*]|\(?[^()\s|]+\)|\([^()\s|]+)(?:\|?\S+)?\s*")


class ContentKind(NamedTuple):
    """What a file looks like, and a hint."""

    name: str
    hint: str


def describe_content(head: bytes) -> ContentKind | None:
    r"""Describe a file by its first bytes, or return None if it looks like nothing known.

    >>> describe_content(b"PK\x03\x04").name
    'a zip archive'
    """
    return next((content for looks_so, content in _KINDS if looks_so(head)), None)


def _starts(pattern: bytes) -> Callable[[bytes], object]:
    return re.compile(pattern).match


def _has_line(pattern: bytes) -> Callable[[bytes], object]:
    return re.compile(rb"^(?:\xef\xbb\xbf)?" + pattern, re.MULTILINE).search


def _has_nul_at(parity: int) -> Callable[[bytes], bool]:
    """Return a function that finds text with a NUL in every second byte."""

    def found(head: bytes) -> bool:
        sample = head[: min(_SAMPLE, len(head) & ~1)]
        nul, other = sample[parity::2].count(0), sample[1 - parity :: 2].count(0)
        return len(sample) >= 8 and 4 * nul > 3 * len(sample) // 2 and 8 * other < nul

    return found


def _has_cells(head: bytes) -> bool:
    """Whether nearly all lines end in `-` or in a bracket, as in CoNLL columns."""
    lines = [line for line in head.split(b"\n")[:200] if line.strip() and line[:1] != b"#"]
    cells = [line for line in lines if _CELL.fullmatch(line)]
    return len(cells) > 1 and 10 * len(cells) >= 9 * len(lines)


def _utf(name: str) -> ContentKind:
    return ContentKind(f"{name.upper()} text", f"name the encoding with --encoding {name}")


_UNPACK = "unpack the file first; gzip is read as it is"
_CONLLU = rb"\d+(?:-\d+|\.\d+)?\t(?:[^\t\n]*\t){8}"
_KINDS: tuple[tuple[Callable[[bytes], object], ContentKind], ...] = (
    (_starts(rb"\xff\xfe\0\0|\0\0\xfe\xff"), _utf("utf-32")),
    (_starts(rb"\xff\xfe|\xfe\xff"), _utf("utf-16")),
    (_has_nul_at(1), _utf("utf-16-le")),
    (_has_nul_at(0), _utf("utf-16-be")),
    (_starts(rb"PAR1"), ContentKind("a Parquet table", "read it with --format parquet")),
    (_starts(rb"PK\x03\x04"), ContentKind("a zip archive", _UNPACK)),
    (_starts(rb"BZh|\xfd7zXZ|\x28\xb5\x2f\xfd"), ContentKind("a compressed file", _UNPACK)),
    (lambda head: b"\0" in head, ContentKind("a binary file", "is this the right file?")),
    (
        _starts(_MARK + rb"(?:\{|\[\s*(?:[\[\]{\"]|-?\d+\s*,))"),
        ContentKind(
            "JSON", "name its format, for example with --format jsonl or --format clusters"
        ),
    ),
    (
        _starts(_MARK + rb"<"),
        ContentKind("XML or HTML", "of XML, only ACE's APF (apf) and ECB+ (ecbplus) are read"),
    ),
    (
        _has_line(_CONLLU + rb".*\bEntity="),
        ContentKind(
            "CoNLL-U without a header",
            "add the line `# global.Entity = ...` that names the fields of `Entity=`",
        ),
    ),
    (
        _has_line(_CONLLU + rb"|# (?:global\.|newdoc|sent_id)"),
        ContentKind("CoNLL-U", "only CoNLL-U with entities in its MISC column is read (corefud)"),
    ),
    (
        _has_line(rb"(?:T\d+[\t ]+\S+ \d+ \d+|(?:R\d+|\*)\t\S+ \S+)"),
        ContentKind(
            "damaged brat annotation", "`scoref validate --format brat` lists its problems"
        ),
    ),
    (
        _has_cells,
        ContentKind(
            "CoNLL columns without documents",
            "write `#begin document (NAME); part 000` before the first token of each document,"
            " and `#end document` after the last",
        ),
    ),
)
