"""What cannot run on every system, and why: skipped there with the reason.

The beginning of the name of a test, or a file, leads to what it needs. A file that cannot even be
imported elsewhere is not collected, and named at the start of the run.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

HAS = {
    "Linux": sys.platform == "linux",
    "POSIX": hasattr(os, "fork"),
}
NOT_IMPORTED = {
    "tests/fuzz/test_fuzz.py": ("Linux", "the fuzzer limits memory and time as Linux does"),
    "tests/pages/toolkit/test_readers.py": ("Linux", "uses the limits of the fuzzer"),
    "tests/test_benchmarks.py": ("Linux", "memory and time are measured as Linux does"),
    "tests/test_census.py": ("Linux", "counts the tests of the fuzzer too"),
}
SKIPPED = {
    "tests/engines/spark": ("Linux", "Spark and its recovery are tested on Linux"),
    "tests/test_documentation.py": ("POSIX", "a POSIX shell executes the pages"),
    "tests/integrations/test_action.py": ("POSIX", "the action is a program for bash"),
    "tests/engines/test_interruption.py": ("POSIX", "signals and pipes are those of POSIX"),
    "tests/cli/test_defects.py::test_a_signal": ("POSIX", "SIGTERM cannot be caught"),
    "tests/pages/runs/test_view.py::test_watching": ("POSIX", "SIGINT cannot be sent"),
    "tests/formats/io/test_output_files.py::test_a_replaced_file": ("POSIX", "files have no modes"),
    "tests/formats/io/test_output_files.py::test_a_loop_of_links": ("POSIX", "links need rights"),
    "tests/formats/io/test_output_files.py::test_leftovers": ("POSIX", "there is no SIGKILL"),
    "tests/cli/test_fix.py::test_files_are_fixed": ("POSIX", "files have no modes"),
    "tests/cli/test_outputs.py::test_no_output_replaces": ("POSIX", "links need rights"),
    "tests/cli/test_outputs.py::test_two_outputs": ("POSIX", "there is no /dev/null"),
    "tests/engines/tables/test_tables.py::test_a_full_disk": ("Linux", "there is no /dev/full"),
    "tests/reference/test_resolver.py": ("POSIX", "another scorer is a program for a shell"),
}


def reason(node: str) -> str | None:
    """Return why a test is skipped on this system, or None."""
    for start, (needed, why) in SKIPPED.items():
        if node.startswith(start) and not HAS[needed]:
            return f"requires {needed}: {why}"
    return None


def is_left_out(path: Path, root: Path) -> bool:
    """Whether a file of tests cannot be imported on this system."""
    return any(
        path == root / name and not HAS[needed] for name, (needed, _) in NOT_IMPORTED.items()
    )


def header() -> list[str]:
    """Say what is left out."""
    return [
        f"not collected: {name}, requires {needed}: {why}"
        for name, (needed, why) in NOT_IMPORTED.items()
        if not HAS[needed]
    ]
