"""Bridging, split antecedents and deixis from the command line, on the shipped example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from scoref.cli import main
from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "examples" / "anaphora"
FILES = [str(FOLDER / "key.CONLLUA"), str(FOLDER / "response.CONLLUA")]
Capture = pytest.CaptureFixture[str]


def scores(capsys: Capture, *arguments: str) -> dict[str, dict[str, float]]:
    """Score the example, and return what the JSON says."""
    assert main(["score", *FILES, "--to", "json", *arguments]) == 0
    found: dict[str, dict[str, float]] = json.loads(capsys.readouterr().out)["scores"]
    return found


DEIXIS = ("--format", "conllua-deixis", "--split-antecedents", "score")


def test_deixis(capsys: Capture) -> None:
    """The format reads the column, and the policy scores its sets."""
    found = scores(capsys, *DEIXIS)
    assert found["conll"]["f1"] == pytest.approx(0.7995, abs=5e-5)
    assert found != scores(capsys, "--format", "conllua-deixis")


def test_deixis_requires_singletons(capsys: Capture) -> None:
    """A contradicting flag gives a message and exit code 2."""
    assert main(["score", *FILES, *DEIXIS, "--singletons", "drop"]) == 2
    assert "score cannot be combined with singletons drop" in capsys.readouterr().err


def test_the_same_in_python(capsys: Capture) -> None:
    """--like repeats a score that Python computed."""
    policy = scoref.Policy(split_antecedents="score")
    result = scoref.score(FILES[0], FILES[1], policy=policy)
    found = scores(capsys, "--like", result.signature)
    assert found["blanc"]["f1"] == result["blanc"].f1
    assert "split_antecedents:score" in result.signature


def test_comparisons_and_counts_files(capsys: Capture, tmp_path: Path) -> None:
    """A counts file has everything that the scores of bridging require."""
    counts = tmp_path / "x.counts.json"
    metrics = ["-m", "bridging", "-m", "nonreferring", "-m", "conll"]
    split = ["--split-antecedents", "score"]
    assert main(["count", *FILES, *metrics, *split, "-o", str(counts)]) == 0
    capsys.readouterr()
    assert main(["compare", FILES[0], FILES[1], FILES[0], *metrics, *split]) == 0
    assert "bridging" in capsys.readouterr().out
    assert main(["score", FILES[0], str(counts), *metrics, *split, "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert found == scores(capsys, *metrics, *split)
    assert main(["score", FILES[0], str(counts), *metrics]) == 2


def test_other_processes_count_the_same(capsys: Capture) -> None:
    """A worker gets metrics by name, and counts under the same policy."""
    arguments = ["-m", "bridging", "-m", "conll", "--split-antecedents", "score"]
    assert scores(capsys, *arguments, "--jobs", "2") == scores(capsys, *arguments)


def test_explain_refuses_split_antecedents(capsys: Capture) -> None:
    """An explanation would show counts without split antecedents."""
    assert main(["explain", *FILES, "--split-antecedents", "score"]) == 2
    assert "with split_antecedents score" in capsys.readouterr().err


def test_a_stress_test_would_not_move_bridging(capsys: Capture) -> None:
    """It changes entities; a metric that ignores them would look robust."""
    assert main(["stress", *FILES, "-m", "bridging"]) == 2
    assert "changes entities, which bridging ignores" in capsys.readouterr().err
