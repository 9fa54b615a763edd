"""Errors before Spark runs are reported at once, and say what to do."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from scoref.cli import main
from scoref.engines.spark.failures import translate, translated_errors
from scoref.engines.spark.session import (
    check_installed,
    check_java,
    check_master,
    version_of,
    write_package,
)
from scoref.engines.spark.table_files import is_parquet
from scoref.exceptions import FormatError, MentionError, ScorefError, UsageError
from tests.conftest import REPOSITORY


@pytest.mark.parametrize(
    ("output", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ("no such thing", None),
    ],
)
def test_versions_of_java_are_parsed(output: str, version: int | None) -> None:
    """Old versions begin with 1."""
    assert version_of(output) == version


def test_missing_or_old_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what was found, and where."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="Spark requires Java, which is not installed") as error:
        check_java()
    assert "openjdk-17-jre-headless" in error.value.hint
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=f"Java 17 or 21, but {java} is Java 11"):
        check_java()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(UsageError, match=r"JAVA_HOME is .*elsewhere, but .* does not exist"):
        check_java()


def test_missing_pyspark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint says how to install it."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(UsageError, match="requires pyspark, which is not installed") as error:
        check_installed()
    assert error.value.hint == "pip install 'scoref[spark]'"


def test_a_master_that_does_not_answer_is_refused() -> None:
    """Before the minute that Spark would wait."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(UsageError, match=f"spark://127.0.0.1:{port} does not answer"):
        check_master(f"spark://127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("master", "message"),
    [("sc://host", "is a Spark Connect server"), ("http://host", "is not a valid Spark master")],
)
def test_an_invalid_master_is_refused(master: str, message: str) -> None:
    """Spark Connect is not supported."""
    with pytest.raises(UsageError, match=message):
        check_master(master)


@pytest.mark.parametrize("master", ["local", "local[2]", "local-cluster[2,1,1024]", "yarn"])
def test_masters_that_are_not_contacted(master: str) -> None:
    """Only Spark itself can find them."""
    check_master(master)


TRACEBACK = """An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "worker.py", line 1, in main
{}

\tat org.apache.spark.api.python.BasePythonRunner
"""


def test_an_error_of_scoref_is_found_in_a_traceback() -> None:
    """With its class, message and hint."""
    error = translate(
        TRACEBACK.format("scoref.exceptions.MentionError: the key is odd\n  hint: even it out")
    )
    assert isinstance(error, MentionError)
    assert (error.message, error.hint) == ("the key is odd", "even it out")
    error = translate(
        TRACEBACK.format("scoref.exceptions.FormatError: a.csv:1: found x, expected y")
    )
    assert not isinstance(error, FormatError)
    assert str(error) == "a.csv:1: found x, expected y"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ModuleNotFoundError: No module named 'pyarrow'", "has no module 'pyarrow'"),
        (
            "[PYTHON_VERSION_MISMATCH] 3.11 is not 3.12",
            "have another Python version: 3.11 is not 3.12",
        ),
        ("java.lang.IllegalStateException: gone", "Spark failed: java.lang.IllegalState"),
        ("ValueError: of a metric", "Spark failed: ValueError: of a metric"),
    ],
)
def test_errors_of_spark_are_translated(line: str, message: str) -> None:
    """Known errors have a message of their own, others show the most telling line."""
    assert message in translate(TRACEBACK.format(line)).message


JAVA = """An error occurred while calling o1852.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult:
\tat org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:70)
Caused by: org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] cannot read a.parquet
\tat org.apache.spark.sql.errors.QueryExecutionErrors$.cannotReadFilesError(X.scala:920)
{}
\t... 28 more
"""


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        ("Caused by: java.io.IOException: disk full", "java.io.IOException: disk full"),
        ("Caused by: java.io.IOException", "org.apache.spark.SparkException: [FAILED_READ"),
        ("", "org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] cannot read a.parquet"),
    ],
)
def test_the_cause_of_an_error_is_shown(cause: str, message: str) -> None:
    """Not the method of Java that was called."""
    assert translate(JAVA.format(cause)).message.startswith(f"Spark failed: {message}")
    first = JAVA.splitlines()[0]
    assert translate(first).message == "Spark failed: without a message"


