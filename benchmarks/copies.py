"""Make a large pair of a small one: `python copies.py KEY RESPONSE DIRECTORY TIMES`.

Every copy has document names of its own. This runs in a process of its own, since a child
starts with the peak memory of whoever starts it (see `measure`).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_BEGIN = re.compile(rb"^(#begin document \(?)", re.MULTILINE)


def copy(source: Path, target: Path, times: int) -> None:
    """Write a file so many times over, with other names."""
    once = source.read_bytes()
    with target.open("wb") as stream:
        for number in range(times):
            stream.write(_BEGIN.sub(rb"\g<1>%d/" % number, once))


if __name__ == "__main__":
    key, response, directory, times = sys.argv[1:]
    for side, path in (("key", key), ("response", response)):
        copy(Path(path), Path(directory) / f"{side}.conll", int(times))
