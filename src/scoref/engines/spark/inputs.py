"""Two tables as DataFrames with the same columns, named by what they mean.

Rows have no order in Spark, but files have one: which of two equal mentions counts, in which
order documents are shown, and the last bit of a sum depend on it. So a table that is read
here carries the place of each row. A DataFrame that a user passes has no order unless a column
says so; its mentions are then taken in the order of documents, spans and names.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scoref.corpus.attributes import MENTION_TYPES
from scoref.exceptions import FormatError, Problem, UsageError
from scoref.formats import format_of_file
from scoref.formats.table.columns import KNOWN_TYPES
from scoref.formats.table.delimited import split_header
from scoref.formats.table.layout import NUMBERS, TableLayout, find_layout, layout_problem

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

FILE, BLOCK, ROW = PLACE = ("scoref_file", "scoref_block", "scoref_row")
"""Where a row stands: its file, the piece of the file that was read, the place in that."""

SIDE = "scoref_side"
TABLES = ("parquet", "csv", "tsv")
_URL = re.compile(r"[a-z][a-z0-9+.-]+://")
_ALWAYS = frozenset(
    {
        *("document", "mention", "start", "end", "stop", "start_character", "end_character"),
        *("entity", "nodes"),
    }
)


_TEXTS = ("type", "role", "style", "head_text", "entity_type", "entity_subtype", "entity_class")


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """One side: a DataFrame whose columns are named by their roles, and where it came from.

    With `rows_are_lines`, the place of a row is its number in its only file, as in messages.
    """

    frame: DataFrame
    roles: tuple[str, ...]
    source: str
    has_places: bool
    rows_are_lines: bool = False
    notes: tuple[str, ...] = ()


def is_table(path: str, format: str | None) -> bool:  # noqa: A002
    """Whether Spark itself can read a file: from the format, the name, or the content."""
    return table_format(path, format) is not None


def table_format(path: str, format: str | None) -> str | None:  # noqa: A002
    """Return the format of a table, or None for what is no table."""
    if format is not None:
        return format if format in TABLES else None
    names = Path(path.rstrip("/")).name.lower().split(".")[1:]
    if found := [name for name in names if name in TABLES]:
        return found[-1]
    if _URL.match(path):
        raise UsageError(
            f"the name {path} does not say what it is", "--format parquet, csv or tsv says it"
        )
    local = Path(path)
    if local.is_dir():  # Spark writes files such as _SUCCESS beside the parts of a table
        parts = [p for p in sorted(local.rglob("*")) if p.is_file() and p.name[0] not in "._"]
        local = parts[0] if parts else local
    found_format = format_of_file(local)
    return found_format if found_format in TABLES else None


def read_table(spark: SparkSession, path: str, format: str, needs_all: bool) -> Input:  # noqa: A002, FBT001
    """Let Spark read a table, with the place of each row."""
    from pyspark.sql import functions as f  # noqa: PLC0415  # a second to import

    if format == "parquet":
        frame = spark.read.parquet(path)
        places: list[Column] = [f.lit(0).cast("long"), f.col("_metadata.row_index")]
    else:
        frame = _read_delimited(spark, path)
        places = [f.col("_metadata.file_block_start"), f.monotonically_increasing_id()]
    several = len(frame.inputFiles()) > 1
    file = f.col("_metadata.file_path") if several else f.lit("")
    layout = _layout(frame.columns, path)
    frame, roles = _by_role(frame, layout, needs_all, [file, *places])
    lines = format == "parquet" and not several
    return Input(frame, roles, path, has_places=True, rows_are_lines=lines)


def _read_delimited(spark: SparkSession, path: str) -> DataFrame:
    """Read a CSV or TSV table as texts; a row with too many or too few cells is an error."""
    first = spark.read.text(path).head()
    if first is None:
        raise FormatError([Problem(path, 0, "an empty file", "a table with a header")])
    header = split_header(f"{first[0]}\n".encode())
    reader = spark.read.options(header=True, sep=header.delimiter, escape='"', mode="FAILFAST")
    return reader.csv(path)


def of_frame(frame: DataFrame, source: str, order: str | None, needs_all: bool) -> Input:  # noqa: FBT001
    """Take a DataFrame of the user's; a column may say the order of its rows."""
    from pyspark.sql import functions as f  # noqa: PLC0415

    layout = _layout([name for name in frame.columns if name != order], source)
    if order is not None and order not in frame.columns:
        raise UsageError(f"the {source} has no column {order!r} to order its rows by")
    places = [] if order is None else [f.lit(""), f.lit(0).cast("long"), f.col(_quoted(order))]
    layout = TableLayout(tuple(frame.columns), _positions(layout, frame.columns))
    frame, roles = _by_role(frame, layout, needs_all, places)
    return Input(frame, roles, source, has_places=order is not None)


