"""What Spark reports when something fails, said so that a user can act on it.

An error that our code raises on an executor comes back as the text of a Python traceback,
inside an exception of Java, inside one of PySpark. What matters is one line of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from scoref import exceptions
from scoref.exceptions import ScorefError, UsageError

_OURS = re.compile(r"^scoref\.exceptions\.(\w+): (.*)(?:\n  hint: (.*))?", re.MULTILINE)
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_VERSIONS = re.compile(r"\[PYTHON_VERSION_MISMATCH\] (.*)")
_NO_PATH = re.compile(r"\[PATH_NOT_FOUND\] Path does not exist: (\S+?)\.? ")
_PREFIX = re.compile(r"^(?:\[[\w.]+\] )+")
_LONGEST = 300


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turn what Spark raises into errors of ours."""
    from py4j.protocol import (  # type: ignore[import-untyped]  # noqa: PLC0415
        Py4JError,
    )
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        if _was_interrupted(error):
            raise KeyboardInterrupt from None
        raise plain(str(error)) from None


def _was_interrupted(error: BaseException) -> bool:
    """Whether Spark complains of what Ctrl-C has stopped."""
    behind = error.__context__
    return behind is not None and (
        isinstance(behind, KeyboardInterrupt) or _was_interrupted(behind)
    )


def plain(text: str) -> ScorefError:
    """Find in the text of an error what a user can act on."""
    if ours := _OURS.findall(text):
        name, message, hint = ours[-1]
        return _rebuilt(name, message.strip(), hint.strip())
    if missing := _NO_MODULE.search(text):
        return UsageError(
            f"the executors of Spark have no Python module {missing[1]!r}",
            "install numpy, scipy and pyarrow on every worker, and let PYSPARK_PYTHON name the"
            " Python that has them; scoref itself is sent along",
        )
    if versions := _VERSIONS.search(text):
        return UsageError(
            f"the executors of Spark have another Python: {versions[1]}",
            "let PYSPARK_PYTHON name the same version on every machine",
        )
    if path := _NO_PATH.search(text):
        return UsageError(f"cannot read {path[1].removeprefix('file:')}: there is no such path")
    return ScorefError(
        f"Spark failed: {_first_line(text)}", "the logs of its driver and executors may say more"
    )


def _rebuilt(name: str, message: str, hint: str) -> ScorefError:
    kind = getattr(exceptions, name, ScorefError)
    if not issubclass(kind, ScorefError) or kind is exceptions.FormatError:
        kind = ScorefError  # a format error is made of problems; its message is all that came
    return kind(message, hint)


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # Java's own words come after the name of its exception.
    told = next((line for line in lines if line.startswith(("java.", "org.apache."))), "")
    line = told or (lines[0] if lines else "it did not say why")
    return _PREFIX.sub("", line)[:_LONGEST]
