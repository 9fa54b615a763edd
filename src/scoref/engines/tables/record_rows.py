"""RecordTable: the records and entities of a table as hashes, block by block.

CSV, TSV and Parquet tables and data frames are read in blocks, everything else as a corpus. Ids are
compared as 64-bit hashes, so a table of texts can be compared with a table of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints, first_of_run
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.id_column import IdColumn, to_arrow
from scoref.engines.tables.row_table import BATCH_ROWS, ParquetTable
from scoref.exceptions import FormatError, Problem
from scoref.formats.io.sources import (
    STANDARD_INPUT,
    Source,
    head_of,
    open_source,
    sources,
    table_parts,
    total_size,
)
from scoref.formats.io.text import BYTE_ORDER_MARK, PeekableStream
from scoref.formats.objects.tables import as_arrow, column_names
from scoref.formats.table.cells import TableCells
from scoref.formats.table.columns import EMPTY_DOCUMENT
from scoref.formats.table.delimited import split_header
from scoref.formats.table.layout import (
    NO_ENTITY,
    SPAN_ROLES,
    TableLayout,
    find_layout,
    layout_problem,
    require_layout,
)
from scoref.formats.table.parquet_files import ParquetFiles, ParquetPart, arrow_module
from scoref.formats.table.row_blocks import hash_cells, row_blocks
from scoref.formats.table.table_writer import unchecked_columns
from scoref.matching.inputs import Input, ReadOptions, as_corpus, as_path

_DATASET = "sourcedataset"
_DELIMITED = ("csv", "tsv")
_OF_FRAMES = ("iterrows", "to_arrow", "column_names", "collect_schema")
"""What data frames of pandas, polars and Arrow have, and no other object that can be scored."""

_EMPTY = {
    "document": EMPTY_DOCUMENT,
    "dataset": ("an empty data set cell", "the data set of each record", "remove the row"),
    "mention": ("an empty mention cell", "the id of a mention", "remove the row"),
    "entity": (
        *("a mention without an entity", "an entity for each mention"),
        "remove rows without an entity, or give each mention an entity of its own",
    ),
}
"""The problem of a row without a document, a data set, a record or an entity."""

_NOTHING = fingerprint.of_texts(["", " "])
_NO_ENTITY = fingerprint.of_texts(sorted({*NO_ENTITY, " "}))


class RecordRows(NamedTuple):
    """Some rows: hashes of their records and entities, their lines, and the cells of any row."""

    record: Ints
    entity: Ints
    line: Ints
    texts: Callable[[Ints], list[list[str]]]

    @classmethod
    def of(
        cls, hashes: dict[str, Hashes], line: Ints, texts: Callable[[Ints], list[list[str]]]
    ) -> RecordRows:
        """Combine the hashes of columns: a record has a document, or a data set of splink.

        A span has several columns. Entities are local to documents. Without a column of entities,
        all rows have one entity.
        """
        first, *others = sorted(hashes.keys() - {"document", "dataset", "entity"}, reverse=True)
        mention = hashes[first]
        for role in others:  # an `end` is not a `stop`
            of_role = fingerprint.as_documents(hashes[role]) + fingerprint.of_texts([role])
            mention = fingerprint.of_members(mention, of_role)
        entity = hashes.get("entity", np.zeros_like(mention))
        for role in {"document", "dataset"} & hashes.keys():
            outer = fingerprint.as_documents(hashes[role])
            mention = fingerprint.of_members(mention, outer)
            entity = fingerprint.of_members(entity, outer) if role == "document" else entity
        return cls(mention.view(np.int64), entity.view(np.int64), line, texts)


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A table whose rows are read from the start each time, unless it is standard input.

    `at` has the position of the column of each role. `read` yields all rows, whose `texts` are
    available only if all columns are asked for.
    """

    shown: str
    header: tuple[str, ...]
    at: dict[str, int]
    read: Callable[[bool], Iterator[RecordRows]]
    is_read_once: bool = False


