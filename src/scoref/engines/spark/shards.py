"""A shard: some whole documents of both sides, counted on an executor by the ordinary code.

Rows come in any order, since a shuffle keeps none. They are sorted first, so that a shard
counts the same however often it is run and wherever its rows came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.alignment.document_pairing import ABSENT, Pairing, find_key_documents, invert_pairing
from scoref.base.arrays import Ints
from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Counts
from scoref.engines.spark.inputs import PLACE, ROW, SIDE
from scoref.exceptions import FormatError, Problem
from scoref.formats.table.columns import NUMBERS, Table, to_corpus
from scoref.formats.table.parquet import add_column
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import (
    Cleaned,
    duplicate_problems,
    repeated_mentions,
)
from scoref.preparation.pipeline import join_sides

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

KEY, RESPONSE = range(2)
_NAMES = ("key", "response")
_WHOLE = 1 << 64

SCHEMA = ", ".join(
    [
        "document string",
        *(
            f"{side}_{column}"
            for side in _NAMES
            for column in (
                *("file string", "block long", "row long", "mentions long", "entities long"),
                *("duplicates long", "singletons long", "unassigned long"),
                "repeated string",
            )
        ),
        *("shared long", "aligned long", "fingerprint long"),
        *("notes array<string>", "counts array<double>"),
    ]
)
"""A row for each document that either side has. `fingerprint`, `unassigned` and `notes` are those
of a whole shard and stand with one of its documents."""


@dataclass(frozen=True, slots=True)
class SideOf:
    """What an executor must know of a side."""

    name: str
    roles: tuple[str, ...]
    source: str
    has_places: bool
    rows_are_lines: bool


@dataclass(frozen=True, slots=True)
class Work:
    """What to do with each shard."""

    sides: tuple[SideOf, SideOf]
    policy: Policy
    metrics: tuple[MetricLike, ...]
    needs: frozenset[str]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Count a shard: what Spark's `mapInArrow` calls."""
        import pyarrow as pa  # noqa: PLC0415  # executors have it

        given = list(batches)
        if not sum(batch.num_rows for batch in given):
            return
        rows = pa.Table.from_batches(given)
        del given
        columns = _count(
            _corpus(rows, self.sides[KEY], KEY), _corpus(rows, self.sides[RESPONSE], RESPONSE), self
        )
        table = pa.table(columns)
        yield from table.combine_chunks().to_batches()


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A side of a shard, and where the first row of each of its documents stands."""

    corpus: Corpus
    first: dict[str, list[Any]]
    unassigned: int


def _corpus(rows: pa.Table, side: SideOf, number: int) -> _Placed:
    """Make a corpus of the rows of a side, in the order of their file."""
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415

    mine = rows.filter(pc.equal(rows.column(SIDE), number))
    by = PLACE if side.has_places else side.roles
    mine = mine.sort_by([(name, "ascending") for name in by])
    corpus, table = read_rows(mine, side)
    first = np.array([document.line for document in corpus.documents], dtype=np.int64) - 1
    places = [mine.column(name).take(first).to_pylist() for name in PLACE if side.has_places]
    unknown: list[list[Any]] = [[""] * len(first), *[[None] * len(first)] * 2]
    return _Placed(
        replace(corpus, line=lines(mine, side)[corpus.line - 1]),
        dict(zip(("file", "block", "row"), places or unknown, strict=True)),
        int(np.count_nonzero(table.texts["entity"].is_any(["-1"]))),
    )


def read_rows(rows: pa.Table, side: SideOf) -> tuple[Corpus, Table]:
    """Make a corpus of some rows as of a file; its lines are their places here, from 1."""
    import pyarrow as pa  # noqa: PLC0415

    table = Table(side.source, {}, {}, np.arange(1, rows.num_rows + 1))
    for role in side.roles:
        column = rows.column(role)
        if role in NUMBERS and pa.types.is_string(column.type):
            column = _numbers(column, role, table)
        add_column(table, role, column, pa)
    corpus, problems = (None, table.problems) if table.problems else to_corpus(table, side.source)
    if corpus is None or problems:
        line = lines(rows, side)
        placed = [replace(p, line=int(line[p.line - 1]) if p.line else 0) for p in problems]
        raise FormatError(placed, side.source)
    return _with_all_attributes(corpus, side.roles), table


def lines(rows: pa.Table, side: SideOf) -> Ints:
    """Return the line of each row in its file, or 0 if it is not known."""
    if not side.rows_are_lines:
        return np.zeros(rows.num_rows, dtype=np.int64)
    return np.asarray(rows.column(ROW).to_numpy() + 1)


def _numbers(column: pa.ChunkedArray, role: str, table: Table) -> pa.ChunkedArray:
    """Read the whole numbers that a CSV table has as texts."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    trimmed = pc.utf8_trim_whitespace(column)
    empty = pc.fill_null(pc.equal(trimmed, ""), True)
    whole = pc.fill_null(pc.match_substring_regex(trimmed, r"^[0-9]{1,18}$"), False)
    wrong = np.flatnonzero(pc.invert(pc.or_(empty, whole)).to_numpy(zero_copy_only=False))
    table.problems += [
        Problem(
            table.path,
            int(table.line[row]),
            f"`{column[row].as_py()}` in the column of `{role}`",
            "a whole number from 0",
            "spans are places in the text, counted from 0",
        )
        for row in wrong.tolist()
    ]
    return pc.if_else(whole, trimmed, None).cast(pa.int64())


