"""Java, which Spark runs on: where it is, and whether it is new enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from scoref.exceptions import UsageError

OLDEST = 17
_HINT = (
    "install Java 17 or 21 (on Debian: apt install openjdk-17-jre-headless), or let JAVA_HOME"
    " name the folder of one"
)
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def check_java() -> None:
    """Refuse to start Spark without Java, or on one that is too old."""
    java = _find()
    try:
        told = subprocess.run(  # noqa: S603  # the user's own Java
            [java, "-version"], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"{java} cannot be run: {error}", _HINT) from None
    version = version_of(told.stderr + told.stdout)
    if version is None:
        raise UsageError(f"{java} does not tell its version", _HINT)
    if version < OLDEST:
        raise UsageError(f"Spark needs Java {OLDEST} or 21, but {java} is Java {version}", _HINT)


def version_of(told: str) -> int | None:
    """Read what `java -version` prints: "17.0.15" is 17, "1.8.0_392" is 8."""
    found = _VERSION.search(told)
    return int(found[1]) if found else None


def _find() -> str:
    """Find Java where Spark's own script looks for it."""
    if home := os.environ.get("JAVA_HOME"):
        java = Path(home, "bin", "java")
        if not java.is_file():
            raise UsageError(f"JAVA_HOME is {home}, but there is no {java}", _HINT)
        return str(java)
    if (found := shutil.which("java")) is None:
        raise UsageError("Spark needs Java, and there is none", _HINT)
    return found
