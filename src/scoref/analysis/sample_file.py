"""SampledEntities: the annotated entities of a sample, their weights, and how they were drawn.

`scoref sample` writes the columns `sample_design`, `sample_draws` and `sample_population`, so that
a sample that was drawn by size cannot be scored as a uniform one. Designs:

    entity    entities, all equally likely
    size      entities, by the records that were drawn from them
    record    records, all equally likely; the annotator adds the other records of their entities

An entity of size or record is drawn once per drawn record, and counts 1/size each time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, number_by_appearance
from scoref.base.phrases import counted, listed
from scoref.corpus import fingerprint
from scoref.engines.tables.record_rows import RecordTable
from scoref.exceptions import MentionError, UsageError

DESIGNS = ("entity", "size", "record")
DESIGN, DRAWS, POPULATION, WEIGHT = (
    f"sample_{name}" for name in ("design", "draws", "population", "weight")
)
"""The columns that `scoref sample` writes."""

Columns = Mapping[str, Sequence[str]]
_BY_SIZE = ("size", "record")


class SampleDesign(NamedTuple):
    """How entities were drawn: the name, the number of draws, and of what could be drawn, or 0."""

    name: str
    draws: int
    population: int = 0

    @property
    def by_size(self) -> bool:
        """Whether large entities are more likely to be drawn."""
        return self.name in _BY_SIZE

    @property
    def fraction(self) -> float:
        """The part of everything that was drawn, or 0 if it is not known."""
        return self.draws / self.population if self.population else 0.0


@dataclass(frozen=True, slots=True)
class SampledEntities:
    """Records of a sample by row, and entities with their numbers of draws and weights of a draw.

    `weights` is None if they follow from the design.
    """

    shown: str
    record: Ints
    entity: Ints
    line: Ints
    record_names: Sequence[str]
    names: Sequence[str]
    draws: Ints
    design: SampleDesign
    weights: Floats | None
    notes: tuple[str, ...]

    @property
    def sizes(self) -> Ints:
        """The number of records of each entity."""
        return np.bincount(self.entity, minlength=len(self.names))

    def entity_weights(self) -> Floats:
        """Return the weight of one draw of each entity."""
        if self.weights is not None:
            return self.weights
        return 1 / self.sizes if self.design.by_size else np.ones(len(self.names))

    def fingerprint(self) -> str:
        """Return the fingerprint of records and entities."""
        sums = np.zeros(len(self.names), dtype=np.uint64)
        np.add.at(sums, self.entity, fingerprint.mix(self.record.view(np.uint64)))
        return fingerprint.digest(fingerprint.of_entities(sums))

    def keep_rows(self, rows: Bools) -> SampledEntities:
        """Return the sample with some of its rows; an entity without a row is left out."""
        kept = np.flatnonzero(rows)
        used, entity = np.unique(self.entity[kept], return_inverse=True)
        return replace(
            self,
            record=self.record[kept],
            entity=entity,
            line=self.line[kept],
            record_names=[self.record_names[at] for at in kept.tolist()],
            names=[self.names[at] for at in used.tolist()],
            draws=self.draws[used],
            design=self.design._replace(draws=int(self.draws[used].sum())),
            weights=None if self.weights is None else self.weights[used],
        )


def read_sample(table: RecordTable, weights: str | None, population: int | None) -> SampledEntities:
    """Read a sample, and check its design and weights."""
    every = [(rows, rows.texts(np.arange(len(rows.record)))) for rows in table.read(True)]
    cells = [row for _, texts in every for row in texts]
    if not cells:
        raise UsageError(f"{table.shown}: found no record, expected annotated entities")
    record, hashes, line = map(np.concatenate, zip(*(rows[:3] for rows, _ in every), strict=True))
    entity, first = number_by_appearance(hashes)
    parts = [at for role, at in table.at.items() if role != "entity"]
    record_names = ["/".join(row[at] for at in parts) for row in cells]
    _check_repeated(table.shown, record, record_names, line)
    sample = SampledEntities(
        table.shown,
        record,
        entity,
        line,
        record_names,
        [cells[row][table.at["entity"]] for row in first.tolist()],
        np.ones(len(first), dtype=np.int64),
        SampleDesign("uniform", len(first), population or 0),
        None,
        (),
    )
    columns = dict(zip(table.header, zip(*cells, strict=True), strict=True))
    sample = _with_weights(_with_design(sample, columns, population), columns, weights)
    return _without_undrawn(sample)


def _check_repeated(path: str, record: Ints, names: Sequence[str], line: Ints) -> None:
    order = np.argsort(record, kind="stable")
    again = np.flatnonzero(record[order][1:] == record[order][:-1])
    if len(again):
        one, other = order[again[0]], order[again[0] + 1]
        raise MentionError(
            f"{path}:{line[other]}: found record `{names[other]}` again (first in line"
            f" {line[one]}), expected each record once",
            "an entity that was drawn twice has its records once: each drawn record has a 1 in the"
            f" column {DRAWS}; a record is in one entity",
        )


def _with_design(
    sample: SampledEntities, columns: Columns, population: int | None
) -> SampledEntities:
    """Add what the file says of its design."""
    stated = {cell.strip() for cell in columns.get(DESIGN, ())} - {""}
    if not stated:
        return sample
    if len(stated) > 1 or not stated <= {*DESIGNS}:
        raise UsageError(
            f"{sample.shown}: found {' and '.join(sorted(stated)[:3])} in the column {DESIGN},"
            f" expected one of {', '.join(DESIGNS)}",
            "do not change the columns that `scoref sample` wrote, and do not join samples",
        )
    numbers = {_whole(sample, POPULATION, cell) for cell in columns.get(POPULATION, ())} - {None}
    if len(numbers) > 1:
        raise UsageError(f"{sample.shown}: the column {POPULATION} has several numbers")
    of_file = numbers.pop() if numbers else None
    if population is not None and of_file not in (None, population):
        raise UsageError(
            f"{sample.shown} states a population of {of_file:,}, but population is {population:,}",
            "leave --population out",
        )
    draws = np.ones(len(sample.names), dtype=np.int64)
    if DRAWS in columns:
        draws[:] = 0
        drawn = [_whole(sample, DRAWS, cell) or 0 for cell in columns[DRAWS]]
        np.add.at(draws, sample.entity, drawn)
    design = SampleDesign(stated.pop(), int(draws.sum()), of_file or population or 0)
    if not design.draws or design.draws > (design.population or math.inf):
        raise UsageError(
            f"{sample.shown}: found {counted(design.draws, 'draw')} in the column {DRAWS}, expected"
            " at least 1 and at most the population",
            f"do not change the columns {DRAWS} and {POPULATION} that `scoref sample` wrote",
        )
    return replace(sample, draws=draws, design=design)


def _without_undrawn(sample: SampledEntities) -> SampledEntities:
    """Leave out entities that were met while others were annotated."""
    if sample.draws.all():
        return sample
    undrawn = [sample.names[at] for at in np.flatnonzero(sample.draws == 0).tolist()]
    what = counted(len(undrawn), "entity", "entities")
    note = f"{sample.shown}: left out {what} without a drawn record ({listed(undrawn)})"
    found = sample.keep_rows(sample.draws[sample.entity] > 0)
    return replace(found, notes=(*found.notes, note))


def _whole(sample: SampledEntities, column: str, cell: str) -> int | None:
    text = cell.strip().removesuffix(".0")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(
            f"{sample.shown}: found `{cell}` in the column {column}, expected a whole number"
        )
    return int(text)


def _with_weights(
    sample: SampledEntities, columns: Columns, weights: str | None
) -> SampledEntities:
    """Add the weights that a user asks for; those that contradict the design are refused."""
    is_stated, design = sample.design.name != "uniform", sample.design
    if weights is None:
        if is_stated:
            return sample
        note = (
            f"{sample.shown} does not state how its entities were drawn, and is scored as a uniform"
            " sample; if entities were drawn by records or by size, use --weights size"
        )
        return replace(sample, notes=(*sample.notes, note))
    if weights in ("uniform", "size"):
        if is_stated and design.by_size != (weights == "size"):
            raise UsageError(
                f"{sample.shown} was drawn by {design.name}, which contradicts --weights {weights}",
                "leave --weights out: the weights follow from the design that the file states",
            )
        return sample if is_stated else replace(sample, design=design._replace(name=weights))
    found = _weights_of_column(sample, columns, weights)
    notes = sample.notes
    if is_stated and weights != WEIGHT:
        note = f"{sample.shown} was drawn by {design.name}, but is scored with other weights"
        notes = (*notes, note)
    design = design._replace(name=f"column={weights}")
    return replace(sample, weights=found, design=design, notes=notes)


def _weights_of_column(sample: SampledEntities, columns: Columns, name: str) -> Floats:
    """Return the weight of each entity: its rows have the same number, or an empty cell."""
    if name not in columns:
        known = ", ".join(["uniform", "size", *columns])
        message = f"{sample.shown} has no column {name!r}, which --weights names"
        raise UsageError(message, f"use one of {known}")
    hint = "a weight is 1 / the probability that the entity is drawn, or a multiple of that"
    found = np.full(len(sample.names), math.nan)
    for row, cell in enumerate(columns[name]):
        at, before = sample.entity[row], found[sample.entity[row]]
        if not cell.strip():
            continue
        try:
            found[at] = float(cell)
        except ValueError:
            found[at] = math.nan
        if not 0 < found[at] < math.inf or not (math.isnan(before) or before == found[at]):
            also = "" if math.isnan(before) else f" for an entity with the weight {before:g}"
            raise UsageError(
                f"{sample.shown}:{sample.line[row]}: found `{cell}`{also} in the column {name},"
                " expected one number above 0 for each entity",
                hint,
            )
    for at in np.flatnonzero(np.isnan(found))[:1].tolist():
        message = f"{sample.shown}: the entity `{sample.names[at]}` has no weight"
        raise UsageError(f"{message} in the column {name}", hint)
    return found
