"""Hints of readers, which read one file, as hints for one of two sides.

A reader says `--encoding utf-16`. If only the response is in UTF-16, that flag would make the key
unreadable; the flag that helps is `--response-encoding utf-16`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

from scoref.exceptions import FormatError, ScorefError

_SIDES = ("key", "response")
_FLAG = re.compile(r"(?<![\w-])(leave )?--(encoding|format)\b")
_COMMAND = re.compile("(`[^`]*`)")


@contextmanager
def hints_for_side(side: str, used: Collection[str] = ()) -> Iterator[None]:
    """Let the hints of errors name the flags of a side.

    `used` are the flags of the side, `encoding` or `format`, that the user has used: `leave
    --format out` means the flag of both sides unless `format` is one of them.
    """
    try:
        yield
    except FormatError as error:
        if side not in _SIDES:
            raise
        problems = [replace(one, hint=_for_side(one.hint, side, used)) for one in error.problems]
        raise FormatError(problems, *error.named) from None
    except ScorefError as error:
        if side not in _SIDES or not _FLAG.search(error.hint):
            raise
        raise type(error)(error.message, _for_side(error.hint, side, used)) from None


def _for_side(hint: str, side: str, used: Collection[str]) -> str:
    """Change flags, but not those of commands that the hint quotes."""

    def flag(found: re.Match[str]) -> str:
        leave, name = found[1] or "", found[2]
        return found[0] if leave and name not in used else f"{leave}--{side}-{name}"

    parts = _COMMAND.split(hint)
    parts[::2] = [_FLAG.sub(flag, part) for part in parts[::2]]
    return "".join(parts)
