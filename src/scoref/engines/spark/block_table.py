"""BlockTable: the rows of a side in a bucket, put together from blocks; and how blocks are made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus
from scoref.engines.spark.paths import path_of
from scoref.engines.spark.row_groups import RowGroup, RowGroups
from scoref.engines.spark.side_schema import FILE, FILE_BITS, PLACE, SideSchema
from scoref.engines.tables.id_column import to_arrow, to_numpy
from scoref.engines.tables.parquet_table import BATCH_ROWS
from scoref.engines.tables.row_table import RowTable
from scoref.exceptions import FormatError, Problem
from scoref.formats.table.cell_columns import parse_number
from scoref.formats.table.columns import TableColumns
from scoref.formats.table.layout import NUMBERS, TableLayout
from scoref.formats.table.parquet_files import ArrowSource, arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

_CHUNK_ROWS = 1 << 20


class BlockTable(RowTable):
    """Rows of a side, in the order of their places or of their ids."""

    def __init__(self, side: SideSchema, tables: Iterable[pa.Table]) -> None:
        ArrowSource.__init__(self, side.source, side.size)
        self._side = side
        at = {role: number for number, role in enumerate(side.roles)}
        self.layout = TableLayout(side.roles, at)
        self.schema = self.arrow.schema(list(side.types.items()))
        self._rows = self._in_order([*tables, _nothing(side)])
        self.rows = self._rows.num_rows
        zeros = np.zeros(self.rows, dtype=np.int64)
        self._places = to_numpy(self._rows.column(PLACE)) if side.has_places else zeros

    def _in_order(self, tables: list[pa.Table]) -> pa.Table:
        rows = self.arrow.concat_tables(tables)
        if not self._side.has_places:
            return _sort_by_ids(rows, self._side)
        place = to_numpy(rows.column(PLACE))
        if (place[1:] > place[:-1]).all():
            return rows
        return rows.take(to_arrow(np.argsort(place, kind="stable")))

    def batches(self, roles: Collection[str]) -> Iterator[Any]:
        """Yield all rows, with some of their columns."""
        yield from self._rows.select(list(roles)).to_batches(BATCH_ROWS)

    def lines(self, first: int, end: int) -> Ints:
        """Return the places of some rows."""
        return self._places[first:end]

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Leave places as they are: the driver puts problems in order."""
        return list(problems)

    def complete(self, corpus: Corpus) -> Corpus:
        """Add the attributes that the table has in other buckets, with empty values."""
        roles = self._side.roles
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


def _nothing(side: SideSchema) -> pa.Table:
    fields = dict(side.types)
    if side.has_places:
        fields[PLACE] = arrow_module().int64()
    return arrow_module().schema(list(fields.items())).empty_table()


def _sort_by_ids(rows: pa.Table, side: SideSchema) -> pa.Table:
    """Sort rows without places; ids that are numbers are sorted as texts, as on other engines."""
    by = {name: rows.column(name) for name in side.order}
    for name in by.keys() - NUMBERS:
        by[name] = by[name].cast(arrow_module().string())
    keys = [(name, "ascending") for name in by]
    order = arrow_module(".compute").sort_indices(arrow_module().table(by), sort_keys=keys)
    return rows.take(order)


@dataclass(frozen=True, slots=True)
class FrameRows:
    """Turns what Spark reads of a side into rows for blocks, some at a time."""

    side: SideSchema
    uris: tuple[str, ...] = ()

    def chunks(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
        """Yield tables with the columns of all roles, and with places if the side has them."""
        waiting: list[pa.RecordBatch] = []
        for batch in batches:
            waiting.append(batch)
            if sum(one.num_rows for one in waiting) >= _CHUNK_ROWS:
                yield self._normal(arrow_module().Table.from_batches(waiting))
                waiting = []
        if waiting:
            yield self._normal(arrow_module().Table.from_batches(waiting))

    def _normal(self, rows: pa.Table) -> pa.Table:
        place = self._places(rows)
        columns = {role: self._column(role, rows, place) for role in self.side.roles}
        if place is not None:
            columns[PLACE] = to_arrow(place)
        return arrow_module().table(columns)

    def _places(self, rows: pa.Table) -> Ints | None:
        if not self.side.has_places:
            return None
        place = to_numpy(rows.column(PLACE).fill_null(0))
        if FILE not in rows.column_names:
            return place
        files = rows.column(FILE).dictionary_encode().combine_chunks()
        numbers = {path_of(uri): number for number, uri in enumerate(self.uris)}
        number = np.array([numbers[path_of(uri)] for uri in files.dictionary.to_pylist()])
        found: Ints = (number[to_numpy(files.indices)] << FILE_BITS) + place
        return found

    def _column(self, role: str, rows: pa.Table, place: Ints | None) -> Any:
        column, arrow = rows.column(role), arrow_module()
        if role in NUMBERS and not (
            arrow.types.is_integer(column.type) or arrow.types.is_floating(column.type)
        ):
            lines = np.zeros(len(column), dtype=np.int64) if place is None else place
            column = _parse_numbers(column, role, lines, self.side)
        return column.cast(self.side.types[role])


def _parse_numbers(column: Any, role: str, places: Ints, side: SideSchema) -> Any:
    """Parse the whole numbers of a column of texts, as the reader of CSV tables does."""
    arrow = arrow_module()
    coded = column.combine_chunks().dictionary_encode()
    texts = [text.strip() for text in coded.dictionary.to_pylist()]
    numbers = [parse_number(text) for text in texts]
    is_wrong = [bool(text) and number < 0 for text, number in zip(texts, numbers, strict=True)]
    codes = coded.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)
    table = TableColumns(side.source, {}, {}, places)
    table.add_problems(
        np.array([*is_wrong, False])[codes],
        lambda row: f"`{column[row].as_py()}` in the column of `{role}`",
        "a whole number from 0",
        "write offsets in the text, counted from 0",
    )
    if table.problems:
        raise FormatError(side.locate(table.problems), side.source)
    values = arrow.array([*(None if one < 0 else one for one in numbers), None], arrow.int64())
    return arrow.chunked_array([values.take(arrow.array(codes))])


def group_chunks(source: RowGroups, groups: Sequence[RowGroup]) -> Iterator[pa.Table]:
    """Read row groups as tables like those of `FrameRows`."""
    side, table = source.schema, source.table(groups)
    waiting: list[pa.RecordBatch] = []
    at = 0
    for batch in table.batches(side.roles):
        waiting.append(batch)
        rows = sum(one.num_rows for one in waiting)
        if rows >= _CHUNK_ROWS or at + rows == table.rows:
            found = arrow_module().Table.from_batches(waiting)
            columns = {
                role: found.column(table.column(role)).cast(side.types[role]) for role in side.roles
            }
            columns[PLACE] = to_arrow(table.lines(at, at + rows))
            yield arrow_module().table(columns)
            at, waiting = at + rows, []
