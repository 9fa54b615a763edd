"""The brackets of a CorefUD file, found and paired: what each mention is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import Ints
from scoref.formats.corefud_brackets import Chunks, Names


class Opened(NamedTuple):
    """An open bracket: where it stands, and its fields."""

    node: int
    line: int
    fields: dict[str, str]


class Values(NamedTuple):
    """Values of `Entity=`: where they stand, and the line, document and node of each."""

    start: Ints
    end: Ints
    line: Ints
    document: Ints
    rank: Ints


@dataclass(frozen=True, eq=False)
class Found:
    """The brackets of a file, paired: `opening` and `closing` are chunks, a pair per mention."""

    chunks: Chunks
    header: list[str]
    names: Names
    values: Values
    opening: Ints
    closing: Ints
    unusual: Ints

    @cached_property
    def document(self) -> Ints:
        """The document of each mention."""
        return self.values.document[self.chunks.value[self.opening]]

    @cached_property
    def low(self) -> Ints:
        """The first node of each mention."""
        return self.values.rank[self.chunks.value[self.opening]]

    @cached_property
    def high(self) -> Ints:
        """Its last node."""
        return self.values.rank[self.chunks.value[self.closing]]

    def head(self) -> Ints:
        """Return the place of each head in its mention from 1, or -1; less if it is no number."""
        if "head" not in self.header:
            return np.full(len(self.opening), -1)
        where = self.chunks.field(self.header.index("head"), len(self.header))
        return self.chunks.numbers(*where)[self.opening]

    def texts(self, name: str) -> NDArray[np.str_]:
        """Return a field of each mention, empty if the header does not have it."""
        if name not in self.header:
            return np.full(len(self.opening), "")
        where = self.chunks.field(self.header.index(name), len(self.header))
        return self.chunks.texts(*where)[self.opening]

    def opened(self, mention: int) -> tuple[Opened, str]:
        """Return a mention's opening bracket with its fields, and the name of its entity."""
        chunk = int(self.opening[mention])
        content = self.chunks.data[self.chunks.start[chunk] : self.chunks.end[chunk]].tobytes()
        pieces = content.decode().split("-", len(self.header) - 1)
        fields = dict(zip(self.header, pieces, strict=False))
        line = int(self.values.line[self.chunks.value[chunk]])
        name = self.names.text(int(self.names.code[chunk]))
        return Opened(int(self.low[mention]), line, fields), name
