"""Comma-separated values for spreadsheets and data frames, at full precision.

A spreadsheet executes a cell that starts with `=`, `+`, `-` or `@`. Such a text gets an apostrophe
in front, which spreadsheets do not show, and control characters are escaped. With `raw_texts`, a
program reads texts as they are. Numbers are the same in both cases.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from scoref.base.visible import visible

_FORMULA = re.compile(r"\s*[=+\-@]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_END = "\r\n"  # with another one, Python does not quote a text that has a carriage return
_raw: ContextVar[bool] = ContextVar("raw", default=False)


@contextmanager
def raw_texts() -> Iterator[None]:
    """Write texts as they are, for programs."""
    token = _raw.set(True)
    try:
        yield
    finally:
        _raw.reset(token)


def write_records(records: Iterable[Sequence[object]]) -> str:
    """Write rows; what does not exist (None, NaN) is empty, numbers read back as the same."""
    cell = _as_is if _raw.get() else _safe
    lines = _Lines()
    csv.writer(lines, lineterminator=_END).writerows(map(cell, record) for record in records)
    return "\n".join(lines)


class _Lines(list[str]):
    """The lines that a csv writer writes."""

    def write(self, line: str) -> None:
        """Add a line, without its end."""
        self.append(line.removesuffix(_END))


def _as_is(value: object) -> object:
    return "" if value != value else value  # noqa: PLR0124  # NaN


def _safe(value: object) -> object:
    """Keep numbers, and write any other value so that nothing acts upon it."""
    value = _as_is(value)
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    # A tab or a line break before a formula does not stop a spreadsheet.
    is_formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{visible(text)}" if is_formula else visible(text)
