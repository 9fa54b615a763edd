"""The smallest file that still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from tests.fuzz.judge import HANG, FuzzInput, Judge, Verdict


def shrink(judge: Judge, given: FuzzInput, verdict: Verdict, seconds: float = 4.0) -> FuzzInput:
    """Leave out lines, then bytes, as long as the verdict stays the same."""
    end = monotonic() + seconds
    if verdict.kind == HANG or not given.damage:
        return given

    def fails(data: bytes) -> bool:
        one = replace(given, files={**given.files, "": data})
        return judge.judge(one).signature == verdict.signature

    data = given.files[""]
    lines = reduce_parts(data.splitlines(keepends=True), lambda p: fails(b"".join(p)), end)
    pieces = [bytes([byte]) for byte in b"".join(lines)]
    if len(pieces) < 2000:
        pieces = reduce_parts(pieces, lambda p: fails(b"".join(p)), end)
    return replace(given, files={**given.files, "": b"".join(pieces)})


def reduce_parts(
    parts: list[bytes], fails: Callable[[list[bytes]], bool], end: float
) -> list[bytes]:
    """Leave out as many parts as possible: halves first, then smaller and smaller runs."""
    size = max(1, len(parts) // 2)
    while size:
        at = 0
        while at < len(parts) and monotonic() < end:
            fewer = parts[:at] + parts[at + size :]
            if fails(fewer):
                parts = fewer
            else:
                at += size
        size //= 2
    return parts
