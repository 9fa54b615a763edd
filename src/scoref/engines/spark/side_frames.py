"""Key and response as DataFrames with the same columns, named by their roles.

Rows have no order in Spark, but files have one: which of two equal mentions is scored, in which
order documents are shown, and the last bit of a sum depend on it. So a table that is read from
files carries the place of each row. The DataFrame of a user has no order unless a column gives it;
its mentions are then taken in the order of documents, spans and names.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from scoref.corpus.attributes import MENTION_TYPES
from scoref.engines.one_unit import have_documents
from scoref.engines.spark import functions as f
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats import format_of_file
from scoref.formats.table.columns import KNOWN_TYPES
from scoref.formats.table.layout import (
    NUMBERS,
    SPAN_ROLES,
    TableLayout,
    find_layout,
    layout_problem,
)
from scoref.formats.table.parquet import wrong_type

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

FILE, BLOCK, ROW = PLACE = ("scoref_file", "scoref_file_number", "scoref_row")
"""The place of a row: its file, by name or by number, and the position in the file."""

TABLES = ("parquet", "csv", "tsv")
_URL = re.compile(r"[a-z][a-z0-9+.-]+://")
ALWAYS = frozenset({"document", "mention", *SPAN_ROLES, "entity", "nodes"})
"""The roles of columns that are always read."""

_IN_ORDER = ("document", "start", "start_character", "end", "stop", "end_character", "mention")
_TEXTS = ("type", "role", "style", "head_text", "entity_type", "entity_subtype", "entity_class")
_INTEGERS = frozenset({"tinyint", "smallint", "int", "bigint"})


@dataclass(frozen=True, slots=True)
class SideSchema:
    """What an executor must know of a side: `name` is key or response.

    With `rows_are_lines`, the position of a row is its line in the file, as in messages.
    """

    name: str
    source: str
    roles: tuple[str, ...]
    has_places: bool
    rows_are_lines: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows are sorted."""
        if self.has_places:
            return PLACE
        first = [role for role in (*_IN_ORDER, "nodes", "entity") if role in self.roles]
        return (*first, *(role for role in self.roles if role not in first))

    def note_repeats(self) -> tuple[str, ...]:
        """Return a note on what is the first of equal mentions if rows have no order."""
        if self.has_places:
            return ()
        note = (
            f"the rows of the {self.name} have no order: the first of equal mentions is that of the"
            " entity that comes first if rows are sorted by document, mention and entity"
        )
        return (note,)


@dataclass(frozen=True, slots=True, eq=False)
class SideFrame:
    """One side: a DataFrame whose columns are named by their roles.

    A side `is_read` if the reader of its format has seen all rows: its notes are complete, and its
    columns have values.
    """

    frame: DataFrame
    schema: SideSchema
    notes: tuple[str, ...] = ()
    is_read: bool = False

    def has(self, role: str) -> bool:
        """Whether the side has a column of a role."""
        return role in self.schema.roles


def table_format(path: str, format: str | None) -> str | None:  # noqa: A002
    """Return the format of a table that Spark itself can read, or None for other formats."""
    if format is not None:
        return format if format in TABLES else None
    if Path(path).exists():
        return _detected_format(Path(path))
    suffixes = Path(path.rstrip("/")).name.lower().split(".")[1:]
    if found := [suffix for suffix in suffixes if suffix in TABLES]:
        return found[-1]
    if _URL.match(path):
        raise UsageError(
            f"the format of {path} cannot be detected from its name",
            "add --format parquet, csv or tsv",
        )
    return None  # the local engine reports that nothing is there


def _detected_format(local: Path) -> str | None:
    """Detect the format of a table from its content, as a local run does."""
    if local.is_dir():  # Spark writes files such as _SUCCESS next to the parts of a table
        parts = [p for p in sorted(local.rglob("*")) if p.is_file() and p.name[0] not in "._"]
        local = parts[0] if parts else local
    detected = format_of_file(local)
    return detected if detected in TABLES else None


