"""A corpus without documents has an effective number of documents too."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoref.cli import main


@pytest.mark.parametrize("command", ["compare", "gate", "report"])
def test_no_documents(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that has only a header is compared, or refused with a message."""
    path = tmp_path / "empty.csv"
    path.write_text("document,start,end,entity\n", encoding="utf-8")
    files = [str(path)] * 3 if command == "gate" else [str(path), f"a={path}", f"b={path}"]
    output = ["-o", str(tmp_path / "report.html")] if command == "report" else []

    assert main([command, *files, *output]) == (2 if command == "gate" else 0)
    assert ("no documents" in capsys.readouterr().err) == (command == "gate")
