"""Counts of slices: what each slice and the rest add to the counts of every document.

    alone    the mentions of the slice are scored as if the others did not exist, like `where`, and
             so are those of the rest
    share    the counts of the whole are divided among mentions (`contributions.py`), so that the
             slices of a field add up to the whole

The rest has the mentions of the other slices, without those whose value is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.contributions import contributions
from scoref.base.arrays import Bools, Floats, Ints
from scoref.counts.counts import Counts
from scoref.matching.alignment import Alignment
from scoref.matching.fields import Field
from scoref.matching.pipeline import Prepared
from scoref.metrics import Metric

Meaning = Literal["alone", "share"]
MEANINGS: tuple[str, ...] = get_args(Meaning)


class SliceClasses(NamedTuple):
    """The classes of a field: their names, and the class of each row."""

    names: tuple[str, ...]
    of: Ints

    def renumber(self, names: Sequence[str]) -> Ints:
        """Return the class of each row among the names that several systems have together."""
        place = {name: at for at, name in enumerate(names)}
        numbers = np.array([place[name] for name in self.names], dtype=np.int64)
        return numbers[self.of] if len(numbers) else self.of


def classify(field: Field, alignment: Alignment) -> SliceClasses:
    """Divide the rows of an alignment by the values of a field; all classes have a row."""
    values = field.values(alignment)
    if field.is_number:
        at = np.searchsorted(field.edges, values, side="right") - 1
        names = [*field.names, field.without]  # the class -1 is the last one
        numbers, of = np.unique(at, return_inverse=True)
        return SliceClasses(tuple(names[one] for one in numbers.tolist()), of)
    different, of = np.unique(values.astype(np.str_), return_inverse=True)
    names = [one or field.without for one in different.tolist()]
    return SliceClasses(tuple(names), of)


def ordered_names(field: Field, found: Sequence[SliceClasses]) -> list[str]:
    """Return the names that occur, in their order: classes of numbers, known values, others."""
    names = {name for one in found for name in one.names}
    place = {name: at for at, name in enumerate(field.names)}
    return sorted(
        names, key=lambda name: (name == field.without, place.get(name, len(place)), name)
    )


class SliceCounts(NamedTuple):
    """The counts of a slice and of the rest."""

    own: Counts
    rest: Counts


class SliceCounter:
    """Counts the slices of one system."""

    def __init__(
        self, prepared: Prepared, metrics: Sequence[Metric], rows: Bools, meaning: Meaning
    ) -> None:
        self.alignment = prepared.alignment if rows.all() else prepared.alignment.where(rows)
        self.metrics, self.rows = tuple(metrics), rows
        self.whole = Counts.of(self.alignment.table(), self.metrics)
        self.shares: dict[str, Floats] | None = None
        if meaning == "share":
            mentions = AlignedMentions.of(prepared._replace(alignment=self.alignment), words=False)
            self.shares = {one.name: contributions(mentions, one) for one in self.metrics}

    def count(self, of: Ints, known: Bools) -> Iterator[SliceCounts]:
        """Yield the counts of each class of rows; `known` are those whose value is known."""
        of = of[self.rows]
        if self.shares is not None:
            yield from self._divide(self.shares, of, known)
            return
        for number in range(len(known)):
            inside = of == number
            yield SliceCounts(self._alone(inside), self._alone(~inside & known[of]))

    def _alone(self, inside: Bools) -> Counts:
        """Count some rows; whole documents are counted already."""
        unit = self.alignment.unit
        there = np.bincount(unit[inside], minlength=len(self.alignment.units)) > 0
        if np.array_equal(there[unit], inside):
            rows = {name: column * there[:, None] for name, column in self.whole.rows.items()}
            return Counts(self.whole.units, self.metrics, rows)
        return Counts.of(self.alignment.where(inside).table(), self.metrics)

    def _divide(self, shares: dict[str, Floats], of: Ints, known: Bools) -> Iterator[SliceCounts]:
        units, classes = len(self.alignment.units), len(known)
        cell = of * units + self.alignment.unit
        by_class = {}
        for name, share in shares.items():
            columns = [np.bincount(cell, one, classes * units) for one in share.T]
            by_class[name] = np.stack(columns, axis=1).reshape(classes, units, share.shape[1])
        names = self.whole.units, self.metrics
        for number in range(classes):
            others = known & (np.arange(classes) != number)
            own = {name: one[number] for name, one in by_class.items()}
            # Not the whole without the slice, which would leave residues of rounding.
            rest = {name: one[others].sum(axis=0) for name, one in by_class.items()}
            yield SliceCounts(Counts(*names, own), Counts(*names, rest))
