"""The example of a shared task: its bundle is tried as the platform would try it."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.cli import main
from tests.conftest import REPOSITORY

TASK = REPOSITORY / "examples" / "shared-task"
ISLAND = REPOSITORY / "examples" / "island"
FERRY = REPOSITORY / "examples" / "ferry"
SYSTEMS = ("sieve", "neural", "chat")
pytestmark = pytest.mark.slow


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a program of the example."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, check=False, encoding="utf-8")


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive that `make.py` packs."""
    folder = tmp_path_factory.mktemp("task")
    done = run(TASK / "make.py", folder)
    assert done.returncode == 0, done.stderr
    return folder / "bundle.zip"


def submit(bundle: Path, folder: Path, phase: int, **files: bytes) -> Any:
    """Submit some files, and return what the script printed."""
    folder.mkdir(exist_ok=True)
    archive = folder / "submission.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name, content in files.items():
            packed.writestr(name.replace("__", "."), content)
    return run(TASK / "try_bundle.py", bundle, archive, folder / "out", "--phase", phase)


def test_the_texts_have_no_annotation(bundle: Path) -> None:
    """Neither mentions nor tags; and the keys are those of the examples."""
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(bundle.parent / "unpacked")
    for phase, example in (("development", FERRY), ("test", ISLAND)):
        folder = bundle.parent / "unpacked" / phase
        key = scoref.read(example / "key.conll", words=True)
        for name in ("texts.conll", "texts.jsonl"):
            text = scoref.read(folder / "input_data" / name, words=True)
            assert len(text) == 0
            assert text.text is not None
            assert key.text is not None
            assert list(text.text.columns["word"]) == list(key.text.columns["word"])
        cells = [line.split("\t")[3:] for line in _lines(folder / "input_data" / "texts.conll")]
        assert all(set(row[1:]) <= {"-", "*"} for row in cells)
        assert (folder / "reference_data" / "key.conll").read_bytes() == (
            example / "key.conll"
        ).read_bytes()


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]


def test_submissions_get_the_scores_of_scoref_and_a_leaderboard(
    bundle: Path, tmp_path: Path
) -> None:
    """From three submissions to the page with ranks."""
    counts = tmp_path / "counts"
    counts.mkdir()
    for name in SYSTEMS:
        content = (ISLAND / f"{name}.conll").read_bytes()
        done = submit(bundle, tmp_path / name, 1, response__conll=content, __DS_Store=b"?")
        assert done.returncode == 0, done.stderr
        output = tmp_path / name / "out" / "output"
        scores = json.loads((output / "scores.json").read_text("utf-8"))
        result = scoref.score(ISLAND / "key.conll", ISLAND / f"{name}.conll")
        for metric in ("mentions", "muc", "b3", "ceafe", "lea", "conll"):
            assert scores[metric] == pytest.approx(100 * result[metric].f1, abs=1e-4)
        low, high = result.intervals()["conll"].f1
        ends = [scores["conll_low"], scores["conll_high"]]
        assert ends == pytest.approx([100 * low, 100 * high], abs=1e-4)
        details = (output / "detailed_results.html").read_text("utf-8")
        assert f"{scores['conll']:.2f}" in details
        assert "Hallsay" not in details
        assert len(details) < 2000, "the details must not show a hidden key"
        assert f"{scores['conll']:.2f}" in done.stdout
        (output / "response.counts.json").rename(counts / f"{name}.counts.json")
    page = tmp_path / "leaderboard.html"
    assert main(["view", str(counts), "--leaderboard", "conll", "-o", str(page)]) == 0
    names = re.findall(r'<span class="name">(\w+)</span>', page.read_text("utf-8"))
    assert names[:3] == ["chat", "neural", "sieve"]


def test_the_baseline_gets_a_report_while_the_key_is_public(bundle: Path, tmp_path: Path) -> None:
    """The solution of the bundle is scored in the development phase."""
    with zipfile.ZipFile(bundle) as packed:
        baseline = packed.read("baseline/response.jsonl")
    done = submit(bundle, tmp_path / "baseline", 0, response__jsonl=baseline)
    assert done.returncode == 0, done.stderr
    details = (tmp_path / "baseline" / "out" / "output" / "detailed_results.html").read_text()
    assert "ferry" in details
    assert "Content-Security-Policy" in details


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "found 0 files (none), expected one"),
        ({"a__conll": b"x", "b__conll": b"y"}, "found 2 files (a.conll, b.conll), expected one"),
        ({"a__conll": b"#begin document (d)\na\t(1\n#end document\n"}, "a.conll:2: found"),
        ({"a__json": b'{"d\\u001b[2J": [[[0, 0]]]}'}, r"d\x1b[2J"),
        ({"a__json": b"[" * 100_000}, "a.json"),
    ],
)
def test_invalid_submissions(
    bundle: Path, tmp_path: Path, files: dict[str, bytes], message: str
) -> None:
    """One message for the author, on the page of details too; no score, no traceback."""
    done = submit(bundle, tmp_path / "bad", 1, **files)
    assert done.returncode == 1
    assert "The submission was not scored: " in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    output = tmp_path / "bad" / "out" / "output"
    assert [path.name for path in output.iterdir()] == ["detailed_results.html"]


def test_missing_documents_and_other_words(bundle: Path, tmp_path: Path) -> None:
    """A submission must have all documents, and the words of the task."""
    whole = (ISLAND / "sieve.conll").read_text("utf-8")
    cut = whole[: whole.rindex("#begin document")]
    assert "document" in submit(bundle, tmp_path / "cut", 1, a__conll=cut.encode()).stderr
    other = whole.replace("bakery", "bakehouse")
    done = submit(bundle, tmp_path / "other", 1, a__conll=other.encode())
    assert "bakehouse" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Windows has no limits of processor time")
def test_limits_of_resources(tmp_path: Path) -> None:
    """Time and memory of the process, and the size of the file."""
    program = TASK / "scoring_program" / "score.py"
    lines = [
        "import runpy, sys",
        f"found = runpy.run_path({str(program)!r})",
        "shared = found['main'].__globals__",
        "def score(*given):",
        "    exec(sys.argv[1])",
        "shared.update(SECONDS=2, score=score)",
        "(path := __import__('pathlib').Path('res')).mkdir(exist_ok=True)",
        "(path / 'a.conll').write_text('x')",
        "sys.exit(found['main']('.', 'out'))",
    ]
    for action, message in (
        ("while True: pass", "takes more than 2 seconds"),
        ("bytearray(8 << 30)", "takes more than 4 GB of memory"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(lines), action],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            encoding="utf-8",
        )
        assert done.returncode == 1
        assert message in done.stderr
    found = runpy.run_path(str(program))
    found["find_response"].__globals__["LARGEST"] = 0
    with pytest.raises(found["InvalidSubmissionError"], match="has more than 0 MB"):
        found["find_response"](tmp_path / "res")


def test_signatures_are_those_of_this_version() -> None:
    """Of the keys of the examples; participants see that of the development phase."""
    for phase, example in (("development", FERRY), ("test", ISLAND)):
        task = tomllib.loads((TASK / phase / "reference_data" / "task.toml").read_text("utf-8"))
        policy = scoref.Policy.like(task["signature"])
        key = example / "key.conll"
        assert scoref.score(key, key, ["muc"], policy).signature == task["signature"]
        assert policy.changed() == {"missing_documents": "error"}
        if phase == "development":
            assert task["signature"] in (TASK / "pages" / "participants.md").read_text("utf-8")
