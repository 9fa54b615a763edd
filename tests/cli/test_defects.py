"""An exception that nobody expected: one line, how to report it, and a code of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from scoref.cli import main
from tests.conftest import REPOSITORY

WORDS = ["stats", str(REPOSITORY / "examples" / "ferry" / "key.conll")]


@pytest.fixture
def defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the command fail."""

    def fail(*_: object, **__: object) -> None:
        raise KeyError("x\n\x1b[2J")

    monkeypatch.setattr("scoref.analysis.statistics.statistics", fail)


@pytest.mark.usefixtures("defect")
@pytest.mark.parametrize("debug", [False, True])
def test_a_defect_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, debug: bool
) -> None:
    """In one line with a hint; with `--debug`, after the traceback."""
    monkeypatch.delenv("SCOREF_RAISE")
    assert main([*WORDS, *(["--debug"] if debug else [])]) == 70
    shown = capsys.readouterr()
    assert shown.out == ""
    assert ("Traceback (most recent call last)" in shown.err) == debug
    assert "\x1b" not in shown.err
    *_, line, hint = shown.err.splitlines()
    assert line.startswith("scoref: error: scoref has failed unexpectedly (KeyError: 'x\\n\\x1b")
    assert hint.startswith("  hint: report this output" if debug else "  hint: run the command")
    if not debug:
        assert "--debug" in hint


@pytest.mark.usefixtures("defect")
def test_tests_see_it() -> None:
    """A test that runs a command cannot mistake a defect for a message."""
    with pytest.raises(KeyError):
        main(WORDS)


@pytest.mark.parametrize("command", ["validate", "stats", "errors", "explain", "report", "compare"])
def test_files_without_documents(tmp_path: Path, command: str) -> None:
    """A table that has only its header is scored, shown or refused, and nothing fails."""
    path = tmp_path / "empty.csv"
    path.write_text("document,start,end,entity\n")
    files = [str(path)] * (1 if command in ("validate", "stats") else 2)
    out = ["-o", str(tmp_path / "r.html")] if command == "report" else []
    assert main([command, *files, *out]) in (0, 1, 2)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.usefixtures("heeded_interruptions")
def test_a_signal_stays_a_signal(
    number: int, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where C code makes another exception of it, as NumPy does while it is imported."""

    def fail(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(number)
        except BaseException:  # noqa: BLE001
            raise ImportError("datetime") from None

    monkeypatch.setattr("scoref.analysis.statistics.statistics", fail)
    assert main(WORDS) == code
    assert "\nscoref: interrupted, " in capsys.readouterr().err