def open_records(
    source: Input, side: str, reading: ReadOptions, *, with_entities: bool = True
) -> RecordTable:
    """Open a file or an object, whose rows are read later; `side` is its name in messages."""
    source, (format, encoding) = as_path(source), reading.of_side(side)  # noqa: A001
    found = None
    if isinstance(source, str | PathLike):
        is_file = str(source) != STANDARD_INPUT
        if is_file and format in (None, "parquet") and table_parts(source):
            found = _of_parquet(_ParquetRecords(source, with_entities=with_entities))
        # Standard input of another encoding is converted at once, and read only once.
        elif (is_file or encoding is None) and format in (None, *_DELIMITED):
            found = _of_delimited(sources(source), encoding, with_entities=with_entities)
    elif any(hasattr(source, name) for name in _OF_FRAMES) and not hasattr(source, "sparkSession"):
        found = _of_parquet(_ParquetRecords(_frame_part(source, side), with_entities=with_entities))
    return found or _of_corpus(as_corpus(source, side, reading))


def entity_sizes(entities: Sequence[Ints], wanted: Ints) -> tuple[int, Ints]:
    """Return the number of entities of rows, and the sizes of some; without a row, it is 0."""
    every = np.concatenate([np.zeros(0, dtype=np.int64), *entities])
    every.sort()
    sizes = np.searchsorted(every, wanted, "right") - np.searchsorted(every, wanted)
    return int(np.count_nonzero(first_of_run(every))), sizes


def _positions(layout: TableLayout) -> dict[str, int]:
    """Return the position of the column of each role that identifies records and entities."""
    known = {"document", "mention", "entity", *SPAN_ROLES}
    at = {role: layout.at[role] for role in layout.roles if role in known}
    names = [name.lower().replace("_", "").replace(" ", "") for name in layout.header]
    if _DATASET in names and "document" not in at:
        at["dataset"] = names.index(_DATASET)
    return at


def _empty_cells(hashes: dict[str, Hashes], line: Ints, shown: str) -> list[Problem]:
    """Return the problem of the first empty cell, if there is one."""
    for role, found in hashes.items():
        is_empty = np.isin(found, _NO_ENTITY if role == "entity" else _NOTHING)
        if is_empty.any():
            return [
                Problem(shown, int(line[np.argmax(is_empty)]), *_EMPTY.get(role, _EMPTY["mention"]))
            ]
    return []


def _of_delimited(
    found: list[Source], encoding: str | None, *, with_entities: bool
) -> RecordTable | None:
    source = found[0]
    if len(found) > 1 or source.parts:
        return None
    if encoding is None:
        head = head_of(source)
    else:
        with open_source(source, encoding) as stream:
            head = PeekableStream(stream).head
    names = split_header(head.removeprefix(BYTE_ORDER_MARK)).names
    layout = find_layout(names, with_entities=with_entities)
    if not isinstance(layout, TableLayout):
        return None
    at, shown = _positions(layout), source.shown

    def read(_: bool) -> Iterator[RecordRows]:  # noqa: FBT001  # all columns are split anyway
        size = total_size([source])
        with (
            progress(f"reading {shown}", size, "B") as advance,
            open_source(source, encoding) as stream,
        ):
            for cells in row_blocks(PeekableStream(stream, advance), shown):
                yield _delimited_rows(cells, at, shown)

    return RecordTable(shown, layout.header, at, read, is_read_once=source.path is None)


def _delimited_rows(cells: TableCells, at: dict[str, int], shown: str) -> RecordRows:
    hashes = {role: hash_cells(cells, column) for role, column in at.items()}
    if problems := _empty_cells(hashes, cells.line, shown):
        raise FormatError(problems, shown)

    def texts(rows: Ints) -> list[list[str]]:
        places = zip(cells.start[rows].tolist(), cells.end[rows].tolist(), strict=True)
        return [
            [cells.raw[at:end].decode() for at, end in zip(*row, strict=True)] for row in places
        ]

    return RecordRows.of(hashes, cells.line, texts)


