"""The GitHub Action: its steps run in bash, as a runner runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import scoref
from tests.comparison.systems import make_key, make_system, write_conll
from tests.conftest import REPOSITORY

_EXPRESSION = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
_NO_NETWORK = "Failed to establish|No matching distribution|ConnectionError|ReadTimeoutError"


def action() -> dict[str, Any]:
    """Return the action."""
    yaml = pytest.importorskip("yaml")
    found: dict[str, Any] = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))
    return found


@dataclass(frozen=True, slots=True)
class Ran:
    """What a step left behind: its exit code, what it printed, the summary and the outputs."""

    code: int
    printed: str
    summary: str
    outputs: dict[str, str]


class Runner:
    """Runs steps of the action in one folder, with the files and variables of a runner.

    A step is a script in a file, which bash runs with the options that GitHub gives it.
    """

    def __init__(self, folder: Path, action_path: Path = REPOSITORY) -> None:
        """Make the folder for temporary files next to the folder of the job."""
        self.folder = folder
        self.temporary = folder.parent / f"{folder.name}-temp"
        self.temporary.mkdir(exist_ok=True)
        self.action_path = action_path

    def run(self, name: str, **inputs: str) -> Ran:
        """Run the step of a name; inputs that are not given have their defaults."""
        found = action()
        given = {key.replace("_", "-"): value for key, value in inputs.items()}
        assert {*given} <= {*found["inputs"]}
        values = {key: one.get("default", "") for key, one in found["inputs"].items()} | given
        (step,) = [step for step in found["runs"]["steps"] if step["name"] == name]
        assert not _EXPRESSION.search(step["run"]), "an input in a script could be executed"
        environment = {
            key: _EXPRESSION.sub(lambda match: values[match[1]], value)
            for key, value in step["env"].items()
        }
        script = self.temporary / "step.sh"
        script.write_text(step["run"], "utf-8")
        files = {key: self.temporary / key for key in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        for file in files.values():
            file.write_text("", "utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.folder,
            env={
                **os.environ,
                **environment,
                **{key: str(file) for key, file in files.items()},
                "GITHUB_ACTION_PATH": str(self.action_path),
                "RUNNER_TEMP": str(self.temporary),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        summary, output = (file.read_text("utf-8") for file in files.values())
        return Ran(done.returncode, done.stdout, summary, read_outputs(output))


def read_outputs(text: str) -> dict[str, str]:
    """Read a file of outputs as the runner does: `name=value`, or `name<<mark` and lines."""
    found = {}
    lines = iter(text.splitlines())
    for line in lines:
        if re.match(r"[\w-]+<<", line):
            name, mark = line.split("<<", 1)
            found[name] = "\n".join(iter(lambda: next(lines), mark))
        else:
            name, found[name] = line.split("=", 1)
    return found


def write_systems(folder: Path) -> None:
    """Write a key and two systems."""
    key = make_key(60)
    write_conll(key, folder / "the key.conll")
    for name, wrong in (("good", 0.1), ("bad", 0.5)):
        write_conll(make_system(key, wrong, len(name)), folder / f"{name}.conll", key)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A runner where the action is installed: its scoref is the one that is tested."""
    runner = Runner(tmp_path_factory.mktemp("action"))
    write_systems(runner.folder)
    (runner.temporary / "scoref").mkdir()
    (runner.temporary / "scoref" / "bin").symlink_to(Path(sys.executable).parent)
    return runner


def test_a_gate_that_passes(runner: Runner) -> None:
    """The summary is Markdown with the scores; the outputs are for later steps."""
    ran = runner.run(
        "scoref gate",
        key="the key.conll",
        old="good.conll",
        new="good.conll",
        metrics="conll lea",
        arguments="--trials 100 --singletons drop",
        junit="gate.xml",
    )
    assert ran.code == 0
    assert ran.summary.startswith("## scoref gate: passed\n")
    assert "| lea" in ran.summary
    assert "singletons:drop" in ran.summary
    assert ran.outputs["outcome"] == "passed"
    assert json.loads(ran.outputs["scores"])["metrics"].keys() == {"conll", "lea"}
    assert "<testsuites" in (runner.folder / "gate.xml").read_text("utf-8")


