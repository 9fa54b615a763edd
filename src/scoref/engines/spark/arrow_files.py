"""Files that pyarrow opens itself, on the driver and on executors: local, S3, GCS and HDFS."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from scoref.engines.spark.paths import path_of
from scoref.formats.table.parquet_files import arrow_module

LOCAL = "file"
_SCHEMES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "hdfs": "hdfs"}
"""The file systems of Arrow by the names of Spark. Arrow's Azure ends the process if it finds no
credentials, so it is not among them."""

_OPTIONS = {"gs": "?retry_limit_seconds=20"}
"""Without credentials, Arrow tries for 15 minutes to find some."""


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
