"""Where a command writes: results to standard output or files, notes to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any

from scoref.cli.command import Arguments
from scoref.exceptions import ScorefError


def print_result(arguments: Arguments, result: Any, text: str | None = None) -> int:
    """Print the notes of a result, then the text that shows it; return exit code 0."""
    print_notes(result.notes, arguments.like, result.signature)
    if text is not None:
        print(text)
    return 0


def print_notes(notes: Iterable[str], like: str | None = None, signature: str = "") -> None:
    """Print notes to standard error, and how a `signature` differs from the one of `--like`."""
    differences: list[str] = []
    if like is not None:
        from scoref.policy import read_signature

        differences = read_signature(like).differences(read_signature(signature))
    for note in [*notes, *differences]:
        print(f"scoref: note: {note}", file=sys.stderr)


def uses_colour() -> bool:
    """Return whether to print colours: on a terminal or with FORCE_COLOR, but not with NO_COLOR."""
    wanted = sys.stdout.isatty() or os.environ.get("FORCE_COLOR")
    return bool(wanted and not os.environ.get("NO_COLOR"))


def write_text(path: str, text: str) -> None:
    """Write a file, completely or not at all."""
    from scoref.formats.io.sources import write_whole

    with write_whole(path) as stream:
        stream.write(text.encode())


def append_text(path: str, text: str) -> None:
    """Append to a file that other programs append to as well, such as $GITHUB_STEP_SUMMARY."""
    try:
        with open(path, "a", encoding="utf-8") as stream:  # noqa: PTH123  # pathlib loads slowly
            stream.write(text)
    except OSError as error:
        raise ScorefError(f"cannot write {path}: {error.strerror or error}") from None
