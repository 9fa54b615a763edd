"""Sizes of memory: how much is available, how much a user allows, and how sizes are written."""

from __future__ import annotations

import os
import re
from pathlib import Path

from scoref.exceptions import UsageError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE = re.compile(r"\s*(?P<number>\d+(\.\d*)?)\s*(?P<unit>[kmgt]?i?)b?\s*", re.IGNORECASE)
_LEAST = 10**6
_SHARE = 4
"""By default, the limit is a quarter of the available memory."""


def parse_size(size: str) -> int:
    """Parse a size such as 2GB, 500MB or 1.5GiB into bytes."""
    found = _SIZE.fullmatch(size)
    units = {**_UNITS, **_BINARY}
    if not found or found["unit"].lower() not in units:
        raise UsageError(f"{size!r} is not a size of memory", "write 2GB or 500MB")
    number = int(float(found["number"]) * units[found["unit"].lower()])
    if number < _LEAST:
        raise UsageError(f"{size} of memory is not enough to read a table", "write 2GB or 500MB")
    return number


def memory_limit(memory: str | int | None) -> int:
    """Return the bytes that a user allows, by default a share of the available memory."""
    if isinstance(memory, int):
        return memory
    return available_memory() // _SHARE if memory is None else parse_size(memory)


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
