"""Key and response as DataFrames with the same columns, named by their roles.

Rows have no order in Spark, but files have one: which of two equal mentions is scored, in which
order documents are shown, and the last bit of a sum depend on it. So a table that is read from
files carries the place of each row. The DataFrame of a user has no order unless a column gives it;
its mentions are then taken in the order of documents, spans and names.

A DataFrame is only what Spark would read. If executors can read the row groups of a Parquet table
themselves, `groups` says which there are, and the DataFrame is not used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from scoref.corpus.attributes import MENTION_TYPES
from scoref.engines.spark.failures import NoFileSystemError, translated_errors
from scoref.engines.spark.row_groups import RowGroups
from scoref.engines.spark.side_table import FILE, PLACE, SideSchema
from scoref.engines.spark.table_files import (
    can_open,
    path_of,
    read_with_arrow,
    shown_file,
    sort_uris,
)
from scoref.engines.tables.row_table import have_documents
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats.table.columns import KNOWN_TYPES
from scoref.formats.table.layout import NUMBERS, SPAN_ROLES, require_layout
from scoref.formats.table.parquet import wrong_type
from scoref.formats.table.parquet_files import arrow_module

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

ALWAYS = frozenset({"document", "mention", *SPAN_ROLES, "entity", "nodes", "zero", "zero_deps"})
"""The roles of columns that are always read."""

_TEXTS = ("type", "role", "style", "head_text", "entity_type", "entity_subtype", "entity_class")
_INTEGERS = frozenset({"tinyint", "smallint", "int", "bigint"})


@dataclass(frozen=True, slots=True, eq=False)
class SideFrame:
    """A side: its DataFrame, whose columns are named by role, and notes on the whole of it."""

    frame: DataFrame
    schema: SideSchema
    notes: tuple[str, ...] = ()
    groups: RowGroups | None = None
    uris: tuple[str, ...] = ()

    def count_rows(self) -> int:
        """Return the number of rows, which Spark counts if the files do not say it."""
        return self.frame.count() if self.groups is None else self.groups.rows

    def has(self, role: str) -> bool:
        """Whether the side has a column of a role."""
        return role in self.schema.roles


def read_parquet(spark: SparkSession, name: str, path: str, *, all_columns: bool) -> SideFrame:
    """Find a Parquet table, which executors read themselves if they can."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import
    from pyspark.sql.pandas.types import to_arrow_type  # noqa: PLC0415

    try:
        with translated_errors():
            frame = spark.read.parquet(path)
        uris = sort_uris(frame.inputFiles())
        places = {PLACE: f.col("_metadata.row_index") + 1, FILE: f.col("_metadata.file_path")}
    except NoFileSystemError:
        if not can_open(path):
            raise
        frame, uris = read_with_arrow(spark, path)
        places = {PLACE: f.col(PLACE), FILE: f.col(FILE)}
    files = tuple(shown_file(PurePosixPath(path_of(uri)), path) for uri in uris)
    several = len(files) > 1
    if not several:
        del places[FILE]
    columns = [column for column in frame.columns if column not in (PLACE, FILE)]
    frame, roles = _name_by_role(frame, columns, path, places, all_columns)
    problems = [
        problem
        for one in frame.schema.fields
        if one.name in roles
        for problem in wrong_type(path, one.name, to_arrow_type(one.dataType))
    ]
    if problems:
        raise FormatError(problems, path)
    before = () if several else (0,)
    schema = SideSchema(name, path, roles, has_places=True, files=files, before=before)
    groups = None if all_columns else RowGroups.of(uris, schema)
    schema = schema if groups is None else groups.schema
    return SideFrame(frame, schema, groups=groups, uris=tuple(uris))


