"""Tables in S3 and Google Cloud Storage: servers on this machine, which keep files in memory.

HDFS is not tried: pyarrow requires the library libhdfs, which comes with Hadoop.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.engines.spark import table_files
from scoref.engines.spark.document_scoring import score_documents
from scoref.engines.spark.session import check_installed, check_java
from scoref.engines.spark.table_files import can_open, list_files, open_file
from scoref.exceptions import UsageError
from scoref.metrics import find_metrics
from tests.engines.spark.in_process import side_of_uri

pytest.importorskip("pyarrow")

METRICS = ["mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "pairwise"]
_TOKEN = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def s3(tables: tuple[str, str]) -> Iterator[dict[str, str]]:
    """A server with two tables in a bucket; the variables with which Arrow finds it."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    variables = {**_TOKEN, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        _fill_bucket(variables["AWS_ENDPOINT_URL"], tables)
        yield variables
    table_files._filesystem.cache_clear()
    server.stop()


def _fill_bucket(endpoint: str, tables: tuple[str, str]) -> None:
    from pyarrow import fs  # type: ignore[import-untyped]

    files = fs.S3FileSystem(endpoint_override=endpoint, allow_bucket_creation=True)
    files.create_dir("bucket")
    for path in tables:
        for name in (Path(path).name, f"parts of {Path(path).name}/a %20ü.parquet"):
            with files.open_output_stream(f"bucket/{name}") as stream:
                stream.write(Path(path).read_bytes())
    with files.open_output_stream("bucket/parts of key.parquet/_SUCCESS") as stream:
        stream.write(b"")


def assert_same_counts(found: scoref.Result, expected: scoref.Result) -> None:
    """Assert that two results agree in everything but the names of files."""
    assert (found.signature, found.counts.units) == (expected.signature, expected.counts.units)
    for name in expected:
        assert np.array_equal(found.counts.rows[name], expected.counts.rows[name]), name


@pytest.mark.parametrize("scheme", ["s3", "s3a"])
def test_tasks_read_row_groups_from_s3(
    s3: dict[str, str], tables: tuple[str, str], scheme: str
) -> None:
    """In ranges and in blocks, as local files."""
    assert s3
    sides = [
        side_of_uri(name, list_files(f"{scheme}://bucket/{folder}{name}.parquet")[0])
        for name, folder in (("key", "parts of "), ("response", ""))
    ]
    expected = scoref.score(*tables, METRICS)
    for buckets in (None, 3):
        found = score_documents(sides[0], sides[1], find_metrics(METRICS), scoref.Policy(), buckets)
        assert_same_counts(found, expected)


def test_directories_in_s3_are_listed(s3: dict[str, str]) -> None:
    """Names are encoded as Spark does, and files such as _SUCCESS are left out."""
    assert s3
    (found,) = list_files("s3a://bucket/parts of key.parquet")
    assert found == "s3a://bucket/parts of key.parquet/a%20%2520%C3%BC.parquet"
    assert open_file(found).size() > 0
    with pytest.raises(FileNotFoundError):
        list_files("s3://bucket/nothing")


def test_the_command_reads_from_s3_without_a_connector(
    s3: dict[str, str], tables: tuple[str, str]
) -> None:
    """The connector is not installed with PySpark: pyarrow finds the files, too."""
    try:
        check_installed()
        check_java()
    except UsageError as reason:
        pytest.skip(reason.message)
    score = [sys.executable, "-m", "scoref", "score"]
    here = subprocess.run([*score, *tables], capture_output=True, text=True, check=True)
    remote = ["s3a://bucket/key.parquet", "s3a://bucket/parts of response.parquet"]
    there = subprocess.run(
        [*score, *remote, "--engine", "spark", "--master", "local[1]"],
        env={**os.environ, **s3},
        capture_output=True,
        text=True,
        check=False,
    )
    assert there.stderr == here.stderr
    without_names = [_without_names(one.stdout) for one in (here, there)]
    assert without_names[0] == without_names[1]


def _without_names(output: str) -> list[str]:
    """Leave out the names of files, and the blanks of columns."""
    return re.sub(r"\S+/|parts of |key\.parquet|response\.parquet", " ", output).split()


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, tables: tuple[str, str]) -> Iterator[str]:
    """The URI of a bucket in Google Cloud Storage with two tables, read without credentials.

    The server is a process of its own: Arrow can wait for it while no thread of this one runs.
    """
    pytest.importorskip("gcp_storage_emulator")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = (
        "from gcp_storage_emulator.server import create_server as c; c('127.0.0.1', {}, {}).run()"
    )
    command = [sys.executable, "-c", start.format(port, "True, 'bucket'")]
    endpoint = f"http://127.0.0.1:{port}"
    monkeypatch.setenv("CLOUD_STORAGE_EMULATOR_ENDPOINT", endpoint)
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        for path in tables:
            name = f"uploadType=media&name={Path(path).name}"
            upload = f"{endpoint}/upload/storage/v1/b/bucket/o?{name}"
            urllib.request.urlopen(urllib.request.Request(upload, Path(path).read_bytes())).close()  # noqa: S310
        yield "gs://anonymous@bucket"
    finally:
        table_files._filesystem.cache_clear()
        server.terminate()
        server.wait()


def _wait_for(port: int) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


def test_tasks_read_row_groups_from_google(bucket: str, tables: tuple[str, str]) -> None:
    """As local files."""
    sides = [side_of_uri(name, f"{bucket}/{name}.parquet") for name in ("key", "response")]
    assert len(list_files(bucket)) == 2
    found = score_documents(sides[0], sides[1], find_metrics(METRICS), scoref.Policy())
    assert_same_counts(found, scoref.score(*tables, METRICS))


def test_arrow_has_not_all_file_systems() -> None:
    """Arrow's Azure ends the process if it finds no credentials: Spark reads from there."""
    assert all(map(can_open, ["s3://x/y", "s3a://x/y", "gs://x/y", "hdfs://x/y", "file:///y"]))
    assert not any(map(can_open, ["abfss://x@y/z", "wasbs://x@y/z", "dbfs:/x", "/x", "x.parquet"]))
