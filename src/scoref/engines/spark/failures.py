"""Spark's errors, translated into errors that a user can act on.

An error that scoref raises on an executor comes back as the text of a Python traceback, inside an
exception of Java, inside an exception of PySpark. Only one line of it matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from scoref import exceptions
from scoref.exceptions import ScorefError, UsageError

_SCOREF_ERROR = re.compile(r"^scoref\.exceptions\.(\w+): (.*)(?:\n  hint: (.*))?", re.MULTILINE)
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_VERSIONS = re.compile(r"\[PYTHON_VERSION_MISMATCH\] (.*)")
_NO_PATH = re.compile(r"\[PATH_NOT_FOUND\] Path does not exist: (\S+?)\.? ")
_PREFIX = re.compile(r"^(?:\[[\w.]+\] )+")
_LONGEST = 300


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
        raise translate(str(error)) from None


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
    return ScorefError(
        f"Spark failed: {_first_line(text)}", "see the logs of the driver and the executors"
    )


def _rebuilt(name: str, message: str, hint: str) -> ScorefError:
    kind = getattr(exceptions, name, ScorefError)
    if not issubclass(kind, ScorefError) or kind is exceptions.FormatError:
        kind = ScorefError  # a FormatError requires problems; only its message came back
    return kind(message, hint)


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # The message of Java comes after the name of its exception.
    java = next((line for line in lines if line.startswith(("java.", "org.apache."))), "")
    line = java or (lines[0] if lines else "without a message")
    return _PREFIX.sub("", line)[:_LONGEST]
