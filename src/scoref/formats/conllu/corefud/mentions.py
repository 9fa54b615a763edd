"""The mentions of a CorefUD file, made of its brackets when all of them are read.

Nodes are counted through the file, words and empty nodes together. All mentions are made at
once; only those with an empty node, or in several parts, have nodes that are written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, pack
from scoref.formats.brackets.ids import Ids, sparse_column
from scoref.formats.conllu.corefud.brackets import Brackets, pair
from scoref.formats.conllu.lines import Begun
from scoref.formats.conllu.nodes import Nodes

_PART = re.compile(r"(?P<id>.*)\[(?P<part>\d{1,9})/(?P<parts>\d{1,9})\]")
_NOTHING = -1
_NO_NUMBER = -2

Complain = Callable[[int, str, str], None]
"""Takes a line, what was found, and what was expected."""


class Mentions(NamedTuple):
    """Mentions as columns.

    They go by their first nodes. Of those that start together, the usual ones come first, in the
    order in which they open; then those with an empty node, in parts, or of an entity that has
    one mention inside another, in the order in which they end. (Of mentions that are the same,
    this says which is the first, and so what `duplicates=first` keeps.)

    `name` is the code of the entity, `head` the head node or -1; `opening`, `closing` and
    `bracket` are rows of brackets: the first, the last, and the one whose fields they have.
    """

    document: Ints
    start: Ints
    end: Ints
    name: Ints
    line: Ints
    opening: Ints
    closing: Ints
    bracket: Ints
    head: Ints


Texts = dict[int, str]
"""The nodes of those mentions, by their rows, that are not all words from start to end."""


class _Piece(NamedTuple):
    opening: int
    closing: int


@dataclass(frozen=True, eq=False)
class Annotation:
    """All brackets of a file, and what is needed to make mentions of them."""

    brackets: Brackets
    documents: Sequence[Begun]
    titles: Sequence[str]
    nodes: Nodes
    ids: Ids
    complain: Complain

    @cached_property
    def document(self) -> Ints:
        """The document of each bracket."""
        first = np.array([document.nodes for document in self.documents], dtype=np.int64)
        return np.searchsorted(first, self.brackets.node, side="right") - 1

    @cached_property
    def first_word(self) -> Ints:
        """The word with which each document starts."""
        return np.array([document.words for document in self.documents], dtype=np.int64)

    def mentions(self) -> tuple[Mentions, Texts]:
        """Make the mentions, and complain about brackets that make none."""
        opening, closing, walked = self._pairs()
        in_parts = np.zeros(len(opening), dtype=bool)
        pieces: list[tuple[re.Match[str], _Piece]] = []
        for at in np.flatnonzero(self.brackets.in_parts[opening]).tolist():
            if part := _PART.fullmatch(self._name(opening[at])):
                pieces.append((part, _Piece(int(opening[at]), int(closing[at]))))
                in_parts[at] = True
        whole = self._whole(opening[~in_parts], closing[~in_parts], walked[~in_parts])
        return self._with_parts(*whole, pieces) if pieces else whole

    def _pairs(self) -> tuple[Ints, Ints, Bools]:
        """Pair the brackets; those of a pair stand in one sentence. Mark the unusual pairs."""
        paired = pair(self.brackets.kind, pack(self.document, self.brackets.name))
        for row in paired.unopened:
            name, title = self._name(row), self.titles[self.document[row]]
            expected = f"an earlier `({name}` in document {title}"
            self.complain(int(self.brackets.line[row]), f"`{name})`", expected)
        for row in paired.unclosed:
            name, title = self._name(row), self.titles[self.document[row]]
            expected = f"`{name})` before the sentence ends in document {title}"
            self.complain(int(self.brackets.line[row]), f"`({name}`", expected)
        apart = self.brackets.sentence[paired.opening] != self.brackets.sentence[paired.closing]
        for row in paired.closing[apart].tolist():
            name = self._name(row)
            self.complain(
                int(self.brackets.line[row]), f"`{name})`", f"`({name}` in the same sentence"
            )
        return paired.opening[~apart], paired.closing[~apart], paired.walked[~apart]

    def _whole(self, opening: Ints, closing: Ints, walked: Bools) -> tuple[Mentions, Texts]:
        """Make mentions of a pair of brackets each."""
        low, high = self.brackets.node[opening], self.brackets.node[closing]
        size = high - low + 1
        told = self._heads[opening]
        told = np.where((told == _NOTHING) & (size == 1), 1, told)  # the one node there is
        fits = (told == _NOTHING) | ((told >= 1) & (told <= size))
        for at in np.flatnonzero(~fits).tolist():
            self._refuse_head(int(opening[at]), int(size[at]), int(self.brackets.line[opening[at]]))
        late = walked | self.nodes.has_empty(low, high)
        order = np.lexsort((np.where(late, closing, opening), late, low))
        rows = order[fits[order]]
        opening, low, high, told = opening[rows], low[rows], high[rows], told[rows]
        document = self.document[opening]
        first = self.first_word[document]
        found = Mentions(
            document=document,
            start=self.nodes.word(low) - first,
            end=self.nodes.word(high) - first,
            name=self.brackets.name[opening],
            line=self.brackets.line[opening],
            opening=opening,
            closing=closing[rows],
            bracket=opening,
            head=np.where(told == _NOTHING, _NOTHING, low + told - 1),
        )
        texts = {}
        for row in np.flatnonzero(self.nodes.has_empty(low, high)).tolist():
            nodes = range(int(low[row]), int(high[row]) + 1)
            texts[row] = self.nodes.show_all(nodes, int(first[row]))
        return found, texts

    def _with_parts(
        self, whole: Mentions, texts: Texts, pieces: Sequence[tuple[re.Match[str], _Piece]]
    ) -> tuple[Mentions, Texts]:
        """Add the mentions that are made of parts."""
        rows = [self._together(*one) for one in self._groups(pieces)]
        made = [row for row in rows if row is not None]
        found = Mentions._make(
            np.concatenate([column, [row[at] for row in made]]).astype(np.int64)
            for at, column in enumerate(whole)
        )
        # Whole mentions are in order: of what starts together, parts come by their ends, last.
        late = np.where(np.arange(len(found.head)) < len(whole.head), -1, found.closing)
        order = np.lexsort((late, self.brackets.node[found.opening]))
        place = np.argsort(order)
        texts = {**texts, **{len(whole.head) + at: row[-1] for at, row in enumerate(made)}}
        texts = {int(place[row]): text for row, text in texts.items() if text}
        return Mentions._make(column[order] for column in found), texts

    def _groups(
        self, pieces: Sequence[tuple[re.Match[str], _Piece]]
    ) -> Iterator[tuple[str, list[_Piece]]]:
        """Yield the parts of each mention in the order in which they end."""
        waiting: dict[tuple[int, str], list[_Piece]] = {}
        for part, piece in sorted(pieces, key=lambda one: one[1].closing):
            identity = int(self.document[piece.opening]), part["id"]
            group = waiting.setdefault(identity, [])
            group.append(piece)
            if len(group) != int(part["part"]):
                expected = f"part {len(group)} of `{part['id']}` first"
                self.complain(int(self.brackets.line[piece.closing]), f"`{part[0]})`", expected)
            if part["part"] == part["parts"]:
                yield part["id"], waiting.pop(identity)

    def _together(self, name: str, pieces: Sequence[_Piece]) -> tuple[Any, ...] | None:
        """Return the columns and the nodes of a mention of several parts."""
        first, last = pieces[0].opening, pieces[-1].opening
        nodes = sorted(
            {
                node
                for piece in pieces
                for node in range(
                    self.brackets.node[piece.opening], self.brackets.node[piece.closing] + 1
                )
            }
        )
        told = int(self._heads[last])
        if told != _NOTHING and not 1 <= told <= len(nodes):
            self._refuse_head(last, len(nodes), int(self.brackets.line[last]))
            return None
        document = int(self.document[first])
        word = int(self.first_word[document])
        ends = np.array([nodes[0], nodes[-1]], dtype=np.int64)
        start, end = (self.nodes.word(ends) - word).tolist()
        is_plain = end - start + 1 == len(nodes) and not any(map(self.nodes.is_empty, nodes))
        text = "" if is_plain else self.nodes.show_all(nodes, word)
        head = _NOTHING if told == _NOTHING else nodes[told - 1]
        code = self.ids.code(name.encode())
        line, closing = int(self.brackets.line[first]), pieces[-1].closing
        return document, start, end, code, line, first, closing, last, head, text

    @cached_property
    def _heads(self) -> Ints:
        """What each bracket says of its head: its place in the mention from 1; less if nothing.

        Few values are different, so each of these is read once, as text.
        """
        if "head" not in self.brackets.fields:
            return np.full(len(self.brackets.node), _NOTHING)
        texts, which = self.ids.decode_all(self.brackets.fields["head"])
        return np.array([_number(text) for text in texts], dtype=np.int64)[which]

    def _refuse_head(self, bracket: int, size: int, line: int) -> None:
        head = self.ids.decode(int(self.brackets.fields["head"][bracket]))
        found = f"the head {head} of a mention of {size} tokens"
        self.complain(line, found, f"a number from 1 to {size}")

    def _name(self, bracket: int) -> str:
        return self.ids.decode(int(self.brackets.name[bracket]))

    def zeros(self, found: Mentions) -> dict[str, NDArray[Any]]:
        """Return the columns of mentions whose head is an empty node: which, and its dependencies.

        With these goes the sentence they are of, counted in the document.
        """
        empty = self.nodes.find_empty(found.head)
        rows = np.flatnonzero((empty >= 0) & (found.head >= 0)).tolist()
        if not rows:
            return {}
        zero, dependencies = {}, {}
        for row in rows:
            document = self.documents[found.document[row]]
            node = self.nodes.empties[empty[row]]
            zero[row] = f"{node.word - document.words}.{node.decimal}"
            dependencies[row] = f"{node.sentence - document.sentences} {node.dependencies}"
        size = len(found.head)
        return {"zero": sparse_column(zero, size), "zero_deps": sparse_column(dependencies, size)}


def _number(text: str) -> int:
    """Read a head: its number, -1 for nothing, -2 for what is no number; several may be listed."""
    first = text.split(",", maxsplit=1)[0]
    if not text:
        return _NOTHING
    return int(first) if first.isascii() and first.isdecimal() and len(first) < 10 else _NO_NUMBER
