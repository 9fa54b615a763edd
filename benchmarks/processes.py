"""What a command costs with all processes that it starts: Java and its Python workers too.

Run as a program: `python -m benchmarks.processes COMMAND...` runs a command, discards its output,
and prints the CPU seconds of all processes and the peak memory of each. Linux only: processes that
outlive their parent are adopted, so that what they cost is counted.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

_ADOPT = 36  # PR_SET_CHILD_SUBREAPER
_PAUSE = 0.2


def main() -> int:
    """Run a command, and print what it cost."""
    ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    peaks: dict[int, tuple[str, int]] = {}
    most = 0
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        found = _descendants()
        for pid, (name, peak, _) in found.items():
            peaks[pid] = name, max(peak, peaks.get(pid, (name, 0))[1])  # one that ended has none
        most = max(most, sum(size for _, _, size in found.values()))
        time.sleep(_PAUSE)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    by_name: dict[str, list[int]] = defaultdict(list)
    for name, peak in peaks.values():
        by_name[name].append(peak)
    cost = {
        "cpu": usage.ru_utime + usage.ru_stime,
        "together": most / 1000,
        "peaks": {name: max(found) / 1000 for name, found in by_name.items()},
    }
    print(json.dumps(cost))
    return process.returncode


def _descendants() -> dict[int, tuple[str, int, int]]:
    """Return the names of all processes below this one, their peak memory and memory in kB."""
    children: dict[int, list[int]] = defaultdict(list)
    found: dict[int, tuple[str, int, int]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            lines = (folder / "status").read_text().splitlines()
        except OSError:
            continue
        status = dict(line.partition(":")[::2] for line in lines)
        peak, size = (int(status.get(name, "0").split()[0]) for name in ("VmHWM", "VmRSS"))
        children[int(status["PPid"])].append(int(folder.name))
        found[int(folder.name)] = (status["Name"].strip(), peak, size)
    below, waiting = {}, [os.getpid()]
    while waiting:
        for child in children[waiting.pop()]:
            below[child] = found[child]
            waiting.append(child)
    return below


if __name__ == "__main__":
    raise SystemExit(main())
