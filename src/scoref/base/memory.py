"""Memory: how much is available, how much a user allows, and how much the process keeps.

Work in chunks frees arrays and then allocates arrays of the same size. The system fills each new
block of memory with zeros, which can take longer than the work on the block. So freed arrays stay
with the process for reuse.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from scoref.exceptions import UsageError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = r"\s*(?P<number>\d+(\.\d*)?)\s*(?P<unit>[kmgt]?i?)b?\s*"
_LEAST = 10**6
_SHARE = 4
"""By default, the limit is a quarter of the available memory."""

_BLOCK = 31 << 20
_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # parameters of mallopt in the C library of Linux
_LARGEST = 1 << 30

_may_set = False


def parse_size(size: str) -> int:
    """Parse a size such as 2GB, 500MB or 1.5GiB into bytes."""
    found = re.fullmatch(_SIZE, size, re.IGNORECASE)
    units = {**_UNITS, **_BINARY}
    if not found or found["unit"].lower() not in units:
        raise UsageError(f"{size!r} is not a size of memory", "write 2GB or 500MB")
    number = int(float(found["number"]) * units[found["unit"].lower()])
    if number < _LEAST:
        raise UsageError(f"{size} of memory is not enough to read a table", "write 2GB or 500MB")
    return number


def memory_limit(memory: int | None) -> int:
    """Return the bytes that a user allows, by default a share of the available memory."""
    return available_memory() // _SHARE if memory is None else memory


def available_memory() -> int:
    """Return the bytes of available memory, or an estimate if the system does not report it."""
    try:
        text = Path("/proc/meminfo").read_text("ascii")
        return int(re.findall(r"MemAvailable:\s*(\d+) kB", text)[0]) * 1024
    except (OSError, IndexError):  # other systems than Linux: half of the physical memory
        names = getattr(os, "sysconf_names", {})
        if "SC_PHYS_PAGES" not in names:
            return 4 * 10**9
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def round_up_size(size: float) -> str:
    """Format a size, rounded up, as the value of a flag: `1200MB`."""
    return f"{-(-int(size) // 10**6)}MB"


def format_size(size: float) -> str:
    """Format a size with three digits: `1.2 GB`."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size / 1000:.3g} kB"


def allow_malloc_settings() -> None:
    """Allow changes to the allocator: this process runs a command, not a user's program."""
    global _may_set  # noqa: PLW0603  # there is one allocator per process
    _may_set = True


def keep_freed_memory() -> None:
    """Make the allocator keep freed arrays for reuse, as far as the platform supports it.

    On Linux, the allocator keeps as much as the largest block that was freed so far, up to 32 MB:
    scoring tables takes a tenth less time (`make bench`, Tables). If the process runs a command,
    the allocator keeps all freed memory: a table of one unit takes two fifths less time.
    """
    import numpy as np  # noqa: PLC0415  # commands without arrays start faster

    np.empty(_BLOCK, dtype=np.uint8)
    if not _may_set or sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGEST)
        mallopt(_TRIM_THRESHOLD, _LARGEST)
