"""Several processes return what one returns: the same bits, notes and errors."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from threading import Thread

import pytest

import scoref
from scoref.base.arrays import Floats
from scoref.base.process_pool import LostError, Processes
from scoref.engines import workers
from scoref.engines.prefetched_input import divide
from scoref.engines.workers import (
    estimate_reading,
    prefetched,
    saves_time,
    score_each,
)
from scoref.exceptions import FormatError, Problem, ScorefError, UsageError
from scoref.formats.io.sources import Source, sources
from scoref.key import Key
from scoref.matching.inputs import Input
from scoref.metrics.muc import MUC
from scoref.metrics.table import Table
from scoref.policy import Policy
from scoref.result import Result
from tests.conftest import REPOSITORY
from tests.sampled import sampled
from tests.test_key import everything

FERRY = REPOSITORY / "examples" / "ferry"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Start processes for small work too; return how many were started each time."""
    many_each_time: list[int] = []
    before = Processes.__init__

    def recording(self: Processes, many: int, module: str = "scoref") -> None:
        many_each_time.append(many)
        before(self, many, module)

    monkeypatch.setattr(workers, "START_SECONDS", -1e9)
    monkeypatch.setattr(Processes, "__init__", recording)
    return many_each_time


def score(key: Input, response: Input, policy: Policy | None = None, *, jobs: int) -> Result:
    """Score as the command line does, with several processes."""
    with prefetched(key, response, jobs) as (key_input, response_input):
        return scoref.score(key_input, response_input, policy=policy)


def folder(path: Path, source: Path, bad: str = "") -> Path:
    """Write the documents of a file into files of their own, one of them perhaps damaged."""
    path.mkdir()
    once = source.read_text("utf-8")
    text = once + once.replace("document (harbour/", "document (haven/")
    parts = re.findall(r"#begin document.*?#end document\n", text, flags=re.DOTALL)
    for number, part in enumerate(parts):
        content = part.replace("(1", "(1(", 1) if f"{number}" in bad else part
        (path / f"part{number}.conll").write_text(content, "utf-8")
    assert len(parts) == 4
    return path


@pytest.mark.parametrize("jobs", [2, 3, 8])
@pytest.mark.parametrize("match", ["exact", "head"])
def test_a_pair_of_files(started: list[int], jobs: int, match: str) -> None:
    """The key is read here, the response elsewhere."""
    key, response, policy = FERRY / "key.conll", FERRY / "careful.conll", Policy(match=match)
    expected = everything(lambda: scoref.score(key, response, policy=policy))
    found = everything(lambda: score(key, response, policy=policy, jobs=jobs))
    assert found == expected
    assert started == [1]


@pytest.mark.parametrize(
    ("jobs", "bad"), sampled(product([2, 3], ["", "1", "02", "2"]), every=3, several=True)
)
def test_directories(tmp_path: Path, started: list[int], jobs: int, bad: str) -> None:
    """Files are divided, and the first error is reported, as if they were read in order."""
    key = folder(tmp_path / "key", FERRY / "key.conll")
    response = folder(tmp_path / "response", FERRY / "baseline.conll", bad)
    expected = everything(lambda: scoref.score(key, response))
    assert everything(lambda: score(key, response, jobs=jobs)) == expected
    assert (FormatError in expected) == bool(bad)
    assert started == [jobs]


def test_errors_come_in_the_same_order(tmp_path: Path, started: list[int]) -> None:
    """An error of the key is reported first, with all its problems, also if both sides have one."""
    key = folder(tmp_path / "key", FERRY / "key.conll", "2")
    response = folder(tmp_path / "response", FERRY / "key.conll", "0")
    with pytest.raises(FormatError) as alone:
        scoref.score(key, response)
    with pytest.raises(FormatError) as together:
        score(key, response, jobs=2)
    assert together.value.problems == alone.value.problems
    assert str(together.value) == str(alone.value)
    assert started


def test_several_systems(started: list[int]) -> None:
    """Each is read and counted in one process, and comes back in its place."""
    systems: dict[str, Input] = {
        "careful": FERRY / "careful.conll",
        "here": scoref.read(FERRY / "key.conll"),
        "baseline": str(FERRY / "baseline.conll"),
    }
    key = Key(FERRY / "key.conll")
    expected = [everything(lambda g=given: key.score(g)) for given in systems.values()]  # type: ignore[misc]
    found = list(score_each(key, systems, 2))
    assert [everything(lambda r=result: r) for result in found] == expected  # type: ignore[misc]
    assert [result.where("entity_size>1").scores for result in found]
    assert started == [2]
    alone, together = (
        scoref.compare(FERRY / "key.conll", systems, trials=100, jobs=jobs).to_json()
        for jobs in (1, 2)
    )
    assert alone == together


def test_an_error_names_the_system(tmp_path: Path, started: list[int]) -> None:
    """As from one process."""
    (tmp_path / "odd.conll").write_text(
        (FERRY / "careful.conll").read_text("utf-8").replace("harbour/", "haven/"), "utf-8"
    )
    systems = {"careful": FERRY / "careful.conll", "odd": tmp_path / "odd.conll"}
    messages = []
    for jobs in (1, 2):
        with pytest.raises(ScorefError) as error:
            scoref.compare(FERRY / "key.conll", systems, jobs=jobs)
        messages.append((type(error.value), str(error.value)))
    assert messages[0] == messages[1]
    assert started


