"""The mentions of a CorefUD file, made of its brackets when all of them were read.

Nodes are counted through the file, words and empty nodes together. All mentions are made at once;
only mentions in several parts are made one at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, pack
from scoref.formats.brackets.parsing import OPEN, Ids, pair, sparse_column
from scoref.formats.conllu.nodes import Nodes
from scoref.formats.conllu.reader import ConlluBrackets
from scoref.formats.io.problems import Problems
from scoref.formats.io.text import is_whole_number

PART = re.compile(r"(?P<id>.*)\[(?P<part>\d+)/(?P<parts>\d+)\]", re.ASCII)
_NOTHING = -1
_NOT_A_NUMBER = -2
_USUAL, _LATE, _IN_PARTS = range(3)

Piece = tuple[int, int]
"""The opening and the closing bracket of a part of a mention."""


class CorefudMentions(NamedTuple):
    """Mentions as columns.

    Mentions are in the order of their first nodes. Of mentions that start together, the usual ones
    come first, in the order in which they open. Then come mentions with an empty node and mentions
    of an entity that has one mention inside another, and last mentions in parts, each in the order
    in which they end. (Of equal mentions, `duplicates=first` keeps the first in this order.)

    `name` is the code of the entity, and `head` the head node or -1. `opening`, `closing` and
    `bracket` are rows of brackets: the first, the last, and the one with the fields of the mention.
    """

    document: Ints
    first: Ints
    last: Ints
    name: Ints
    opening: Ints
    closing: Ints
    bracket: Ints
    head: Ints


@dataclass(frozen=True, eq=False)
class CorefudAnnotation:
    """All brackets of a file, and what is needed to make mentions of them.

    `part_names` are the names of brackets such as `(e7[1/2]`, by their codes.
    """

    brackets: ConlluBrackets
    part_names: Mapping[int, re.Match[str]]
    titles: Sequence[str]
    nodes: Nodes
    ids: Ids
    problems: Problems

    @cached_property
    def document(self) -> Ints:
        """The document of each bracket."""
        return self.nodes.document(self.brackets.node)

    def mentions(self) -> tuple[CorefudMentions, dict[int, list[int]]]:
        """Make the mentions, and report wrong brackets.

        Also return the nodes of the mentions in parts, by their rows.
        """
        opening, closing, nested = self._pairs()
        is_part = np.isin(self.brackets.name[opening], list(self.part_names))
        found, late = self._whole(opening[~is_part], closing[~is_part], nested[~is_part])
        rank = np.where(late, _LATE, _USUAL)
        pieces = zip(opening[is_part].tolist(), closing[is_part].tolist(), strict=True)
        made = list(self._in_parts(pieces))
        if made:
            rows = np.array([row for row, _ in made], dtype=np.int64).T
            found = CorefudMentions._make(map(np.concatenate, zip(found, rows, strict=True)))
            rank = np.append(rank, np.full(len(made), _IN_PARTS))
        when = np.where(rank == _USUAL, found.opening, found.closing)
        order = np.lexsort((when, rank, self.brackets.node[found.opening]))
        parts = {}
        if made:
            place = np.argsort(order)[len(rank) - len(made) :].tolist()
            parts = {row: nodes for row, (_, nodes) in zip(place, made, strict=True)}
        return CorefudMentions._make(column[order] for column in found), parts

    def _pairs(self) -> tuple[Ints, Ints, Bools]:
        """Pair brackets; mark the pairs of entities that have a mention inside another."""
        brackets = self.brackets
        entity = pack(self.document, brackets.name)
        opening, closing, level, unmatched = pair(brackets.kind, entity)
        for row in unmatched.tolist():
            name, title = self._name(row), self.titles[self.document[row]]
            line, opens = int(brackets.line[row]), bool(brackets.kind[row] == OPEN)
            self.problems.add_unmatched(line, f"({name}", f"{name})", title, opens=opens)
        apart = brackets.sentence[opening] != brackets.sentence[closing]
        for row in closing[apart].tolist():
            found, expected = f"`{self._name(row)})`", f"`({self._name(row)}` in the same sentence"
            hint = "close the mention in the sentence in which it opens"
            self.problems.add(int(brackets.line[row]), found, expected, hint)
        nested = np.isin(entity[opening], entity[opening[level > 1]]) & (level > 0)
        return opening[~apart], closing[~apart], nested[~apart]

    def _whole(self, opening: Ints, closing: Ints, nested: Bools) -> tuple[CorefudMentions, Bools]:
        """Make mentions of one pair of brackets each; mark those that come late in the order."""
        first, last = self.brackets.node[opening], self.brackets.node[closing]
        size = last - first + 1
        head = self._heads[opening]
        head = np.where((head == _NOTHING) & (size == 1), 1, head)
        fits = (head == _NOTHING) | ((head >= 1) & (head <= size))
        for at in np.flatnonzero(~fits).tolist():
            self._refuse_head(int(opening[at]), int(size[at]))
        found = CorefudMentions(
            document=self.document[opening],
            first=first,
            last=last,
            name=self.brackets.name[opening],
            opening=opening,
            closing=closing,
            bracket=opening,
            head=np.where(head == _NOTHING, _NOTHING, first + head - 1),
        )
        late = nested | self.nodes.has_empty(first, last)
        if not fits.all():
            found, late = CorefudMentions._make(column[fits] for column in found), late[fits]
        return found, late

    def _in_parts(self, pieces: Iterable[Piece]) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """Yield the columns and the nodes of each mention in parts."""
        brackets = self.brackets
        for name, group in self._groups(pieces):
            first, last = group[0][0], group[-1][0]
            ranges = [range(brackets.node[low], brackets.node[high] + 1) for low, high in group]
            nodes = sorted(set().union(*ranges))
            if len(nodes) < sum(map(len, ranges)):
                hint, line = "close a part before the next one opens", int(brackets.line[last])
                self.problems.add(line, f"parts of `{name}` that overlap", "parts apart", hint)
            *others, head = (int(self._heads[opening]) for opening, _ in group)
            for (opening, _), other in zip(group, others, strict=False):
                if other != _NOTHING and other < 1:
                    self._refuse_head(opening, len(nodes))
            if head != _NOTHING and not 1 <= head <= len(nodes):
                self._refuse_head(last, len(nodes))
                continue
            head = _NOTHING if head == _NOTHING else nodes[head - 1]
            code, closing = self.ids.code(name.encode()), group[-1][1]
            document = int(self.document[first])
            yield (document, nodes[0], nodes[-1], code, first, closing, last, head), nodes

    def _groups(self, pieces: Iterable[Piece]) -> Iterator[tuple[str, list[Piece]]]:
        """Yield the entity and the parts of each mention, in the order in which they end."""
        waiting: dict[tuple[int, str], list[Piece]] = {}
        for piece in sorted(pieces, key=lambda piece: piece[1]):
            part = self.part_names[int(self.brackets.name[piece[0]])]
            identity = int(self.brackets.sentence[piece[0]]), part["id"]
            group = waiting.setdefault(identity, [])
            group.append(piece)
            total = self.part_names[int(self.brackets.name[group[0][0]])]["parts"]
            line = int(self.brackets.line[piece[1]])
            if part["part"] != str(len(group)):
                expected = f"part {len(group)} of `{part['id']}` first"
                hint = "number the parts of a mention in the order of the text"
                self.problems.add(line, f"`{part[0]})`", expected, hint)
            elif part["parts"] != total:
                expected = f"`{part['id']}[{part['part']}/{total}])`, as the first part says"
                hint = "write the same number of parts in all parts of a mention"
                self.problems.add(line, f"`{part[0]})`", expected, hint)
            if part["part"] == part["parts"]:
                yield part["id"], waiting.pop(identity)
        for (_, name), group in waiting.items():
            part = self.part_names[int(self.brackets.name[group[-1][0]])]
            expected = f"part {len(group) + 1} of `{name}` in the same sentence"
            hint = "write all parts of a mention, or remove them"
            line = int(self.brackets.line[group[-1][1]])
            self.problems.add(line, f"`{part[0]})`", expected, hint)

    @cached_property
    def _heads(self) -> Ints:
        """The place of the head in its mention, from 1, as each bracket says it; or below 0.

        Few values are different, so each of these is parsed once, as text.
        """
        texts, which = self.ids.decode_all(self.brackets.field("head"))
        return np.array([_parse_head(text) for text in texts], dtype=np.int64)[which]

    def _refuse_head(self, bracket: int, size: int) -> None:
        head = self.ids.decode(int(self.brackets.field("head")[bracket]))
        found = f"the head {head} of a mention of {size} tokens"
        hint = "the head is the place of a token in the mention"
        line = int(self.brackets.line[bracket])
        self.problems.add(line, found, f"a number from 1 to {size}", hint)

    def _name(self, bracket: int) -> str:
        return self.ids.decode(int(self.brackets.name[bracket]))

    def zeros(self, found: CorefudMentions) -> dict[str, NDArray[Any]]:
        """Return the columns of mentions whose head is an empty node: the node, its dependencies.

        Before the dependencies is the number of the sentence in the document.
        """
        empty = self.nodes.find_empty(found.head)
        rows = np.flatnonzero((empty >= 0) & (found.head >= 0)).tolist()
        if not rows:
            return {}
        zero, dependencies = {}, {}
        for row in rows:
            document = self.nodes.documents[found.document[row]]
            node = self.nodes.empties[empty[row]]
            zero[row] = f"{node.word - document.words}.{node.decimal}"
            dependencies[row] = f"{node.sentence - document.sentences} {node.dependencies}"
        size = len(found.head)
        return {"zero": sparse_column(zero, size), "zero_deps": sparse_column(dependencies, size)}


def _parse_head(text: str) -> int:
    """Return a head's number, the first of several; -1 for nothing, -2 for another text."""
    if not text:
        return _NOTHING
    heads = text.split(",")
    return int(heads[0]) if all(is_whole_number(head, 9) for head in heads) else _NOT_A_NUMBER
