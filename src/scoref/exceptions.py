"""Errors that a user can cause and fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class ScorefError(Exception):
    """Base class of all errors of this package.

    * `message`: What is wrong, in lower case and without a full stop.
    * `hint`: What to do; it may be empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\n  hint: {hint}" if hint else message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[ScorefError], tuple[object, ...]]:
        """Pickle the arguments, for errors of worker processes."""
        return type(self), (self.message, self.hint)


class UsageError(ScorefError):
    """A name, a value or a combination of choices is invalid."""


class DocumentError(ScorefError):
    """The documents of the two sides cannot be paired or do not have the same text."""


class TextError(DocumentError):
    """The two sides of a document do not have the same tokens or words."""


class MentionError(ScorefError):
    """The mentions of one side contradict each other or cannot be compared."""


_LONGEST = 400
"""The characters of each part of a message; damaged files have ids and headers of any length."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A problem in a file: where it is, what was found, what was expected, and what to do.

    * `path`: The file.
    * `line`: The line, counted from 1, or 0 if the problem has no line.
    * `found`: What was found.
    * `expected`: What was expected instead.
    * `hint`: What to do; it may be empty.
    """

    path: str
    line: int
    found: str
    expected: str
    hint: str = ""

    def __post_init__(self) -> None:
        for name in ("found", "expected", "hint"):
            text = getattr(self, name)
            if len(text) > _LONGEST:
                half = _LONGEST // 2 - 2
                object.__setattr__(self, name, f"{text[:half]}...{text[-half:]}")

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: found {self.found}, expected {self.expected}"


class FormatError(ScorefError):
    """An input file breaks the rules of its format.

    The message is the first problem, and `problems` holds all of them.

    * `problems`: All problems of the file.
    * `path`: The path that the user passed, which can be the directory of the file, or None if the
      input is not a file.
    * `format`: The format that was named.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        path: str | None = "",
        format: str | None = None,  # noqa: A002  # what the command line calls it
    ) -> None:
        self.problems = sorted(problems)
        self._path, self._format = path, format
        first, more = self.problems[0], len(self.problems) - 1
        hints = [first.hint] if first.hint else []
        if more:
            others = "1 more problem" if more == 1 else f"{more:,} more problems"
            flag = f"--format {format} " if format else ""
            command = f"scoref validate {flag}{path or first.path}"
            lists = "problems" if path is None else command
            hints.append(f"{others} here: `{lists}` lists all")
        super().__init__(str(first), "; ".join(hints))

    @property
    def named(self) -> tuple[str, str | None]:
        """The path and the format that the user named."""
        return self._path or "", self._format

    def __reduce__(self) -> tuple[type[FormatError], tuple[object, ...]]:
        return type(self), (self.problems, self._path, self._format)
