"""Curves in a report: for long documents only, drawn for one system and for several."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.pages.report import Report, report
from tests.pages.report.browser import opened, overflow
from tests.pages.report.test_overview import download

Sides = dict[str, list[list[tuple[int, int]]]]
LONG = 6000


def book(names: str, *, every: int) -> Sides:
    """Return long documents with three entities, of which one is cut from time to time."""
    sides: Sides = {}
    for name in names:
        of_entity: list[list[tuple[int, int]]] = [[], [], []]
        for place in range(0, LONG, 20):
            moved = every and place % every == 0
            of_entity[1 if moved else 0].append((place, place + 1))
            of_entity[2].append((place + 5 + place % 7, place + 12))
        sides[name] = [entity for entity in of_entity if entity]
    return sides


@pytest.fixture(scope="module")
def long_report() -> Report:
    """A report on two systems."""
    key = book("abc", every=0)
    systems = {"base": book("abc", every=60), "ours": {**key, "b": book("b", every=200)["b"]}}
    return report(key, systems, ["muc", "b3"])


def data_of(found: Report) -> Any:
    """Return the data in the page of a report."""
    page = found.to_html()
    return json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]


def test_points_are_those_of_the_command(long_report: Report) -> None:
    """Of the ranking metric, and of links."""
    found = data_of(long_report)["curves"]
    ranking = long_report.content.comparison.metric
    expected = scoref.curves(book("abc", every=0), book("abc", every=60), [ranking])
    names = [system.name for system in long_report.content.comparison.systems]
    for name, metric in (("prefix", ranking), ("distance", "links")):
        for point in expected.of(name)[metric]:
            at = found[name]["places"].index(point.start)
            ends = (point.score.f1, *(point.interval or ()))
            assert found[name]["scores"][names.index("base")][at] == [round(v, 5) for v in ends]
            assert found[name]["sizes"][at] == point.size


def test_only_long_documents_have_curves(ferry: Report) -> None:
    """Half of the documents are long, and positions are tokens of documents."""
    assert data_of(ferry)["curves"] is None
    assert 'id="curves"' not in ferry.to_html()
    key = book("ab", every=0)
    short = {"c": [[(0, 0), (3, 3)]]}
    assert 'id="curves"' in report({**key, **short}, {"r": {**key, **short}}).to_html()
    more = {**key, **short, "d": short["c"], "e": short["c"]}
    assert 'id="curves"' not in report(more, {"r": more}).to_html()
    assert 'id="curves"' not in report(key, {"r": key}, window=100).to_html()
    labels = {"a": [[f"m{at}" for at in range(9)]]}
    assert 'id="curves"' not in report(labels, {"r": labels}).to_html()


def test_charts(long_report: Report, browser: Any, tmp_path: Path) -> None:
    """A line per system, marks with tips, and the points as a table."""
    path = tmp_path / "long.html"
    long_report.save(path)
    with opened(browser, path, accept_downloads=True) as one:
        page = one.visit("#curves")
        assert page.locator("#chart-prefix .point").count() == 2 * 20
        assert page.locator("#chart-distance .point").count() >= 2
        assert page.locator("#chart-prefix .curve").count() == 2
        assert page.locator("#chart-prefix .letter").all_text_contents() == ["A", "B"]
        label = page.locator("#chart-prefix .point").first.get_attribute("aria-label")
        assert "the first 5 %: 900 tokens" in label
        assert "95 % interval" in label
        text = download(page, "#chart-prefix .tools button:text('CSV')").decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == 40
        assert rows[19]["start"] == "100"
        assert page.locator("nav a", has_text="Curves").count() == 1
    key = book("ab", every=0)
    report(key, {"r": book("ab", every=60)}, ["b3"]).save(path)
    with opened(browser, path, viewport={"width": 360, "height": 800}) as one:
        page = one.visit("#curves")
        assert page.locator("#chart-prefix .band").count() == 1
        assert page.locator("#chart-prefix .letter").count() == 0
        assert overflow(page) == 0