def test_no_process_is_started_for_small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process is done before another one would be ready."""
    monkeypatch.setattr(Processes, "__init__", None)
    score(FERRY / "key.conll", FERRY / "careful.conll", jobs=4)
    systems = {"a": FERRY / "careful.conll", "b": FERRY / "baseline.conll"}
    scoref.compare(FERRY / "key.conll", systems, trials=10, jobs=4)


def test_metrics_that_cannot_be_pickled_are_counted_here(started: list[int]) -> None:
    """Another process cannot import them."""

    def mine(table: Table) -> Floats:
        return MUC.count(table)

    systems = {"a": FERRY / "careful.conll", "b": FERRY / "baseline.conll"}
    results = list(score_each(Key(FERRY / "key.conll", [mine, "muc"]), systems, 2))
    assert [result["mine"] for result in results] == [result["muc"] for result in results]
    assert not started


@pytest.mark.usefixtures("started")
def test_a_counts_file_is_read_here(tmp_path: Path) -> None:
    """Compressed or not."""
    for name in ("a.counts.json", "a.counts.json.gz"):
        scoref.score(FERRY / "key.conll", FERRY / "careful.conll").save_counts(tmp_path / name)
        result = score(FERRY / "key.conll", tmp_path / name, jobs=2)
        again = scoref.score(FERRY / "key.conll", tmp_path / name)
        assert repr(result.scores) == repr(again.scores)


def test_processes_must_save_time() -> None:
    """More than they take to start, with at least two of them and two inputs."""
    assert saves_time([1.0, 1.0], 2)
    assert not saves_time([1.0, 1.0], 1)
    assert not saves_time([0.1, 0.1], 8)
    assert not saves_time([5.0, 0.1], 8)
    assert not saves_time([5.0], 8)
    assert not saves_time([], 8)
    assert saves_time([0.2] * 10, 2)


def test_reading_time_is_estimated(tmp_path: Path) -> None:
    """From size and format; a file that does not exist takes no time."""
    (tmp_path / "a").write_bytes(b"#begin document (a)\n" + b"x" * 2_500_000)
    assert estimate_reading(tmp_path / "a").seconds == pytest.approx(0.01, rel=0.01)
    assert estimate_reading(tmp_path) == estimate_reading(tmp_path / "a")._replace(
        path=str(tmp_path)
    )
    odd: dict[str, str] = {}
    for nothing in (tmp_path / "b", "-", odd, FERRY / "nowhere"):
        assert estimate_reading(nothing).seconds == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_are_read_once(tmp_path: Path, started: list[int]) -> None:
    """An estimate must not consume them: `scoref score key.conll <(program)`."""
    os.mkfifo(tmp_path / "response")
    assert estimate_reading(tmp_path / "response").seconds == 0
    content = (FERRY / "careful.conll").read_bytes()
    writer = Thread(target=(tmp_path / "response").write_bytes, args=[content], daemon=True)
    writer.start()
    result = score(FERRY / "key.conll", tmp_path / "response", jobs=2)
    writer.join(timeout=20)
    assert repr(result.scores) == repr(
        scoref.score(FERRY / "key.conll", FERRY / "careful.conll").scores
    )
    assert not started


def test_files_are_divided_evenly_and_in_order(tmp_path: Path) -> None:
    """Files of any size."""
    for number, size in enumerate([5, 1, 1, 1, 8, 0, 2, 6]):
        (tmp_path / f"{number}.conll").write_bytes(b"x" * size)
    given = sources(tmp_path)
    for parts in (1, 2, 3, 8, 20):
        divided = divide(given, parts)
        assert [source for part in divided for source in part] == given
        assert len(divided) <= parts
        assert all(divided)
    assert [len(part) for part in divide(given, 2)] == [5, 3]
    assert divide([Source(None, "standard input")], 4) == [[Source(None, "standard input")]]


def test_errors_can_be_pickled() -> None:
    """With their hints and problems."""
    problem = Problem("a.conll", 3, "x", "y", "z")
    for error in (UsageError("a", "b"), FormatError([problem, problem], "folder"), LostError("a")):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.hint == error.hint
        assert vars(again) == vars(error)


def fail() -> None:
    """Raise an error that cannot be pickled."""

    class OddError(Exception):
        """Of no module."""

    raise OddError("odd")


def test_errors_of_a_worker_are_raised_here() -> None:
    """For a lost process, the error says what it did, and what to do."""
    with Processes(1) as processes:
        with pytest.raises(ValueError, match="invalid literal"):
            processes.submit("reading", int, "x").result()
        with pytest.raises(RuntimeError, match="OddError: odd"):
            processes.submit("reading", fail).result()
        assert processes.submit("reading", print, "not an answer").result() is None
        lost = processes.submit("reading a.conll", os.kill, 0, 9)  # its own group: itself
        with pytest.raises(
            LostError, match=r"was killed \(SIGKILL\) while reading a.conll"
        ) as error:
            lost.result()
        assert "fewer --jobs" in error.value.hint


def running(mark: str) -> list[str]:
    """Return the processes whose command line has some text."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if mark in command and "serve(module)" in command:
            found.append(command)
    return found


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked for in /proc")
def test_no_worker_outlives_its_parent(tmp_path: Path) -> None:
    """Not even if the parent is killed."""
    code = (
        f"import sys, time; sys.path.append({str(tmp_path)!r});"
        "from scoref.base.process_pool import Processes; processes = Processes(2);"
        "assert processes.submit('x', abs, -1).result() == 1;"
        "print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert len(running(str(tmp_path))) == 2
        process.kill()
    end = time.monotonic() + 10
    while running(str(tmp_path)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not running(str(tmp_path))


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    """A worker does not run the program of the user again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import scoref\n"
        "from scoref.engines import workers\nworkers.START_SECONDS = -1e9\n"
        f"print('started')\nf = {str(FERRY)!r}\n"
        "systems = {'a': f + '/careful.conll', 'b': f + '/baseline.conll'}\n"
        "print(scoref.compare(f + '/key.conll', systems, trials=10, jobs=2).metric)\n"
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "started\nconll\n"
