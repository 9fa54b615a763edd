"""A real Spark with two executors, started once for all tests, and tables to score on it.

`make test` runs these tests apart: several processes would start a Spark each.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import scoref
from scoref.engines.spark.session import check_installed, check_java, session
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options of Java for programs that end soon: compiling well takes longer than the tests run."""


@pytest.fixture(scope="session", autouse=True)
def _short_lived_drivers() -> Iterator[None]:
    """Let every driver that a test or its command starts have the options."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_SUBMIT_OPTS", SHORT_LIVED)
        yield


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Spark with two executors of one core each, in processes of their own."""
    try:
        check_installed()
        check_java()
    except UsageError as reason:
        pytest.skip(reason.message)
    home = _own_home(tmp_path_factory.mktemp("spark"))
    settings = {
        "spark.driver.memory": "1g",
        "spark.executor.extraJavaOptions": SHORT_LIVED,
        "spark.sql.shuffle.partitions": "4",
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.minTaskRuntime": "1s",
    }
    before = {name: os.environ.get(name) for name in ("SPARK_HOME", "PYSPARK_PYTHON")}
    os.environ["SPARK_HOME"] = str(home)
    try:
        with session("local-cluster[2,1,1024]", settings) as running:
            yield running
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            os.environ.update({name: value} if value is not None else {})


def _own_home(folder: Path) -> Path:
    """Make a home of Spark in which its workers may write; all else is the installed one."""
    import pyspark

    for part in Path(pyspark.__file__).parent.iterdir():
        if part.name != "work":
            (folder / part.name).symlink_to(part)
    return folder


@pytest.fixture
def killed(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Kill an executor once in each of the first seven stages; the files that say so."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("finds the executor in /proc")
    flags: list[Path] = []
    frames = type(spark.range(1))
    run = frames.mapInArrow

    def run_with_an_accident(frame: Any, task: Any, schema: str) -> Any:
        if len(flags) == 7:
            return run(frame, task, schema)
        flag = str(tmp_path / f"stage {len(flags)}")
        flags.append(Path(flag))

        def task_with_an_accident(batches: Any) -> Any:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                yield from task(batches)
                return
            # A Python worker is a child of a daemon, and this one of the executor.
            status = Path(f"/proc/{os.getppid()}/stat").read_text()
            os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)

        return run(frame, task_with_an_accident, schema)

    monkeypatch.setattr(frames, "mapInArrow", run_with_an_accident)
    return flags


def assert_same(found: scoref.Result, expected: scoref.Result) -> None:
    """Assert that two results agree in everything, and in every bit of every count."""
    assert found.signature == expected.signature
    assert found.notes == expected.notes
    assert found.counts.units == expected.counts.units
    assert (found.key, found.response) == (expected.key, expected.response)
    for name in expected:
        assert np.array_equal(found.counts.rows[name], expected.counts.rows[name]), name
    assert found.to_json() == expected.to_json()


def assert_alike(found: scoref.Result, expected: scoref.Result) -> None:
    """Assert that two results agree, except for the last bits of sums."""
    assert found.signature == expected.signature
    assert found.counts.units == expected.counts.units
    assert (found.key, found.response) == (expected.key, expected.response)
    for name in expected:
        assert found.counts.rows[name] == pytest.approx(expected.counts.rows[name], rel=1e-12)


def write_parquet(path: Path, columns: dict[str, Any]) -> str:
    """Write a table."""
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    pq.write_table(pa.table(columns), path)
    return str(path)


def frames_of(spark: SparkSession, paths: tuple[str, str]) -> tuple[DataFrame, DataFrame]:
    """Read two tables as a user would."""
    return spark.read.parquet(paths[0]), spark.read.parquet(paths[1])


def drawn(
    documents: int = 30, mentions: int = 40, seed: int = 0
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw the mentions of two sides: some moved, some missing, some spurious."""
    rng = np.random.default_rng(seed)
    rows = documents * mentions
    document = np.repeat(np.arange(documents), mentions)
    start = np.tile(np.arange(mentions) * 3, documents)
    end = start + rng.integers(3, size=rows)
    entity = rng.integers(12, size=rows) ** 2 // 9
    moved = np.where(rng.random(rows) < 0.2, rng.integers(20, size=rows), entity)
    names = np.array([f"text {number}" for number in range(documents)])
    kept = rng.random(rows) < 0.9
    shifted = end + (rng.random(rows) < 0.1)
    key = {"document": names[document], "start": start, "end": end, "entity": entity}
    response = {
        "document": names[document][kept],
        "start": start[kept],
        "end": shifted[kept],
        "entity": [f"e{number}" for number in moved[kept]],
    }
    return key, response


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two tables of thirty documents."""
    folder = tmp_path_factory.mktemp("tables")
    key, response = drawn()
    return (
        write_parquet(folder / "key.parquet", key),
        write_parquet(folder / "response.parquet", response),
    )
