"""A sample drawn from a large table, and estimates from it, beside reading the columns alone."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.jobs import ROOT, Bench
from benchmarks.measure import Command, measure, run, tell
from benchmarks.report import Row, Section

_ROWS = 10_000_000
_QUICK_ROWS = 1_000_000
_READ = "import pyarrow.parquet as p; p.read_table(r'{}').combine_chunks()"
_MOST_MEMORY = 2000


def estimates(bench: Bench) -> Section:
    """Draw records, and estimate, on a table without documents in random order, ids as texts."""
    if not find_spec("pyarrow"):
        return Section(title="Estimates", rows=(), remarks=("not measured: pyarrow is missing",))
    rows = _QUICK_ROWS if bench.quick else _ROWS
    tell(f"generating a table of {rows:,} records")
    key, response = (bench.directory / f"records-{name}.parquet" for name in ("key", "response"))
    words = (sys.executable, "-m", "benchmarks.estimates", key, response, str(rows))
    run(Command.of("generate records", *words), ROOT)
    program, sample = Path(sys.executable).with_name("scoref"), bench.directory / "sample.csv"
    draw = (program, "sample", key, "-n", "400", "--by", "size", "-o", sample)
    commands = [
        Command.of("reading alone", sys.executable, "-c", _READ.format(response)),
        Command.of("scoref sample", *draw),
        Command.of("scoref estimate", program, "estimate", sample, response),
    ]
    found = measure(commands, min(bench.rounds, 3), bench.directory)
    size = response.stat().st_size / 1e6
    peak = max(one.peak for one in found[1:])
    return Section(
        title=f"A sample of a table of {rows:,} records (Parquet, {size:,.0f} MB)",
        rows=tuple(Row(one, size) for one in found),
        remarks=(
            f"peak of 2 GB, in MB: {peak:,.0f} {'met' if peak <= _MOST_MEMORY else 'missed'}",
        ),
    )


def generate(key: Path, response: Path, rows: int) -> None:
    """Write records in random order, and a response with a tenth of them in wrong entities."""
    import numpy as np  # noqa: PLC0415  # the process that measures stays small
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415
    from pyarrow import compute, parquet  # noqa: PLC0415

    rng = np.random.default_rng(8)
    entity = np.repeat(np.arange(rows), rng.geometric(0.4, rows))[:rows]
    draw = rng.random(rows)
    linked = np.where(draw < 0.05, entity[rng.integers(rows, size=rows)], entity)
    linked = np.where(draw > 0.96, rows + np.arange(rows), linked)
    for path, entities in ((key, entity), (response, linked)):
        order = rng.permutation(rows)
        columns = {"unique_id": np.arange(rows)[order], "cluster_id": entities[order]}
        texts = {
            name: compute.binary_join_element_wise(
                pa.scalar(name[:2]), pa.array(values).cast(pa.string()), "-"
            )
            for name, values in columns.items()
        }
        parquet.write_table(pa.table(texts), path)


if __name__ == "__main__":
    generate(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
