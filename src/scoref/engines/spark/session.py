"""A Spark session for the command line: checks of Java and the master, a quiet start, the end."""

from __future__ import annotations

import atexit
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import IO, TYPE_CHECKING
from weakref import WeakSet

from scoref.base.memory import available_memory, parse_size
from scoref.engines.spark.failures import translate, translated_errors
from scoref.exceptions import UsageError
from scoref.version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL = "local[*]"
OLDEST_JAVA = 17
_JAVA_HINT = (
    "install Java 17 or 21 (on Debian: apt install openjdk-17-jre-headless), or set JAVA_HOME to"
    " its directory"
)
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_INSTALL = "pip install 'scoref[spark]'"
_FORMS = "local[4], local-cluster[2,1,1024], spark://HOST:7077, yarn or k8s://https://HOST:PORT"
_MASTER = re.compile(r"local(\[.+\])?|local-cluster\[.+\]|spark://.+|yarn|k8s://.+")
_HOST = re.compile(r"([^/,:\[\]]+|\[[^\]]+\]):(\d+)")
_LOCAL_CLUSTER = re.compile(r"local-cluster\[\s*\d+\s*,\s*(\d+)\s*,\s*(\d+)\s*\]")
_SHARE = 2
_LOOPBACK = "127.0.0.1"
_PATIENCE = 10.0
"""Seconds to wait for a master to answer. Spark itself waits for a minute without a message."""

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.sql.maxPlanStringLength": "10000",
    # A worker imports NumPy and this package once, and there is a worker per core already.
    "spark.python.worker.reuse": "true",
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
}


@contextmanager
def session(
    master: str | None = None, settings: Mapping[str, str] | None = None
) -> Iterator[SparkSession]:
    """Start Spark, send this package to its executors, and stop Spark at the end."""
    master = master or LOCAL
    check_installed()
    check_master(master)
    check_java()
    with tempfile.TemporaryFile() as log:
        spark = _start(master, {**_SETTINGS, **(settings or {})}, log)
        try:
            send_package(spark)
            yield spark
        finally:
            spark.stop()


def check_installed() -> None:
    """Refuse to go on without PySpark and what its Arrow functions require."""
    for name in ("pyspark", "pyarrow", "pandas"):
        if importlib.util.find_spec(name) is None:
            raise UsageError(f"the Spark engine requires {name}, which is not installed", _INSTALL)
    if int((found := version("pyspark")).split(".")[0]) < 4:
        raise UsageError(f"the Spark engine requires pyspark 4, but {found} is installed", _INSTALL)


