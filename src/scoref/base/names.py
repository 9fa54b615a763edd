"""Lists of names with parameters in parentheses, such as `muc,lea(importance=size,nam=2)`."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r",(?![^()]*\))")


def split_names(text: str) -> list[str]:
    """Split at commas outside parentheses."""
    return [name for name in (part.strip() for part in _BETWEEN.split(text)) if name] or [text]
