"""Run the fuzzer: `make fuzz`, or `python -m tests.fuzz --help`."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import secrets
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from queue import Empty
from typing import Any

from tests.fuzz import spacy_stand_in
from tests.fuzz.generators import GENERATORS
from tests.fuzz.judge import FAILURES, HANG, SUFFIXES, VERDICTS, Judge, draw_input
from tests.fuzz.limits import limit_memory
from tests.fuzz.shrink import shrink

STUCK = 60.0
"""Seconds after which a process that works on one input is ended from outside."""
FOLDER = Path("build/fuzz")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run for some seconds, or repeat one input."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--seed", default="", help="repeat the inputs of a seed (default: new)")
    parser.add_argument(
        "--format", action="append", choices=GENERATORS, help="only this format (repeatable)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--index", type=int, help="judge one input of a seed and a format")
    options = parser.parse_args(arguments)
    seed = options.seed or secrets.token_hex(4)
    formats = options.format or list(GENERATORS)
    if options.index is not None:
        return repeat(seed, formats[0], options.index)
    return Fuzzer(seed, formats, options.jobs).run(options.seconds)


def repeat(seed: str, name: str, number: int) -> int:
    """Judge one input again, and save it."""
    spacy_stand_in.install()
    given = draw_input(seed, name, number)
    with Judge() as judge:
        verdict = judge.judge(given)
        path = judge.write("x", name, given.files)
        FOLDER.mkdir(parents=True, exist_ok=True)
        saved = FOLDER / f"{name}-{seed}-{number}{path.suffix}"
        saved.write_bytes(given.files[""])
    print(f"{name} {number}: {verdict.kind} {verdict.reason}")
    print(f"  damage: {', '.join(given.damage) or 'none'}\n  {verdict.detail}\n  file: {saved}")
    return int(verdict.kind in FAILURES)


def work(
    seed: str, formats: list[str], first: int, step: int, until: float, queue: Any, state: Any
) -> None:
    """Judge inputs until the time is over; each process has numbers of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    spacy_stand_in.install()
    shrunk: set[tuple[str, str, str]] = set()
    counts: Counter[tuple[str, str]] = Counter()
    told = time.time()
    with Judge() as judge:
        for name in formats:  # imports count for no input
            judge.judge(draw_input("warm-up", name, 0))
        limit_memory()
        number = first
        while (now := time.time()) < until:
            for name in formats:
                state[0], state[1], state[2] = number, formats.index(name), time.time()
                given = draw_input(seed, name, number)
                verdict = judge.judge(given)
                counts[name, verdict.kind] += 1
                if verdict.kind in FAILURES:
                    key = (name, *verdict.signature)
                    if key not in shrunk:
                        shrunk.add(key)
                        state[2] = time.time()
                        small = shrink(judge, given, verdict)
                        queue.put(("failure", key, number, verdict.detail, given.damage, small))
                    else:
                        queue.put(("failure", key, number, verdict.detail, given.damage, None))
            number += step
            if now - told > 1:
                queue.put(("counts", dict(counts)))
                counts.clear()
                told = now
    queue.put(("counts", dict(counts)))
    queue.put(("done", first))


