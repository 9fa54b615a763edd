"""Seams: what each loss costs is what a hand-made repair gains."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.seams import ACROSS, ALL, DETECTION, INSIDE
from scoref.cli import main
from scoref.exceptions import UsageError
from tests.matching.test_windows import Spans, pairs

KEY = {"a": [[(1, 1), (2, 2), (6, 6), (7, 7), (11, 11), (12, 12)], [(3, 3), (8, 8), (13, 13)]]}


def test_only_links_across_are_wrong() -> None:
    """Right inside windows, no link across: the whole loss is across."""
    response = {
        "a": [
            [(1, 1), (2, 2)],
            [(6, 6), (7, 7)],
            [(11, 11), (12, 12)],
            [(3, 3)],
            [(8, 8)],
            [(13, 13)],
        ]
    }
    found = scoref.seams(KEY, response, ["muc", "b3", "conll"], window=5)
    assert set(found.gains[DETECTION].values()) == set(found.gains[INSIDE].values()) == {0.0}
    assert found.gains[ACROSS] == found.gains[ALL]
    assert found.scores["conll"].f1 + found.gains[ACROSS]["conll"] == pytest.approx(1)


def test_only_links_inside_are_wrong() -> None:
    """One mention of the first window is in the other entity."""
    response = {
        "a": [[(1, 1), (6, 6), (7, 7), (11, 11), (12, 12)], [(2, 2), (3, 3), (8, 8), (13, 13)]]
    }
    found = scoref.seams(KEY, response, ["b3", "lea"], window=5)
    assert set(found.gains[ACROSS].values()) == set(found.gains[DETECTION].values()) == {0.0}
    assert found.gains[INSIDE] == found.gains[ALL]


def test_only_detection_is_wrong() -> None:
    """A missing mention joins the entity of its window, a spurious one goes."""
    response = {"a": [[(1, 1), (6, 6), (7, 7), (11, 11), (12, 12), (14, 14)], [(3, 3), (8, 8)]]}
    found = scoref.seams(KEY, response, window=5)
    assert set(found.gains[ACROSS].values()) == set(found.gains[INSIDE].values()) == {0.0}
    assert found.gains[DETECTION] == found.gains[ALL]


@given(pairs(), st.integers(1, 40))
def test_laws(sides: tuple[Spans, Spans], size: int) -> None:
    """All repairs make the key; links across one window are none; links detect nothing."""
    key, response = sides
    found = scoref.seams({"a": key}, {"a": response}, ["muc", "b3", "ceafe", "lea"], window=size)
    perfect = scoref.score({"a": key}, {"a": key}, ["muc", "b3", "ceafe", "lea"])
    for metric, score in found.scores.items():
        assert score.f1 + found.gains[ALL][metric] == pytest.approx(perfect[metric].f1)
    if size >= 34:
        assert set(found.gains[ACROSS].values()) == {0.0}
    for loss in (INSIDE, ACROSS):
        mentions = scoref.seams({"a": key}, {"a": response}, ["mentions"], window=size)
        assert mentions.gains[loss]["mentions"] == 0.0


def test_slices() -> None:
    """By the distance of the closest antecedent, and by the span of the entity."""
    found = scoref.seams(KEY, KEY, ["muc"], window=5)
    distances = {one.name: one.anaphors for one in found.slices if one.by == "distance in tokens"}
    assert distances == {"0-9": 7}
    spans = {one.name: one.key_mentions for one in found.slices if one.by.startswith("span")}
    assert spans == {"0-99": 9}


def test_what_is_refused(tmp_path: Path) -> None:
    """Without windows, or with windows that overlap, a mention has no window of its own."""
    for window in ("none", "5:2"):
        with pytest.raises(UsageError, match=f"found window {window}"):
            scoref.seams(KEY, KEY, window=window)
    with pytest.raises(UsageError, match="not available with compat"):
        scoref.seams(KEY, KEY, window=5, compat="bookcoref-window")
    path = tmp_path / "key.csv"
    path.write_text("document,start,end,entity\na,1,1,x\na,5,5,x\n", encoding="utf-8")
    assert main(["seams", str(path), str(path)]) == 2
    assert main(["seams", str(path), str(path), "--window", "5", "--to", "csv"]) == 0
