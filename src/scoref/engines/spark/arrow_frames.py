"""A Parquet table as a DataFrame that executors read with pyarrow.

Spark reads S3 and Google Cloud Storage only with connectors, which are installed apart. pyarrow
needs nothing more. Spark's own reader is used wherever it can be: it divides large files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scoref.engines.spark.arrow_files import list_files, open_file
from scoref.engines.spark.paths import sort_uris
from scoref.engines.spark.row_groups import decoded_type
from scoref.engines.spark.side_schema import FILE, PLACE
from scoref.engines.tables.id_column import to_arrow
from scoref.engines.tables.parquet_table import BATCH_ROWS
from scoref.exceptions import UsageError
from scoref.formats.table.layout import require_layout
from scoref.formats.table.parquet_files import CHECKED, ArrowSource, arrow_module

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession


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
    numbers = spark.range(0, len(uris), 1, len(uris))
    return numbers.mapInArrow(_ParquetReadTask(uris, schema), from_arrow_schema(schema)), uris


@dataclass(frozen=True, slots=True)
class _ParquetReadTask:
    """Reads the files with the numbers that it gets: what `mapInArrow` calls on executors."""

    uris: list[str]
    schema: Any

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of the files."""
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from self._read(self.uris[number])

    def _read(self, uri: str) -> Iterator[pa.RecordBatch]:
        arrow, at = arrow_module(), 0
        with ArrowSource(uri, None).reading(uri):
            file = arrow_module(".parquet").ParquetFile(open_file(uri), **CHECKED)
            names = [name for name in self.schema.names if name not in (PLACE, FILE)]
            for rows in file.iter_batches(BATCH_ROWS, columns=names, use_threads=False):
                size = rows.num_rows
                columns = dict(zip(rows.schema.names, rows.columns, strict=True))
                columns[PLACE] = to_arrow(np.arange(at + 1, at + size + 1))
                columns[FILE] = arrow.array([uri] * size, arrow.string())
                yield arrow.record_batch(
                    [columns[field.name].cast(field.type) for field in self.schema],
                    schema=self.schema,
                )
                at += size