class _ParquetRecords(ParquetTable):
    """A Parquet table, or a data frame, of which only records and entities are read."""

    def __init__(self, source: str | PathLike[str] | ParquetPart, *, with_entities: bool) -> None:
        self._with_entities = with_entities
        if isinstance(source, ParquetPart):
            ParquetFiles.__init__(self, [source], source.shown, coded=True)
        else:
            super().__init__(source)
        self.check_types()

    def find_layout(self, names: Sequence[str], shown: str) -> TableLayout:
        """Find the columns, perhaps without entities."""
        found = find_layout(names, with_entities=self._with_entities)
        if not isinstance(found, TableLayout):
            raise FormatError([layout_problem(shown, 0, found)], shown)
        return replace(found, at=_positions(found))


def _frame_part(source: Any, side: str) -> ParquetPart:
    """Write a data frame of pandas, polars or Arrow as Parquet in memory."""
    source = source.collect() if hasattr(source, "collect") else source  # a query of polars
    arrow, parquet = arrow_module(), arrow_module(".parquet")
    shown = f"{side} ({type(source).__module__.partition('.')[0]})"
    stream = arrow.BufferOutputStream()
    parquet.write_table(as_arrow(source, [*column_names(source)], arrow, shown), stream)
    data = stream.getvalue()
    return ParquetPart(shown, arrow.BufferReader(data), data.size)


def _of_parquet(rows: _ParquetRecords) -> RecordTable:
    header, at = rows.layout.header, dict(rows.layout.at)

    def read(reads_all: bool) -> Iterator[RecordRows]:  # noqa: FBT001  # there is one choice
        asked = header if reads_all else [header[one] for one in sorted(at.values())]
        first = 0
        with progress(f"reading {rows.path}", rows.rows) as advance:
            for batch in rows.iterate(asked, BATCH_ROWS):
                line = rows.lines(first, first + batch.num_rows)
                yield _parquet_rows(rows, batch, line)
                first += batch.num_rows
                advance(batch.num_rows)

    return RecordTable(rows.path, header, at, read)


def _parquet_rows(rows: _ParquetRecords, batch: Any, line: Ints) -> RecordRows:
    hashes, problems = {}, []
    for role in rows.layout.at:
        column = batch.column(rows.column(role))
        if column.null_count:
            row = column.is_null().to_pylist().index(True)
            problems = [Problem(rows.path, int(line[row]), *_EMPTY.get(role, _EMPTY["mention"]))]
            break
        hashes[role] = IdColumn.of(column).hashes()
    if problems := problems or _empty_cells(hashes, line, rows.path):
        raise FormatError(rows.locate(problems), rows.path)

    def texts(some: Ints) -> list[list[str]]:
        part = batch.take(to_arrow(some)).to_pydict()
        cells = [["" if one is None else str(one) for one in column] for column in part.values()]
        return [list(row) for row in zip(*cells, strict=True)]

    return RecordRows.of(hashes, line, texts)


def _of_corpus(corpus: Corpus) -> RecordTable:
    columns = unchecked_columns(corpus)
    layout = require_layout([*columns], corpus.source)
    at = _positions(layout)
    # A document without mentions has a row, but the corpus has none.
    kept = [row for row, entity in enumerate(columns["entity"]) if entity is not None]

    def read(_: bool) -> Iterator[RecordRows]:  # noqa: FBT001  # all columns are here
        hashes = {
            role: fingerprint.of_labels([columns[layout.header[place]][row] for row in kept])
            for role, place in at.items()
        }
        hashes["entity"] = fingerprint.of_numbers(corpus.entity)

        def texts(rows: Ints) -> list[list[str]]:
            cells = ([column[kept[row]] for column in columns.values()] for row in rows.tolist())
            return [["" if one is None else str(one) for one in row] for row in cells]

        yield RecordRows.of(hashes, corpus.line, texts)

    return RecordTable(corpus.source, layout.header, at, read)
