"""Limits in proportion to the input: a small file must not cost much memory or time.

A number in a file, such as the position of a token or the size of what it decompresses to, may
be as large as `FREE` in any file, and `PER_BYTE` times as large as the file in bytes beyond
that. A reader checks such a number before it makes anything of this size:

    if problem := proportion_problem(end, size_of_file, f"the end {end:,}", path, line):
        problems.append(problem)  # or: raise FormatError([problem])

All limits are lifted together: by `--no-limits` on the command line, by the environment variable
`SCOREF_LIMITS=off`, or in Python by `with no_limits():`. The environment variable is the only
state, so worker processes have the same limits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from scoref.exceptions import Problem

FREE = 1 << 24
PER_BYTE = 64
_VARIABLE = "SCOREF_LIMITS"
_HINT = "if this is right, lift all limits with --no-limits or SCOREF_LIMITS=off"


def limits_are_on() -> bool:
    """Return whether limits are checked, which is the default."""
    return os.environ.get(_VARIABLE, "") != "off"


@contextmanager
def no_limits() -> Iterator[None]:
    """Lift all limits, also those of worker processes that are started meanwhile."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "off"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


def proportion_problem(
    amount: int,
    input_bytes: int,
    found: str,
    path: str,
    line: int = 0,
    *,
    free: int = FREE,
    per_byte: int = PER_BYTE,
) -> Problem | None:
    """Return the problem of a number that is out of proportion to its file, or None.

    * `amount`: The number: a position, or how many items or bytes would be made.
    * `input_bytes`: The size of what the number was read from.
    * `found`: How the message describes the number, such as "a token at position 900,000,000".
    * `free`, `per_byte`: The limit is `free`, or `per_byte * input_bytes` if that is more.
    """
    most = max(free, per_byte * input_bytes)
    if amount <= most or not limits_are_on():
        return None
    expected = f"at most {most:,} in a file of {input_bytes:,} bytes"
    return Problem(path, line, found, expected, _HINT)
