"""Output files: complete or absent, all together, and nothing left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from scoref.exceptions import ScorefError
from scoref.formats.io import output_files
from scoref.formats.io.output_files import all_or_nothing, append, write_whole
from tests.conftest import REPOSITORY


def put(path: Path, data: bytes) -> None:
    """Write a file."""
    with write_whole(path) as stream:
        stream.write(data)


def names(folder: Path) -> list[str]:
    """Return the files of a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o444])
def test_a_replaced_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    """Whatever the umask says about new files."""
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(mode)
    put(tmp_path / "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == mode


def test_files_appear_together(tmp_path: Path) -> None:
    """At the end of the outermost block."""
    with all_or_nothing():
        put(tmp_path / "a", b"1")
        with all_or_nothing():
            put(tmp_path / "b", b"2")
        append(tmp_path / "c", b"3")
        assert not {"a", "b", "c"} & set(names(tmp_path))
    assert names(tmp_path) == ["a", "b", "c"]


@pytest.mark.parametrize("place", range(3))
def test_a_failure_at_any_rename_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    """Old files have their old content, new ones are absent."""
    (tmp_path / "a").write_bytes(b"old a")
    (tmp_path / "c").write_bytes(b"old c")
    original, calls = Path.replace, iter(range(9))

    def replace(self: Path, target: Path) -> Path:
        if next(calls) == place:
            raise OSError(28, "No space left on device")
        return original(self, target)

    def write() -> None:
        with all_or_nothing():
            for name in "abc":
                put(tmp_path / name, b"new")
            monkeypatch.setattr(Path, "replace", replace)

    with pytest.raises(ScorefError, match=f"cannot write .*{'abc'[place]}: No space left"):
        write()
    assert names(tmp_path) == ["a", "c"]
    assert (tmp_path / "a").read_bytes() == b"old a"
    assert (tmp_path / "c").read_bytes() == b"old c"


def test_a_failure_of_the_caller_writes_nothing(tmp_path: Path) -> None:
    """Not even the files that were complete."""

    def write() -> None:
        with all_or_nothing():
            put(tmp_path / "a", b"1")
            append(tmp_path / "b", b"2")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        write()
    assert names(tmp_path) == []


def test_threads_do_not_share_their_outputs(tmp_path: Path) -> None:
    """A file of another thread does not wait for the block of this one."""
    with all_or_nothing():
        put(tmp_path / "mine", b"1")
        thread = threading.Thread(target=put, args=(tmp_path / "other", b"2"))
        thread.start()
        thread.join()
        assert (tmp_path / "other").read_bytes() == b"2"
        assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("links", [["a"], ["b", "a"], ["b", "c", "a"]])
def test_a_loop_of_links(tmp_path: Path, links: list[str]) -> None:
    """Is a message."""
    for name, target in zip(["a", *links], links, strict=False):
        (tmp_path / name).symlink_to(target)
    with pytest.raises(ScorefError, match=r"cannot write .*a: its symbolic links form a loop"):
        put(tmp_path / "a", b"1")


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    """By the next process that writes there; those of a running process stay."""
    code = (
        "import os, signal, sys; from scoref.formats.io.output_files import write_whole\n"
        "with write_whole(sys.argv[1]) as stream: os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "src")}
    command = [sys.executable, "-c", code, str(tmp_path / "out")]
    done = subprocess.run(command, check=False, env=environment)
    assert done.returncode == -signal.SIGKILL
    (left,) = names(tmp_path)
    assert output_files._TEMPORARY.fullmatch(left)
    running = left.replace(left.split("-")[2], str(os.getpid()))
    elsewhere = left.replace(left.split("-")[1], "0" * 8)
    for name in (running, elsewhere):
        (tmp_path / name).touch()
    put(tmp_path / "x", b"1")
    assert names(tmp_path) == sorted([running, elsewhere, "x"])


def test_a_long_name(tmp_path: Path) -> None:
    """Of as many bytes as a file system allows."""
    put(tmp_path / ("\u00e9" * 127), b"1")
    assert names(tmp_path) == ["\u00e9" * 127]
