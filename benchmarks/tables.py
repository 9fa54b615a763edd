"""Two tables as Parquet: scoref beside engines that only join them and group the pairs.

Run as a program, this generates the tables: `python -m benchmarks.tables DIRECTORY ROWS`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.jobs import ROOT, Bench, Pair, scoref
from benchmarks.measure import Command, measure, run, tell
from benchmarks.report import Row, Section, verdict

_ROWS = 10_000_000
_QUICK_ROWS = 1_000_000
_DOCUMENT = 110  # mentions in the mean
_MANY = 20_000  # documents written at a time
_ENGINES = ("polars", "duckdb")
_MOVED, _SPLIT, _DROPPED, _SPURIOUS = 0.09, 0.06, 0.05, 0.05


def tables(bench: Bench, rows: int | None = None) -> Section:
    """Score two tables, beside the join and the group-by alone in other engines."""
    if not find_spec("pyarrow"):
        return Section(title="Tables", rows=(), remarks=("not measured: pyarrow is missing",))
    rows = rows or (_QUICK_ROWS if bench.quick else _ROWS)
    tell(f"generating two tables of {rows:,} rows")
    directory = bench.directory / f"tables-{rows}"
    directory.mkdir()
    words = (sys.executable, "-m", "benchmarks.tables", directory, str(rows))
    run(Command.of("generate tables", *words), ROOT)
    pair = Pair("tables", directory / "key.parquet", directory / "response.parquet")
    found = [name for name in _ENGINES if find_spec(name)]
    engines = [
        Command.of(
            f"{name}, join and group-by alone",
            *(sys.executable, ROOT / "benchmarks" / "engines.py", name, pair.key, pair.response),
        )
        for name in found
    ]
    commands = [scoref(pair, "scoref score, eight metrics"), *engines]
    rounds = 1 if rows > _ROWS else min(bench.rounds, 3)
    ours, *theirs = measure(commands, rounds, bench.directory, warm_up=rows <= _ROWS)
    missing = [f"{name} is not installed" for name in _ENGINES if name not in found]
    compared = [f"times {one.name}: {verdict(ours.against(one), 1.0)}" for one in theirs]
    return Section(
        title=f"Two tables of {rows:,} rows (Parquet, {pair.megabytes:,.0f} MB)",
        rows=tuple(Row(one, pair.megabytes) for one in (ours, *theirs)),
        remarks=(*compared, *missing),
    )


def generate(directory: Path, rows: int) -> None:
    """Write documents of about 110 mentions, sorted, some tens of thousands at a time."""
    import numpy as np  # noqa: PLC0415  # the process that measures stays small
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    schema = pa.schema([(name, pa.int64()) for name in ("document", "mention", "entity")])
    with (
        parquet.ParquetWriter(directory / "key.parquet", schema) as key,
        parquet.ParquetWriter(directory / "response.parquet", schema) as response,
    ):
        written = entities = 0
        for first in range(0, rows, _MANY * _DOCUMENT):
            rng = np.random.default_rng([1, first])
            left = min(_MANY * _DOCUMENT, rows - first)
            document = written + np.sort(rng.integers(-(-left // _DOCUMENT), size=left))
            starts = np.flatnonzero(np.diff(document, prepend=-1))
            length = np.diff(starts, append=left)
            mention = np.arange(left) - np.repeat(starts, length)
            # A third as many entities as mentions in a document, some much larger than others.
            share = np.repeat(np.maximum(length // 3, 1), length)
            entity = (share * rng.random(left) ** 2).astype(np.int64)
            entity += entities + np.repeat(starts, length)
            other = entities + np.repeat(starts, length) + (share * rng.random(left)).astype(int)
            draw = rng.random(left)
            given = np.where(draw < _MOVED, other, entity)
            apart = (draw >= _MOVED) & (draw < _MOVED + _SPLIT)
            given = np.where(apart, given + rows * 2, given)
            kept = rng.random(left) >= _DROPPED
            added = rng.random(left) < _SPURIOUS
            columns = (document, mention, entity)
            theirs = [
                np.concatenate([document[kept], document[added]]),
                np.concatenate([mention[kept], mention[added] + 1_000_000]),
                np.concatenate([given[kept], other[added]]),
            ]
            order = np.argsort(theirs[0], kind="stable")
            # A system numbers the entities that it finds as it goes.
            _, where, number = np.unique(theirs[2][order], return_index=True, return_inverse=True)
            theirs[2][order] = entities + np.argsort(np.argsort(where))[number]
            key.write_table(pa.table(dict(zip(schema.names, columns, strict=True))))
            sorted_columns = [column[order] for column in theirs]
            response.write_table(pa.table(dict(zip(schema.names, sorted_columns, strict=True))))
            written = int(document[-1]) + 1
            entities += left


if __name__ == "__main__":
    generate(Path(sys.argv[1]), int(sys.argv[2]))
