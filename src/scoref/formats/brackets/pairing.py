"""Brackets in cells, such as `(5`, `5)` and `(5)|(7`, matched into mentions.

Cells are parsed together as one array of bytes, and brackets are matched by sorting.
Only entities that do something unusual (a mention inside another mention of the same
entity, a bracket without its partner) are walked through one bracket at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Bytes, Ints, first_of_run, pack
from scoref.formats.brackets.ids import Ids

_OPEN, _CLOSE, _BAR, _PLUS = b"()|+"

# What a bracket does, in the order in which the reference scorer handles those of a token:
# whole mentions of one token, then openings, then closings. An id without a bracket is
# written by some tools on every token inside a mention.
SINGLE, OPEN, INSIDE, CLOSE = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Brackets:
    """Brackets in the order of their tokens: what each does, where, to which entity id."""

    token: Ints
    kind: Ints
    id: Ints
    line: Ints

    @classmethod
    def join(cls, parts: Sequence[Brackets]) -> Brackets:
        """Put the brackets of consecutive blocks together."""
        if len(parts) == 1:
            return parts[0]
        columns = ("token", "kind", "id", "line")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))

    def where(self, rows: Bools | Ints) -> Brackets:
        """Keep some, or put them into another order."""
        return Brackets(self.token[rows], self.kind[rows], self.id[rows], self.line[rows])


class Cells(NamedTuple):
    """The bytes of some cells in a row, a bar or such before each and one after the last."""

    data: Bytes
    owner: Ints

    @classmethod
    def gather(cls, data: Bytes, start: Ints, end: Ints, between: int = _BAR) -> Cells:
        """Copy `data[start:end]` of every cell."""
        length = end - start + 1
        first = np.cumsum(length) - length
        owner = np.repeat(np.arange(len(start)), length)
        index = np.arange(len(owner)) + (start - 1 - first)[owner]
        gathered = np.empty(len(owner) + 1, dtype=np.uint8)
        gathered[:-1] = data[index]
        gathered[first] = between
        gathered[-1] = between
        return cls(gathered, owner)


def parse(cells: Cells, token: Ints, line: Ints, ids: Ids) -> tuple[Brackets, Ints, int]:
    """Read the brackets of cells whose tokens and lines are given.

    Also return the numbers of cells that have a bracket without an id, and how many
    brackets with two antecedents, such as `(3+4)`, were left out as the reference scorer
    leaves them out.
    """
    data, owner = cells
    is_open, is_close = data == _OPEN, data == _CLOSE
    is_id = ~(is_open | is_close | (data == _BAR))
    start = np.flatnonzero(is_id[1:] & ~is_id[:-1]) + 1
    end = np.flatnonzero(is_id[:-1] & ~is_id[1:]) + 1
    opens, closes = is_open[start - 1], is_close[end]
    wrong = np.flatnonzero((is_open[:-1] & ~is_id[1:]) | (is_close[1:] & ~is_id[:-1]))
    kind = np.where(opens, np.where(closes, SINGLE, OPEN), np.where(closes, CLOSE, INSIDE))
    cell = owner[start]
    brackets = Brackets(token[cell], kind, ids.encode(data, start, end), line[cell])
    left_out = 0
    if _PLUS in data:
        keep = ~(_has_two_antecedents(brackets.id, ids) & (kind == SINGLE))
        left_out = int(np.count_nonzero(~keep))
        brackets = brackets.where(keep)
    return brackets, np.unique(owner[wrong]), left_out


def _has_two_antecedents(codes: Ints, ids: Ids) -> Bools:
    def split(code: int) -> bool:
        first, plus, second = ids.decode(code).partition("+")
        return bool(plus) and first.isdecimal() and second.isdecimal()

    return np.array([split(int(code)) for code in codes], dtype=bool)


class Odd(NamedTuple):
    """Brackets that make no mention, as (line, id, document), and how often mentions touch."""

    unopened: list[tuple[int, int, int]]
    unclosed: list[tuple[int, int, int]]
    not_inside: list[tuple[int, int, int]]
    touching: int


class Matched(NamedTuple):
    """Mentions in reading order, and what is odd about the brackets."""

    document: Ints
    start: Ints
    end: Ints
    id: Ints
    line: Ints
    odd: Odd


def match(brackets: Brackets, first_token: Ints, first_document: int) -> Matched:
    """Match the brackets of whole documents, which start at the given tokens.

    An entity's closing bracket closes its latest open one. A token's openings come before
    its closings, so `(1`, `1)|(1`, `1)` is one mention of three tokens around one of the
    middle token, as in the reference scorer.
    """
    moment = brackets.token * 4 + brackets.kind
    if np.any(moment[1:] < moment[:-1]):
        order = np.argsort(moment, kind="stable")
        brackets = brackets.where(order)
    document = np.searchsorted(first_token, brackets.token, side="right") - 1
    entity = pack(document, brackets.id)
    single = np.flatnonzero(brackets.kind == SINGLE)
    paired = np.flatnonzero(brackets.kind != SINGLE)
    paired = paired[np.argsort(entity[paired], kind="stable")]
    regular = alternating(brackets.kind[paired], entity[paired])
    opening, closing = paired[regular][0::2], paired[regular][1::2]
    walk = _walk(brackets, entity, paired[~regular])
    opening = np.concatenate([single, opening, np.array(walk.opening, dtype=np.int64)])
    closing = np.concatenate([single, closing, np.array(walk.closing, dtype=np.int64)])
    reading_order = np.argsort(opening)
    opening, closing = opening[reading_order], closing[reading_order]
    document_start = first_token[document[opening]]

    def listed(rows: list[int]) -> list[tuple[int, int, int]]:
        return [
            (int(brackets.line[at]), int(brackets.id[at]), int(document[at]) + first_document)
            for at in rows
        ]

    return Matched(
        document=document[opening] + first_document,
        start=brackets.token[opening] - document_start,
        end=brackets.token[closing] - document_start,
        id=brackets.id[opening],
        line=brackets.line[opening],
        odd=Odd(
            listed(walk.unopened), listed(walk.unclosed), listed(walk.not_inside), walk.touching
        ),
    )


def alternating(kind: Ints, entity: Ints) -> Bools:
    """Mark the brackets of entities that open, close, open, close, ... and nothing else."""
    first = first_of_run(entity)
    run = np.cumsum(first) - 1
    position = np.arange(len(kind)) - np.flatnonzero(first)[run]
    expected = np.where(position % 2 == 0, OPEN, CLOSE)
    last = np.append(first[1:], True)[: len(kind)]
    bad = (kind != expected) | (last & (position % 2 == 0))
    return ~np.isin(run, run[bad])


@dataclass(slots=True)
class _Walk:
    opening: list[int] = field(default_factory=list)
    closing: list[int] = field(default_factory=list)
    unopened: list[int] = field(default_factory=list)
    unclosed: list[int] = field(default_factory=list)
    not_inside: list[int] = field(default_factory=list)
    touching: int = 0


def _walk(brackets: Brackets, entity: Ints, rows: Ints) -> _Walk:
    """Match the brackets of the unusual entities with a stack each."""
    walk = _Walk()
    waiting: dict[int, list[int]] = {}
    for at in rows.tolist():
        stack = waiting.setdefault(int(entity[at]), [])
        kind = brackets.kind[at]
        if kind == OPEN:
            stack.append(at)
        elif kind == INSIDE:
            if not stack:
                walk.not_inside.append(at)
        elif stack:
            opening = stack.pop()
            walk.opening.append(opening)
            walk.closing.append(at)
            walk.touching += bool(brackets.token[opening] == brackets.token[at])
        else:
            walk.unopened.append(at)
    walk.unclosed = [at for stack in waiting.values() for at in stack]
    return walk
