"""RecordRows: the records and entities of a table as hashes, in one pass of bounded memory.

CSV, TSV and Parquet tables and data frames are read in blocks, everything else as a corpus. A
record is a mention with its document, if the table has documents. Ids are compared as 64-bit
hashes, so a table of texts can be compared with a table of numbers.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
from scoref.engines.tables.row_table import BATCH_ROWS, ParquetTable, RowTable
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
from scoref.formats.io.text import PeekableStream
from scoref.formats.objects.tables import as_arrow, column_names
from scoref.formats.registry import find_reader
from scoref.formats.table.cells import NumberColumn, TableCells
from scoref.formats.table.layout import (
    NO_ENTITY,
    SPAN_ROLES,
    TableLayout,
    find_layout,
    layout_problem,
)
from scoref.formats.table.parquet import from_arrow
from scoref.formats.table.row_blocks import RowBlocks, empty_cell, hash_cells
from scoref.formats.table.table_writer import unchecked_columns
from scoref.matching.inputs import Input, ReadOptions, as_corpus, as_path

_DATASET = "sourcedataset"
"""The column of splink that says which of several data sets a record is from."""

_NAMELESS = fingerprint.of_texts(sorted(NO_ENTITY)).view(np.int64)
_EMPTY = fingerprint.of_texts([""]).view(np.int64)
_DELIMITED = ("csv", "tsv")
_OF_FRAMES = ("iterrows", "to_arrow", "column_names")
"""What data frames of pandas, polars and Arrow have, and no other object that can be scored."""

Texts = Callable[[Ints, Sequence[int]], list[list[str]]]
"""Returns the cells of some rows, in the columns with these positions."""


class RecordRows(NamedTuple):
    """Some rows: hashes of their records and entities, and their lines."""

    record: Ints
    entity: Ints
    line: Ints
    texts: Texts


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A table whose rows are read from the start each time, unless it is standard input.

    `has_dataset` says whether a record is an id with its data set, as in splink's output, and
    `reads_all` whether all columns are read. Without a column of entities, all rows have one
    entity.
    """

    shown: str
    layout: TableLayout
    read: Callable[[RecordTable], Iterator[RecordRows]]
    is_read_once: bool = False
    has_dataset: bool = False
    reads_all: bool = False

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.layout.header

    @property
    def dataset(self) -> int | None:
        """The position of the column of data sets, or None."""
        names = ["".join(one.lower().replace("_", " ").split()) for one in self.header]
        return names.index(_DATASET) if _DATASET in names and "document" not in self.at else None

    @property
    def at(self) -> dict[str, int]:
        """The position of each role's column; ids of mentions are not read next to spans."""
        known = {"document", "mention", "entity", *SPAN_ROLES}
        return {role: self.layout.at[role] for role in self.layout.roles if role in known}

    def rows(self, *, with_dataset: bool, reads_all: bool = False) -> Iterator[RecordRows]:
        """Yield all rows; `with_dataset` says whether the data set is a part of a record."""
        with_dataset &= self.dataset is not None
        return self.read(replace(self, has_dataset=with_dataset, reads_all=reads_all))

    def combine(
        self,
        mention: Hashes,
        entity: Hashes | None,
        document: Hashes | None,
        dataset: Hashes | None,
    ) -> tuple[Ints, Ints]:
        """Return the records and entities of some rows, given the hashes of their ids."""
        entity = np.zeros_like(mention) if entity is None else entity
        if document is not None:  # entities are local to their documents
            document = fingerprint.as_documents(document)
            mention = fingerprint.of_members(mention, document)
            entity = fingerprint.of_members(entity, document)
        elif dataset is not None:
            mention = fingerprint.of_members(mention, fingerprint.as_documents(dataset))
        return mention.view(np.int64), entity.view(np.int64)


