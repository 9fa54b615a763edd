"""SideSchema: what executors must know of key or response; BlockTable: rows that they were sent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus
from scoref.engines.tables.id_column import to_arrow, to_numpy
from scoref.engines.tables.row_table import BATCH_ROWS, RowTable
from scoref.exceptions import Problem
from scoref.formats.table.layout import NUMBERS, TableLayout
from scoref.formats.table.parquet_files import ArrowSource, arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

PLACE = "scoref_place"
"""The column of places: numbers that rise with the order of the rows (see `SideSchema`)."""

FILE = "scoref_file"
"""The column with the file of a row, if Spark reads several; its places are lines of the file."""

FILE_BITS = 40
"""A place is the number of the file and, in so many bits, the line in it."""

_TEXTS = frozenset({"type", "zero", "zero_deps", "role", "style", "head_text"})
_IN_ORDER = ("document", "start", "start_character", "end", "stop", "end_character", "mention")


@dataclass(frozen=True, slots=True)
class SideSchema:
    """What an executor must know of a side: `name` is key or response.

    `types` are the Arrow types of the columns by role. A table in files has their names in `files`,
    and in `before` the number of rows before each, if lines are counted through all files. `size`
    are the bytes of the files, if known.
    """

    name: str
    source: str
    roles: tuple[str, ...]
    has_places: bool
    types: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    before: tuple[int, ...] = ()
    size: int | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows without places are sorted."""
        first = [role for role in (*_IN_ORDER, "nodes", "entity") if role in self.roles]
        return (*first, *(role for role in self.roles if role not in first))

    def line_of(self, place: int) -> int:
        """Return the line of a place, or 0 if it is not known."""
        file, line = divmod(place, 1 << FILE_BITS)
        return self.before[file] + line if self.before else 0

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Give problems the file and the line of their place, if they are known."""
        found = []
        for one in problems:
            file, line = divmod(one.line, 1 << FILE_BITS) if self.files else (0, 0)
            path = self.files[file] if line else one.path
            found.append(replace(one, path=path, line=line))
        return found

    def note_repeats(self) -> tuple[str, ...]:
        """Return a note on what is the first of equal mentions if rows have no order."""
        if self.has_places:
            return ()
        note = (
            f"the rows of the {self.name} have no order: the first of equal mentions is that of the"
            " entity that comes first if rows are sorted by document, mention and entity"
        )
        return (note,)


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
        of_mentions = {role for role in roles if role in _TEXTS}

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
