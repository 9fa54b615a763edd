"""The Java that Spark runs on: where it is, and whether it is new enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from scoref.exceptions import UsageError

OLDEST = 17
_HINT = (
    "install Java 17 or 21 (on Debian: apt install openjdk-17-jre-headless), or set JAVA_HOME to"
    " its directory"
)
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def check_java() -> None:
    """Refuse to start Spark without Java, or on a version that is too old."""
    java = _find()
    try:
        done = subprocess.run(  # noqa: S603  # the user's own Java
            [java, "-version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"cannot run {java}: {error}", _HINT) from None
    version = version_of(done.stderr + done.stdout)
    if version is None:
        raise UsageError(f"cannot find the version of {java}", _HINT)
    if version < OLDEST:
        raise UsageError(f"Spark requires Java {OLDEST} or 21, but {java} is Java {version}", _HINT)


def version_of(output: str) -> int | None:
    """Parse what `java -version` prints: "17.0.15" is 17, "1.8.0_392" is 8."""
    found = _VERSION.search(output)
    return int(found[1]) if found else None


def _find() -> str:
    """Find Java where Spark's own script looks for it."""
    if home := os.environ.get("JAVA_HOME"):
        java = Path(home, "bin", "java")
        if not java.is_file():
            raise UsageError(f"JAVA_HOME is {home}, but {java} does not exist", _HINT)
        return str(java)
    if (found := shutil.which("java")) is None:
        raise UsageError("Spark requires Java, which is not installed", _HINT)
    return found
