"""Distances, for which lower is better: shown as they are, and refused where more is better."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from scoref import Accumulator
from scoref.exceptions import UsageError
from scoref.integrations.counts_vector import CountsVector
from scoref.metrics import FAMILIES, find_metric
from tests.cli.test_commands import Capture, run
from tests.conftest import REPOSITORY

ISLAND = REPOSITORY / "examples" / "island"
KEY, RESPONSE, OTHER = (str(ISLAND / f"{name}.conll") for name in ("key", "sieve", "neural"))
DISTANCES = ["vi(mentions=shared)", "merge_distance(mentions=shared)"]


def test_which_metrics_are_distances() -> None:
    """Of these, 0 is best."""
    found = {name for name in FAMILIES if find_metric(name).is_distance}
    assert found == {"vi", "merge_distance"}
    for name in found:
        about = find_metric(name).about
        assert about is not None
        assert "(a distance: 0 is best)" in about.title


def test_they_are_shown_as_they_are(capsys: Capture) -> None:
    """Not in percent: in tables, in short, in Python, and in JSON."""
    names = [part for name in DISTANCES for part in ("-m", name)]
    _, shown, _ = run(capsys, "score", KEY, RESPONSE, *names)
    assert "\nmerge_distance(mentions=shared)                     250.00\n" in shown
    remark = "vi(mentions=shared), merge_distance(mentions=shared): distances, not in percent,"
    assert remark in " ".join(shown.split())
    assert run(capsys, "score", KEY, RESPONSE, "-q", "-m", DISTANCES[1])[1] == "250.00\n"
    content = json.loads(run(capsys, "score", KEY, RESPONSE, *names, "--to", "json")[1])
    assert content["scores"][DISTANCES[1]] == {"recall": None, "precision": None, "f1": 250.0}
    result = scoref.score(KEY, RESPONSE, [DISTANCES[1], "muc"])
    assert " (percent), merge_distance(mentions=shared) 250.00; " in repr(result)
    assert ">250.00<" in result._repr_html_()
    assert ">250.0000<" in result[DISTANCES[1]]._repr_html_()
    accumulator = Accumulator(["merge_distance"])
    accumulator.add([["a", "b"], ["c"]], [["a"], ["b", "c"]], "d")
    assert "merge_distance 2.00" in repr(accumulator)
    assert ">2.00<" in accumulator._repr_html_()


def test_the_table_of_documents_and_counts_files(capsys: Capture, tmp_path: Path) -> None:
    """Of a counts file, distances above 1 are not an error."""
    counts = tmp_path / "x.counts.json"
    arguments = ("-m", DISTANCES[1], "-o", str(counts))
    assert run(capsys, "count", KEY, RESPONSE, *arguments)[0] == 0
    shown = run(capsys, "score", KEY, str(counts), "--per-document")[1]
    assert "250.00" in shown


COMMANDS = [
    ("compare", KEY, RESPONSE, OTHER),
    ("gate", KEY, RESPONSE, OTHER),
    ("power", KEY, RESPONSE, OTHER),
    ("score", KEY, RESPONSE, "--intervals"),
    ("errors", KEY, RESPONSE),
    ("stress", KEY, RESPONSE),
    ("curves", KEY, RESPONSE),
    ("seams", KEY, RESPONSE, "--window", "50"),
    ("agreement", KEY, RESPONSE),
    ("sweep", KEY, RESPONSE),
    ("slices", KEY, RESPONSE, "--by", "length"),
    ("report", KEY, RESPONSE, "-o", "report.html"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize("name", DISTANCES)
def test_they_are_refused_where_more_is_better(
    command: tuple[str, ...], name: str, capsys: Capture, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """With the reason, and with scores that say something similar."""
    monkeypatch.chdir(tmp_path)
    code, shown, notes = run(capsys, *command, "-m", name)
    assert (code, shown) == (2, "")
    assert f"error: {name} is a distance: lower is better, but" in notes
    assert "vmeasure and ami are scores" in notes
    assert not [*tmp_path.iterdir()]


def test_adapters_refuse_them() -> None:
    """Harnesses keep the checkpoint with the highest number."""
    with pytest.raises(UsageError, match="is a distance"):
        CountsVector(["vi"])


def test_results_with_distances_can_be_compared_by_others(tmp_path: Path) -> None:
    """Counts files are compared by the metrics that are named."""
    paths = {}
    for name, path in (("a", RESPONSE), ("b", OTHER)):
        paths[name] = tmp_path / f"{name}.counts.json"
        scoref.score(KEY, path, ["b3", DISTANCES[0]]).save_counts(paths[name])
    with pytest.raises(UsageError, match="is a distance"):
        scoref.compare(KEY, paths)
    assert scoref.compare(KEY, paths, ["b3"]).metrics == ("b3",)
