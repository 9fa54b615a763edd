"""Fix: a change of a file that preserves every mention, every entity and every word."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class FixedLines(NamedTuple):
    """The bytes of a file after a fix, and the lines that it changed, counted from 1."""

    data: bytes
    lines: list[int]


class Fix(NamedTuple):
    """A named fix, and the formats whose files it may change."""

    name: str
    about: str
    formats: frozenset[str]
    apply: Callable[[bytes], FixedLines]
