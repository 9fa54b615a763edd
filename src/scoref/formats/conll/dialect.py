"""The dialect of a file: how its lines are divided, the mark for no mention, and the kind of ids.

Entities are in the last column. If a line lost its last cell, the cell before it would be read
instead. So the first line that shows a part of the dialect states it, for its document or for the
file, and every later line conforms or is refused:

* the columns of a document: tabs or blanks between them, and their number. From a dozen columns on,
  each sentence has a number of its own: in CoNLL-2012 and SemEval-2010, predicates add columns;
* the mark of the file for no mention: `-`, `_`, `*` or an empty cell;
* the ids of the file: whole numbers, or other ids. `(GPE)` among numbers is a named entity.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.base.phrases import counted
from scoref.formats.brackets.parsing import INSIDE, Chunks, Ids
from scoref.formats.io.problems import Problems

VARIABLE = 12
"""From so many columns on, the sentences of a document can have different numbers of columns."""

EMPTY = 0
"""The mark of an empty last cell; other marks are bytes."""

LABELS = frozenset(
    (
        *("person", "per", "norp", "fac", "facility", "org", "organization", "gpe", "loc"),
        *("location", "product", "event", "work_of_art", "law", "language", "date", "time"),
        *("percent", "money", "quantity", "ordinal", "cardinal", "number", "misc", "other"),
    )
)
"""Names of classes in the columns of named entities, in lower case."""

_MOST = 100
_IS_NUMBER: Bools = np.zeros(256, dtype=bool)
_IS_NUMBER[list(b"0123456789()|")] = True


class TokenRun(NamedTuple):
    """A document or a sentence, by its number, with the columns and the line of its first token."""

    number: int = -1
    columns: int = 0
    line: int = 0

    def first_tokens(self, numbers: Ints, columns: Ints, lines: Ints) -> tuple[Ints, Ints]:
        """Return the columns and the line of the first token of each token's run."""
        is_first = first_of_run(numbers)
        first = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
        continues = numbers == self.number
        return (
            np.where(continues, self.columns, columns[first]),
            np.where(continues, self.line, lines[first]),
        )

    def latest(self, numbers: Ints, columns: Ints, lines: Ints) -> TokenRun:
        """Return the run of the last token."""
        if numbers[-1] == self.number:
            return self
        first = np.searchsorted(numbers, numbers[-1])
        return TokenRun(int(numbers[-1]), int(columns[first]), int(lines[first]))


