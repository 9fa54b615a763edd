"""`scoref view --leaderboard`: systems in groups, as `scoref compare` ranks them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.cli import main
from tests.conftest import REPOSITORY
from tests.pages.report.browser import opened

ISLAND = REPOSITORY / "examples" / "island"
SYSTEMS = ("sieve", "neural", "chat")
SEEDS = ("seed1", "seed2", "seed3")


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts of three systems, and of three runs of a fourth."""
    folder = tmp_path_factory.mktemp("task") / "counts"
    (folder / "ranker").mkdir(parents=True)
    key = scoref.Key(ISLAND / "key.conll")
    for name in SYSTEMS:
        key.score(ISLAND / f"{name}.conll").save_counts(folder / f"{name}.counts.json")
    for name in SEEDS:
        found = key.score(ISLAND / "runs" / f"{name}.json")
        found.save_counts(folder / "ranker" / f"{name}.counts.json")
    return folder


def cells(page: str, table: str) -> list[list[list[str]]]:
    """Return the texts of the rows of a table, the cells of each apart."""
    body = page[page.index(f'id="{table}"') :]
    body = body[body.index("<tbody>") : body.index("</tbody>")]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", " ", cell).split() for cell in re.findall(r"<t[dh].*?</t[dh]>", row)]
        for row in rows
    ]


def test_ranks_scores_and_tests_are_those_of_compare(counts: Path, tmp_path: Path) -> None:
    """Nothing is computed in another way, and no key is needed."""
    page = tmp_path / "page.html"
    assert main(["view", str(counts), "--leaderboard", "conll", "-o", str(page)]) == 0
    runs = [str(counts / "ranker" / f"{name}.counts.json") for name in SEEDS]
    systems = {name: [str(counts / f"{name}.counts.json")] for name in SYSTEMS}
    expected = scoref.compare(None, {**systems, "ranker": runs}, by="conll")
    found = cells(page.read_text("utf-8"), "ranking")
    assert len(found) == len(expected.systems) == 4
    for row, system in zip(found, expected.systems, strict=True):
        assert row[0] == [str(system.rank)]
        assert row[1] == [system.label.upper(), system.name]
        assert row[2][0] == f"{100 * system.scores['conll'].f1:.2f}"
        low, high = system.intervals["conll"].f1
        assert row[4] == [f"{100 * low:.2f}", "to", f"{100 * high:.2f}"]
    best, *others = expected.systems
    for row, system in zip(found[1:], others, strict=True):
        pair = expected.pair(best.name, system.name)
        assert row[5] == [f"\u2212{100 * pair.difference:.2f}"]
        assert row[7] == [f"{pair.adjusted:.4f}"]
    assert found[3][2][1:] == ["±", f"{100 * expected['ranker'].deviations['conll'].f1:.2f}"]
    table = cells(page.read_text("utf-8"), "metrics")
    assert [row[1][0] for row in table] == [
        f"{100 * system.scores['mentions'].f1:.2f}" for system in expected.systems
    ]
    groups = re.findall(r'<tr class="group">', page.read_text("utf-8"))
    assert len(groups) == len({system.rank for system in expected.systems}) == 3


def test_what_is_refused(counts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name for two things would join them; nothing is written."""
    folder, page = tmp_path / "counts", tmp_path / "page.html"
    (folder / "ranker").mkdir(parents=True)
    for name in ["ranker/seed1.counts.json", "chat.counts.json"]:
        (folder / name).write_bytes((counts / name).read_bytes())
    command = ["view", str(folder), "-o", str(page), "--leaderboard"]
    assert main([*command, "nosuch"]) == 2
    assert "unknown metric 'nosuch'" in capsys.readouterr().err
    (folder / "chat.counts.json").rename(folder / "ranker.counts.json")
    assert main([*command, "conll"]) == 2
    assert "ranker is the name of a file and of a folder of runs" in capsys.readouterr().err
    assert not page.exists()


def test_few_documents_and_one_system(tmp_path: Path) -> None:
    """A single document allows no intervals, and the page says so; one system is the first."""
    folder, page = tmp_path / "runs", tmp_path / "page.html"
    folder.mkdir()
    (folder / "a.json").write_text('{"d": [["x", "y"], ["z"]]}')
    key = tmp_path / "key.json"
    key.write_text('{"d": [["x", "y", "z"]]}')
    assert (
        main(["view", str(folder), "--key", str(key), "--leaderboard", "b3", "-o", str(page)]) == 0
    )
    text = page.read_text("utf-8")
    assert "Without intervals and tests: " in text
    assert cells(text, "ranking")[0][1:] == [["A", "a"], ["71.43"]]


def test_the_page_in_a_browser(browser: Any, counts: Path, tmp_path: Path) -> None:
    """Every look, a hostile name, and the switch of the theme; errors of the page fail the test."""
    page, folder = tmp_path / "page.html", tmp_path / "counts"
    folder.mkdir()
    for name, path in {
        "a": "chat",
        "</script><img src=x onerror=alert(1)>".replace("/", "\u2215"): "sieve",
    }.items():
        data = (counts / f"{path}.counts.json").read_bytes()
        (folder / f"{name}.counts.json").write_bytes(data)
    assert main(["view", str(folder), "--leaderboard", "lea", "-o", str(page)]) == 0
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for width, scheme in ((360, "dark"), (768, "light"), (1400, "light")):
        look: dict[str, Any] = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
        with opened(browser, page, **look) as one:
            assert one.page.evaluate(wide) <= 0
            assert one.page.locator("#ranking tbody tr").count() == 2
            one.page.click("#theme")
