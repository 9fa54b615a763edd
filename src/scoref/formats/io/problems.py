"""The list that a reader collects problems in."""

from __future__ import annotations

from collections.abc import Iterable

from scoref.exceptions import Problem


class Problems(list[Problem]):
    """The problems of one file.

    >>> problems = Problems("toy.txt")
    >>> problems.add(3, "an empty line", "a word", "remove the line")
    >>> print(problems[0])
    toy.txt:3: found an empty line, expected a word
    """

    def __init__(self, path: str, problems: Iterable[Problem] = ()) -> None:
        super().__init__(problems)
        self.path = path

    def add(self, line: int, found: str, expected: str, hint: str = "") -> None:
        """Add a problem: in which line (0 for the whole file), what was found, what to do."""
        self.append(Problem(self.path, line, found, expected, hint))
