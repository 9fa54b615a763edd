"""The brackets in the last column of CoNLL files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints
from scoref.formats.brackets.chunks import Chunks
from scoref.formats.brackets.ids import Ids
from scoref.formats.brackets.pairing import INSIDE, SINGLE

_PLUS = ord("+")


class ConllBrackets(NamedTuple):
    """Brackets in the order of their tokens: what each does, where, to which entity id."""

    token: Ints
    kind: Ints
    id: Ints
    line: Ints

    @classmethod
    def join(cls, parts: Sequence[ConllBrackets]) -> ConllBrackets:
        """Put the brackets of consecutive blocks together."""
        return (
            parts[0]
            if len(parts) == 1
            else cls._make(map(np.concatenate, zip(*parts, strict=True)))
        )

    def where(self, rows: Bools | Ints) -> ConllBrackets:
        """Keep some, or put them into another order."""
        return ConllBrackets._make(column[rows] for column in self)


def parse_cells(
    cells: tuple[Bytes, Ints, Ints], token: Ints, line: Ints, ids: Ids
) -> tuple[ConllBrackets, Ints, int]:
    """Read the brackets of cells, of which the tokens and lines are given.

    Also return the numbers of the cells that have a bracket without an id, and how many brackets
    with two antecedents, such as `(3+4)`, were ignored, as the reference scorer ignores them.
    """
    chunks, wrong = Chunks.find(cells, allowed=INSIDE)
    codes = ids.encode(chunks.data, chunks.start, chunks.end)
    brackets = ConllBrackets(token[chunks.cell], chunks.kind, codes, line[chunks.cell])
    ignored = 0
    if _PLUS in chunks.data:
        two = np.array([_has_two_antecedents(ids.decode(code)) for code in codes.tolist()])
        two &= chunks.kind == SINGLE
        ignored = int(np.count_nonzero(two))
        brackets = brackets.where(~two)
    return brackets, wrong, ignored


def _has_two_antecedents(name: str) -> bool:
    first, plus, second = name.partition("+")
    return bool(plus) and first.isdecimal() and second.isdecimal()