def test_a_gate_that_fails(runner: Runner) -> None:
    """The job fails, and the summary says why."""
    inputs = {"key": "the key.conll", "old": "good.conll", "new": "bad.conll"}
    ran = runner.run("scoref gate", **inputs, arguments="--trials 100", max_drop="0.5")
    assert ran.code == 1
    assert "gate failed: conll" in ran.summary
    assert ran.outputs["outcome"] == "failed"


def test_an_input_that_is_missing(runner: Runner) -> None:
    """The exit code is that of the command, and there is no outcome."""
    ran = runner.run("scoref gate", key="no.conll", old="good.conll", new="$(touch x).conll")
    assert ran.code == 2
    assert ran.outputs["outcome"] == ""
    assert "no.conll" in ran.printed
    assert not (runner.folder / "x").exists()


def test_a_metric_that_is_mistyped(runner: Runner) -> None:
    """The log of the job has the message of the command."""
    inputs = {"key": "the key.conll", "old": "good.conll", "new": "good.conll"}
    ran = runner.run("scoref gate", **inputs, metrics="ceaf_e")
    assert ran.code == 2
    assert "ceafe" in ran.printed


@pytest.mark.long
def test_both_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a job: the first step installs scoref from the action's folder, the second runs it."""
    monkeypatch.delenv("PYTHONPATH", raising=False)  # it would hide what was installed
    runner = Runner(tmp_path / "job")
    runner.folder.mkdir()
    write_systems(runner.folder)
    installed = runner.run("install scoref", python=sys.executable)
    if installed.code and re.search(_NO_NETWORK, installed.printed):
        pytest.skip("no package index can be reached to install NumPy and SciPy")
    assert installed.code == 0, installed.printed
    program = runner.temporary / "scoref" / "bin" / "scoref"
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert scoref.__version__ in version.stdout

    names = {"key": "the key.conll", "old": "good.conll", "arguments": "--trials 100"}
    assert runner.run("scoref gate", **names, new="good.conll").outputs["outcome"] == "passed"
    failed = runner.run("scoref gate", **names, new="bad.conll")
    assert (failed.code, failed.outputs["outcome"]) == (1, "failed")
    counts = runner.folder / "main.counts.json"
    command = [str(program), "count", "the key.conll", "good.conll", "--out", str(counts)]
    subprocess.run(command, cwd=runner.folder, check=True, capture_output=True)
    again = runner.run("scoref gate", **names | {"old": counts.name}, new="good.conll")
    assert again.outputs["outcome"] == "passed"


@pytest.mark.slow
def test_a_python_that_is_missing(tmp_path: Path) -> None:
    """The first step fails, and names it."""
    runner = Runner(tmp_path)
    ran = runner.run("install scoref", python="python-that-is-missing")
    assert ran.code != 0
    assert "python-that-is-missing" in ran.printed


def test_every_input_is_used_and_described() -> None:
    """No input that does nothing."""
    found = action()
    text = json.dumps(found["runs"])
    for name, one in found["inputs"].items():
        assert f"inputs.{name} " in text
        assert one["description"]
    assert found["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" for step in found["runs"]["steps"])


def test_the_example_of_the_manual() -> None:
    """It has inputs of the action only, all required ones, and an address that is the reader's."""
    yaml = pytest.importorskip("yaml")
    page = (REPOSITORY / "docs" / "guides" / "harnesses.md").read_text("utf-8")
    (text,) = re.findall(r"^```yaml\n(- uses:.*?)^```$", page, re.MULTILINE | re.DOTALL)
    checkout, gate = yaml.safe_load(text)
    inputs = action()["inputs"]
    assert {*gate["with"]} <= {*inputs}
    assert {name for name, one in inputs.items() if one.get("required")} <= {*gate["with"]}
    assert gate["uses"] == f"./{checkout['with']['path']}"
    assert checkout["with"]["repository"] == "YOUR-ORGANISATION/scoref"