def side_of_frame(
    frame: DataFrame, name: str, order: str | None, *, all_columns: bool
) -> SideFrame:
    """Take the DataFrame of a user; the column `order` may have the order of its rows."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    if order is not None and order not in frame.columns:
        raise UsageError(f"the {name} has no column {order!r} to order its rows by")
    if order is not None and dict(frame.dtypes)[order] not in _INTEGERS:
        kind = dict(frame.dtypes)[order]
        raise UsageError(
            f"the column {order!r} of the {name} has values of type {kind}, expected whole numbers",
            "number the rows, for example with row_number()",
        )
    places = {} if order is None else {PLACE: f.col(_quoted(order)).cast("long")}
    columns = [column for column in frame.columns if column != order]
    frame, roles = _name_by_role(frame, columns, name, places, all_columns)
    return SideFrame(frame, SideSchema(name, name, roles, has_places=order is not None))


def _name_by_role(
    frame: DataFrame,
    columns: Collection[str],
    source: str,
    places: Mapping[str, Column],
    all_columns: bool,  # noqa: FBT001
) -> tuple[DataFrame, tuple[str, ...]]:
    """Name columns by their roles, and leave out those that nothing requires."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    layout = require_layout(list(columns), source)
    roles = tuple(role for role in layout.roles if all_columns or role in ALWAYS)
    named = [f.col(_quoted(layout.header[layout.at[role]])).alias(role) for role in roles]
    placed = [place.alias(name) for name, place in places.items()]
    return frame.select(*named, *placed), roles


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def harmonize(key: SideFrame, response: SideFrame) -> tuple[SideFrame, SideFrame]:
    """Give both sides columns of the same types, and drop columns without values."""
    have_documents(key.has("document"), response.has("document"))
    for kinds, role in (
        (("ids of mentions", "spans"), "mention"),
        (("spans of characters", "spans of tokens"), "start_character"),
    ):
        if key.has(role) != response.has(role):
            first, second = kinds if key.has(role) else kinds[::-1]
            raise UsageError(
                f"the key has {first}, but the response has {second}",
                "give both sides mentions of the same kind",
            )
    types: dict[str, str] = {}
    dtypes = [dict(side.frame.dtypes) for side in (key, response)]
    for role in dict.fromkeys((*key.schema.roles, *response.schema.roles)):
        found = [of_side[role] for of_side in dtypes if role in of_side]
        types[role] = _common_type(role, found, key if key.has(role) else response)
    key, response = (_without_empty_columns(_cast(side, types)) for side in (key, response))
    return key, response


def _common_type(role: str, types: list[str], side: SideFrame) -> str:
    """Return the type that a role gets: integers, or else texts."""
    if all(one in _INTEGERS for one in types):
        return "bigint"
    common, fitting = ("double", {"float", "double"}) if role in NUMBERS else ("string", {"string"})
    odd = next((one for one in types if one not in _INTEGERS | fitting), None)
    if odd is None:
        return common
    found = f"values of type {odd} in the column of `{role}`"
    expected = "whole numbers" if role in NUMBERS else "texts or whole numbers"
    hint = "convert the column before it is scored, for example with `cast`"
    raise FormatError([Problem(side.schema.source, 0, found, expected, hint)])


def _cast(side: SideFrame, types: dict[str, str]) -> SideFrame:
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    columns = [f.col(role).cast(types[role]).alias(role) for role in side.schema.roles]
    places = [name for name in (PLACE, FILE) if name in side.frame.columns]
    frame = side.frame.select(*columns, *places)
    if side.groups is not None:
        return replace(side, frame=frame)
    names = {**types, **{role: "int64" for role, kind in types.items() if kind == "bigint"}}
    arrow = {role: arrow_module().type_for_alias(names[role]) for role in side.schema.roles}
    return replace(side, frame=frame, schema=replace(side.schema, types=arrow))


def _without_empty_columns(side: SideFrame) -> SideFrame:
    """Drop columns that are empty in all rows, and a column of types with an unknown type.

    Readers do so for a whole file; a shard has only some of its rows.
    """
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    roles = [role for role in _TEXTS if side.has(role)]
    if not roles:
        return side
    type_name = f.lower(f.col("type").cast("string"))
    unknown = f.min(f.when(~type_name.isin([*KNOWN_TYPES, ""]), f.col("type")))
    largest = [f.max(f.col(role).cast("string")) for role in roles]
    found = side.frame.agg(unknown if "type" in roles else f.lit(None), *largest).head()
    unknown_type, *values = list(found) if found else [None] * (len(roles) + 1)
    dropped = {role for role, value in zip(roles, values, strict=True) if value in (None, "")}
    notes = side.notes
    if unknown_type is not None:
        dropped.add("type")
        known = ", ".join(MENTION_TYPES)
        note = (
            f"{side.schema.source}: ignored the column of mention types, because `{unknown_type}`"
            f" is not one of {known}"
        )
        notes = (*notes, note)
    kept = tuple(role for role in side.schema.roles if role not in dropped)
    types = {role: kind for role, kind in side.schema.types.items() if role in kept}
    schema = replace(side.schema, roles=kept, types=types)
    return replace(side, frame=side.frame.drop(*dropped), schema=schema, notes=notes)
