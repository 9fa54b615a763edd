"""Row groups of Parquet tables that executors read themselves, without Spark's reader.

The driver reads the footers of the files: how many rows each row group has, and between which
names its documents are. If both tables are clustered by document, ranges of documents need few row
groups of each, and an executor that reads these can count the range alone. Nothing is shuffled.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.engines.spark.side_table import FILE_BITS, SideSchema
from scoref.engines.spark.table_files import LOCAL, can_open, decoded_type, open_file
from scoref.engines.tables.id_column import to_arrow
from scoref.engines.tables.row_table import BATCH_ROWS, RowTable
from scoref.exceptions import Problem
from scoref.formats.table.layout import TableLayout
from scoref.formats.table.parquet_files import (
    CHECKED,
    ArrowSource,
    ParquetFiles,
    ParquetPart,
    arrow_module,
    is_text,
)


class RowGroup(NamedTuple):
    """A row group: its file, its number and first row there, and the range of its documents."""

    file: int
    number: int
    first: int
    rows: int
    low: Any = None
    high: Any = None


@dataclass(frozen=True, slots=True)
class RowGroups:
    """The row groups of a table, with all that an executor needs to read some of them."""

    schema: SideSchema
    uris: tuple[str, ...]
    layout: TableLayout
    arrow_schema: Any
    groups: tuple[RowGroup, ...]

    @classmethod
    def of(cls, uris: Sequence[str], schema: SideSchema) -> RowGroups | None:
        """Read the footers of a table; None if Arrow cannot open its files, or Spark must."""
        if not uris or not all(map(can_open, uris)):
            return None
        try:
            parts = [
                ParquetPart(shown, file := open_file(uri), file.size())
                for uri, shown in zip(uris, schema.files, strict=True)
            ]
        except (OSError, ImportError, ValueError, arrow_module().lib.ArrowException):
            return None  # Spark may have credentials that Arrow lacks
        files = ParquetFiles(parts, schema.source)
        if not set(schema.roles).issubset(files.layout.at):  # other columns are in the paths
            return None
        layout = replace(files.layout, at={role: files.layout.at[role] for role in schema.roles})
        kinds = {
            role: decoded_type(files.schema.field(files.column(role)).type) for role in layout.at
        }
        schema = replace(
            schema,
            types=kinds,
            before=(0, *files.ends[:-1]),
            size=files.size,
        )
        groups = cls(schema, tuple(uris), layout, files.schema, tuple(_list_groups(files)))
        return groups if groups.table(()).is_plain else None

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return sum(group.rows for group in self.groups)

    def table(self, groups: Sequence[RowGroup], documents: DocumentRange | None = None) -> RowTable:
        """Return some row groups as a table, or the rows of their documents in a range."""
        return _GroupTable(self, groups, documents)

    def chunks(self, rows: int) -> Iterator[tuple[RowGroup, ...]]:
        """Divide the row groups into chunks of about so many rows."""
        chunk: list[RowGroup] = []
        for group in self.groups:
            chunk.append(group)
            if sum(one.rows for one in chunk) >= rows:
                yield tuple(chunk)
                chunk = []
        if chunk:
            yield tuple(chunk)


def _list_groups(files: ParquetFiles) -> Iterator[RowGroup]:
    number, first, last = -1, 0, None
    name = files.column("document") if "document" in files.layout.at else None
    for file, group, rows in files.groups():
        number, first = (number + 1, 0) if file is not last else (number, first)
        yield RowGroup(number, group, first, rows, *_range_of(file.metadata.row_group(group), name))
        first, last = first + rows, file


def _range_of(group: Any, name: str | None) -> tuple[Any, Any]:
    """Return the first and the last document of a row group by name, if the file says it."""
    columns = (group.column(at) for at in range(group.num_columns))
    found = next((one.statistics for one in columns if one.path_in_schema == name), None)
    if found is None or not found.has_min_max or not found.has_null_count or found.null_count:
        return None, None
    return found.min, found.max


class DocumentRange(NamedTuple):
    """Documents from `low` to before `high`; None is without a bound."""

    low: Any
    high: Any

    def touches(self, group: RowGroup) -> bool:
        """Whether a row group can have documents of the range."""
        above = self.high is None or group.low < self.high
        return above and (self.low is None or group.high >= self.low)

    def contains(self, group: RowGroup) -> bool:
        """Whether all documents of a row group are in the range."""
        below = self.high is None or group.high < self.high
        return below and (self.low is None or group.low >= self.low)

    def find_rows(self, column: Any) -> Ints:
        """Return the rows of a column of documents that are in the range."""
        compute, inside = arrow_module(".compute"), np.ones(len(column), dtype=bool)
        for bound, compare in ((self.low, compute.greater_equal), (self.high, compute.less)):
            if bound is not None:
                scalar = arrow_module().scalar(bound, column.type)
                inside &= compare(column, scalar).combine_chunks().to_numpy(zero_copy_only=False)
        return np.flatnonzero(inside)


def plan_ranges(
    key: RowGroups, response: RowGroups, rows: int
) -> list[tuple[DocumentRange, list[RowGroup], list[RowGroup]]] | None:
    """Divide documents into ranges of about so many rows, with the row groups that each needs.

    A row group that two ranges touch is read for both. None if that would be most of them, or if
    the footers have no ranges of documents: rows must be shuffled then.
    """
    both = [*key.groups, *response.groups]
    if any(group.low is None for group in both) or len({type(group.low) for group in both}) != 1:
        return None
    low, high = (
        sorted((getattr(group, end), group.rows) for group in both) for end in ("low", "high")
    )
    before, finished = ([0, *accumulate(count for _, count in ends)] for ends in (low, high))
    cuts: list[Any] = []
    done = 0
    for cut in sorted({group.low for group in both})[1:]:
        started = before[bisect_left(low, (cut,))]
        ended = finished[bisect_left(high, (cut,))]
        if started - done >= rows and 2 * (started - ended) <= rows:
            cuts.append(cut)
            done = started
    ranges = [DocumentRange(*ends) for ends in zip([None, *cuts], [*cuts, None], strict=True)]
    plan = [
        (one, list(filter(one.touches, key.groups)), list(filter(one.touches, response.groups)))
        for one in ranges
    ]
    largest = max(sum(group.rows for group in (*one, *other)) for _, one, other in plan)
    return plan if largest <= 4 * rows else None


class _GroupTable(RowTable):
    """Some row groups, or the rows in them that are in a range of documents."""

    def __init__(
        self, source: RowGroups, groups: Sequence[RowGroup], documents: DocumentRange | None
    ) -> None:
        ArrowSource.__init__(self, source.schema.source, source.schema.size)
        self.layout, self.schema = source.layout, source.arrow_schema
        self._source, self._groups, self._open = source, tuple(groups), {}  # type: ignore[var-annotated]
        self._inside = [self._rows_inside(group, documents) for group in self._groups]
        sizes = [
            group.rows if inside is None else len(inside)
            for group, inside in zip(self._groups, self._inside, strict=True)
        ]
        self._ends = list(accumulate(sizes, initial=0))
        self.rows = self._ends[-1]

    def _rows_inside(self, group: RowGroup, documents: DocumentRange | None) -> Ints | None:
        """Return the rows of a row group that are in a range, or None for all."""
        if documents is None or documents.contains(group):
            return None
        with self.reading(self._source.schema.files[group.file]):
            file, name = self._file(group.file), self.column("document")
            rows = file.read_row_group(group.number, columns=[name], use_threads=False)
            column = rows.column(name)
            return documents.find_rows(column.cast(decoded_type(column.type)))

    def _file(self, number: int) -> Any:
        if number not in self._open:
            uri = self._source.uris[number]
            name = self.column("document") if self.has_documents else None
            is_coded = name and is_text(self.schema.field(name).type, self.arrow)
            self._open[number] = arrow_module(".parquet").ParquetFile(
                open_file(uri),
                # Buffers that are read ahead are kept in memory, but save requests elsewhere.
                pre_buffer=not uri.startswith(f"{LOCAL}:"),
                read_dictionary=[name] if is_coded else None,
                **CHECKED,
            )
        return self._open[number]

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield all rows, with some of their columns."""
        columns = [self.column(role) for role in roles]
        for group, inside in zip(self._groups, self._inside, strict=True):
            if inside is not None and not len(inside):
                continue
            with self.reading(self._source.schema.files[group.file]):
                batches = self._file(group.file).iter_batches(
                    BATCH_ROWS, row_groups=[group.number], columns=columns, use_threads=False
                )
                for batch in batches if inside is None else _pick(batches, inside):
                    self.check_rows(batch, self._source.schema.files[group.file])
                    yield batch

    def lines(self, first: int, end: int) -> Ints:
        """Return the places of some rows."""
        found = [np.zeros(0, dtype=np.int64)]
        for at, (group, inside) in enumerate(zip(self._groups, self._inside, strict=True)):
            start, stop = (
                min(max(row, self._ends[at]), self._ends[at + 1]) - self._ends[at]
                for row in (first, end)
            )
            if stop > start:
                rows = np.arange(start, stop) if inside is None else inside[start:stop]
                found.append((group.file << FILE_BITS) + group.first + rows + 1)
        return np.concatenate(found)

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Leave places as they are: the driver puts problems in order."""
        return list(problems)


def _pick(batches: Iterator[Any], rows: Ints) -> Iterator[Any]:
    """Yield some rows of a row group; what comes after the last of them is not read."""
    at = 0
    for batch in batches:
        low, high = np.searchsorted(rows, (at, at + batch.num_rows)).tolist()
        if high > low:
            picked = rows[low:high] - at
            if picked[-1] - picked[0] == high - low - 1:
                yield batch.slice(int(picked[0]), high - low)
            else:
                yield batch.take(to_arrow(picked))
        at += batch.num_rows
        if high == len(rows):
            return
