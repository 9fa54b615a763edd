"""Tables on Spark beside the local engine: what a million more mentions cost, in all processes.

Starting Spark and Java's compiler cost the same for any table. So each table is scored at two
sizes, and the difference is what counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

from benchmarks.jobs import ROOT, Bench
from benchmarks.measure import Command, CommandError, Cost, Measurement, run, tell
from benchmarks.report import Row, Section

ROWS = (10_000_000, 40_000_000)
_MASTER = "local[2]"
_TARGETS = {
    "clustered by document": 3.0,
    "rows in random order": 6.0,
    "one unit, with CEAF": 10.0,
}


class _Found(NamedTuple):
    """A table of one size: its mentions on both sides, and what each engine costs."""

    mentions: int
    local: dict[str, Any]
    spark: dict[str, Any]


def spark(bench: Bench, sizes: tuple[int, int] = ROWS) -> Iterator[Section]:
    """Score tables of each kind at two sizes, on Spark and without it."""
    if reason := _missing():
        yield Section(title="Spark", rows=(), remarks=(f"not measured: {reason}",))
        return
    found: dict[str, list[_Found]] = {kind: [] for kind in _TARGETS}
    for rows in sizes:
        directory = bench.directory / f"spark-{rows}"
        directory.mkdir()
        for kind in _TARGETS:
            tell(f"generating {rows:,} rows: {kind}")
            words = (sys.executable, "-m", "benchmarks.spark", directory, str(rows), kind)
            run(Command.of("generate tables", *words), ROOT)
            found[kind].append(_measure(directory, kind, bench))
            for path in directory.iterdir():
                path.unlink()
    for kind, (small, large) in found.items():
        yield _section(kind, sizes, small, large)


def _missing() -> str:
    if not sys.platform.startswith("linux"):
        return "the cost of all processes is counted on Linux only"
    if not (find_spec("pyspark") and find_spec("pandas") and find_spec("pyarrow")):
        return "pip install '.[spark]'"
    return "" if which("java") else "Java 17 or 21 is not installed"


def _measure(directory: Path, kind: str, bench: Bench) -> _Found:
    paths = [str(directory / f"{side}.parquet") for side in ("key", "response")]
    command = [sys.executable, "-m", "scoref", "score", *paths]
    temporary = f"spark.local.dir={bench.directory}"
    engine = ["--engine", "spark", "--master", _MASTER, "--spark-conf", temporary]
    costs = []
    for name, flags in (("locally", []), ("on Spark", engine)):
        tell(f"{kind}, {name}")
        costs.append(_cost([*command, *flags]))
    mentions = json.loads((directory / "mentions.json").read_text())
    return _Found(mentions, *costs)


def _cost(command: list[str]) -> dict[str, Any]:
    words = [sys.executable, "-m", "benchmarks.processes", *command]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"{command}: {done.stderr.strip()[-2000:]}")
    cost: dict[str, Any] = json.loads(done.stdout)
    return cost


def _section(kind: str, sizes: tuple[int, int], small: _Found, large: _Found) -> Section:
    rows, remarks = [], []
    for engine in ("local", "spark"):
        for size, one in zip(sizes, (small, large), strict=True):
            cost = getattr(one, engine)
            named = f"{engine}, {size:,} rows per side"
            rows.append(Row(Measurement(named, (Cost(cost["cpu"], cost["together"]),))))
            peaks = ", ".join(f"{name} {peak:,.0f}" for name, peak in sorted(cost["peaks"].items()))
            remarks.append(f"{named}: peak MB of the largest process of each kind: {peaks}")
    more = (large.mentions - small.mentions) / 1e6
    local, on_spark = (
        (getattr(large, engine)["cpu"] - getattr(small, engine)["cpu"]) / more
        for engine in ("local", "spark")
    )
    ratio, target = on_spark / local, _TARGETS[kind]
    is_met = "met" if ratio <= target else "missed"
    remarks.insert(
        0,
        f"a million more mentions: {local:.3f} CPU-s locally, {on_spark:.3f} on Spark, {ratio:.2f}"
        f" times as much; target: at most {target:g}: {is_met}",
    )
    return Section(
        title=f"Spark, {kind} ({_MASTER}, all processes)",
        rows=tuple(rows),
        remarks=tuple(remarks),
        different=True,
    )


def generate(directory: Path, rows: int, kind: str) -> None:
    """Write the tables of `benchmarks.tables`, shuffled, or with documents as part of mentions."""
    import numpy as np  # noqa: PLC0415  # the process that measures stays small
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    from benchmarks import tables  # noqa: PLC0415

    tables.generate(directory, rows)
    mentions = 0
    for seed, side in enumerate(("key", "response")):
        path = directory / f"{side}.parquet"
        mentions += parquet.read_metadata(path).num_rows
        if kind == "clustered by document":
            continue
        table = parquet.read_table(path)
        if kind == "rows in random order":
            order = np.random.default_rng(seed).permutation(table.num_rows)
            table = table.take(pa.array(order))
        else:
            document, mention = (table.column(name).to_numpy() for name in ("document", "mention"))
            record = document * 2_000_000 + mention
            table = pa.table({"record": record, "entity": table.column("entity")})
        parquet.write_table(table, path)
    (directory / "mentions.json").write_text(json.dumps(mentions))


if __name__ == "__main__":
    generate(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
