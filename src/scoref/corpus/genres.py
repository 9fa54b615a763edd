"""Genres of documents, inferred from their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SEPARATOR = re.compile(r"[/_]")


def genres(names: Sequence[str]) -> list[str]:
    """Infer the genre of each document from its name, or return an empty list.

    Names have parts separated by `/` or `_`. The genre is the first part that differs between
    documents, provided that there are at most half as many genres as documents.
    """
    parts = [_SEPARATOR.split(name) for name in names]
    for at in range(min(map(len, parts), default=0) - 1):
        column = [part[at] for part in parts]
        if len(set(column)) > 1:
            return column if 2 * len(set(column)) <= len(column) else []
    return []
