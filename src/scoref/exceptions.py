"""Errors a user can cause and a user can fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class ScorefError(Exception):
    """Base of every error this package raises on purpose.

    A message says what is wrong in lower case and without a full stop; the hint, if
    there is one, says what to do.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}\n  hint: {hint}" if hint else message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[ScorefError], tuple[object, ...]]:
        """Pickle what it was made of, for a process that raises it elsewhere."""
        return type(self), (self.message, self.hint)


class UsageError(ScorefError):
    """A name, a value or a combination of choices that cannot be used."""


class DocumentError(ScorefError):
    """The documents of the two sides cannot be paired or do not have the same text."""


class MentionError(ScorefError):
    """The mentions of one side contradict each other or cannot be compared."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something in a file that would change a score in silence.

    It answers four questions in this order: where, what was found, what was expected,
    what to do.
    """

    path: str
    line: int
    found: str
    expected: str
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: found {self.found}, expected {self.expected}"


class FormatError(ScorefError):
    """An input file breaks the rules of its format.

    The first problem is the message; `problems` has them all. `path` is what the user named,
    which can be the directory of the file.
    """

    def __init__(self, problems: Sequence[Problem], path: str = "") -> None:
        self.problems = sorted(problems)
        self._path = path
        first, more = self.problems[0], len(self.problems) - 1
        hints = [first.hint] if first.hint else []
        if more:
            others = "1 more problem" if more == 1 else f"{more:,} more problems"
            hints.append(f"{others} here: `scoref validate {path or first.path}` lists all")
        super().__init__(str(first), "; ".join(hints))

    def __reduce__(self) -> tuple[type[FormatError], tuple[object, ...]]:
        return type(self), (self.problems, self._path)
