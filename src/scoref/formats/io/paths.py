"""Paths that a user passes: strings that can be the name of a file."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path

from scoref.exceptions import UsageError

_LONGEST = 4096
_SHOWN = 40


def checked_path(path: object) -> Path:
    """Return a path, or refuse what cannot be the name of a file, such as the content of one."""
    if not isinstance(path, str | PathLike):
        message = f"a path is a {type(path).__name__}, but must be a string or a Path"
        raise UsageError(message, "pass the name of a file")
    name = str(path)
    shown = f"{name[:_SHOWN]!r}{'...' * (len(name) > _SHOWN)}"
    if len(name) > _LONGEST or "\n" in name or "\0" in name:
        message = f"found {shown} in place of a path, which looks like the content of a file"
        raise UsageError(message, "pass the name of a file, or a Corpus")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise UsageError(f"{shown} cannot be the name of a file", "rename the file") from None
    return Path(name)
