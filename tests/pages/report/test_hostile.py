"""Hostile names and words: shown everywhere as text, never run, never misread by other programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoref.cli import main
from scoref.pages.report import report
from tests.pages.report.browser import Opened, opened
from tests.pages.report.test_cases import run_test_case

HOSTILE = (
    "<script>alert(1)</script>",
    '"onmouseover=alert(1)',
    "</script><img/src=x/onerror=alert(1)>",
    "<!--<script>",
    "'--></style>&lt;b&gt;",
    "\u2028${alert(1)}",
)


def hostile_files(folder: Path) -> tuple[Path, Path]:
    """Write files whose document names and words would like to be code."""
    paths = folder / "key.conll", folder / "response.conll"
    for path, entities in zip(paths, ("11", "12"), strict=True):
        lines = []
        for number, name in enumerate(HOSTILE[:2]):
            lines.append(f"#begin document ({name}{number}); part 000")
            for at, word in enumerate(HOSTILE):
                cell = f"({entities[at % 2]})" if at < 4 else "-"
                lines.append(f"d\t0\t{at}\t{word}\t{cell}")
            lines += ["", "#end document"]
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return paths


@pytest.fixture(scope="module")
def hostile(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A report on such files."""
    folder = tmp_path_factory.mktemp("hostile")
    key, response = hostile_files(folder)
    path = folder / "report.html"
    systems = {HOSTILE[2]: response, HOSTILE[3]: key, '=HYPERLINK("x")': response}
    report(key, systems).save(path, with_text=True)
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, path, permissions=permissions) as one:
        yield one
        assert one.page.locator("script").count() == 2
        assert one.page.locator("main img, main script, main iframe").count() == 0
        assert one.page.evaluate("typeof window.onmouseover") == "object"


def test_the_report(hostile: Opened) -> None:
    """Names of documents and of systems."""
    page = hostile.visit("#documents")
    text = page.inner_text("body")
    for name in (*HOSTILE[:2], HOSTILE[2]):
        assert name in text
    page.hover("#chart-documents a[data-doc='1']")
    assert HOSTILE[1] in page.inner_text("#tip")


def test_the_text(hostile: Opened) -> None:
    """Words, entities and errors."""
    page = hostile.visit("#doc/0/1/1")
    shown = page.inner_text("#text")
    for word in HOSTILE[:5]:
        assert word in shown
    page.hover(".row p[data-side=response] .w >> nth=1")
    page.click(".row p[data-side=response] .w >> nth=1")
    page.click("#wrong button >> nth=0")
    assert HOSTILE[0] in page.inner_text("#entity") + page.inner_text("#wrong")


def test_lists_and_searches(hostile: Opened) -> None:
    """Cases, filters, results, and what is typed into the search."""
    page = hostile.visit("#cases?s=1&doc=0&entity=1")
    assert HOSTILE[0] in page.inner_text("#case-list")
    page.fill("#case-find", HOSTILE[0])
    assert page.locator(".case").count() > 0
    page = hostile.visit("#glance")
    page.fill("#query", HOSTILE[0])
    page.wait_for_selector("#found mark")
    assert HOSTILE[0] in page.inner_text("#results-name")
    page = hostile.visit("#search?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#results-name")


@pytest.mark.parametrize(
    "fragment",
    ["#doc/99/7", "#doc/0/99", "#cases?s=x&kind=99&at=..", "#documents?y=9&x=-1&sort=%00", "#%ff"],
)
def test_addresses_that_nobody_made(hostile: Opened, fragment: str) -> None:
    """A wrong address shows the report or an unfiltered list; nothing fails."""
    page = hostile.page
    page.evaluate("fragment => { location.hash = fragment; }", fragment)
    page.wait_for_timeout(50)
    assert page.locator("#overview, #cases, #reader").locator("visible=true").count() == 1


def test_files_that_are_saved(hostile: Opened) -> None:
    """A name that a spreadsheet would run is a text; words stay whole in a test case."""
    page = hostile.visit("#scores")
    with page.expect_download() as started:
        page.click("#chart-scores .tools button:has-text('CSV')")
    saved = Path(started.value.path()).read_text("utf-8")
    assert '"\'=HYPERLINK(""x"")"' in saved
    assert "\n=" not in saved


def test_a_hostile_test_case(hostile: Opened, tmp_path: Path) -> None:
    """The commands write what the report shows, and run nothing else."""
    page = hostile.visit("#cases?s=1")
    page.click(".case >> nth=0 >> text=Copy as test case")
    key, _ = run_test_case(page.evaluate("navigator.clipboard.readText()"), tmp_path)
    assert HOSTILE[0] in key.read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key.conll", "response.conll"]
    assert main(["validate", str(key)]) == 0


def test_code_that_is_not_the_report_s_own_is_refused(browser: Any, ferry_page: Path) -> None:
    """The policy in the page allows its two elements by hash, and no other."""
    with opened(browser, ferry_page) as one:
        ran = one.page.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "window.ran = true";
                document.body.append(script);
                return Boolean(window.ran);
            }"""
        )
        assert ran is False
        assert any("Content Security Policy" in text for text in one.complaints)
        one.complaints.clear()
