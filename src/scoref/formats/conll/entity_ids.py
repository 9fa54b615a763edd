"""Which entity ids a file can have, so that no other column is taken for the last one.

Ids are numbers in nearly every file. They can be anything else without brackets, bars, asterisks
and blanks, but not in some lines only: `(GPE)` among numbers is a named entity on a line that lost
its last cell, and `(V*)` is a predicate.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.formats.brackets.chunks import Chunks
from scoref.formats.brackets.ids import Ids
from scoref.formats.brackets.pairing import INSIDE
from scoref.formats.conll.usage import Usage
from scoref.formats.io.control_characters import odd_character
from scoref.formats.io.problems import Problems

_ASTERISK = ord("*")
_DELETE = 0x7F
_IS_NUMBER: Bools = np.zeros(256, dtype=bool)
_IS_NUMBER[list(b"0123456789()|")] = True
LABELS = frozenset(
    (
        *("person", "per", "norp", "fac", "facility", "org", "organization", "gpe", "loc"),
        *("location", "product", "event", "work_of_art", "law", "language", "date", "time"),
        *("percent", "money", "quantity", "ordinal", "cardinal", "number", "misc", "other"),
    )
)
"""Names of classes in the columns of named entities, in lower case."""

NUMBER, NAME = "a whole number", "an id that is not a number"


@dataclass(slots=True)
class IdCheck:
    """Collects the kinds of ids of a file, block by block."""

    kinds: Usage = field(default_factory=Usage)
    names: set[str] = field(default_factory=set)

    def add(self, chunks: Chunks, codes: Ints, lines: Ints, ids: Ids) -> None:
        """Add the ids of cells."""
        used = chunks.kind != INSIDE  # an id without a bracket is checked with its brackets
        others = np.flatnonzero(~_IS_NUMBER[chunks.data])
        if not len(others):
            self._count(NUMBER, codes, lines, used, ids)
            return
        is_name = _have_any(chunks, others)
        self._count(NUMBER, codes, lines, used & ~is_name, ids)
        self._count(NAME, codes, lines, used & is_name, ids)
        self.names.update(map(ids.decode, np.unique(codes[used & is_name]).tolist()))

    def _count(self, kind: str, codes: Ints, lines: Ints, rows: Bools, ids: Ids) -> None:
        codes, lines = codes[rows], lines[rows]
        self.kinds.add(kind, lines, lambda number: ids.decode(int(codes[number])))

    def report(self, problems: Problems, nulls: Usage) -> None:
        """Report ids of another kind than those of the rest of the file, or labels for ids."""
        for line, found, usual, usual_line in self.kinds.deviations():
            kind = NUMBER if usual.isascii() and usual.isdecimal() else NAME
            expected = f"{kind}, such as `{usual}` in line {usual_line}"
            hint = "is this the last cell of the line? write all ids as numbers, or none"
            problems.add(line, f"the entity id `{found}`", expected, hint)
        if self.kinds.counts.keys() != {NAME} or any(map(_has_digit, self.names)):
            return
        is_label = all(name.lower() in LABELS for name in self.names)
        if is_label or "*" in nulls.counts:
            line, name = self.kinds.places[NAME][0]
            expected = "entity ids such as `5` in the last column"
            hint = "this looks like a column of named entities: add the column of coreference"
            problems.add(line, f"the id `{name}` and no id with a digit", expected, hint)


def cells_with_invalid_ids(chunks: Chunks) -> Ints:
    """Return the numbers of the cells that have an id that no file can have."""
    odd = np.flatnonzero((chunks.data == _ASTERISK) | (chunks.data >= _DELETE))
    if not len(odd):
        return odd
    doubtful = np.flatnonzero(_have_any(chunks, odd))
    invalid = [row for row in doubtful.tolist() if not _is_valid(chunks.text(row))]
    return np.unique(chunks.cell[invalid])


def _have_any(chunks: Chunks, places: Ints) -> Bools:
    """Mark the chunks that have any of these places of the data."""
    first, last = np.searchsorted(places, (chunks.start, chunks.end))
    return np.asarray(last > first)


def _is_valid(text: bytes) -> bool:
    """Whether an id is text, without asterisks, blanks and invisible characters."""
    try:
        return b"*" not in text and odd_character(text.decode()) is None
    except UnicodeDecodeError:
        return False


def _has_digit(name: str) -> bool:
    return any(char in "0123456789" for char in name)