def open_records(
    source: Input, side: str, reading: ReadOptions, *, with_entities: bool = True
) -> RecordTable:
    """Open a file or an object, whose rows are read later; `side` is its name in messages."""
    source, (format, encoding) = as_path(source), reading.of_side(side)  # noqa: A001
    if hasattr(source, "collect_schema") and hasattr(source, "collect"):
        source = source.collect()  # a query of polars
    if isinstance(source, str | PathLike):
        if format in (None, "parquet") and str(source) != STANDARD_INPUT and table_parts(source):
            return _of_arrow(_ParquetRecords(source, with_entities=with_entities))
        found = sources(source)
        is_converted = found[0].path is None and encoding is not None  # which is read only once
        if (
            len(found) == 1
            and not is_converted
            and _is_delimited(found[0], format, with_entities=with_entities)
        ):
            return _of_delimited(found[0], encoding, with_entities=with_entities)
    elif any(hasattr(source, name) for name in _OF_FRAMES):
        return _of_arrow(_FrameRecords(source, side, with_entities=with_entities))
    return _of_corpus(as_corpus(source, side, reading))


def _layout(header: Sequence[str], path: str, *, with_entities: bool) -> TableLayout:
    found = find_layout(header, with_entities=with_entities)
    if isinstance(found, TableLayout):
        return found
    raise FormatError([layout_problem(path, 0, found)], path)


def _is_delimited(source: Source, format: str | None, *, with_entities: bool) -> bool:  # noqa: A002
    """Whether a source is a table, also one of records without entities if these are optional."""
    if source.parts or format is not None:
        return format in _DELIMITED
    head = head_of(source)
    if any(find_reader(name).recognise(head) for name in _DELIMITED):
        return True
    blocks = RowBlocks(PeekableStream(io.BytesIO(head)), source.shown)
    layout = find_layout(blocks.header.names, with_entities=False)
    return not with_entities and isinstance(layout, TableLayout)


def _of_delimited(source: Source, encoding: str | None, *, with_entities: bool) -> RecordTable:
    if encoding is None:
        names = RowBlocks(PeekableStream(io.BytesIO(head_of(source))), source.shown).header.names
    else:
        with open_source(source, encoding) as stream:
            names = RowBlocks(PeekableStream(stream), source.shown).header.names

    def read(table: RecordTable) -> Iterator[RecordRows]:
        size = total_size([source])
        with (
            progress(f"reading {source.shown}", size, "B") as advance,
            open_source(source, encoding) as stream,
        ):
            for cells in RowBlocks(PeekableStream(stream, advance), source.shown):
                yield _delimited_rows(table, cells)

    layout = _layout(names, source.shown, with_entities=with_entities)
    return RecordTable(source.shown, layout, read, is_read_once=source.path is None)


def _delimited_rows(table: RecordTable, cells: TableCells) -> RecordRows:
    at = table.at
    hashes = {role: hash_cells(cells, at[role]) for role in ("document", "entity") if role in at}
    if "mention" in at:
        mention = hash_cells(cells, at["mention"])
    else:
        mention = fingerprint.of_spans(*_spans(table, cells))
    names = [("record", mention, _EMPTY), ("entity", hashes.get("entity"), _NAMELESS)]
    for what, found, empty in names:
        if found is not None and (rows := np.isin(found.view(np.int64), empty)).any():
            line = int(cells.line[int(np.argmax(rows))])
            raise FormatError([empty_cell(table.shown, line, what)], table.shown)
    dataset = hash_cells(cells, table.dataset or 0) if table.has_dataset else None
    columns = table.combine(mention, hashes.get("entity"), hashes.get("document"), dataset)

    def texts(rows: Ints, columns: Sequence[int]) -> list[list[str]]:
        places = zip(cells.start[rows].tolist(), cells.end[rows].tolist(), strict=True)
        return [
            [cells.raw[start[one] : end[one]].decode() for one in columns] for start, end in places
        ]

    return RecordRows(*columns, cells.line, texts)


def _spans(table: RecordTable, cells: TableCells) -> tuple[Ints, Ints]:
    """Return the starts and the inclusive ends of mentions."""
    found = []
    for role in ("start_character", "start", "end_character", "end", "stop"):
        if role in table.at:
            column = NumberColumn(table.at[role], table.header[table.at[role]], table.shown)
            column.add(cells)
            values = column.all()
            if column.problems or (values < 0).any():
                problems = [*column.problems]
                if not problems:
                    line = int(cells.line[int(np.argmax(values < 0))])
                    problems = [empty_cell(table.shown, line, "record")]
                raise FormatError(problems, table.shown)
            found.append(values - (role == "stop"))
    return found[0], found[1]


