"""The files of Parquet tables: their paths, how pyarrow opens them, and DataFrames of their rows.

A path is local, or the URI of any file system that Spark supports. pyarrow opens local files, S3,
GCS and HDFS itself, on the driver and on executors. Spark reads S3 and Google Cloud Storage only
with connectors, which are installed apart: without them, executors read the files with pyarrow.
Spark's own reader is used wherever it can be: it divides large files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

import numpy as np

from scoref.engines.spark.blocks import for_each
from scoref.engines.spark.side_table import FILE, PLACE
from scoref.engines.tables.id_column import to_arrow
from scoref.engines.tables.row_table import BATCH_ROWS
from scoref.exceptions import UsageError
from scoref.formats import format_of_file
from scoref.formats.table.layout import require_layout
from scoref.formats.table.parquet_files import CHECKED, ArrowSource, arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession

LOCAL = "file"
_SCHEMES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "hdfs": "hdfs"}
"""The file systems of Arrow by the names of Spark. Arrow's Azure ends the process if it finds no
credentials, so it is not among them."""

_OPTIONS = {"gs": "?retry_limit_seconds=20"}
"""Without credentials, Arrow tries for 15 minutes to find some."""

_TEXT_TABLES = ("csv", "tsv")
_URL = re.compile(r"[a-z][a-z0-9+.-]+://")


def is_parquet(path: str, format: str | None) -> bool:  # noqa: A002
    """Whether a path is a Parquet table, which Spark scores; refuse tables in text files."""
    found = format or (_detected_format(Path(path)) if Path(path).exists() else _named_format(path))
    if found in _TEXT_TABLES:
        raise UsageError(
            f"{path} is a table in text, but the Spark engine reads tables in Parquet",
            "convert it with `scoref convert IN.csv -o OUT.parquet`, or pass a DataFrame that Spark"
            " has read to scoref.spark.score",
        )
    return found == "parquet"


def _detected_format(local: Path) -> str | None:
    """Detect the format of a table from its content, as a local run does."""
    if local.is_dir():  # Spark writes files such as _SUCCESS next to the parts of a table
        parts = [p for p in sorted(local.rglob("*")) if p.is_file() and p.name[0] not in "._"]
        local = parts[0] if parts else local
    return format_of_file(local)


def _named_format(path: str) -> str | None:
    """Return the format that the name of a table says; of other files, the local engine reports."""
    suffixes = Path(path.rstrip("/")).name.lower().split(".")[1:]
    found = [suffix for suffix in suffixes if suffix in ("parquet", *_TEXT_TABLES)]
    if not found and _URL.match(path):
        raise UsageError(
            f"the format of {path} cannot be detected from its name", "add --format parquet"
        )
    return found[-1] if found else None


def path_of(uri: str) -> str:
    """Return the path of a URI of Spark, which can write the same URI in several ways."""
    parts = urlsplit(uri)
    return unquote(parts.path if parts.scheme == "file" else f"//{parts.netloc}{parts.path}")


def sort_uris(uris: Iterable[str]) -> list[str]:
    """Sort the URIs of files as a local run does."""
    return sorted(uris, key=lambda uri: PurePosixPath(path_of(uri)).parts)


def shown_file(file: PurePosixPath, path: str) -> str:
    """Return the name of a file in messages; `path` is what the user has named."""
    named = path_of(path) if _URL.match(path) else Path(normpath(Path.cwd() / path))
    whole = PurePosixPath(named)
    if file == whole or not file.is_relative_to(whole):
        return path if file == whole else str(file)
    return f"{path.rstrip('/')}/{file.relative_to(whole)}"


def can_open(path: str) -> bool:
    """Whether Arrow has the file system of a URI."""
    return path.partition(":")[0] in {LOCAL, *_SCHEMES}


def open_file(uri: str) -> Any:
    """Open a file for reading."""
    files, path = _locate(uri)
    return files.open_input_file(path)


def list_files(uri: str) -> list[str]:
    """Return the URIs of a file, or of all files below a directory."""
    filesystem, (files, path) = arrow_module(".fs"), _locate(uri)
    if files.get_file_info(path).is_file:
        return [uri]
    found = files.get_file_info(filesystem.FileSelector(path, recursive=True))
    inside = (one.path[len(path.rstrip("/")) + 1 :] for one in found if one.is_file)
    hidden = tuple("._")  # Spark writes files such as _SUCCESS next to the parts of a table
    names = [one for one in inside if not any(part.startswith(hidden) for part in one.split("/"))]
    return [f"{uri.rstrip('/')}/{quote(name)}" for name in names]


def decoded_type(kind: Any) -> Any:
    """Return the type of the values of a column, which a dictionary may hold."""
    return kind.value_type if arrow_module().types.is_dictionary(kind) else kind


def _locate(uri: str) -> tuple[Any, str]:
    """Return the file system of a URI, and the path that the file has there."""
    parts = urlsplit(uri)
    if parts.scheme == LOCAL:
        return arrow_module(".fs").LocalFileSystem(), path_of(uri)
    files, root = _filesystem(_SCHEMES[parts.scheme], parts.netloc)
    return files, f"{root.rstrip('/')}/{unquote(parts.path).lstrip('/')}"


@cache
def _filesystem(scheme: str, host: str) -> tuple[Any, str]:
    """Connect to a file system, once in each process."""
    uri = f"{scheme}://{host}/{_OPTIONS.get(scheme, '')}"
    found: tuple[Any, str] = arrow_module(".fs").FileSystem.from_uri(uri)
    return found


def read_with_arrow(spark: SparkSession, path: str) -> tuple[DataFrame, list[str]]:
    """Return the rows of all files, with the file and the line of each row, and the files."""
    from pyspark.sql.pandas.types import from_arrow_schema  # noqa: PLC0415

    arrow = arrow_module()
    try:
        uris = sort_uris(list_files(path))
    except FileNotFoundError:
        raise UsageError(f"cannot read {path}: no such file or directory") from None
    except (OSError, arrow.lib.ArrowException) as error:
        raise UsageError(f"cannot read {path}: {str(error).splitlines()[0]}") from None
    if not uris:
        raise UsageError(f"{path} has no files")
    with ArrowSource(path, None).reading(path):
        found = arrow_module(".parquet").read_schema(open_file(uris[0]))
    layout = require_layout(found.names, path)
    names = (layout.header[at] for at in layout.at.values())
    fields = [(name, decoded_type(found.field(name).type)) for name in names]
    schema = arrow.schema([*fields, (PLACE, arrow.int64()), (FILE, arrow.string())])
    return for_each(spark, uris, partial(_read_file, schema), from_arrow_schema(schema)), uris


def _read_file(schema: Any, uri: str) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file."""
    arrow, at = arrow_module(), 0
    with ArrowSource(uri, None).reading(uri):
        file = arrow_module(".parquet").ParquetFile(open_file(uri), **CHECKED)
        names = [name for name in schema.names if name not in (PLACE, FILE)]
        for rows in file.iter_batches(BATCH_ROWS, columns=names, use_threads=False):
            size = rows.num_rows
            columns = dict(zip(rows.schema.names, rows.columns, strict=True))
            columns[PLACE] = to_arrow(np.arange(at + 1, at + size + 1))
            columns[FILE] = arrow.array([uri] * size, arrow.string())
            cells = [columns[field.name].cast(field.type) for field in schema]
            yield arrow.record_batch(cells, schema=schema)
            at += size
