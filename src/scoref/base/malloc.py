"""Settings of the C library's memory allocator: freed arrays stay with the process for reuse.

Work in chunks frees arrays and then allocates arrays of the same size. The system fills each new
block of memory with zeros, which can take longer than the work on the block.
"""

from __future__ import annotations

import sys

_BLOCK = 31 << 20
_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # parameters of mallopt in the C library of Linux
_LARGEST = 1 << 30

_may_set = False


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
