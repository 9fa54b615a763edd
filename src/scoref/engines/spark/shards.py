"""A shard: some whole documents of both sides, counted on an executor by the ordinary code.

Rows come in any order, since a shuffle keeps none. They are sorted first, so a shard counts the
same however often it is run and wherever its rows came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.alignment.document_pairing import ABSENT, Pairing, find_key_documents, invert_pairing
from scoref.base.arrays import Ints
from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Counts
from scoref.engines.spark.side_frames import FILE, PLACE, ROW, SideSchema, path_of, shown_file
from scoref.exceptions import FormatError, Problem
from scoref.formats.table.cell_columns import parse_number
from scoref.formats.table.columns import NOISE, TableColumns, to_corpus
from scoref.formats.table.layout import NUMBERS
from scoref.formats.table.parquet import add_column
from scoref.metrics import Metric, find_metrics
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import repeated_mentions
from scoref.preparation.pipeline import join_sides
from scoref.preparation.summary import SideSummary

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

SIDE = "scoref_side"
"""The column that says on which side a row is: 0 for the key, 1 for the response."""

SIDES = ("key", "response")
_FIELDS = {"file": "string", "block": "long", "row": "long", "repeated": "string", "line": "long"}
SCHEMA = ", ".join(
    [
        "document string",
        *(f"{side}_{name} {kind}" for side in SIDES for name, kind in _FIELDS.items()),
        *("totals array<long>", "inferred array<string>", "counts array<double>"),
    ]
)
"""A row per document of either side: its place on each side, and its counts.

`repeated` and `line` describe the first repeated mention of a shard, in the row of its document.
`totals` and `inferred` are those of a shard, in the row of its first document."""

SIDE_TOTALS = ("mentions", "entities", "singletons", "others", "unassigned")
TOTALS = (
    *(f"{side}_{name}" for side in SIDES for name in (*SIDE_TOTALS, "duplicates")),
    *("has_matches", "scored", "fingerprint"),
)
"""What the array of `totals` has."""


@dataclass(frozen=True, slots=True)
class ShardTask:
    """Counts shards: what Spark's `mapInArrow` calls on executors."""

    sides: tuple[SideSchema, SideSchema]
    policy: Policy
    metrics: tuple[str | Metric, ...]
    needs: frozenset[str]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Count a shard."""
        import pyarrow as pa  # noqa: PLC0415  # executors have it

        collected = [batch for batch in batches if batch.num_rows]
        if collected:
            rows = pa.Table.from_batches(collected)
            key, response = (_read_side(rows, at, side) for at, side in enumerate(self.sides))
            table = pa.table(_to_arrow(_count(key, response, self)))
            yield from table.combine_chunks().to_batches()


@dataclass(frozen=True, slots=True, eq=False)
class _ShardSide:
    """A side of a shard, and the place of the first row of each of its documents."""

    corpus: Corpus
    places: dict[str, list[Any]]
    unassigned: int


def _read_side(rows: pa.Table, number: int, side: SideSchema) -> _ShardSide:
    """Make a corpus of the rows of a side, in the order of their file."""
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415

    rows = _sort(rows.filter(pc.equal(rows.column(SIDE), number)), side)
    corpus, table = read_rows(rows, side)
    first = np.array([document.line for document in corpus.documents], dtype=np.int64) - 1
    places = [rows.column(name).take(first).to_pylist() for name in PLACE if side.has_places]
    unknown: list[list[Any]] = [[""] * len(first), *[[None] * len(first)] * 2]
    return _ShardSide(
        replace(corpus, line=_lines(rows, side)[corpus.line - 1]),
        dict(zip(("file", "block", "row"), places or unknown, strict=True)),
        int(np.count_nonzero(table.texts["entity"].is_any([NOISE]))),
    )


def _sort(rows: pa.Table, side: SideSchema) -> pa.Table:
    """Sort the rows of a side; ids that are numbers are sorted as texts, as on other engines."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    by = {name: rows.column(name) for name in side.order}
    for name in by.keys() - NUMBERS - set(PLACE):
        by[name] = by[name].cast(pa.string())
    keys = [(name, "ascending") for name in by]
    return rows.take(pc.sort_indices(pa.table(by), sort_keys=keys))


def read_rows(rows: pa.Table, side: SideSchema) -> tuple[Corpus, TableColumns]:
    """Make a corpus of some rows as of a file; its lines are their places here, from 1."""
    import pyarrow as pa  # noqa: PLC0415

    table = TableColumns(side.source, {}, {}, np.arange(1, rows.num_rows + 1))
    for role in side.roles:
        column = rows.column(role)
        if role in NUMBERS and pa.types.is_string(column.type):
            column = _parse_numbers(column, role, table)
        add_column(table, role, column, pa)
    corpus, problems = (None, table.problems) if table.problems else to_corpus(table, side.source)
    if corpus is None or problems:
        raise FormatError([_place(problem, rows, side) for problem in problems], side.source)
    return _with_all_attributes(corpus, side.roles), table


