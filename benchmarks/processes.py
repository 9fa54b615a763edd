"""What a command costs with all processes that it starts: Java and its Python workers too.

Run as a program: `python -m benchmarks.processes COMMAND...` runs a command, discards its output,
and prints the CPU seconds of all processes and the peak memory of each. Linux only: /proc is read
ten times a second, and what a process has used in its last tenth of a second is not counted. The
usage that the system reports of children will not do: it lacks Spark's Python workers, whose parent
does not wait for them (at 4 million rows, 5 of 37 CPU seconds).
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

_ADOPT = 36  # PR_SET_CHILD_SUBREAPER
_PAUSE = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")


class Used(NamedTuple):
    """What a process has used so far: CPU seconds, peak memory and memory in kB."""

    name: str
    cpu: float
    peak: int
    size: int


def main() -> int:
    """Run a command, and print what it cost."""
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)  # processes that outlive their parent stay below
    used: dict[int, Used] = {}
    most = 0
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        found = _descendants()
        for pid, one in found.items():
            peak = max(one.peak, used[pid].peak) if pid in used else one.peak
            used[pid] = one._replace(peak=peak)  # a process that has ended has no memory
        most = max(most, sum(one.size for one in found.values()))
        time.sleep(_PAUSE)
    peaks: dict[str, float] = defaultdict(float)
    for one in used.values():
        peaks[one.name] = max(peaks[one.name], one.peak / 1000)
    cpu = sum(one.cpu for one in used.values())
    print(json.dumps({"cpu": cpu, "together": most / 1000, "peaks": peaks}))
    return process.returncode


def _descendants() -> dict[int, Used]:
    """Return what all processes below this one have used."""
    children: dict[int, list[int]] = defaultdict(list)
    found: dict[int, Used] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            lines = (folder / "status").read_text().splitlines()
            times = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        status = dict(line.partition(":")[::2] for line in lines)
        peak, size = (int(status.get(name, "0").split()[0]) for name in ("VmHWM", "VmRSS"))
        cpu = (int(times[11]) + int(times[12])) / _TICKS
        children[int(status["PPid"])].append(int(folder.name))
        found[int(folder.name)] = Used(status["Name"].strip(), cpu, peak, size)
    below, waiting = {}, [os.getpid()]
    while waiting:
        for child in children[waiting.pop()]:
            below[child] = found[child]
            waiting.append(child)
    return below


if __name__ == "__main__":
    raise SystemExit(main())
