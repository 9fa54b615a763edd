"""A limit of time for CEAF gives bounds, says so everywhere, and else changes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.alignment.alignment import join
from scoref.cli import main
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import find_metrics
from scoref.policy import read_signature

Entities = list[list[tuple[int, int]]]
Documents = dict[str, Entities]


def partition(rng: np.random.Generator, mentions: int, entities: int) -> Entities:
    """Put mentions into entities at random."""
    entity = rng.integers(0, entities, mentions)
    groups = [np.flatnonzero(entity == number).tolist() for number in range(entities)]
    return [[(at, at) for at in group] for group in groups if group]


@pytest.fixture(scope="module")
def tangle() -> tuple[Documents, Documents]:
    """A response that has nothing to do with its key, and a document that is right."""
    rng = np.random.default_rng(5)
    equal = [[(0, 0), (1, 1)], [(2, 2)]]
    key = {"tangled": partition(rng, 400, 60), "equal": equal}
    return key, {"tangled": partition(rng, 400, 60), "equal": equal}


METRICS = ["muc", "b3", "ceafm", "ceafe", "ceaf(phi=4)", "conll"]


def test_bounds_hold_the_exact_scores(tangle: tuple[Documents, Documents]) -> None:
    """Recall, precision and F1, of CEAF and of the average that has it; no other is a bound."""
    exact = scoref.score(*tangle, METRICS)
    cut_off = scoref.score(*tangle, METRICS, ceaf_time_limit=0)
    assert exact.bounds == {}
    assert {"ceafe", "ceaf(phi=4)", "conll"} <= cut_off.bounds.keys() <= set(METRICS[2:])
    for name, (low, high) in cut_off.bounds.items():
        assert cut_off[name].f1 == low.f1
        for least, score, most in zip(low, exact[name], high, strict=True):
            assert np.isnan(score) or least <= score <= most + 1e-12
        assert low.f1 < high.f1
    assert cut_off["muc"] == exact["muc"]
    assert cut_off.documents["equal"]["ceafe"] == exact.documents["equal"]["ceafe"]


def test_enough_time_changes_nothing(tangle: tuple[Documents, Documents]) -> None:
    """Neither a bit of the scores nor the signature."""
    exact = scoref.score(*tangle, METRICS)
    in_time = scoref.score(*tangle, METRICS, ceaf_time_limit=600)
    assert in_time.to_json() == exact.to_json()


def test_the_result_says_so(tangle: tuple[Documents, Documents]) -> None:
    """In the table, below it, in the notes, in JSON, and in the signature."""
    result = scoref.score(*tangle, ["muc", "ceafe"], ceaf_time_limit=0)
    low, high = (f"{100 * score.f1:.2f}" for score in result.bounds["ceafe"])
    line = f"ceafe: F1 is at least {low}, at most {high}: the time limit ran out"
    assert any(note.startswith(line) and "(tangled)" in note for note in result.notes)
    text = result.to_text()
    assert line in text
    assert f">={low}" in text
    assert ">=" not in next(row for row in text.split("\n") if row.startswith("muc"))
    assert line in result.to_markdown().replace("\\", "")
    assert "at least" in result.to_latex()
    content = json.loads(result.to_json())
    assert content["bounds"]["ceafe"]["f1"] == [score.f1 for score in result.bounds["ceafe"]]
    assert result.signature.endswith("|ceaf_time_limit:0")
    assert "ceaf_time_limit:0" in result.to_csv()


def test_such_a_signature_can_be_read(tangle: tuple[Documents, Documents]) -> None:
    """It states the same policy, and that its scores are bounds."""
    signature = scoref.score(*tangle, ["ceafe"], ceaf_time_limit=0).signature
    stated, exact = read_signature(signature), scoref.score(*tangle, ["ceafe"])
    assert stated.policy == exact.policy
    assert "found in 0 seconds" in stated.differences(read_signature(exact.signature))[0]


def test_what_needs_exact_scores_refuses_bounds(
    tangle: tuple[Documents, Documents], tmp_path: Path
) -> None:
    """A bound of a bound is nothing that anyone should publish."""
    result = scoref.score(*tangle, ["ceafe"], ceaf_time_limit=0)
    with pytest.raises(UsageError, match="time limit ran out for ceafe"):
        result.intervals()
    with pytest.raises(UsageError, match="time limit ran out for ceafe"):
        result.save_counts(tmp_path / "x.counts.json")
    assert result.where("length=1").bounds == {}  # counted again, without a limit


def test_counts_of_parts_keep_their_bounds(tangle: tuple[Documents, Documents]) -> None:
    """What was counted under a limit and what was not go together."""
    metrics = find_metrics(["ceafe", "muc"])
    key, response = map(scoref.Corpus.from_entities, tangle)
    table = join(key, response, np.arange(2)).table()
    exact, cut_off = Counts.of(table, metrics), Counts.of(table, metrics, 0)
    both = Counts.concatenate([exact, cut_off])
    assert both.most.keys() == {"ceafe"}
    assert np.array_equal(both.most["ceafe"][:2], exact.rows["ceafe"])
    assert np.array_equal(both.most["ceafe"][2:], cut_off.most["ceafe"])


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_limit_is_a_number_of_seconds(
    tangle: tuple[Documents, Documents], seconds: float
) -> None:
    """Not below zero."""
    with pytest.raises(UsageError, match="time limit"):
        scoref.score(*tangle, ["ceafe"], ceaf_time_limit=seconds)


def test_on_the_command_line(
    tangle: tuple[Documents, Documents], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bounds go to standard output, the note to standard error as well."""
    for name, side in zip(("key", "response"), tangle, strict=True):
        scoref.Corpus.from_entities(side).write(tmp_path / f"{name}.conll")
    files = [str(tmp_path / "key.conll"), str(tmp_path / "response.conll")]
    assert main(["score", *files, "-m", "ceafe", "--ceaf-time-limit", "0"]) == 0
    out, err = capsys.readouterr()
    assert "ceafe: F1 is at least" in out
    assert "ceafe: F1 is at least" in err
    assert main(["score", *files, "--ceaf-time-limit", "1", "--intervals"]) == 2
    assert "--intervals cannot be combined with --ceaf-time-limit" in capsys.readouterr().err