def _positions(layout: TableLayout, columns: Collection[str]) -> dict[str, int]:
    at = {name: position for position, name in enumerate(columns)}
    return {role: at[layout.header[position]] for role, position in layout.at.items()}


def _layout(columns: Collection[str], source: str) -> TableLayout:
    layout = find_layout(list(columns))
    if isinstance(layout, TableLayout):
        return layout
    raise FormatError([layout_problem(source, 0, layout)])


def _by_role(
    frame: DataFrame,
    layout: TableLayout,
    needs_all: bool,  # noqa: FBT001
    places: list[Column],
) -> tuple[DataFrame, tuple[str, ...]]:
    """Name columns by their roles, and leave out those that nothing here looks at."""
    from pyspark.sql import functions as f  # noqa: PLC0415

    roles = tuple(role for role in layout.roles if needs_all or role in _ALWAYS)
    columns = [f.col(_quoted(layout.header[layout.at[role]])).alias(role) for role in roles]
    placed = [place.alias(name) for place, name in zip(places, PLACE, strict=False)]
    return frame.select(*columns, *placed), roles


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def with_what_is_told(side: Input) -> Input:
    """Leave out columns that say nothing, or no types that are known, in any row.

    Readers do so for a whole file; a shard would only see its own rows.
    """
    from pyspark.sql import functions as f  # noqa: PLC0415

    roles = [role for role in _TEXTS if role in side.roles]
    if not roles:
        return side
    kind = f.lower(f.col("type").cast("string"))
    unknown = f.min(f.when(~kind.isin([*KNOWN_TYPES, ""]), f.col("type")))
    odd = unknown if "type" in roles else f.lit(None)
    told = [f.max(f.col(role).cast("string")) for role in roles]
    found = side.frame.agg(odd, *told).head()
    values = list(found) if found else [None] * (len(roles) + 1)
    empty = {role for role, value in zip(roles, values[1:], strict=True) if value in (None, "")}
    notes = side.notes
    if values[0] is not None:
        known = ", ".join(MENTION_TYPES)
        note = (
            f"{side.source}: the column of types has `{values[0]}`, which is no type of mentions"
            f" ({known}); it is not read"
        )
        notes = (*notes, note)
        empty.add("type")
    kept = tuple(role for role in side.roles if role not in empty)
    return replace(side, frame=side.frame.drop(*empty), roles=kept, notes=notes)


def alike(key: Input, response: Input) -> tuple[Input, Input]:
    """Give the columns of both sides the same types: whole numbers, or else texts."""
    if ("document" in key.roles) != ("document" in response.roles):
        with_it, without = ("key", "response") if "document" in key.roles else ("response", "key")
        raise UsageError(
            f"the {with_it} has a column of documents, but the {without} has none",
            "documents are paired by their names: give both sides the column, or neither",
        )
    spans = ["mention" not in side.roles for side in (key, response)]
    characters = ["start_character" in side.roles for side in (key, response)]
    for found, one, other in (
        (spans, "spans", "ids of mentions"),
        (characters, "spans of characters", "tokens without words"),
    ):
        if found[0] != found[1]:
            has = [one if there else other for there in found]
            raise UsageError(
                f"the key has {has[0]}, but the response has {has[1]}",
                "both sides must name mentions in the same way",
            )
    kinds = [dict(side.frame.dtypes) for side in (key, response)]
    types = {}
    for role in dict.fromkeys((*key.roles, *response.roles)):
        found_kinds = [kind[role] for kind in kinds if role in kind]
        types[role] = _common(role, found_kinds, key if role in key.roles else response)
    return _cast(key, types), _cast(response, types)


_WHOLE = frozenset({"tinyint", "smallint", "int", "bigint"})


def _common(role: str, kinds: list[str], side: Input) -> str:
    if all(kind in _WHOLE for kind in kinds):
        return "bigint"
    if all(kind in {*_WHOLE, "string"} for kind in kinds):
        return "string"
    if role in NUMBERS and all(kind in {*_WHOLE, "float", "double"} for kind in kinds):
        return "double"
    odd = next(kind for kind in kinds if kind not in {*_WHOLE, "string"})
    expected = "whole numbers" if role in NUMBERS else "texts or whole numbers"
    problem = Problem(
        side.source,
        0,
        f"values of type {odd} in the column of `{role}`",
        expected,
        "convert the column before it is scored",
    )
    raise FormatError([problem])


def _cast(side: Input, types: dict[str, str]) -> Input:
    from pyspark.sql import functions as f  # noqa: PLC0415

    columns = [f.col(role).cast(types[role]).alias(role) for role in side.roles]
    places = [name for name in PLACE if name in side.frame.columns]
    return replace(side, frame=side.frame.select(*columns, *places))