class Fuzzer:
    """Starts processes, watches them, and shows what they found."""

    def __init__(self, seed: str, formats: list[str], jobs: int) -> None:
        self.seed, self.formats, self.jobs = seed, formats, max(1, jobs)
        self.context: Any = multiprocessing.get_context("fork")
        self.queue = self.context.Queue()
        self.counts: Counter[tuple[str, str]] = Counter()
        self.failures: dict[tuple[str, str, str], list[Any]] = {}
        self.processes: dict[int, tuple[Any, Any]] = {}

    def run(self, seconds: float) -> int:
        """Run, and return the exit code."""
        print(f"seed {self.seed}, {self.jobs} processes, {seconds:g} s", flush=True)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # it ends with a table, too
        began = time.time()
        until = began + seconds
        for first in range(self.jobs):
            self.start(first, first, until)
        shown = 0.0
        try:
            while self.processes:
                try:
                    self.take(self.queue.get(timeout=0.5))
                except Empty:
                    self.watch(until)
                if time.time() - shown > 1:
                    shown = time.time()
                    self.show_progress(began, seconds)
        except KeyboardInterrupt:
            for process, _ in self.processes.values():
                process.kill()
        sys.stderr.write("\n" if sys.stderr.isatty() else "")
        self.report(time.time() - began)
        return int(bool(self.failures))

    def start(self, first: int, number: int, until: float) -> None:
        """Start a process at a number."""
        state = self.context.Array("d", [float(number), 0.0, time.time()], lock=False)
        process = self.context.Process(
            target=work,
            args=(self.seed, self.formats, number, self.jobs, until, self.queue, state),
            daemon=True,
        )
        process.start()
        self.processes[first] = process, state

    def watch(self, until: float) -> None:
        """End processes that are stuck, and start others in place of those that died."""
        for first, (process, state) in list(self.processes.items()):
            stuck = time.time() - state[2] > STUCK
            if process.is_alive() and not stuck:
                continue
            if not process.is_alive() and process.exitcode == 0:
                del self.processes[first]
                continue
            process.kill()
            process.join()
            number, name = int(state[0]), self.formats[int(state[1])]
            reason = f"no answer after {STUCK:g} s" if stuck else f"ended by {process.exitcode}"
            self.counts[name, HANG] += 1
            self.failures.setdefault((name, HANG, reason), [0, number, "", (), None])[0] += 1
            del self.processes[first]
            if time.time() < until:
                self.start(first, number + self.jobs, until)

    def take(self, message: Any) -> None:
        """Take a message of a process."""
        if message[0] == "counts":
            self.counts.update(message[1])
        elif message[0] == "failure":
            _, key, number, detail, damage, small = message
            if key not in self.failures:  # a long run shows what it found before it ends
                print(f"found {': '.join(key)}\n  {self.repetition(key[0], number)}", flush=True)
            entry = self.failures.setdefault(key, [0, number, detail, damage, small])
            entry[0] += 1

    def repetition(self, name: str, number: int) -> str:
        """Return the command that judges one input again."""
        chosen = f"--seed {self.seed} --format {name} --index {number}"
        return f"repeat: python -m tests.fuzz {chosen}"

    def show_progress(self, began: float, seconds: float) -> None:
        """Show a line on a terminal."""
        if sys.stderr.isatty():
            total, spent = sum(self.counts.values()), time.time() - began
            sys.stderr.write(
                f"\r{spent:4.0f} of {seconds:g} s: {total:,} inputs, {total / spent:,.0f}/s,"
                f" {len(self.failures)} kinds of failures "
            )
            sys.stderr.flush()

    def report(self, seconds: float) -> None:
        """Print a table by format, and a reproduction of each kind of failure."""
        print(f"{'format':16} {'inputs':>9}" + "".join(f"{kind:>9}" for kind in VERDICTS))
        rows = [(name, [self.counts[name, kind] for kind in VERDICTS]) for name in self.formats]
        rows.append(("all", [sum(column) for column in zip(*(r for _, r in rows), strict=True)]))
        for name, row in rows:
            print(f"{name:16} {sum(row):9,}" + "".join(f"{count:9,}" for count in row))
        total = sum(rows[-1][1])
        print(f"{total:,} inputs in {seconds:.0f} s: {total / seconds:,.0f} per second")
        FOLDER.mkdir(parents=True, exist_ok=True)
        saved: Counter[str] = Counter()
        for (name, kind, reason), entry in sorted(self.failures.items()):
            times, number, detail, damage, small = entry
            print(f"\n{name}: {kind}: {reason} ({times:,} times)")
            print(
                f"  {detail}" if detail else "",
                f"  damage: {', '.join(damage) or 'none'}",
                sep="\n",
            )
            if small is not None:
                saved[name] += 1
                path = FOLDER / f"{name}-{self.seed}-{number}{SUFFIXES.get(name, '.txt')}"
                path.write_bytes(small.files[""])
                print(f"  smallest file: {path}")
                if len(small.files[""]) < 400:
                    print(f"  {json.dumps(small.files[''].decode('utf-8', 'backslashreplace'))}")
            print(f"  {self.repetition(name, number)}")


if __name__ == "__main__":
    raise SystemExit(main())