def _place(problem: Problem, rows: pa.Table, side: SideSchema) -> Problem:
    """Give a problem the file and the line where it is, if they are known."""
    if not problem.line or not side.has_places:
        return replace(problem, line=0)
    row = problem.line - 1
    file = rows.column(FILE)[row].as_py()
    if file:
        problem = replace(problem, path=shown_file(PurePosixPath(path_of(file)), side.source))
    line = rows.column(ROW)[row].as_py() + 1 if file or side.rows_are_lines else 0
    return replace(problem, line=line)


def _lines(rows: pa.Table, side: SideSchema) -> Ints:
    """Return the line of each row in its file, or 0 if it is not known."""
    if not side.rows_are_lines:
        return np.zeros(rows.num_rows, dtype=np.int64)
    return np.asarray(rows.column(ROW).to_numpy() + 1)


def _parse_numbers(column: pa.ChunkedArray, role: str, table: TableColumns) -> pa.ChunkedArray:
    """Parse the whole numbers of a column of texts, as the reader of CSV tables does."""
    import pyarrow as pa  # noqa: PLC0415

    coded = column.combine_chunks().dictionary_encode()
    texts = [text.strip() for text in coded.dictionary.to_pylist()]
    numbers = [parse_number(text) for text in texts]
    is_wrong = [bool(text) and number < 0 for text, number in zip(texts, numbers, strict=True)]
    codes = coded.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    table.add_problems(
        np.array([*is_wrong, False])[codes],
        lambda row: f"`{column[row].as_py()}` in the column of `{role}`",
        "a whole number from 0",
        "write offsets in the text, counted from 0",
    )
    values = pa.array([*(None if one < 0 else one for one in numbers), None], pa.int64())
    return pa.chunked_array([values.take(pa.array(codes))])


def _with_all_attributes(corpus: Corpus, roles: Sequence[str]) -> Corpus:
    """Add the attributes that the table has in other shards, with empty values."""
    of_entities = {role.removeprefix("entity_") for role in roles if role.startswith("entity_")}
    of_mentions = {role for role in roles if role in {"type", "role", "style", "head_text"}}

    def fill(columns: Any, names: set[str], size: int) -> dict[str, Any]:
        nothing = {name: np.full(size, "") for name in names if name not in columns}
        return concatenate_columns([({**columns, **nothing}, size)])

    return replace(
        corpus,
        attributes=fill(corpus.attributes, of_mentions, len(corpus)),
        entity_attributes=fill(corpus.entity_attributes, of_entities, corpus.entity_count),
    )


def _count(key: _ShardSide, response: _ShardSide, task: ShardTask) -> dict[str, list[Any]]:
    """Do what `score` does, and return the columns of SCHEMA."""
    key_document = find_key_documents(key.corpus, response.corpus)
    pairing = Pairing(key_document, ())
    joined = join_sides(key.corpus, response.corpus, pairing, task.policy, task.needs)
    counts = Counts.of(joined.alignment.table(), find_metrics(task.metrics))
    keys = joined.key.documents
    extra = np.flatnonzero(key_document == ABSENT)
    names = [d.name for d in (*keys, *(joined.response.documents[at] for at in extra.tolist()))]
    summary = joined.summary()
    places = (
        np.append(np.arange(len(keys)), np.full(len(extra), ABSENT)),
        np.append(invert_pairing(key_document, len(keys)), extra),
    )
    columns: dict[str, list[Any]] = {"document": names}
    totals = []
    for name, side, of_side, at in zip(
        SIDES, (key, response), (summary.key, summary.response), places, strict=True
    ):
        for field, values in (side.places | _first_repeated(side.corpus, of_side)).items():
            padded = [*values, None]  # ABSENT is the last
            columns[f"{name}_{field}"] = [padded[one] for one in at.tolist()]
        of_side.unassigned = side.unassigned
        totals += [getattr(of_side, total) for total in SIDE_TOTALS]
        totals.append(of_side.repeats.times)
    hashed = np.array([joined.key.hash_total()], dtype=np.uint64).view(np.int64)
    totals += [int(summary.has_matches), summary.scored, int(hashed[0])]
    others = [None] * (len(names) - 1)
    columns["totals"] = [totals, *others]
    columns["inferred"] = [list(joined.inferred), *others]
    matrix = np.concatenate([counts.rows[metric.name] for metric in counts.metrics], axis=1)
    columns["counts"] = [*matrix.tolist(), *([None] * len(extra))]
    return columns


def _first_repeated(corpus: Corpus, summary: SideSummary) -> dict[str, list[Any]]:
    """Describe the first repeated mention, at the number of its document."""
    text: list[str | None] = [None] * len(corpus.documents)
    line: list[int | None] = [None] * len(corpus.documents)
    if summary.repeats.times:
        _, repeated = repeated_mentions(corpus)
        document = int(corpus.document[repeated[0]])
        text[document], line[document] = summary.repeats.first, summary.repeats.line
    return {"repeated": text, "line": line}


def _to_arrow(columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Order and type the columns as the schema says."""
    import pyarrow as pa  # noqa: PLC0415

    types = {
        "string": pa.string(),
        "long": pa.int64(),
        "array<long>": pa.list_(pa.int64()),
        "array<string>": pa.list_(pa.string()),
        "array<double>": pa.list_(pa.float64()),
    }
    fields = (field.split(" ") for field in SCHEMA.split(", "))
    return {name: pa.array(columns[name], types[kind]) for name, kind in fields}