def read_parquet(spark: SparkSession, name: str, path: str, *, all_columns: bool) -> SideFrame:
    """Let Spark read a Parquet table, with the place of each row."""
    from pyspark.sql.pandas.types import to_arrow_type  # noqa: PLC0415

    frame = spark.read.parquet(path)
    places = [f.lit(0).cast("long"), f.col("_metadata.row_index")]
    several = len(frame.inputFiles()) > 1
    file = f.col("_metadata.file_path") if several else f.lit("")
    frame, roles = _name_by_role(frame, frame.columns, path, [file, *places], all_columns)
    types = {one.name: one.dataType for one in frame.schema.fields if one.name in roles}
    problems = [
        problem
        for role, kind in types.items()
        for problem in wrong_type(path, role, to_arrow_type(kind))
    ]
    if problems:
        raise FormatError(problems, path)
    schema = SideSchema(name, path, roles, has_places=True, rows_are_lines=not several)
    return SideFrame(frame, schema)


def path_of(uri: str) -> str:
    """Return the path of a URI of Spark, which can write the same URI in several ways."""
    parts = urlsplit(uri)
    return unquote(parts.path if parts.scheme == "file" else f"//{parts.netloc}{parts.path}")


def whole_path(path: str) -> PurePosixPath:
    """Return what a user has named as `path_of` returns it."""
    return PurePosixPath(path_of(path) if _URL.match(path) else Path(normpath(Path.cwd() / path)))


def shown_file(file: PurePosixPath, path: str) -> str:
    """Return the name of a file in messages; `path` is what the user has named."""
    whole = whole_path(path)
    if file == whole or not file.is_relative_to(whole):
        return path if file == whole else str(file)
    return f"{path.rstrip('/')}/{file.relative_to(whole)}"


def side_of_frame(
    frame: DataFrame, name: str, order: str | None, *, all_columns: bool
) -> SideFrame:
    """Take the DataFrame of a user; the column `order` may have the order of its rows."""
    if order is not None and order not in frame.columns:
        raise UsageError(f"the {name} has no column {order!r} to order its rows by")
    places = [] if order is None else [f.lit(""), f.lit(0).cast("long"), f.col(_quoted(order))]
    columns = [column for column in frame.columns if column != order]
    frame, roles = _name_by_role(frame, columns, name, places, all_columns)
    return SideFrame(frame, SideSchema(name, name, roles, has_places=order is not None))


def _name_by_role(
    frame: DataFrame,
    columns: Collection[str],
    source: str,
    places: list[Column],
    all_columns: bool,  # noqa: FBT001
) -> tuple[DataFrame, tuple[str, ...]]:
    """Name columns by their roles, and leave out those that nothing requires."""
    layout = find_layout(list(columns))
    if not isinstance(layout, TableLayout):
        raise FormatError([layout_problem(source, 0, layout)])
    roles = tuple(role for role in layout.roles if all_columns or role in ALWAYS)
    named = [f.col(_quoted(layout.header[layout.at[role]])).alias(role) for role in roles]
    placed = [place.alias(name) for place, name in zip(places, PLACE, strict=False)]
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
    if all(one in {*_INTEGERS, "string"} for one in types):
        return "string"
    if role in NUMBERS and all(one in {*_INTEGERS, "float", "double"} for one in types):
        return "double"
    odd = next(one for one in types if one not in {*_INTEGERS, "string"})
    found = f"values of type {odd} in the column of `{role}`"
    expected = "whole numbers" if role in NUMBERS else "texts or whole numbers"
    hint = "convert the column before it is scored"
    raise FormatError([Problem(side.schema.source, 0, found, expected, hint)])


def _cast(side: SideFrame, types: dict[str, str]) -> SideFrame:
    columns = [f.col(role).cast(types[role]).alias(role) for role in side.schema.roles]
    places = [name for name in PLACE if name in side.frame.columns]
    return replace(side, frame=side.frame.select(*columns, *places))


def _without_empty_columns(side: SideFrame) -> SideFrame:
    """Drop columns that are empty in all rows, and a column of types with an unknown type.

    Readers do so for a whole file; a shard has only some of its rows.
    """
    roles = [role for role in _TEXTS if side.has(role)]
    if not roles or side.is_read:
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
    schema = replace(side.schema, roles=kept)
    return replace(side, frame=side.frame.drop(*dropped), schema=schema, notes=notes)
