"""What the command of scorch 0.2.0 prints, computed with scoref: the manual's reasons are all.

The manual lists why its numbers differ: spurious mentions are added to the key, and the scores of
documents are averaged with weights. Here, both are done to the input and to the scores of scoref,
which gives every number that the command prints.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import scoref
from tests.conftest import REPOSITORY
from tests.manual_pages import MANUAL
from tests.reference.documents import Files

pytest.importorskip("scorch", reason="scorch is not installed: pip install scorch==0.2.0")

NAMES = {"MUC": "muc", "B³": "b3", "CEAF_m": "ceafm", "CEAF_e": "ceafe", "BLANC": "blanc"}
_ROW = re.compile(r"^(\S+):\tR=(\S+)\tP=(\S+)\tF₁=(\S+)$", re.MULTILINE)
_AVERAGE = re.compile(r"^CoNLL-2012 average score: (\S+)$", re.MULTILINE)

Clusters = list[list[str]]


def run_command(files: Files, folder: Path) -> str:
    """Convert two CoNLL files and score them, as a user of scorch does."""
    sides = [folder / "key", folder / "response"]
    for path, side in zip(files, sides, strict=True):
        side.mkdir()
        run([sys.executable, "-m", "scorch.conll", str(path), str(side)])
    return run([sys.executable, "-m", "scorch.main", *map(str, sides)])


def run(command: list[str]) -> str:
    """Run a command and return what it prints."""
    environment = {"PYTHONUTF8": "1", "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=True, env=environment
    ).stdout


def read_clusters(path: Path) -> Clusters:
    """Read what scorch has written of a document."""
    found: dict[str, Clusters | dict[str, list[str]]] = json.loads(path.read_text("utf-8"))
    clusters = found["clusters"]
    assert isinstance(clusters, dict)
    return [[str(mention) for mention in cluster] for cluster in clusters.values()]


def averaged(folder: Path) -> dict[str, list[float]]:
    """Return recall, precision and F1 as scorch counts, from scores of scoref."""
    rows: dict[str, list[scoref.Score]] = {name: [] for name in NAMES.values()}
    sizes: list[tuple[int, int]] = []
    for path in (folder / "response").iterdir():
        key, response = (read_clusters(folder / side / path.name) for side in ("key", "response"))
        known = {mention for cluster in key for mention in cluster}
        spurious = {mention for cluster in response for mention in cluster} - known
        key += [[mention] for mention in spurious]
        result = scoref.score({"d": key}, {"d": response}, [*rows])
        for name, row in rows.items():
            row.append(result[name])
        sizes.append((sum(map(len, key)), sum(map(len, response))))
    keys, responses = np.array(sizes).T
    weights = (keys, responses, keys + responses)
    return {
        name: [
            float(np.average(column, weights=weight))
            for column, weight in zip(np.array(row).T, weights, strict=True)
        ]
        for name, row in rows.items()
    }


def assert_same_numbers(files: Files, folder: Path) -> float:
    """Compare every number that the command prints, and return its average score."""
    printed = run_command(files, folder)
    found = averaged(folder)
    rows = {NAMES[name]: [float(x) for x in numbers] for name, *numbers in _ROW.findall(printed)}
    assert rows.keys() == found.keys()
    for name, numbers in rows.items():
        assert found[name] == pytest.approx(numbers, rel=1e-9), name
    (average,) = _AVERAGE.findall(printed)
    conll = np.mean([found[name][2] for name in ("muc", "b3", "ceafe")])
    assert conll == pytest.approx(float(average), rel=1e-9)
    return float(average)


@pytest.mark.parametrize("system", ["sieve", "neural", "chat"])
def test_examples(system: str, tmp_path: Path) -> None:
    """The systems of the example that the manual uses."""
    island = REPOSITORY / "examples" / "island"
    assert_same_numbers(Files(island / "key.conll", island / f"{system}.conll"), tmp_path)


@pytest.mark.long
def test_litbank(data: Path, tmp_path: Path) -> None:
    """And the number that the manual names."""
    files = Files(data / "litbank" / "key.conll", data / "litbank" / "response.conll")
    average = assert_same_numbers(files, tmp_path)
    assert f"| {100 * average:.2f} |" in (MANUAL / "explanation" / "other-scorers.md").read_text(
        "utf-8"
    )


def test_where_it_differs(tmp_path: Path) -> None:
    """Documents that the response lacks do not count; files are paired by how names begin."""
    island = REPOSITORY / "examples" / "island"
    files = Files(island / "key.conll", island / "neural.conll")
    run_command(files, tmp_path)
    first = min((tmp_path / "response").iterdir())
    first.unlink()
    fewer = run(
        [sys.executable, "-m", "scorch.main", str(tmp_path / "key"), str(tmp_path / "response")]
    )
    rows = {NAMES[name]: [float(x) for x in numbers] for name, *numbers in _ROW.findall(fewer)}
    for name, numbers in averaged(tmp_path).items():  # of those that the response has
        assert numbers == pytest.approx(rows[name], rel=1e-9)

    # A response that equals the key is not perfect if the name of a file begins another's name.
    sides = [tmp_path / side for side in ("other key", "other response")]
    for side in sides:
        side.mkdir()
        for at in range(1, 31):
            clusters = {"1": ["a", "b"], "2": ["c", *(f"m{n}" for n in range(at))]}
            text = json.dumps({"type": "clusters", "clusters": clusters})
            (side / f"doc_{at}.json").write_text(text, "utf-8")
    (average,) = _AVERAGE.findall(run([sys.executable, "-m", "scorch.main", *map(str, sides)]))
    assert scoref.score(sides[0], sides[1])["conll"].f1 == 1
    paired = [next(sides[0].glob(f"{path.stem}*")).name == path.name for path in sides[1].iterdir()]
    assert (float(average) == 1) == all(paired)  # the order of a folder's files decides
