"""The problems of a file, in the words that all readers of brackets use."""

from __future__ import annotations

from dataclasses import dataclass, field

from scoref.exceptions import Problem
from scoref.formats.brackets.pairing import OPEN


@dataclass(slots=True)
class ProblemLog:
    """Collects the problems of a file."""

    path: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, line: int, found: str, expected: str, hint: str = "") -> None:
        """Add a problem; line 0 is the file as a whole."""
        self.problems.append(Problem(self.path, line, found, expected, hint))

    def add_unmatched(
        self, line: int, kind: int, opening: str, closing: str, document: str
    ) -> None:
        """Add an opening or a closing bracket without a partner, which is written as given."""
        if kind == OPEN:
            found, partner, place = opening, closing, "last"
            expected = f"`{closing}` before document {document} ends"
        else:
            found, partner, place = closing, opening, "first"
            expected = f"an earlier `{opening}` in document {document}"
        hint = f"write `{partner}` on the {place} token of the mention, or remove `{found}`"
        self.add(line, f"`{found}`", expected, hint)

    def add_too_long(self, line: int) -> None:
        """Add a line that is too long for text."""
        found, hint = "a line of more than 256 MB", "is this the right file?"
        self.add(line, found, "lines of text", hint)

    def add_duplicate(self, line: int, document: str, first_line: int, distinct: str) -> None:
        """Add a document that has the same name as an earlier one."""
        found = f"document {document} again (the first is in line {first_line})"
        expected, hint = f"documents with different {distinct}", "rename one of the documents"
        self.add(line, found, expected, hint)


def quoted(text: str, most: int = 40) -> str:
    """Quote text of a file for a message, and cut long text."""
    return f"`{text[:most]}...`" if len(text) > most else f"`{text}`"
