"""The notebooks of the examples run, and are committed without outputs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "examples").glob("*.ipynb"))
RUN = """
import sys, nbformat
from nbclient import NotebookClient
source, folder, output = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
nbformat.write(notebook, output)
"""


def cells(path: Path) -> list[Any]:
    """Return the cells of a notebook."""
    found: list[Any] = json.loads(path.read_text("utf-8"))["cells"]
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_outputs_are_not_committed(path: Path) -> None:
    """They would differ with every version of every package."""
    for cell in cells(path):
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    """From the first cell to the last; objects of scoref show themselves as HTML."""
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    output = tmp_path / path.name
    run = subprocess.run(
        [sys.executable, "-c", RUN, str(path), str(path.parent), str(output)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    outputs = [one for cell in cells(output) for one in cell.get("outputs", ())]
    shown = ["".join(one["data"].get("text/html", "")) for one in outputs if "data" in one]
    assert sum("scoref|key:" in html for html in shown) >= 5
    assert sum("<iframe sandbox" in html for html in shown) == 1
    assert not any(one["output_type"] == "error" for one in outputs)