class _ParquetRecords(ParquetTable):
    """A Parquet table, of which only records and entities are read."""

    def __init__(self, path: str | PathLike[str], *, with_entities: bool) -> None:
        self._with_entities = with_entities
        super().__init__(path)
        self.check_types()

    def find_layout(self, names: Sequence[str], shown: str) -> TableLayout:
        """Find the columns, perhaps without entities."""
        return _layout(names, shown, with_entities=self._with_entities)


class _FrameRecords(RowTable):
    """A data frame of pandas, polars or Arrow."""

    def __init__(self, source: Any, side: str, *, with_entities: bool) -> None:
        super().__init__(f"{side} ({type(source).__module__.partition('.')[0]})", None)
        names = [str(name) for name in column_names(source)]
        self.layout = _layout(names, self.path, with_entities=with_entities)
        self._rows = as_arrow(source, names, self.arrow)
        self.schema, self.rows = self._rows.schema, self._rows.num_rows
        self.check_types()

    def iterate(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """Yield batches of so many rows."""
        yield from self._rows.select(columns).combine_chunks().to_batches(rows)

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield all rows, with some of their columns."""
        yield from self.iterate([self.column(role) for role in roles], BATCH_ROWS)

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems as they are: a data frame has no files."""
        return [*problems]


def _of_arrow(rows: _ParquetRecords | _FrameRecords) -> RecordTable:
    def read(table: RecordTable) -> Iterator[RecordRows]:
        names, at = [*table.header], 0
        others = {table.dataset} if table.has_dataset else set()
        used = [one for one in range(len(names)) if one in {*table.at.values(), *others}]
        asked = names if table.reads_all else [names[one] for one in used]
        with progress(f"reading {rows.path}", rows.rows) as advance:
            for batch in rows.iterate(asked, BATCH_ROWS):
                line = rows.lines(at, at + batch.num_rows)
                yield _arrow_rows(table, rows, batch, line)
                at += batch.num_rows
                advance(batch.num_rows)

    layout = replace(rows.layout, at=dict(rows.layout.at))
    table = RecordTable(rows.path, layout, read)
    rows.layout = replace(layout, at=table.at)  # the other columns are not checked
    return table


def _arrow_rows(table: RecordTable, rows: RowTable, batch: Any, line: Ints) -> RecordRows:
    found = rows.id_columns(batch)
    if found is None:
        problems = from_arrow(rows.arrow.Table.from_batches([batch]), rows, line)[1]
        raise FormatError(rows.locate(problems), rows.path)
    if "mention" in found:
        mention = found["mention"].hashes()
    else:
        mention = fingerprint.of_spans(found["start"].numbers, found["end"].numbers)
    entity = found["entity"].hashes() if "entity" in found else None
    others = [
        IdColumn.of(batch.column(table.header[one])).hashes() if one is not None else None
        for one in (table.at.get("document"), table.dataset if table.has_dataset else None)
    ]
    columns = table.combine(mention, entity, *others)

    def texts(some: Ints, columns: Sequence[int]) -> list[list[str]]:
        part = batch.take(to_arrow(some))
        values = [part.column(table.header[one]).to_pylist() for one in columns]
        cells = [["" if one is None else str(one) for one in column] for column in values]
        return [list(row) for row in zip(*cells, strict=True)]

    return RecordRows(*columns, line, texts)


def _of_corpus(corpus: Corpus) -> RecordTable:
    columns = unchecked_columns(corpus)
    layout = find_layout([*columns])
    if not isinstance(layout, TableLayout):  # pragma: no cover  # scoref wrote these columns
        raise FormatError([layout_problem(corpus.source, 0, layout)])
    has_documents = "document" in columns

    def read(table: RecordTable) -> Iterator[RecordRows]:
        if corpus.labels is None:
            mention = fingerprint.of_spans(corpus.start, corpus.end, corpus.attributes.get("nodes"))
        else:
            mention = fingerprint.of_labels(corpus.labels)
        document = fingerprint.of_labels([one.id for one in corpus.documents])[corpus.document]
        entity = fingerprint.of_numbers(corpus.entity)
        found = table.combine(mention, entity, document if has_documents else None, None)
        cells = unchecked_columns(corpus)

        def texts(rows: Ints, columns: Sequence[int]) -> list[list[str]]:
            names = [table.header[one] for one in columns]
            return [[str(cells[name][row]) for name in names] for row in rows.tolist()]

        yield RecordRows(*found, corpus.line, texts)

    return RecordTable(corpus.source, layout, read)
