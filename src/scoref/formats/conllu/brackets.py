"""The brackets of CorefUD and CoNLL-UA files, with the fields that opening brackets have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.formats.brackets.chunks import Chunks
from scoref.formats.conllu.lines import Lines


class ConlluBrackets(NamedTuple):
    """Brackets in the order of the file: what each does, its name, where it is, and its fields.

    Names and fields are codes of `Ids`, and 0 is nothing. In CorefUD, the name is the entity. In
    CoNLL-UA, it is what a closing bracket has before it.
    """

    kind: Ints
    name: Ints
    node: Ints
    sentence: Ints
    line: Ints
    fields: dict[str, Ints]

    @classmethod
    def locate(
        cls, chunks: Chunks, name: Ints, fields: dict[str, Ints], lines: Lines, rows: Ints
    ) -> ConlluBrackets:
        """Say where the brackets of a block are; the cells of `chunks` are on the lines `rows`."""
        row = rows[chunks.cell]
        node, sentence = lines.nodes[row] - 1, lines.sentences[row] - 1
        return cls(chunks.kind, name, node, sentence, lines.block.first_line + row, fields)

    @classmethod
    def join(cls, parts: Sequence[ConlluBrackets]) -> ConlluBrackets:
        """Put the brackets of consecutive blocks together, which can have different fields."""
        nothing = np.zeros(0, dtype=np.int64)
        kind, name, node, sentence, line = (
            np.concatenate([nothing, *(part[at] for part in parts)]) for at in range(5)
        )
        names = dict.fromkeys(field for part in parts for field in part.fields)
        fields = {field: np.concatenate([part.field(field) for part in parts]) for field in names}
        return cls(kind, name, node, sentence, line, fields)

    def field(self, name: str) -> Ints:
        """Return what each bracket says in a field."""
        return self.fields.get(name, np.zeros_like(self.kind))
