"""The list that a reader collects problems in, and the words that several readers use."""

from __future__ import annotations

from collections.abc import Iterable

from scoref.exceptions import Problem

NONE, DROP_BRACKETS = REPAIRS = ("none", "drop-brackets")
_MOST_NOTES = 100


class Problems(list[Problem]):
    """The problems of one file.

    >>> problems = Problems("toy.txt")
    >>> problems.add(3, "an empty line", "a word", "remove the line")
    >>> print(problems[0])
    toy.txt:3: found an empty line, expected a word
    """

    def __init__(self, path: str, problems: Iterable[Problem] = (), repair: str = NONE) -> None:
        super().__init__(problems)
        self.path = path
        self._repair = repair
        self._repaired: list[str] = []

    def repair_notes(self) -> list[str]:
        """Return a note for each problem that was repaired instead of reported."""
        more = len(self._repaired) - _MOST_NOTES
        notes = self._repaired[:_MOST_NOTES]
        return [*notes, f"{self.path}: {more:,} more repairs"] if more > 0 else notes

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

    def add_odd(self, line: int, what: str, character: str) -> None:
        """Add an id with a blank or an invisible character, which looks like another id."""
        hint = "remove the character"
        self.add(line, f"{what} with {character}", "an id without blanks", hint)

    def add_repeated(self, line: int, what: str) -> None:
        """Add what a header, a row or an object has twice, of which one would be ignored."""
        hint = "remove or rename one of the two"
        self.add(line, f"{what} twice", f"{what} once", hint)

    def add_too_long(self, line: int) -> None:
        """Add a line that is too long for text."""
        found, hint = "a line of more than 256 MB", "is this the right file?"
        self.add(line, found, "lines of text", hint)

    def add_unmatched(
        self, line: int, opening: str, closing: str, document: str, *, opens: bool
    ) -> None:
        """Add an opening or a closing bracket without a partner, which is written as given.

        The repair `drop-brackets` ignores the bracket.
        """
        if opens:
            found, partner, place = opening, closing, "last"
            expected = f"`{closing}` before document {document} ends"
        else:
            found, partner, place = closing, opening, "first"
            expected = f"an earlier `{opening}` in document {document}"
        if self._repair == DROP_BRACKETS:
            note = (
                f"{self.path}:{line}: ignored `{found}`, without {expected} (repair {self._repair})"
            )
            self._repaired.append(note)
            return
        hint = (
            f"write `{partner}` on the {place} token of the mention, or remove `{found}`,"
            f" or ignore such brackets with --repair {DROP_BRACKETS}"
        )
        self.add(line, f"`{found}`", expected, hint)
