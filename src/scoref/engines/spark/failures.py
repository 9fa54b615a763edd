"""Spark's errors, translated into errors that a user can act on.

An error that scoref raises on an executor comes back as the text of a Python traceback, inside an
exception of Java, inside an exception of PySpark. Only one line of it matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from scoref import exceptions
from scoref.exceptions import ScorefError, UsageError

_SCOREF_ERROR = re.compile(r"^scoref\.exceptions\.(\w+): (.*)(?:\n  hint: (.*))?", re.MULTILINE)
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_VERSIONS = re.compile(r"\[PYTHON_VERSION_MISMATCH\] (.*)")
_NO_PATH = re.compile(r"\[PATH_NOT_FOUND\] Path does not exist: (\S+?)\.? ")
_NO_FILE_SYSTEM = re.compile(
    r'No FileSystem for scheme "?(\w+)|ClassNotFoundException: Class org\.apache\.hadoop\.fs\.(\w+)'
)
_PREFIX = re.compile(r"^(?:\[[\w.]+\] )+")
_JAVA = re.compile(r"(?:java|org|scala|com)\.[\w.$]+(?:Exception|Error)\b")
_EMPTY = re.compile(r"[\w.$]+:?|.*Exception thrown in awaitResult:?")
_RAISED = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n|\n)*(\S.*)")
_CAUSE, _CALL = "Caused by: ", "An error occurred while calling "
_LONGEST = 300


class NoFileSystemError(UsageError):
    """Spark cannot read from a file system, but pyarrow may."""


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate the errors of Spark into errors of scoref."""
    from py4j.protocol import (  # type: ignore[import-untyped]  # noqa: PLC0415
        Py4JError,
    )
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        if _was_interrupted(error):
            raise KeyboardInterrupt from None
        raise translate(_whole_text(error)) from None


def _whole_text(error: Exception) -> str:
    """Return the text of an error with its causes, which PySpark does not always show."""
    texts = [str(error)]
    cause = getattr(error, "_origin", None)
    with suppress(Exception):  # Java may have ended
        while cause is not None:
            texts.append(f"{_CAUSE}{cause.toString()}")
            cause = cause.getCause()
    return "\n".join(texts)


def _was_interrupted(error: BaseException) -> bool:
    """Whether Spark reports what Ctrl-C has stopped."""
    cause = error.__context__
    return cause is not None and (isinstance(cause, KeyboardInterrupt) or _was_interrupted(cause))


def translate(text: str) -> ScorefError:
    """Find the line of an error that a user can act on."""
    if found := _SCOREF_ERROR.findall(text):
        name, message, hint = found[-1]
        return _rebuilt(name, message.strip(), hint.strip())
    if missing := _NO_MODULE.search(text):
        return UsageError(
            f"the Python of the Spark executors has no module {missing[1]!r}",
            "install numpy, scipy and pyarrow on every worker, and set PYSPARK_PYTHON to the Python"
            " that has them; scoref itself is sent to the executors",
        )
    if versions := _VERSIONS.search(text):
        return UsageError(
            f"the Spark executors have another Python version: {versions[1]}",
            "set PYSPARK_PYTHON to the same version on every machine",
        )
    if path := _NO_PATH.search(text):
        return UsageError(f"cannot read {path[1].removeprefix('file:')}: no such file or directory")
    if missing := _NO_FILE_SYSTEM.search(text):
        return NoFileSystemError(
            f"this Spark has no connector for the file system {missing[1] or missing[2]}",
            "add it with --spark-conf spark.jars.packages=..., such as"
            " org.apache.hadoop:hadoop-aws:VERSION for s3a, with the version of Spark's Hadoop",
        )
    return ScorefError(
        f"Spark failed: {_telling_line(text)}", "see the logs of the driver and the executors"
    )


def _rebuilt(name: str, message: str, hint: str) -> ScorefError:
    kind = getattr(exceptions, name, ScorefError)
    if not issubclass(kind, ScorefError) or kind is exceptions.FormatError:
        kind = ScorefError  # a FormatError requires problems; only its message came back
    return kind(message, hint)


def _telling_line(text: str) -> str:
    """Return the line that says most: the error of Python, the last cause, or the first exception.

    PySpark puts before it that "an error occurred while calling" a method of Java, and Java that
    an exception was thrown while it waited for a result.
    """
    if raised := _RAISED.findall(text):
        return str(raised[-1])[:_LONGEST]
    lines = [line.strip().removeprefix(": ") for line in text.splitlines() if line.strip()]
    causes = [line.removeprefix(_CAUSE) for line in lines if line.startswith(_CAUSE)]
    exceptions_ = [line for line in lines if _JAVA.match(line)]
    others = [line for line in lines if not line.startswith(_CALL)]
    # A cause can be of a class without a message.
    found = [*causes[::-1], *exceptions_, *others]
    telling = (line for line in found if not _EMPTY.fullmatch(line))
    return _PREFIX.sub("", next(telling, (found or ["without a message"])[0]))[:_LONGEST]
