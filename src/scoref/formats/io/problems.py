"""The list that a reader collects problems in, and the words that several readers use."""

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

    def add_duplicate(
        self, line: int, document: str, first_line: int, distinct: str = "names"
    ) -> None:
        """Add a document that has the same name as an earlier one."""
        found = f"document {document} again (the first is in line {first_line})"
        expected, hint = f"documents with different {distinct}", "rename one of the documents"
        self.add(line, found, expected, hint)

    def add_too_long(self, line: int) -> None:
        """Add a line that is too long for text."""
        found, hint = "a line of more than 256 MB", "is this the right file?"
        self.add(line, found, "lines of text", hint)

    def add_unmatched(
        self, line: int, opening: str, closing: str, document: str, *, opens: bool
    ) -> None:
        """Add an opening or a closing bracket without a partner, which is written as given."""
        if opens:
            found, partner, place = opening, closing, "last"
            expected = f"`{closing}` before document {document} ends"
        else:
            found, partner, place = closing, opening, "first"
            expected = f"an earlier `{opening}` in document {document}"
        hint = f"write `{partner}` on the {place} token of the mention, or remove `{found}`"
        self.add(line, f"`{found}`", expected, hint)