class Dialect:
    """What a file states about itself, and the refusal of lines that do not conform.

    A number of columns is positive if tabs divide a line, and negative if blanks do.
    """

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.document = TokenRun()
        self.sentence = TokenRun()
        self.widths: dict[int, int] = {}
        self.mark: tuple[int, int] | None = None
        self.id: tuple[str, int] | None = None
        self.names: set[str] = set()
        self._refused: Counter[str] = Counter()

    def check_columns(self, columns: Ints, lines: Ints, document: Ints, sentence: Ints) -> None:
        """Check the columns of tokens in the given lines, documents and sentences."""
        if not len(columns):
            return
        found = int(columns[0])
        is_uniform = found in self.widths and bool((columns == found).all())
        if not (is_uniform and self.document.columns == self.sentence.columns == found):
            self._check_runs(columns, lines, document, sentence)
        self.document = self.document.latest(document, columns, lines)
        self.sentence = self.sentence.latest(sentence, columns, lines)

    def _check_runs(self, columns: Ints, lines: Ints, document: Ints, sentence: Ints) -> None:
        expected, line = self.expected_columns(columns, lines, document, sentence)
        for at in self._few("columns", columns != expected):
            self._refuse_columns(*(int(one[at]) for one in (lines, columns, expected, line)))
        smallest = int(columns.min())
        for offset in np.flatnonzero(np.bincount(columns - smallest)).tolist():
            first = int(np.argmax(columns == smallest + offset))
            self.widths.setdefault(smallest + offset, int(lines[first]))

    def expected_columns(
        self, columns: Ints, lines: Ints, document: Ints, sentence: Ints
    ) -> tuple[Ints, Ints]:
        """Return how many columns each token should have, and the line that states it."""
        by_document, line = self.document.first_tokens(document, columns, lines)
        by_sentence, other_line = self.sentence.first_tokens(sentence, columns, lines)
        least = np.minimum(abs(by_document), abs(by_sentence))
        varies = (least >= VARIABLE) & (by_document * by_sentence > 0)
        return np.where(varies, by_sentence, by_document), np.where(varies, other_line, line)

    def _refuse_columns(self, line: int, found: int, expected: int, stated: int) -> None:
        if abs(found) == abs(expected):
            names = {one: "tabs" if one > 0 else "blanks" for one in (found, expected)}
            self.problems.add(
                line,
                f"columns separated by {names[found]}",
                f"{names[expected]} as in line {stated}",
                "separate all columns of a document in the same way; are these two lines?",
            )
            return
        self.problems.add(
            line,
            f"a line of {counted(abs(found), 'column')}",
            f"{abs(expected)} as in line {stated}",
            "add the cell that is missing, or remove the cell or the tab that is too many",
        )

    def check_marks(self, marks: Ints, lines: Ints) -> None:
        """Check the marks of tokens without mention: bytes, or `EMPTY`."""
        if not len(marks):
            return
        if self.mark is None:
            self.mark = int(marks[0]), int(lines[0])
        mark, stated = self.mark
        for at in self._few("marks", marks != mark):
            usual = "an empty cell" if mark == EMPTY else f"`{mark:c}`"
            found = "an empty last cell" if marks[at] == EMPTY else f"the cell `{marks[at]:c}`"
            expected = f"{usual} for no mention as in line {stated}"
            hint = f"write {usual}, or add the last cell if it is missing"
            self.problems.add(int(lines[at]), found, expected, hint)

    def check_ids(self, chunks: Chunks, codes: Ints, lines: Ints, ids: Ids) -> None:
        """Check the ids of cells; one without a bracket is checked with its brackets."""
        used = chunks.kind != INSIDE
        is_name = chunks.contain(~_IS_NUMBER[chunks.data])
        if self.id is None and used.any():
            first = int(np.argmax(used))
            self.id = ids.decode(int(codes[first])), int(lines[first])
        if self.id is None:
            return
        usual, stated = self.id
        for at in self._few("ids", used & (is_name == is_whole(usual))):
            kind = "a whole number" if is_whole(usual) else "an id that is not a number"
            expected = f"{kind}, such as `{usual}` in line {stated}"
            hint = "is this the last cell of the line? write all ids as numbers, or none"
            found = f"the entity id `{ids.decode(int(codes[at]))}`"
            self.problems.add(int(lines[at]), found, expected, hint)
        if is_name.any():
            self.names.update(map(ids.decode, set(codes[used & is_name].tolist())))

    def check_file(self) -> None:
        """Check what the whole file shows: that its last column is that of entities."""
        if self.mark and self.mark[0] == EMPTY:
            self._check_empty_cells(self.mark[1])
        if self.id is None or is_whole(self.id[0]) or any(map(_has_digit, self.names)):
            return
        is_label = all(name.lower() in LABELS for name in self.names)
        if is_label or (self.mark and self.mark[0] == ord("*")):
            name, line = self.id
            expected = "entity ids such as `5` in the last column"
            hint = "this looks like a column of named entities: add the column of coreference"
            self.problems.add(line, f"the id `{name}` and no id with a digit", expected, hint)

    def _check_empty_cells(self, line: int) -> None:
        """Refuse tabs at the ends of lines that can be anything else than empty cells."""
        hint = "write `-` into empty last cells, or remove the tab at the end of every line"
        if self.id is None:
            found, expected = "an empty last cell on every line", "brackets in some of them"
            self.problems.add(line, found, expected, hint)
        elif len(self.widths) > 1:
            (first, width), (second, other) = sorted(
                (line, one) for one, line in self.widths.items()
            )[:2]
            found = f"a line of {counted(abs(other), 'column')} in a file with empty last cells"
            self.problems.add(second, found, f"{abs(width)} as in line {first}", hint)

    def _few(self, kind: str, is_wrong: Bools) -> list[int]:
        """Return the first places that are wrong, at most a hundred of a kind in a file."""
        places: list[int] = np.flatnonzero(is_wrong)[: _MOST - self._refused[kind]].tolist()
        self._refused[kind] += len(places)
        return places


def is_whole(name: str) -> bool:
    """Whether an id is a whole number."""
    return name.isascii() and name.isdecimal()


def _has_digit(name: str) -> bool:
    return any(char in "0123456789" for char in name)
