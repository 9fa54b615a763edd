"""sample(): what to annotate, drawn from a table, and the precision to expect of it.

Each record, or each entity, gets a number that is a hash of its id and of the seed; the n smallest
are drawn. So a draw depends neither on the order of rows nor on the format of the table, and takes
one pass and 16 bytes of memory per row. A second pass collects the rows to annotate.

    record    n records; the annotator finds the other records of their entities
    size      n records, with all records of their entities in the table
    entity    n entities of the table, with all their records

Entities of a response are not those of the key. From a response, draw records or by size: if the
annotator corrects the entities of drawn records, their weights follow from their corrected sizes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, NamedTuple, get_args

import numpy as np

from scoref.analysis.estimation import Estimates, estimate
from scoref.analysis.sample_file import DESIGN, DRAWS, POPULATION, WEIGHT
from scoref.base.arrays import Ints, first_of_run
from scoref.base.phrases import counted
from scoref.base.viewed import Tabular
from scoref.corpus import fingerprint
from scoref.engines.tables.record_rows import RecordTable, entity_sizes, open_records
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions

By = Literal["entity", "size", "record"]

_POINT = 0.01


class Expected(NamedTuple):
    """What a pilot says of one score: its estimate, the margin of n draws, and draws for a point.

    The margin is half of the width of an interval; `draws` are those for a margin of one point.
    """

    estimate: float
    margin: float
    draws: int | None


@dataclass(frozen=True, slots=True, eq=False)
class DrawnSample(Tabular):
    """Rows to annotate, with the columns that `estimate` reads: as CSV, they are the sample file.

    `population` is the number of records, or of entities, that could be drawn. `entities` is the
    number of drawn entities, or None if these are to be annotated. `expected` is by metric and
    score, if there was a pilot.
    """

    source: str
    by: By
    draws: int
    seed: int
    population: int
    entities: int | None
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    expected: dict[str, dict[str, Expected]]
    level: float
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<DrawnSample: {len(self.rows):,} rows by {self.by}>"


def sample(
    table: Input,
    n: int = 400,
    by: By = "record",
    *,
    seed: int = 0,
    pilot: Input | None = None,
    response: Input | None = None,
    level: float = 0.05,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    encoding: OneOrTwo = None,
) -> DrawnSample:
    """Draw what to annotate, with the columns from which `estimate` knows the design.

    * `table`: A table of records, with their entities if these are drawn, or a response.
    * `n`: The number of draws.
    * `by`: `record` draws records, all equally likely; `size` draws records too, with all records
      of their entities in the table; `entity` draws entities, all equally likely.
    * `seed`: Another seed gives another sample.
    * `pilot`: An annotated sample of the same kind, which says what precision to expect.
    * `response`: The response that the pilot evaluates; by default the table.
    * `level`: Expected intervals cover 1 - level.
    """
    if by not in get_args(By):
        raise UsageError(f"by is {by!r}, but must be one of: {', '.join(get_args(By))}")
    for name, value, least in (("n", n, 1), ("seed", seed, 0)):
        if type(value) is not int or value < least:
            raise UsageError(f"{name} is {value!r}, but must be a whole number from {least}")
    reading = ReadOptions(format, encoding)
    found = open_records(table, "table", reading, with_entities=by != "record")
    if found.is_read_once:
        raise UsageError("a table is read twice, and standard input only once", "name a file")
    drawn = _draw(found, n, by, seed)
    expected = {}
    if pilot is not None:
        other = table if response is None else response
        estimates = estimate(pilot, other, level=level, format=format, encoding=encoding)
        expected = _expectations(estimates, by, len(drawn.ids), drawn.population)
    elif response is not None:
        raise UsageError("a response is only used with a pilot", "add a pilot, or leave it out")
    rows, entities = _collect(found, drawn, by)
    return DrawnSample(
        found.shown,
        by,
        len(drawn.ids),
        seed,
        drawn.population,
        entities,
        _header(found, by),
        rows,
        expected,
        level,
        tuple(_notes(found, by, n, drawn)),
    )


class Drawn(NamedTuple):
    """What was drawn: hashes of records or entities, the entities to collect, the population."""

    ids: Ints
    entities: Ints
    population: int


def _draw(table: RecordTable, n: int, by: By, seed: int) -> Drawn:
    """Keep the n records or entities with the smallest numbers."""
    mixed = fingerprint.mix(fingerprint.of_numbers(np.array([seed])))[0]
    best, ids, entities = (np.zeros(0, dtype=np.uint64) for _ in range(3))
    every: list[Ints] = []
    for rows in table.read(False):
        of_rows = rows.entity if by == "entity" else rows.record
        every.append(of_rows)
        number = fingerprint.mix(of_rows.view(np.uint64) ^ mixed)
        some = np.flatnonzero(number <= best[-1]) if len(best) == n else np.arange(len(number))
        best = np.concatenate([best, number[some]])
        ids = np.concatenate([ids, of_rows[some].view(np.uint64)])
        entities = np.concatenate([entities, rows.entity[some].view(np.uint64)])
        best, first = np.unique(best, return_index=True)
        best, ids, entities = best[:n], ids[first[:n]], entities[first[:n]]
    population, _ = entity_sizes(every, ids.view(np.int64))
    if not population:
        raise UsageError(f"{table.shown} has no records to draw from")
    if by != "entity" and population < (rows_of_table := sum(map(len, every))):
        raise UsageError(
            f"{table.shown} has {rows_of_table:,} rows, but only {population:,} different records",
            "each record must be in one row: remove the other rows",
        )
    return Drawn(ids.view(np.int64), np.unique(entities.view(np.int64)), population)


def _collect(
    table: RecordTable, drawn: Drawn, by: By
) -> tuple[tuple[tuple[str, ...], ...], int | None]:
    """Return the rows to annotate, entity by entity, and the number of drawn entities."""
    wanted = np.sort(drawn.ids if by == "record" else drawn.entities)
    found: list[tuple[int, bool, list[str]]] = []
    for rows in table.read(True):
        of_rows = rows.record if by == "record" else rows.entity
        at = np.minimum(np.searchsorted(wanted, of_rows), len(wanted) - 1)
        some = np.flatnonzero(wanted[at] == of_rows)
        if len(some):
            is_drawn = np.isin(rows.record[some], drawn.ids).tolist()
            found += zip(at[some].tolist(), is_drawn, rows.texts(some), strict=True)
    found.sort(key=lambda row: row[0])
    numbers = np.array([number for number, *_ in found])
    sizes, first = np.bincount(numbers).tolist(), first_of_run(numbers).tolist()
    weights = [1.0 if by == "entity" else 1 / size for size in sizes]
    blank = ("", "") if by == "record" else ()  # the entity, which is to be annotated, and a weight
    lines = tuple(
        (
            *(*cells, *(blank or (repr(weights[number]),))),
            *(str(int(is_first if by == "entity" else is_drawn)), by, str(drawn.population)),
        )
        for (number, is_drawn, cells), is_first in zip(found, first, strict=True)
    )
    return lines, None if by == "record" else len(wanted)


def _header(table: RecordTable, by: By) -> tuple[str, ...]:
    """Return the columns of the table, and those of the design.

    Records are annotated in a new column of entities, next to that of the table.
    """
    names = list(table.header)
    added: tuple[str, ...] = (WEIGHT, DRAWS, DESIGN, POPULATION)
    if by == "record":
        if (at := table.at.get("entity")) is not None:
            names[at] = f"table_{names[at]}"
        added = ("entity", *added)
    if again := [name for name in added if name in names]:
        raise UsageError(
            f"{table.shown} has a column {again[0]!r} already", "rename or remove the column"
        )
    return (*names, *added)


def _notes(table: RecordTable, by: By, n: int, drawn: Drawn) -> Iterator[str]:
    if len(drawn.ids) < n:
        what = "entity" if by == "entity" else "record"
        all_of = counted(drawn.population, what, "entities" if by == "entity" else "")
        yield f"{table.shown} has {all_of}, and all of them were drawn"
    if by == "record":
        yield "annotate: write the entity of each record, and add the other records of each entity"
    elif by == "size":
        yield (
            "if the entities are those of a response, correct them: remove wrong records, and add"
            " missing ones"
        )
    else:
        yield (
            f"the entities of {table.shown} must be those of the key: to draw from a response, use"
            " --by record or --by size"
        )


def _expectations(
    pilot: Estimates, by: By, draws: int, population: int
) -> dict[str, dict[str, Expected]]:
    """Scale the standard errors of a pilot to another number of draws."""
    design = pilot.design
    if design.by_size != (by != "entity"):
        raise UsageError(
            f"the pilot was drawn by {design.name}, which says nothing of a sample by {by}",
            f"use --by {'record' if design.by_size else 'entity'}",
        )
    reach = NormalDist().inv_cdf(1 - pilot.sampling.level / 2)

    def expect(value: float, error: float) -> Expected:
        if math.isnan(error) or error == 0:
            return Expected(value, math.nan, None)
        single = reach * error * math.sqrt(design.draws / (1 - design.fraction))
        needed = (single / _POINT) ** 2
        margin = single * math.sqrt(max(1 - draws / population, 0.0) / draws)
        return Expected(value, margin, math.ceil(needed / (1 + needed / population)))

    return {
        metric: {score: expect(one.estimate, one.se) for score, one in scores.items()}
        for metric, scores in pilot.by_metric.items()
    }
