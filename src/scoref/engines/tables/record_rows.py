"""RecordTable: the records and entities of a table as hashes, in one pass of bounded memory.

CSV, TSV and Parquet tables are read in blocks, everything else as a corpus. Ids are compared as
64-bit hashes, so a table of texts can be compared with a table of numbers.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.progress import progress
from scoref.corpus import fingerprint
from scoref.corpus.corpus import Corpus
from scoref.corpus.fingerprint import Hashes
from scoref.engines.tables.id_column import IdColumn, to_arrow
from scoref.engines.tables.row_table import BATCH_ROWS, ParquetTable
from scoref.exceptions import FormatError
from scoref.formats.io.sources import (
    STANDARD_INPUT,
    Source,
    head_of,
    open_source,
    sources,
    table_parts,
    total_size,
)
from scoref.formats.io.text import PeekableStream
from scoref.formats.objects.tables import as_arrow, column_names
from scoref.formats.table.cells import TableCells
from scoref.formats.table.layout import (
    NO_ENTITY,
    SPAN_ROLES,
    TableLayout,
    find_layout,
    layout_problem,
)
from scoref.formats.table.parquet import from_arrow
from scoref.formats.table.parquet_files import ParquetFiles, ParquetPart, arrow_module
from scoref.formats.table.row_blocks import RowBlocks, empty_cell, hash_cells, span_cells
from scoref.formats.table.table_writer import unchecked_columns
from scoref.matching.inputs import Input, ReadOptions, as_corpus, as_path

_DATASET = "sourcedataset"
_EMPTY = {
    **dict.fromkeys(("document", "mention"), fingerprint.of_texts([""]).view(np.int64)),
    "entity": fingerprint.of_texts(sorted(NO_ENTITY)).view(np.int64),
}
_DELIMITED = ("csv", "tsv")
_OF_FRAMES = ("iterrows", "to_arrow", "column_names", "collect_schema")
"""What data frames of pandas, polars and Arrow have, and no other object that can be scored."""


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

        Entities are local to documents. Without a column of entities, all rows have one entity.
        """
        mention = hashes["mention"]
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
    if any(hasattr(source, name) for name in _OF_FRAMES) and not hasattr(source, "sparkSession"):
        return _of_parquet(_ParquetRecords(_frame_part(source, side), with_entities=with_entities))
    if not isinstance(source, str | PathLike):
        return _of_corpus(as_corpus(source, side, reading))
    is_file = str(source) != STANDARD_INPUT
    if is_file and format in (None, "parquet") and table_parts(source):
        return _of_parquet(_ParquetRecords(source, with_entities=with_entities))
    found = sources(source)
    # Standard input of another encoding is converted at once, and read only once.
    if len(found) == 1 and (is_file or encoding is None) and format in (None, *_DELIMITED):
        layout = _delimited_layout(found[0], encoding, with_entities=with_entities)
        if isinstance(layout, TableLayout):
            return _of_delimited(found[0], encoding, layout)
    return _of_corpus(as_corpus(source, side, reading))


def _positions(layout: TableLayout) -> dict[str, int]:
    """Return the position of the column of each role that identifies records and entities."""
    known = {"document", "mention", "entity", *SPAN_ROLES}
    at = {role: layout.at[role] for role in layout.roles if role in known}
    names = [name.lower().replace("_", "").replace(" ", "") for name in layout.header]
    if _DATASET in names and "document" not in at:
        at["dataset"] = names.index(_DATASET)
    return at


def _delimited_layout(
    source: Source, encoding: str | None, *, with_entities: bool
) -> TableLayout | tuple[str, str] | None:
    """Return the layout of a delimited table; anything else has none."""
    if source.parts:
        return None
    if encoding is None:
        head = head_of(source)
    else:
        with open_source(source, encoding) as stream:
            head = PeekableStream(stream).head
    names = RowBlocks(PeekableStream(io.BytesIO(head)), source.shown).header.names
    return find_layout(names, with_entities=with_entities)


def _of_delimited(source: Source, encoding: str | None, layout: TableLayout) -> RecordTable:
    def read(_: bool) -> Iterator[RecordRows]:  # noqa: FBT001  # all columns are split anyway
        size = total_size([source])
        with (
            progress(f"reading {source.shown}", size, "B") as advance,
            open_source(source, encoding) as stream,
        ):
            for cells in RowBlocks(PeekableStream(stream, advance), source.shown):
                yield _delimited_rows(table, cells)

    at = _positions(layout)
    table = RecordTable(source.shown, layout.header, at, read, is_read_once=source.path is None)
    return table


def _delimited_rows(table: RecordTable, cells: TableCells) -> RecordRows:
    hashes = {
        role: hash_cells(cells, at) for role, at in table.at.items() if role not in SPAN_ROLES
    }
    for role, empty in _EMPTY.items():
        found = hashes[role].view(np.int64) if role in hashes else empty[:0]
        if (rows := np.isin(found, empty)).any():
            problem = empty_cell(table.shown, int(cells.line[int(np.argmax(rows))]), role)
            raise FormatError([problem], table.shown)
    if "mention" not in hashes:
        hashes["mention"] = fingerprint.of_spans(*span_cells(cells, table.at, table.shown))

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
    found = rows.id_columns(batch)
    document = batch.column(rows.column("document")) if rows.has_documents else None
    if found is None or (document is not None and document.null_count):
        problems = []
        if "entity" in rows.layout.at:
            problems = from_arrow(rows.arrow.Table.from_batches([batch]), rows, line)[1]
        # A row with only a document has no problem, but no record either.
        problems = problems or [empty_cell(rows.path, 0, "mention")]
        raise FormatError(rows.locate(problems), rows.path)
    if document is not None:
        found["document"] = IdColumn.of(document)
    hashes = {role: one.hashes() for role, one in found.items() if role not in SPAN_ROLES}
    if "mention" not in hashes:
        hashes["mention"] = fingerprint.of_spans(found["start"].numbers, found["end"].numbers)

    def texts(some: Ints) -> list[list[str]]:
        part = batch.take(to_arrow(some)).to_pydict()
        cells = [["" if one is None else str(one) for one in column] for column in part.values()]
        return [list(row) for row in zip(*cells, strict=True)]

    return RecordRows.of(hashes, line, texts)


def _of_corpus(corpus: Corpus) -> RecordTable:
    columns = unchecked_columns(corpus)
    layout = find_layout([*columns])
    if not isinstance(layout, TableLayout):  # pragma: no cover  # scoref wrote these columns
        raise FormatError([layout_problem(corpus.source, 0, layout)])
    # A document without mentions has a row, but the corpus has none.
    kept = [row for row, entity in enumerate(columns["entity"]) if entity is not None]

    def read(_: bool) -> Iterator[RecordRows]:  # noqa: FBT001  # all columns are here
        hashes = {"entity": fingerprint.of_numbers(corpus.entity)}
        if (spans := corpus.as_spans()) is None or "mention" in columns:
            hashes["mention"] = fingerprint.of_labels(corpus.labels or ())
        else:  # as a table has them, without the tokens of discontinuous mentions
            hashes["mention"] = fingerprint.of_spans(spans.start, spans.end)
        if "document" in columns:
            hashes["document"] = fingerprint.of_labels([columns["document"][row] for row in kept])

        def texts(rows: Ints) -> list[list[str]]:
            cells = ([column[kept[row]] for column in columns.values()] for row in rows.tolist())
            return [["" if one is None else str(one) for one in row] for row in cells]

        yield RecordRows.of(hashes, corpus.line, texts)

    return RecordTable(corpus.source, layout.header, _positions(layout), read)
