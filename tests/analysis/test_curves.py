"""Curves: each point is the score of a cut text, and links are those counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.cli import main
from scoref.exceptions import UsageError
from tests.matching.test_windows import Spans, pairs

METRICS = ["muc", "b3", "ceafe", "blanc", "conll"]


@given(pairs(), st.integers(1, 7))
def test_a_point_is_the_score_of_a_cut_text(sides: tuple[Spans, Spans], points: int) -> None:
    """And the last point is the score of the whole."""
    key, response = sides
    length = 1 + max((end for entity in key + response for _, end in entity), default=-1)
    found = scoref.curves({"a": key}, {"a": response}, METRICS, points=points)
    whole = scoref.score({"a": key}, {"a": response}, METRICS)
    for metric, of_metric in found.of("prefix").items():
        assert len(of_metric) == points
        assert of_metric[-1].score.f1 == whole[metric].f1
        for at, point in enumerate(of_metric, 1):
            end = -(-length * at // points)
            assert point.size == end
            cut = [
                [[span for span in entity if span[0] < end] for entity in side]
                for side in (key, response)
            ]
            cut = [[entity for entity in side if entity] for side in cut]
            expected = scoref.score({"a": cut[0]}, {"a": cut[1]}, [metric])
            assert point.score.f1 == pytest.approx(expected[metric].f1)


def test_links_by_distance() -> None:
    """Found if both mentions are in one response entity, right if they are in one key entity."""
    key = {"a": [[(0, 0), (4, 4), (40, 40), (500, 500)], [(2, 2), (45, 45)]]}
    response = {"a": [[(0, 0), (4, 4)], [(40, 40), (45, 45), (500, 500)], [(2, 2)]]}
    found = scoref.curves(key, response, ["muc"], points=1).of("distance")["links"]
    assert [(one.start, one.end, one.size) for one in found] == [
        (0, 9, 1),
        (30, 99, 2),
        (300, 999, 1),
    ]
    assert [one.score.recall for one in found] == [1.0, 0.0, 1.0]
    assert [one.score.precision for one in found] == [0.5, 0.0, 0.0]


def test_intervals_over_documents() -> None:
    """With several documents; the last point has the interval of the whole score."""
    key = {name: [[(0, 0), (3, 3), (8, 8)], [(5, 5)]] for name in "abcd"}
    response = {**key, "b": [[(0, 0)], [(3, 3), (8, 8)]], "d": [[(5, 5), (8, 8)]]}
    found = scoref.curves(key, response, ["b3"], points=2, level=0.1)
    assert found.confidence == "90 %"
    expected = scoref.score(key, response, ["b3"]).intervals(level=0.1)["b3"].f1
    assert found.of("prefix")["b3"][-1].interval == expected
    assert "90 % intervals over documents" in str(found)
    one = scoref.curves({"a": key["a"]}, {"a": key["a"]}, ["b3"], points=2)
    assert one.confidence == ""
    assert {point.interval for point in one.points} == {None}


def test_what_is_refused() -> None:
    """Numbers of points, windows, units, labels."""
    key = {"a": [[(0, 0), (3, 3)]]}
    for points in (0, -1, 1001, True, 2.5):
        with pytest.raises(UsageError, match="number from 1 to 1,000"):
            scoref.curves(key, key, points=points)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not available with --window 5"):
        scoref.curves(key, key, window=5)
    with pytest.raises(UsageError, match="not available with --unit corpus"):
        scoref.curves(key, key, unit="corpus")
    with pytest.raises(UsageError, match="are labels"):
        scoref.curves({"a": [["x"]]}, {"a": [["x"]]})


def test_the_command(example: Path, tmp_path: Path) -> None:
    """As a table and as figures; the same content gives the same bytes."""
    key, response = (str(example / name) for name in ("key.conll", "careful.conll"))
    table = tmp_path / "curves.csv"
    assert main(["curves", key, response, "--points", "4", "-o", str(table)]) == 0
    assert table.read_text("utf-8").startswith("curve,start,end,size,metric,recall")
    pytest.importorskip("matplotlib")
    figures = [tmp_path / name for name in ("one.svg", "two.svg", "three.png")]
    for figure in figures:
        assert main(["curves", key, response, "-m", "muc,lea", "--figure", str(figure)]) == 0
    assert figures[0].read_bytes() == figures[1].read_bytes()


def test_a_real_book(data: Path) -> None:
    """The last point is the published score."""
    key, response = (
        str(data / "openboek" / f"titaantjes.{name}.conll") for name in ("gold", "dutchcoref")
    )
    found = scoref.curves(key, response, ["conll"], points=100, check_words="never")
    assert round(100 * found.of("prefix")["conll"][-1].score.f1, 2) == 68.69
    assert found.of("prefix")["conll"][-1].size == 11_790
