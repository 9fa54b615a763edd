"""Comma-separated values for spreadsheets and data frames, at full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def write_records(records: Iterable[Sequence[object]]) -> str:
    """Write rows; what does not exist (None, NaN) is empty, numbers read back as the same."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        ["" if value != value else value for value in record]  # noqa: PLR0124  # NaN
        for record in records
    )
    return text.getvalue().rstrip("\n")
