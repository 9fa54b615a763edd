"""Progress is for who waits at a terminal, and leaves nothing behind."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest

from scoref.base import progress as module
from scoref.base.progress import describe, progress, show_progress
from tests.conftest import REPOSITORY


class Terminal(io.StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True

    @property
    def screen(self) -> str:
        """What stands on its last line, as a terminal writes over it."""
        line = ""
        for part in self.getvalue().split("\r"):
            line = part + line[len(part) :]
        return line.rstrip()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replace standard error, show progress, and pretend that every look at the clock is 1 s."""
    found = Terminal()
    seconds = iter(range(10_000))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=found))
    monkeypatch.setattr("time.monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr(module._Shown, "allowed", False)
    return found


def test_it_is_shown_and_then_erased(terminal: Terminal) -> None:
    """What is left is what was there before."""
    show_progress(shown=True)
    with progress("reading", 10) as advance:
        for _ in range(4):
            advance(1)
        assert terminal.screen == "reading  [########............]  40%  1/s  0:06 left"
        advance(6)
        assert terminal.screen == "reading  [####################] 100%  2/s"
    assert terminal.screen == ""


def test_it_is_erased_after_an_error(terminal: Terminal) -> None:
    """A message starts on a clean line."""
    show_progress(shown=True)

    def interrupted() -> None:
        with progress("reading", 10) as advance:
            advance(1)
            advance(1)
            assert terminal.screen
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.screen == ""


def test_short_work_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for what takes less than a second."""
    monkeypatch.setattr("time.monotonic", lambda: 5.0)
    show_progress(shown=True)
    with progress("reading", 10) as advance:
        advance(10)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("why", ["library", "quiet", "file", "dumb"])
def test_it_is_not_shown(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    """A library, -q, a file for standard error, a terminal that cannot write over a line."""
    if why == "file":
        monkeypatch.setattr(Terminal, "isatty", lambda _: False)
    if why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    if why != "library":
        show_progress(shown=why != "quiet")
    with progress("reading", 10) as advance:
        for _ in range(10):
            advance(1)
    assert terminal.getvalue() == ""


def test_work_within_work_is_silent(terminal: Terminal) -> None:
    """One line shows the whole."""
    show_progress(shown=True)
    with progress("systems", 2) as advance:
        advance(1)
        advance(0)
        before = terminal.screen
        with progress("reading", 100) as inner:
            for _ in range(5):
                inner(1)
        assert terminal.screen == before


def test_a_long_line_does_not_wrap(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that wraps cannot be written over."""
    monkeypatch.setenv("COLUMNS", "30")
    show_progress(shown=True)
    with progress("reading a file with a long name", 10) as advance:
        advance(1)
        advance(1)
        assert len(terminal.screen) == 29


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ("reading", 5e8, 1e9, 5.0, "B"),
            "reading  [##########..........]  50%  100 MB/s  0:05 left",
        ),
        (("drawing", 1, 10_000, 1.0), "drawing  [....................]   0%  1/s  2:46:39 left"),
        (("reading", 2_500_000, None, 2.0, "B"), "reading  2.5 MB  1.25 MB/s"),
        (("reading", 0, 10, 2.0), "reading  [....................]   0%  0/s"),
        (("reading", 12, 10, 2.0), "reading  [####################] 100%  6/s"),
        (("solving", 1, None, 4.0), "solving  1  0.2/s"),
    ],
)
def test_what_it_says(arguments: tuple[str, float, float | None, float], expected: str) -> None:
    """How far, how fast, how long."""
    assert describe(*arguments) == expected


def write_slowly(path: Path, text: bytes) -> None:
    """Write to a pipe what takes more than a second to come."""
    with path.open("wb") as stream:
        stream.write(text)
        stream.flush()
        time.sleep(1.2)
        stream.write(text[30:])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("quiet", [False, True])
def test_a_command_at_a_terminal(tmp_path: Path, *, quiet: bool) -> None:
    """A real one, with a key that comes slowly; -q keeps it silent."""
    pty = pytest.importorskip("pty")
    text = b"#begin document (a); part 000\n" + b"a 0 0 word (1)\n" * 200_000
    (tmp_path / "response").write_bytes(text + text[30:])
    os.mkfifo(tmp_path / "key")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "scoref", "score", "key", "response", *(["-q"] if quiet else [])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "src"), "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        Thread(target=write_slowly, args=[tmp_path / "key", text], daemon=True).start()
        assert process.stdout is not None
        out = process.stdout.read()
    shown = Terminal()
    os.set_blocking(ours, False)
    with suppress(OSError):  # nothing was written, or nobody is there any more
        shown.write(os.read(ours, 100_000).decode())
    os.close(ours)
    assert process.returncode == 0
    assert out == b"100.00\n" if quiet else b"scoref|" in out
    if not quiet:
        assert "\rreading key  " in shown.getvalue()
        assert " MB/s" in shown.getvalue()
    assert shown.screen == ""
