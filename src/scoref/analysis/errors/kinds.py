"""The kinds of errors, their titles and modes, and errors as records and as columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.base.arrays import Bools, Ints, first_of_run
from scoref.exceptions import UsageError
from scoref.metrics.table import NOWHERE
from scoref.result import Score

SPAN = "span"
CONFLATED, EXTRA_MENTION, EXTRA_ENTITY = "conflated", "extra_mention", "extra_entity"
DIVIDED, MISSING_MENTION, MISSING_ENTITY = "divided", "missing_mention", "missing_entity"
TITLES = {
    SPAN: "span error",
    CONFLATED: "conflated entities",
    EXTRA_MENTION: "extra mention",
    EXTRA_ENTITY: "extra entity",
    DIVIDED: "divided entity",
    MISSING_MENTION: "missing mention",
    MISSING_ENTITY: "missing entity",
}
KINDS = tuple(TITLES)
STRICT, KK2013 = "strict", "kk2013"
MODES = (STRICT, KK2013)


def check_kind(kind: str) -> str:
    """Return the name of a kind of error, given its name or its title."""
    plain = kind.replace(" ", "_").replace("-", "_")
    for name, title in TITLES.items():
        if plain in (name, title.replace(" ", "_")):
            return name
    raise UsageError(f"unknown kind of error {kind!r}", f"one of: {', '.join(KINDS)}")


ALL = "all"


@dataclass(frozen=True, slots=True)
class ErrorMention:
    """A mention in an error; its words and its type are empty if they are unknown."""

    span: Hashable
    words: str
    type: str


@dataclass(frozen=True, slots=True)
class Error:
    """One error.

    `mentions` are the mentions that are split off, removed, introduced or merged. For a span
    error they are the response mention, and `meant` is the key mention. `type` is the most
    specific type among the mentions, so an error of type `pronoun` has only pronouns.
    `key_entity` and `response_entity` are the names of the entities concerned, or None. `anchor`
    is the mention that represents the rest of the entity. `operations` correct the error.
    """

    kind: str
    document: str
    type: str
    mentions: tuple[ErrorMention, ...]
    key_entity: str | None
    response_entity: str | None
    anchor: ErrorMention | None
    meant: ErrorMention | None
    operations: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Repair:
    """The scores after errors of one kind, or all errors, are repaired, and the gains in F1."""

    name: str
    count: int
    scores: Mapping[str, Score]
    gains: Mapping[str, float]

    @classmethod
    def of(
        cls, name: str, count: int, after: Mapping[str, Score], before: Mapping[str, Score]
    ) -> Repair:
        """Compare the scores after a repair with those before it."""
        gains = {metric: after[metric].f1 - before[metric].f1 for metric in after}
        return cls(name, count, after, gains)


@dataclass(frozen=True, eq=False)
class Listing:
    """Errors as columns: the rows of error i are `rows[first[i]:first[i + 1]]`.

    `meant` has, for each row with a span error, the row of the key mention that it means.
    """

    kind: Ints
    first: Ints
    rows: Ints
    meant: Ints

    @classmethod
    def of(cls, mentions: AlignedMentions, marked: Mapping[str, Bools], meant: Ints) -> Listing:
        """List the errors in the order of the text, given the rows of each kind of error."""
        cell, row = mentions.cell, np.arange(len(meant))
        marked = {SPAN: meant != NOWHERE, **marked}
        # The rows of an error have the same label.
        labels = {CONFLATED: cell, DIVIDED: cell}
        labels |= {EXTRA_ENTITY: mentions.res, MISSING_ENTITY: mentions.key}
        columns = []
        for number, kind in enumerate(KINDS):
            label, rows = labels.get(kind, row), np.flatnonzero(marked[kind])
            rows = rows[np.lexsort((mentions.order[rows], label[rows]))]
            starts = np.flatnonzero(first_of_run(label[rows]))
            sizes = np.diff(starts, append=len(rows))
            columns.append((np.full(len(starts), number), sizes, rows))
        kind_of, size, rows = (np.concatenate(column) for column in zip(*columns, strict=True))
        listing = cls(kind_of, _offsets(size), rows, meant)
        return listing.take(np.lexsort((kind_of, mentions.order[listing.first_row])))

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def first_row(self) -> Ints:
        """The first row of each error."""
        return self.rows[self.first[:-1]]

    def rows_of(self, error: int) -> list[int]:
        """Return the rows of one error."""
        rows: list[int] = self.rows[self.first[error] : self.first[error + 1]].tolist()
        return rows

    def take(self, errors: Ints) -> Listing:
        """Return the given errors, in the given order."""
        size = np.diff(self.first)[errors]
        first = _offsets(size)
        at = np.arange(int(first[-1])) + np.repeat(self.first[:-1][errors] - first[:-1], size)
        return replace(self, kind=self.kind[errors], first=first, rows=self.rows[at])

    def marked(self, kinds: set[str]) -> dict[str, Bools]:
        """Return the rows of each kind of error that is listed; other kinds have none."""
        kind = np.repeat(self.kind, np.diff(self.first))
        marked = {name: np.zeros(len(self.meant), dtype=bool) for name in KINDS}
        for name in kinds:
            marked[name][self.rows[kind == KINDS.index(name)]] = True
        return marked


def _offsets(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