def test_causes_that_only_java_knows_are_shown() -> None:
    """PySpark's own exceptions have a text without them."""
    pyspark = pytest.importorskip("pyspark.errors")

    class Cause:
        def __init__(self, text: str, cause: Cause | None) -> None:
            self.toString, self.getCause = (lambda: text), (lambda: cause)

    error = pyspark.PySparkException("An error occurred while calling o1.count.")
    error._origin = Cause("org.x.Y: failed", Cause("java.io.IOException: gone", None))
    with (
        pytest.raises(ScorefError, match=r"Spark failed: java\.io\.IOException: gone"),
        translated_errors(),
    ):
        raise error


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(None, id="default", marks=pytest.mark.long),
        pytest.param("0.0.0.0", id="set", marks=pytest.mark.long),  # noqa: S104
    ],
)
def test_only_this_machine_can_connect_to_a_local_spark(given: str | None) -> None:
    """Unless a setting says otherwise."""
    try:
        check_installed()
        check_java()
    except UsageError as reason:
        pytest.skip(reason.message)
    if not Path("/proc/net/tcp").exists():
        pytest.skip("finds open ports in /proc")
    settings = {} if given is None else {"spark.driver.bindAddress": given}
    code = f"""
import os
from pathlib import Path
from scoref.engines.spark.session import session
with session("local[1]", {settings!r}) as spark:
    java = spark.sparkContext._gateway.proc.pid
    links = [os.readlink(one) for one in Path(f"/proc/{{java}}/fd").iterdir() if one.is_symlink()]
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and f"socket:[{{cells[9]}}]" in links:
                print(cells[1].split(":")[0])
assert "SPARK_LOCAL_IP" not in os.environ
"""
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_LOCAL_IP"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    loopback = {"0100007F", "0000000000000000FFFF00000100007F", "0" * 24 + "01000000"}
    assert done.stdout.split()
    assert (set(done.stdout.split()) <= loopback) == (given is None)


def test_ctrl_c_is_not_a_failure_of_spark() -> None:
    """Spark reports the cancelled jobs during the interruption."""

    def work() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise ConnectionError("cancelled")

    pytest.importorskip("pyspark")
    with pytest.raises(KeyboardInterrupt), translated_errors():
        work()


def test_the_package_can_be_imported_from_its_archive(tmp_path: Path) -> None:
    """So executors need no installation of scoref."""
    write_package(tmp_path / "scoref.zip")
    code = "import scoref.engines.spark.document_tasks as s; print(s.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path / "scoref.zip")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "scoref.zip" in done.stdout


def test_the_format_of_a_table_is_detected(tmp_path: Path) -> None:
    """From the name if the content cannot be read; tables in text are refused with what to do."""
    assert is_parquet("s3a://bucket/key.parquet/", None)
    assert is_parquet("s3a://bucket/key", "parquet")
    assert not is_parquet(str(REPOSITORY / "examples/ferry/key.conll"), None)
    with pytest.raises(UsageError, match=r"the format of .* cannot be detected"):
        is_parquet("s3a://bucket/key", None)
    folder = tmp_path / "written-by-spark"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    (folder / "part-0.csv").write_text("document,mention,entity\na,b,c\n")
    text = (("hdfs://host/key.csv.gz", None), ("s3a://bucket/key", "tsv"), (str(folder), None))
    for path, name in text:
        with pytest.raises(UsageError, match="is a table in text") as error:
            is_parquet(path, name)
        assert error.value.hint.startswith("convert it with `scoref convert")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--master", "yarn"], "--master is not available with --engine local"),
        (["--engine", "spark", "--spark-conf", "x"], "found --spark-conf x, expected NAME=VALUE"),
        (["--engine", "spark", "--master", "nowhere"], "'nowhere' is not a valid Spark master"),
    ],
)
def test_invalid_flags_are_refused(
    flags: list[str], message: str, example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit code 2 and a message."""
    paths = [str(example / name) for name in ("key.conll", "careful.conll")]
    assert main(["score", *flags, *paths]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.long  # the test of tables in S3 runs this command, too
def test_the_command_prints_the_local_output(example: Path) -> None:
    """And no output of Spark."""
    try:
        check_installed()
        check_java()
    except UsageError as reason:
        pytest.skip(reason.message)
    paths = [str(example / name) for name in ("key.conll", "careful.conll")]
    command = [sys.executable, "-m", "scoref", "score", *paths]
    here = subprocess.run(command, capture_output=True, text=True, check=True)
    there = subprocess.run(
        [*command, "--engine", "spark", "--master", "local[1]"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (there.stdout, there.stderr) == (here.stdout, here.stderr)
