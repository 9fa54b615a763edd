"""Limits of time and memory for one input, and a folder for its files."""

from __future__ import annotations

import os
import resource
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS = 3.0
"""CPU time for one input of a few kilobytes, after which it counts as a hang."""
MEGABYTES = 300
"""Memory that one input of a few kilobytes may add to the process."""
QUICK = 0.02
"""Seconds in which no process can fill so much memory, so that it need not be measured. On some
systems, to measure it takes longer than to read the file."""


class SlowInputError(BaseException):
    """The time is up; nothing that catches exceptions catches this."""


@contextmanager
def limits(seconds: float = SECONDS) -> Iterator[None]:
    """Stop what takes too much time, as long as it runs in Python."""

    def stop(_: int, __: FrameType | None) -> None:
        raise SlowInputError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def peak_megabytes() -> float:
    """Return the most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def limit_memory(gigabytes: float = 2.0) -> None:
    """Let this process have some more memory than it has now, and no more."""
    with Path("/proc/self/statm").open() as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    most = now + int(gigabytes * (1 << 30))
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def make_folder() -> Path:
    """Make a folder for files, in memory if the system has a place for that."""
    memory = Path("/dev/shm")  # noqa: S108
    parent = memory if os.access(memory, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="scoref-fuzz-", dir=parent))
