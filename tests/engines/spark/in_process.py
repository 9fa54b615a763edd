"""DataFrames of blocks in this process: what the engine asks of Spark, without Spark.

The tasks are pickled and run as on executors, so that laws can be tested on many small tables.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from scoref.engines.spark.dataframes import SideFrame
from scoref.engines.spark.row_groups import RowGroups
from scoref.engines.spark.side_table import SideSchema
from scoref.engines.spark.table_files import open_file
from scoref.formats.table.layout import TableLayout, find_layout


class Frame:
    """Batches in partitions; what is mapped is run at once."""

    def __init__(self, parts: list[list[Any]], schema: str = "") -> None:
        self._parts, self._schema = parts, schema

    def mapInArrow(  # noqa: N802  # what Spark calls it
        self, task: Callable[[Iterator[Any]], Iterator[Any]], schema: str
    ) -> Frame:
        """Run a task for each partition."""
        task = pickle.loads(pickle.dumps(task))  # noqa: S301  # its own
        return Frame([list(task(iter(part))) for part in self._parts], schema)

    def repartitionById(self, number: int, _: str) -> Frame:  # noqa: N802
        """Move blocks to the partitions of their buckets, one by one and in reverse."""
        parts: list[list[Any]] = [[] for _ in range(number)]
        for part in reversed(self._parts):
            for batch in part:
                for at, bucket in enumerate(batch.column(0).to_pylist()):
                    parts[bucket].append(batch.slice(at, 1))
        return Frame(parts)

    def where(self, condition: str) -> Frame:
        """Keep blocks of some kinds (`in`), or of kinds that begin alike (`like`)."""
        import pyarrow as pa  # type: ignore[import-untyped]

        kinds = [kind.rstrip("%") for kind in re.findall("'([^']*)'", condition)]

        def is_kept(kind: str) -> bool:
            return kind.startswith(kinds[0]) if " like " in condition else kind in kinds

        kept = [
            [
                one.filter(pa.array([is_kept(kind.as_py()) for kind in one.column(1)]))
                for one in part
            ]
            for part in self._parts
        ]
        return Frame(kept)

    def toArrow(self) -> Any:  # noqa: N802
        """Collect all rows."""
        import pyarrow as pa

        batches = [one for part in self._parts for one in part]
        if batches:
            return pa.Table.from_batches(batches)
        types = {"binary": pa.binary(), "string": pa.string(), "int": pa.int32()}
        fields = (field.split() for field in self._schema.split(", "))
        return pa.schema(
            [(name, types.get(kind, pa.int64())) for name, kind in fields]
        ).empty_table()

    def persist(self) -> Frame:
        """Do nothing: everything is kept."""
        return self

    unpersist = persist

    @property
    def sparkSession(self) -> Session:  # noqa: N802
        """Return what makes DataFrames."""
        return Session()


class Session:
    """What the engine asks of a Spark session."""

    class conf:  # noqa: N801
        """Settings, all of them not set."""

        @staticmethod
        def get(name: str, default: str | None = None) -> str | None:
            """Return the master, or a default."""
            return "local[2]" if name == "spark.master" else default

    class sparkContext:  # noqa: N801
        """A context with two cores."""

        defaultParallelism = 2  # noqa: N815

    def range(self, _: int, end: int, __: int, parts: int) -> Frame:
        """Return numbers, each in a partition."""
        import pyarrow as pa

        assert end == parts
        return Frame([[pa.record_batch({"id": [number]})] for number in range(parts)])


def side_of_file(name: str, path: str) -> SideFrame:
    """Return a side whose row groups are read by tasks."""
    return side_of_uri(name, Path(path).absolute().as_uri(), path)


def side_of_uri(name: str, uri: str, path: str | None = None) -> SideFrame:
    """Return a side on any file system that Arrow opens; messages show its path, or its URI."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    shown = path or uri
    layout = find_layout(pq.read_schema(open_file(uri)).names)
    assert isinstance(layout, TableLayout)
    schema = SideSchema(name, shown, tuple(layout.roles), has_places=True, files=(shown,))
    groups = RowGroups.of([uri], schema)
    assert groups is not None
    return SideFrame(Frame([]), groups.schema, groups=groups)  # type: ignore[arg-type]
