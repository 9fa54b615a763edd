"""The functions of `pyspark.sql.functions`, imported on first use: the import takes a second."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from pyspark.sql import functions  # noqa: PLC0415

    return getattr(functions, name)
