"""The GitHub Action: its steps run in bash, as a runner runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.comparison.systems import make_key, make_system, write_conll
from tests.conftest import REPOSITORY


def action() -> dict[str, Any]:
    """Return the action."""
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and two systems, and an installation of scoref where the action puts it."""
    folder = tmp_path_factory.mktemp("action")
    key = make_key(60)
    write_conll(key, folder / "the key.conll")
    for name, wrong in (("good", 0.1), ("bad", 0.5)):
        write_conll(make_system(key, wrong, len(name)), folder / f"{name}.conll", key)
    (folder / "scoref").mkdir()
    (folder / "scoref" / "bin").symlink_to(Path(sys.executable).parent)
    return folder


def run_gate(folder: Path, **inputs: str) -> tuple[int, str, str]:
    """Run the step `gate`, and return its exit code, the summary and the outputs."""
    found = action()
    values = {name: one.get("default", "") for name, one in found["inputs"].items()} | inputs
    (step,) = [step for step in found["runs"]["steps"] if step.get("id") == "gate"]
    expression = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
    assert not expression.search(step["run"]), "an input in a script could be executed"
    environment = {
        name: expression.sub(lambda match: values[match[1]], value)
        for name, value in step["env"].items()
    }
    files = {"GITHUB_STEP_SUMMARY": folder / "summary.md", "GITHUB_OUTPUT": folder / "output.txt"}
    for file in files.values():
        file.write_text("", "utf-8")
    paths = {name: str(file) for name, file in files.items()}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **environment, **paths, "RUNNER_TEMP": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    texts = [file.read_text("utf-8") for file in files.values()]
    return done.returncode, texts[0], texts[1]


def test_a_gate_that_passes(folder: Path) -> None:
    """The summary is Markdown with the scores; the outputs are for later steps."""
    code, summary, output = run_gate(
        folder,
        key="the key.conll",
        old="good.conll",
        new="good.conll",
        metrics="conll lea",
        arguments="--trials 100 --singletons drop",
        junit="gate.xml",
    )
    assert code == 0
    assert summary.startswith("## scoref gate: passed\n")
    assert "| lea" in summary
    assert "singletons:drop" in summary
    assert output.startswith("outcome=passed\nscores<<")
    assert json.loads(output.split("\n", 2)[2].rsplit("\n", 2)[0])["metrics"].keys() == {
        "conll",
        "lea",
    }
    assert "<testsuites" in (folder / "gate.xml").read_text("utf-8")


def test_a_gate_that_fails(folder: Path) -> None:
    """The job fails, and the summary says why."""
    inputs = {"key": "the key.conll", "old": "good.conll", "new": "bad.conll"}
    code, summary, output = run_gate(folder, **inputs, arguments="--trials 100")
    assert code == 1
    assert "gate failed: conll" in summary
    assert output.startswith("outcome=failed\n")


def test_an_input_that_is_missing(folder: Path) -> None:
    """The exit code is that of the command, and there is no outcome."""
    code, _, output = run_gate(folder, key="no.conll", old="good.conll", new="$(touch x).conll")
    assert code == 2
    assert output.startswith("outcome=\n")
    assert not (folder / "x").exists()


def test_every_input_is_used_and_described() -> None:
    """No input that does nothing."""
    found = action()
    text = json.dumps(found["runs"])
    for name, one in found["inputs"].items():
        assert f"inputs.{name} " in text
        assert one["description"]
    assert found["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" for step in found["runs"]["steps"])