def check_java() -> None:
    """Refuse to start Spark without Java, or on a version that is too old."""
    java = _find_java()
    try:
        done = subprocess.run(  # noqa: S603  # the user's own Java
            [java, "-version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"cannot run {java}: {error}", _JAVA_HINT) from None
    version = version_of(done.stderr + done.stdout)
    if version is None:
        raise UsageError(f"cannot find the version of {java}", _JAVA_HINT)
    if version < OLDEST_JAVA:
        raise UsageError(
            f"Spark requires Java {OLDEST_JAVA} or 21, but {java} is Java {version}", _JAVA_HINT
        )


def version_of(output: str) -> int | None:
    """Parse what `java -version` prints: "17.0.15" is 17, "1.8.0_392" is 8."""
    found = _VERSION.search(output)
    return int(found[1]) if found else None


def _find_java() -> str:
    """Find Java where Spark's own script looks for it."""
    if home := os.environ.get("JAVA_HOME"):
        java = Path(home, "bin", "java")
        if not java.is_file():
            raise UsageError(f"JAVA_HOME is {home}, but {java} does not exist", _JAVA_HINT)
        return str(java)
    if (found := shutil.which("java")) is None:
        raise UsageError("Spark requires Java, which is not installed", _JAVA_HINT)
    return found


def check_master(master: str) -> None:
    """Refuse a master that is not valid, or that does not answer."""
    if master.startswith("sc://"):
        raise UsageError(
            f"{master} is a Spark Connect server, which the command line does not support",
            f"write {_FORMS}",
        )
    if not _MASTER.fullmatch(master):
        raise UsageError(f"{master!r} is not a valid Spark master", f"write {_FORMS}")
    hosts = [] if master.startswith("local") else _HOST.findall(master.split("://", 1)[-1])
    refused = []
    for host, port in hosts:
        try:
            socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
        except (OSError, OverflowError) as error:
            refused.append(f"{host}:{port}: {error}")
        else:
            return
    if refused:
        raise UsageError(
            f"the Spark master {master} does not answer ({'; '.join(refused)})",
            "check its address, and whether this machine can reach it",
        )


def _start(master: str, settings: Mapping[str, str], log: IO[bytes]) -> SparkSession:
    """Start Java with its output in a log, which is shown only if Spark does not start."""
    import pyspark  # noqa: PLC0415  # a second to import
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415
    from pyspark.java_gateway import launch_gateway  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    has_address = "SPARK_LOCAL_IP" in os.environ
    if master.startswith("local"):  # the executors are here, and so is their Python
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        # Only this machine may connect to Spark. A setting such as spark.driver.bindAddress, of
        # whatever origin, is stronger than the variable.
        os.environ.setdefault("SPARK_LOCAL_IP", _LOOPBACK)
    if master.startswith("local-cluster"):
        os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    conf = SparkConf().setMaster(master).setAppName(f"scoref {__version__}")
    conf.setAll(list(settings.items()))
    try:
        gateway = launch_gateway(conf, {"stdout": log, "stderr": log})  # type: ignore[no-untyped-call]
        with translated_errors():
            context = SparkContext(conf=conf, gateway=gateway)
    except Exception as error:  # noqa: BLE001  # the log has the reason of any error
        log.seek(0)
        output = log.read().decode(errors="replace")
        raise translate(f"{error}\n{output}") from None
    finally:
        if not has_address:  # the next master may be in a cluster
            os.environ.pop("SPARK_LOCAL_IP", None)
    return SparkSession(context)


def cores(spark: SparkSession) -> int:
    """Return how many tasks Spark can run at a time."""
    try:
        return int(spark.sparkContext.defaultParallelism)
    except Exception:  # noqa: BLE001  # Spark Connect has no context, and errors of its own
        return 8


def task_memory(spark: SparkSession) -> int:
    """Return the bytes that the Python process of a task may use for its rows.

    It is what `spark.executor.memory` has for each core of an executor. Threads of this machine
    share what is available here.
    """
    master = spark.conf.get("spark.master") or ""
    if master == "local" or master.startswith("local["):
        return available_memory() // (_SHARE * cores(spark))
    memory = parse_size((spark.conf.get("spark.executor.memory", "1g") or "1g").lower())
    if found := _LOCAL_CLUSTER.fullmatch(master):
        return int(found[2]) * 10**6 // int(found[1])
    return memory // int(spark.conf.get("spark.executor.cores", "1") or 1)


_has_package: WeakSet[SparkSession] = WeakSet()


def send_package(spark: SparkSession) -> None:
    """Let executors on other machines import this package; they must have NumPy and pyarrow."""
    master = spark.conf.get("spark.master") or ""
    if spark in _has_package or master == "local" or master.startswith("local["):
        return
    with translated_errors():
        spark.addArtifacts(str(_package()), pyfile=True)
    _has_package.add(spark)


@cache
def _package() -> Path:
    """Write this package to a file that exists until this process ends."""
    folder = tempfile.mkdtemp(prefix="scoref-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / f"scoref-{__version__}.zip"
    write_package(path)
    return path


def write_package(path: Path) -> None:
    """Write this package as an archive that Python can import from."""
    folder = Path(__file__).resolve().parents[2]
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*.py")):
            archive.write(file, file.relative_to(folder.parent))
