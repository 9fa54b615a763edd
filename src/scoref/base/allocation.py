"""Memory that is used again: freed arrays that do not go back to the system at once.

Work that goes in pieces frees arrays and asks for others of the same size. Each that comes fresh
from the system is filled with zeros first, which can take longer than what is done with it.
"""

from __future__ import annotations

import sys

_LEARNT = 31 << 20
_MMAP_THRESHOLD, _TRIM_THRESHOLD = -3, -1  # how the C library of Linux calls them
_LARGEST = 1 << 30

_is_ours = False


def own_process() -> None:
    """Say that this process is ours to set up: a command, and no program of the user's."""
    global _is_ours  # noqa: PLW0603  # as a process is
    _is_ours = True


def reuse_memory() -> None:
    """Let freed arrays be used again, as far as the C library can be made to.

    That of Linux learns from the largest block freed so far, up to 32 MB, how much to keep: a
    tenth of the time of scoring tables (`make bench`, Tables). Where the process is ours, it is
    told to keep all: two fifths of the time of a table that is one unit. Elsewhere this does
    nothing.
    """
    import numpy as np  # noqa: PLC0415  # commands that need no arrays start without

    np.empty(_LEARNT, dtype=np.uint8)
    if not _is_ours or sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415

    tell = getattr(ctypes.CDLL(None), "mallopt", None)
    if tell is not None:
        tell(_MMAP_THRESHOLD, _LARGEST)
        tell(_TRIM_THRESHOLD, _LARGEST)
