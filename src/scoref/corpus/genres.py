"""Genres of documents, as their names tell them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SEPARATOR = re.compile(r"[/_]")


def genres(names: Sequence[str]) -> list[str]:
    """Return the genre of each document as its name tells it, or nothing.

    Parts of names are separated by `/` or `_`. The first part that is not the same in all
    tells the genre, if it groups documents: there are at most half as many genres.
    """
    parts = [_SEPARATOR.split(name) for name in names]
    for at in range(min(map(len, parts), default=0) - 1):
        column = [part[at] for part in parts]
        if len(set(column)) > 1:
            return column if 2 * len(set(column)) <= len(column) else []
    return []
