"""An interrupted command says so in one line, and leaves no partial files or processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry"
KEY, CAREFUL = str(FERRY / "key.conll"), str(FERRY / "careful.conll")
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]
NOTHING = "scoref: interrupted, nothing was written\n"

pytestmark = [
    pytest.mark.usefixtures("heeded_interruptions"),
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are looked for in /proc"),
]


@contextmanager
def running(
    mark: Path, *arguments: str, stdout: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """Run a command; its processes and their workers have a directory on their path as a mark."""
    paths = [str(REPOSITORY / "src"), str(mark)]
    with subprocess.Popen(
        [sys.executable, "-m", "scoref", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        cwd=mark,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def workers(mark: Path) -> list[int]:
    """Return the worker processes of a command."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().decode()
        except OSError:
            continue
        if "serve(module)" in command and str(mark) in command:
            found.append(int(folder.name))
    return found


def wait_for(what: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Wait for a condition, for some seconds, while the process runs."""
    end = time.monotonic() + 30
    while not what():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.002)


def wait_for_none(mark: Path) -> None:
    """Wait until no worker is left, for some seconds."""
    end = time.monotonic() + 10
    while workers(mark):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A CoNLL file that takes a second to convert."""
    path = tmp_path / "big.conll"
    with path.open("w") as stream:
        for document in range(25):
            stream.write(f"#begin document (d{document}); part 000\n")
            stream.writelines(f"d 0 {at} word (1)\n" for at in range(8000))
            stream.write("#end document\n")
    return path


@pytest.fixture
def long(tmp_path: Path) -> tuple[Path, Path]:
    """Two files that are large enough for several processes."""
    documents = [
        {
            "doc_key": f"d{number}",
            "sentences": [["word" * 16] * 10_000],
            "clusters": [[[at, at], [at + 1, at + 2]] for at in range(0, 990, 3)],
        }
        for number in range(14)
    ]
    text = "".join(json.dumps(document) + "\n" for document in documents)
    paths = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    for path in paths:
        path.write_text(text)
    return paths


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_interrupted_while_reading(tmp_path: Path, number: int, code: int) -> None:
    """A pipe as the key, without data."""
    os.mkfifo(tmp_path / "key")
    opened: list[int] = []

    def is_read() -> bool:
        with suppress(OSError):  # until a process reads it
            opened.append(os.open(tmp_path / "key", os.O_WRONLY | os.O_NONBLOCK))
        return bool(opened)

    with running(tmp_path, "score", "key", CAREFUL) as process:
        wait_for(is_read, process)
        # A signal between the last step of Python and the system call waits for the call to end.
        time.sleep(0.2)
        process.send_signal(number)
        out, error = process.communicate(timeout=20)
    os.close(opened[0])
    assert (process.returncode, out, error) == (code, "", NOTHING)


@pytest.mark.parametrize(
    ("number", "code"), [SIGNALS[0], pytest.param(*SIGNALS[1], marks=pytest.mark.long)]
)
def test_interrupted_while_writing(tmp_path: Path, big: Path, number: int, code: int) -> None:
    """An older file stays as it was, and no temporary file is left."""
    (tmp_path / "out.conll").write_text("before")
    with running(tmp_path, "convert", str(big), "-o", "out.conll") as process:
        wait_for(lambda: [*tmp_path.glob(".scoref-*.tmp")], process)
        process.send_signal(number)
        _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (code, NOTHING)
    assert (tmp_path / "out.conll").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.conll", "out.conll"]


@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("command", ["score", "count", "compare"])
def test_workers_end_with_an_interrupted_command(
    tmp_path: Path, long: tuple[Path, Path], command: str, number: int, code: int
) -> None:
    """For every command that uses workers."""
    systems = [str(long[1])] * (2 if command == "compare" else 1)
    out = ["-o", "x.counts.json"] if command == "count" else []
    with running(tmp_path, command, str(long[0]), *systems, "--jobs", "2", *out) as process:
        wait_for(lambda: workers(tmp_path), process)
        process.send_signal(number)
        _, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (code, NOTHING)
    wait_for_none(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key.jsonl", "response.jsonl"]


def test_no_file_of_a_command_appears_before_the_others(tmp_path: Path) -> None:
    """The first figure waits for the second, which is a pipe without a reader."""
    pytest.importorskip("matplotlib")
    os.mkfifo(tmp_path / "two.svg")
    command = ("compare", KEY, CAREFUL, CAREFUL, "--trials", "9")
    with running(tmp_path, *command, "--figure", "one.svg", "--scatter", "two.svg") as process:
        wait_for(lambda: [*tmp_path.glob(".scoref-*.tmp")], process)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert error.endswith(NOTHING)
    assert [path.name for path in tmp_path.iterdir()] == ["two.svg"]


def test_complete_files_are_kept_and_named(tmp_path: Path) -> None:
    """The message lists the files that were written before the interruption."""
    command = ("gate", KEY, CAREFUL, CAREFUL, "--trials", "9", "--junit", "gate.xml")
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while os.write(writer, bytes(4096)):
            """Fill the pipe, so that the command waits when it prints."""
    os.set_blocking(writer, True)
    with running(tmp_path, *command, stdout=writer) as process:
        wait_for((tmp_path / "gate.xml").exists, process)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    os.close(reader)
    os.close(writer)
    assert process.returncode == 130
    assert error.splitlines()[-1] == "scoref: interrupted, these files are complete: gate.xml"


def test_a_killed_worker_is_reported(tmp_path: Path, long: tuple[Path, Path]) -> None:
    """The message says what was lost and what to do."""
    with running(tmp_path, "score", *map(str, long), "--jobs", "2") as process:
        wait_for(lambda: workers(tmp_path), process)
        for worker in workers(tmp_path):
            os.kill(worker, signal.SIGKILL)
        out, error = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert error == (
        f"scoref: error: a worker process was killed (SIGKILL) while reading {long[1]}\n"
        "  hint: use fewer --jobs if memory was short; --jobs 1 starts no worker processes\n"
    )


def test_jobs_do_not_change_the_output(tmp_path: Path, long: tuple[Path, Path]) -> None:
    """Of a real command."""
    outputs = []
    for jobs in ("1", "2", "auto"):
        with running(tmp_path, "score", *map(str, long), "--jobs", jobs) as process:
            outputs.append((*process.communicate(timeout=120), process.returncode))
    assert outputs[0][-1] == 0
    assert outputs[0] == outputs[1] == outputs[2]
    wait_for_none(tmp_path)


WRITING = {
    "convert": ["convert", KEY, "-o", "out", "--to", "conll"],
    "convert to jsonl": ["convert", KEY, "-o", "out", "--to", "jsonl"],
    "count": ["count", KEY, CAREFUL, "-o", "out"],
    "baseline": ["baseline", "one-entity", KEY, "-o", "out"],
    "report": ["report", KEY, CAREFUL, "-o", "out"],
    "gate": ["gate", KEY, CAREFUL, KEY, "--trials", "9", "--junit", "out"],
    "compare": ["compare", KEY, CAREFUL, KEY, "--trials", "9", "--figure", "out.svg"],
    "papers": ["papers", "luo2005", "-o", "."],
}


@pytest.mark.parametrize("command", WRITING)
def test_a_full_disk_is_an_error(tmp_path: Path, command: str) -> None:
    """Exit code 2, and the older file stays as it was."""
    if command in {"compare", "papers"}:
        pytest.importorskip("matplotlib")
    before = {"out": "before", "out.svg": "before"}
    for name, text in before.items():
        (tmp_path / name).write_text(text)
    limit = 'ulimit -f 0; exec "$@"'  # no file can grow
    done = subprocess.run(
        ["sh", "-c", limit, "sh", sys.executable, "-m", "scoref", *WRITING[command]],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "MPLCONFIGDIR": str(tmp_path)},
    )
    assert done.returncode == 2, done
    assert re.search(r"^scoref: error: cannot write .*: File too large$", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    left = {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()}
    assert {name: left[name] for name in before} == before
    assert not [name for name in left if name.startswith(".")]


def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """A device cannot be renamed over."""
    with running(tmp_path, "convert", KEY, "-o", "/dev/null", "--to", "conll") as process:
        assert process.communicate(timeout=20)[1] == ""
    assert Path("/dev/null").is_char_device()
    with running(tmp_path, "convert", KEY, "-o", "/dev/full", "--to", "conll") as process:
        error = process.communicate(timeout=20)[1]
    assert process.returncode == 2
    assert error == "scoref: error: cannot write /dev/full: No space left on device\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Its target is written."""
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real" / "out")
    with running(tmp_path, "convert", KEY, "-o", "out", "--to", "conll") as process:
        process.communicate(timeout=20)
    assert process.returncode == 0
    assert (tmp_path / "out").is_symlink()
    assert (tmp_path / "real" / "out").is_file()


@pytest.mark.parametrize(
    "arguments", [("score", KEY, CAREFUL, "--per-document"), ("--help",), ("metrics",)]
)
def test_a_closed_pipe_is_not_an_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Its reader may stop at any time."""
    with running(tmp_path, *arguments) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0
