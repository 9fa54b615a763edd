"""The paths of tables: local, or the URI of any file system that Spark supports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os.path import normpath
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from scoref.exceptions import UsageError
from scoref.formats import format_of_file

_TABLES = ("parquet", "csv", "tsv")
_URL = re.compile(r"[a-z][a-z0-9+.-]+://")


def table_format(path: str, format: str | None) -> str | None:  # noqa: A002
    """Return the format of a table that Spark itself can read, or None for other formats."""
    if format is not None:
        return format if format in _TABLES else None
    if Path(path).exists():
        return _detected_format(Path(path))
    suffixes = Path(path.rstrip("/")).name.lower().split(".")[1:]
    if found := [suffix for suffix in suffixes if suffix in _TABLES]:
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
    return detected if detected in _TABLES else None


def path_of(uri: str) -> str:
    """Return the path of a URI of Spark, which can write the same URI in several ways."""
    parts = urlsplit(uri)
    return unquote(parts.path if parts.scheme == "file" else f"//{parts.netloc}{parts.path}")


def sort_uris(uris: Iterable[str]) -> list[str]:
    """Sort the URIs of files as a local run does."""
    return sorted(uris, key=lambda uri: PurePosixPath(path_of(uri)).parts)


def whole_path(path: str) -> PurePosixPath:
    """Return what a user has named as `path_of` returns it."""
    return PurePosixPath(path_of(path) if _URL.match(path) else Path(normpath(Path.cwd() / path)))


def shown_file(file: PurePosixPath, path: str) -> str:
    """Return the name of a file in messages; `path` is what the user has named."""
    whole = whole_path(path)
    if file == whole or not file.is_relative_to(whole):
        return path if file == whole else str(file)
    return f"{path.rstrip('/')}/{file.relative_to(whole)}"
