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

from scoref.base.arrays import Floats, Ints, number_by_appearance
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
    """Records of a sample by row, and its entities: their numbers of draws, weights of a draw."""

    shown: str
    record: Ints
    entity: Ints
    line: Ints
    record_names: Sequence[str]
    names: Sequence[str]
    draws: Ints
    weights: Floats
    design: SampleDesign
    notes: tuple[str, ...]

    @property
    def sizes(self) -> Ints:
        """The number of records of each entity."""
        return np.bincount(self.entity)

    def fingerprint(self) -> str:
        """Return the fingerprint of records and entities."""
        sums = np.zeros(len(self.names), dtype=np.uint64)
        np.add.at(sums, self.entity, fingerprint.mix(self.record.view(np.uint64)))
        return fingerprint.digest(fingerprint.of_entities(sums))


def read_sample(table: RecordTable, weights: str | None) -> SampledEntities:
    """Read a sample, and check its design and weights.

    Entities without a drawn record are left out: they were met while others were annotated.
    """
    every = [(rows, rows.texts(np.arange(len(rows.record)))) for rows in table.read(True)]
    cells = [row for _, texts in every for row in texts]
    if not cells:
        raise UsageError(f"{table.shown}: found no record, expected annotated entities")
    ids = np.stack([np.concatenate([rows[at] for rows, _ in every]) for at in range(3)])
    parts = [at for role, at in table.at.items() if role != "entity"]
    record_names = ["/".join(row[at] for at in parts) for row in cells]
    _check_repeated(table.shown, ids[0], record_names, ids[2])
    entity, first = number_by_appearance(ids[1])
    names = [cells[row][table.at["entity"]] for row in first.tolist()]
    columns: Columns = dict(zip(table.header, zip(*cells, strict=True), strict=True))
    design, draws = _read_design(table.shown, columns, entity)
    notes: tuple[str, ...] = ()
    if not draws.all():
        undrawn = [names[at] for at in np.flatnonzero(draws == 0).tolist()]
        what = counted(len(undrawn), "entity", "entities")
        notes = (f"{table.shown}: left out {what} without a drawn record ({listed(undrawn)})",)
        kept = np.flatnonzero(draws[entity] > 0)
        columns = {name: [column[at] for at in kept.tolist()] for name, column in columns.items()}
        record_names = [record_names[at] for at in kept.tolist()]
        names = [name for name, drawn in zip(names, draws.tolist(), strict=True) if drawn]
        ids, entity, draws = ids[:, kept], number_by_appearance(entity[kept])[0], draws[draws > 0]
    sample = SampledEntities(
        *(table.shown, ids[0], entity, ids[2], record_names, names, draws),
        *(np.ones(len(draws)), design, notes),
    )
    return _with_weights(sample, columns, weights)


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


def _read_design(shown: str, columns: Columns, entity: Ints) -> tuple[SampleDesign, Ints]:
    """Return what a file says of its design, and how often each entity was drawn."""
    draws = np.ones(int(entity.max()) + 1, dtype=np.int64)
    stated = {cell.strip() for cell in columns.get(DESIGN, ())} - {""}
    if not stated:
        return SampleDesign("uniform", len(draws)), draws
    if len(stated) > 1 or not stated <= {*DESIGNS}:
        raise UsageError(
            f"{shown}: found {' and '.join(sorted(stated)[:3])} in the column {DESIGN},"
            f" expected one of {', '.join(DESIGNS)}",
            "do not change the columns that `scoref sample` wrote, and do not join samples",
        )
    numbers = {_whole(shown, POPULATION, cell) for cell in columns.get(POPULATION, ())} - {0}
    if len(numbers) > 1:
        raise UsageError(f"{shown}: the column {POPULATION} has several numbers")
    if DRAWS in columns:
        draws[:] = 0
        np.add.at(draws, entity, [_whole(shown, DRAWS, cell) for cell in columns[DRAWS]])
    design = SampleDesign(stated.pop(), int(draws.sum()), *numbers)
    if not design.draws or design.draws > (design.population or math.inf):
        raise UsageError(
            f"{shown}: found {counted(design.draws, 'draw')} in the column {DRAWS}, expected"
            " at least 1 and at most the population",
            f"do not change the columns {DRAWS} and {POPULATION} that `scoref sample` wrote",
        )
    return design, draws


def _whole(shown: str, column: str, cell: str) -> int:
    text = cell.strip().removesuffix(".0") or "0"
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"{shown}: found `{cell}` in the column {column}, expected a whole number")
    return int(text)


def _with_weights(
    sample: SampledEntities, columns: Columns, weights: str | None
) -> SampledEntities:
    """Add the weights that a user asks for; those that contradict the design are refused."""
    design, note = sample.design, ""
    is_stated = design.name != "uniform"
    if weights not in (None, "uniform", "size"):
        if is_stated and weights != WEIGHT:
            note = f"{sample.shown} was drawn by {design.name}, but is scored with other weights"
        found = _weights_of_column(sample, columns, weights)
        design = design._replace(name=f"column={weights}")
    else:
        if is_stated and weights and design.by_size != (weights == "size"):
            raise UsageError(
                f"{sample.shown} was drawn by {design.name}, which contradicts --weights {weights}",
                "leave --weights out: the weights follow from the design that the file states",
            )
        if not is_stated and not weights:
            note = (
                f"{sample.shown} does not state how its entities were drawn, and is scored as a"
                " uniform sample; if entities were drawn by records or by size, use --weights size"
            )
        design = design if is_stated else design._replace(name=weights or "uniform")
        found = 1 / sample.sizes if design.by_size else sample.weights
    notes = (*sample.notes, *([note] if note else []))
    return replace(sample, weights=found, design=design, notes=notes)


def _weights_of_column(sample: SampledEntities, columns: Columns, name: str) -> Floats:
    """Return the weight of each entity: its rows have the same number, or an empty cell."""
    if name not in columns:
        known = ", ".join(["uniform", "size", *columns])
        message = f"{sample.shown} has no column {name!r}, which --weights names"
        raise UsageError(message, f"use one of {known}")
    hint = "a weight is 1 / the probability that the entity is drawn, or a multiple of that"
    found = np.full(len(sample.names), math.nan)
    for at, line, cell in zip(sample.entity.tolist(), sample.line, columns[name], strict=True):
        before = found[at]
        try:
            found[at] = float(cell) if cell.strip() else before
        except ValueError:
            found[at] = 0.0
        if cell.strip() and not (
            0 < found[at] < math.inf and (math.isnan(before) or before == found[at])
        ):
            also = "" if math.isnan(before) else f" for an entity with the weight {before:g}"
            raise UsageError(
                f"{sample.shown}:{line}: found `{cell}`{also} in the column {name},"
                " expected one number above 0 for each entity",
                hint,
            )
    if np.isnan(found).any():
        without = f"the entity `{sample.names[int(np.argmax(np.isnan(found)))]}` has no weight"
        raise UsageError(f"{sample.shown}: {without} in the column {name}", hint)
    return found