def _with_all_attributes(corpus: Corpus, roles: Sequence[str]) -> Corpus:
    """Give a corpus the attributes that the table has elsewhere, with nothing in them here."""
    of_entities = {role.removeprefix("entity_") for role in roles if role.startswith("entity_")}
    of_mentions = {role for role in roles if role in {"type", "role", "style", "head_text"}}

    def filled(columns: Any, names: set[str], size: int) -> dict[str, Any]:
        nothing = {name: np.full(size, "") for name in names if name not in columns}
        return concatenate_columns([({**columns, **nothing}, size)])

    return replace(
        corpus,
        attributes=filled(corpus.attributes, of_mentions, len(corpus)),
        entity_attributes=filled(corpus.entity_attributes, of_entities, corpus.entity_count),
    )


def _count(key: _Placed, response: _Placed, work: Work) -> dict[str, Any]:
    """Do what `score` does, and return what is to be known of each document."""
    key_document = find_key_documents(key.corpus, response.corpus)
    pairing = Pairing(key_document, ())
    joined = join_sides(key.corpus, response.corpus, pairing, work.policy, work.needs)
    ours, theirs, alignment = joined.key, joined.response, joined.alignment
    both = (alignment.key != NOWHERE) & (alignment.res != NOWHERE)
    shared = _per(alignment.unit[both], len(ours.documents))
    metrics = find_metrics(work.metrics)
    counts = Counts.of(alignment.table(), metrics)
    extra = np.flatnonzero(key_document == ABSENT)
    extra_names = (theirs.documents[at].name for at in extra.tolist())
    names = [*(d.name for d in ours.documents), *extra_names]
    partner = np.append(invert_pairing(key_document, len(ours.documents)), extra)
    own = np.append(np.arange(len(ours.documents)), np.full(len(extra), ABSENT))
    columns: dict[str, Any] = {"document": names}
    for side, placed, cleaning, at in (
        ("key", replace(key, corpus=ours), joined.cleaned[0], own),
        ("response", replace(response, corpus=theirs), joined.cleaned[1], partner),
    ):
        columns |= {f"{side}_{n}": v for n, v in _of_side(placed, cleaning, at).items()}
    there = own != ABSENT
    columns["shared"] = np.where(there, np.append(shared, 0)[own], 0)
    aligned = _per(alignment.unit, len(ours.documents))
    columns["aligned"] = np.where(there, np.append(aligned, 0)[own], 0)
    total = ours.hash_total()
    columns["fingerprint"] = _only_first(total - _WHOLE if total >= _WHOLE // 2 else total, names)
    columns["notes"] = [list(joined.inferred), *([None] * (len(names) - 1))]
    values = np.concatenate([counts.rows[metric.name] for metric in metrics], axis=1)
    columns["counts"] = [*values.tolist(), *([None] * len(extra))]
    return _arrow(columns)


def _of_side(placed: _Placed, cleaned: Cleaned, at: Ints) -> dict[str, Any]:
    """Say what a side has in each document, by its number there or ABSENT."""
    corpus, documents = placed.corpus, len(placed.corpus.documents)
    _, repeated = repeated_mentions(corpus)
    mentions = _per(corpus.document, documents)
    entity_document = np.zeros(corpus.entity_count, dtype=np.int64)
    entity_document[corpus.entity] = corpus.document
    duplicates = _per(corpus.document[repeated], documents)
    left = _per(cleaned.corpus.document, documents)
    told: list[str | None] = [None] * documents
    if len(repeated):
        document = int(corpus.document[repeated[0]])
        only = corpus.where(corpus.document == document)
        problem = duplicate_problems(only)[0]
        told[document] = problem.found + (f" (line {problem.line})" if problem.line else "")
    numbers = {
        "mentions": mentions,
        "entities": _per(entity_document, documents),
        "duplicates": duplicates,
        "singletons": mentions - duplicates - left,
    }
    first = {name: [*values, None] for name, values in placed.first.items()}
    return {
        **{name: [values[one] for one in at.tolist()] for name, values in first.items()},
        **{name: np.append(values, 0)[at] for name, values in numbers.items()},
        "repeated": [[*told, None][one] for one in at.tolist()],
        "unassigned": _only_first(placed.unassigned, at),
    }


def _arrow(columns: dict[str, Any]) -> dict[str, Any]:
    """Order and type the columns as the schema says."""
    import pyarrow as pa  # noqa: PLC0415

    kinds = {
        "string": pa.string(),
        "long": pa.int64(),
        "array<string>": pa.list_(pa.string()),
        "array<double>": pa.list_(pa.float64()),
    }
    fields = (field.split(" ") for field in SCHEMA.split(", "))
    return {name: pa.array(columns[name], kinds[kind]) for name, kind in fields}


def _only_first(value: int, of: Sequence[Any] | Ints) -> Ints:
    """Put what is true of a whole shard beside its first document."""
    values = np.zeros(len(of), dtype=np.int64)
    values[:1] = value
    return values


def _per(label: Ints, labels: int) -> Ints:
    return np.bincount(label, minlength=labels)


def columns_of(metrics: Sequence[Metric]) -> list[tuple[str, str]]:
    """Return the metric and the column that each of the counts is."""
    return [(metric.name, column) for metric in metrics for column in metric.columns]
