"""The overview in a real browser: charts, the matrix of documents, search, links, saved files."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.pages.report import Report, report
from tests.pages.report.browser import Opened, opened, until
from tests.pages.report.conftest import FERRY

PNG = b"\x89PNG\r\n\x1a\n"


def download(page: Any, selector: str) -> bytes:
    """Click, and return the file that is saved."""
    with page.expect_download() as started:
        page.click(selector)
    return Path(started.value.path()).read_bytes()


def test_a_point_opens_its_document(report_page: Opened) -> None:
    """Two systems side by side, and the way back leads to the documents."""
    page = report_page.visit("#documents")
    point = page.locator("#chart-documents a[data-doc='1']")
    assert "harbour/letter" in point.get_attribute("aria-label")
    point.click()
    page.locator("#name", has_text="harbour/letter").wait_for()
    assert "Editor" in page.inner_text("#text")
    assert page.locator("p[data-side=second]").count() > 0
    page.click("#back")
    page.locator("#overview").wait_for()
    page.go_back()
    page.locator("#name", has_text="harbour/letter").wait_for()


def test_axes_of_the_chart(report_page: Opened) -> None:
    """Systems, metrics and lengths can be chosen, and the address knows them."""
    page = report_page.visit("#documents")
    page.select_option("#by", label="lea")
    page.select_option("#other", label="length")
    labels = page.locator("#chart-documents .axis").all_text_contents()
    assert labels == ["mentions in the key", "lea F1 of A careful"]
    assert page.locator("#chart-documents a").count() == 2
    page.reload()
    page.wait_for_selector("#chart-documents a")
    assert page.locator("#chart-documents .axis").all_text_contents() == labels
    assert page.locator("#by option:checked").inner_text() == "lea"


def test_tooltips_for_pointer_and_keyboard(report_page: Opened) -> None:
    """A mark shows its numbers; arrow keys go from mark to mark."""
    page = report_page.visit("#scores")
    marks = page.locator("#chart-scores .point")
    marks.first.hover()
    score = scoref.score(FERRY / "key.conll", FERRY / "careful.conll")["mentions"]
    tip = page.locator("#tip")
    assert f"mentions F1 {100 * score.f1:.2f}" in tip.inner_text()
    assert f"recall {100 * score.recall:.2f}" in tip.inner_text()
    page.mouse.move(2, 2)
    assert not tip.is_visible()
    marks.first.focus()
    assert "A careful" in tip.inner_text()
    page.keyboard.press("ArrowRight")
    assert "B baseline" in tip.inner_text()
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_charts_can_be_saved(report_page: Opened) -> None:
    """Data as CSV with all digits of the page, and pictures with the colours of the page."""
    page = report_page.visit("#scores")
    tools = "#chart-scores .tools button"
    rows = list(csv.DictReader(io.StringIO(download(page, f"{tools} >> nth=0").decode())))
    assert len(rows) == 3 * 8
    for row in rows:
        result = scoref.score(FERRY / "key.conll", FERRY / f"{row['system']}.conll")
        assert float(row["f1"]) == pytest.approx(result[row["metric"]].f1, abs=1e-7)
    picture = download(page, f"{tools} >> nth=1").decode()
    assert picture.startswith("<svg")
    assert "var(" not in picture
    assert "rgb(38, 110, 207)" in picture  # the colour of the first system
    assert download(page, f"{tools} >> nth=2").startswith(PNG)
    report_page.visit("#documents")
    assert download(page, "#chart-documents .tools button >> nth=2").startswith(PNG)
    table = download(page, "[data-csv='Errors by kind, and their cost'] .tools button").decode()
    assert table.splitlines()[0] == (
        "error,careful errors,careful cost,baseline errors,baseline cost,hasty errors,hasty cost"
    )


def test_the_matrix_can_be_searched_and_sorted(report_page: Opened) -> None:
    """Regressions first, until another order is asked for."""
    page = report_page.visit("#documents")
    names = page.locator("#matrix tbody th")
    change = page.locator("#matrix tbody tr td:nth-child(4)").all_inner_texts()
    assert [text[0] for text in change] == ["\u2212", "+"]  # careful minus baseline
    assert names.all_inner_texts() == ["harbour/letter", "harbour/ferry"]
    for _ in range(2):
        page.click("#matrix thead th:nth-child(7) button")
    assert names.all_inner_texts() == ["harbour/letter", "harbour/ferry"]
    assert "up=0" in page.url
    page.click("#matrix thead th:nth-child(7) button")
    assert names.all_inner_texts() == ["harbour/ferry", "harbour/letter"]
    page.fill("#find", "LETT")
    assert names.all_inner_texts() == ["harbour/letter"]
    assert page.inner_text("#many") == "1 of 2"
    page.fill("#find", "nothing")
    assert "No document has this name" in page.inner_text("#matrix")
    page.fill("#find", "")


def test_a_cell_opens_two_systems(report_page: Opened) -> None:
    """By pointer and by keyboard: the system of the cell beside the other one."""
    page = report_page.visit("#documents")
    page.locator("#matrix tbody a").first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.column") == "5"
    page.keyboard.press("Enter")
    page.locator("#name", has_text="harbour/ferry").wait_for()
    assert page.locator(".head .name").all_inner_texts() == ["baseline", "careful"]


def test_thousands_of_documents(browser: Any, tmp_path: Path) -> None:
    """Only the rows near the window exist, and the last one can be reached."""
    many = 1000
    key = {f"d{at:04}": [[(0, 0), (1, 1)], [(2, 2)]] for at in range(many)}
    worse = {name: [[(0, 0)], [(1, 1), (2, 2)]] for name in key}
    path = tmp_path / "many.html"
    report(key, {"same": key, "worse": {**key, **dict(list(worse.items())[:500])}}).save(path)
    with opened(browser, path, "#documents") as one:
        page = one.page
        page.wait_for_selector("#matrix tbody a")
        assert page.locator("#matrix tbody tr").count() < 80
        page.locator("#matrix tbody a").first.focus()
        page.keyboard.press("End")
        page.wait_for_selector(f"#matrix tr[data-place='{many - 1}']")
        assert page.locator("#matrix tbody tr").count() < 80
        page.click("#matrix thead button:has-text('document')")
        assert page.locator("#matrix tbody th").first.inner_text() == "d0000"


def test_search_over_all_documents(report_page: Opened) -> None:
    """Documents, entities and words; the keyboard goes from the box through what was found."""
    page = report_page.visit("#glance")
    page.keyboard.press("/")
    page.keyboard.type("ferry")
    page.wait_for_selector("#found mark")
    titles = page.locator("#found h3").all_inner_texts()
    assert titles[0] == "Documents 1"
    assert titles[1].startswith("Entities")
    words = (FERRY / "key.conll").read_text("utf-8").split()
    assert titles[2] == f"Words {sum(word.lower() == 'ferry' for word in words)}"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.tagName") == "A"
    page.keyboard.press("Enter")
    page.locator("#reader").wait_for()
    assert "ferry" in page.inner_text("#entity h3")
    page.go_back()
    page.locator("#found mark").first.click()
    page.locator("#reader").wait_for()
    assert page.locator("#text .hit").count() > 0
    report_page.visit("#search?q=zzz")
    assert page.locator("#found p", has_text="Nothing found").count() == 3


def test_a_link_opens_the_same_view(browser: Any, report_page: Opened, ferry_page: Path) -> None:
    """What is copied from one window opens document, systems, entity, error, filters and search."""
    page = report_page.visit("#doc/0/1/5?with=2&kind=4")
    page.click("#wrong button >> nth=1")
    page.fill("#search", "the")
    page.select_option("#sides", label="response")
    page.click("#copy-link")
    address = page.evaluate("navigator.clipboard.readText()")
    state = """[...document.querySelectorAll('#name, .head .name, #entity h3, #count, #hits,'
        + ' #wrong [aria-current=true], #sides option:checked, .seg.chosen')]
        .map((node) => node.textContent).join('|')"""
    before = page.evaluate(state)
    fragment = address.removeprefix(ferry_page.as_uri())
    with opened(browser, ferry_page, fragment) as other:
        other.page.wait_for_selector(".seg.chosen", state="attached")
        assert other.page.evaluate(state).replace("1 of ", "") == before.replace("1 of ", "")
    page.keyboard.press("Escape")


def test_back_and_forward(report_page: Opened) -> None:
    """From the report through a list to a text, and back step by step."""
    page = report_page.visit("#errors")
    page.click("#errors tbody tr >> nth=1 >> a >> nth=0")
    page.locator("#cases").wait_for()
    page.click(".case a.as-button >> nth=0")
    page.locator("#reader").wait_for()
    page.select_option("#system", label="C hasty")
    until(page, "document.querySelector('.head .name').textContent === 'hasty'")
    page.go_back()
    until(page, "document.querySelector('.head .name').textContent === 'careful'")
    page.go_back()
    page.locator("#cases").wait_for()
    page.go_back()
    page.locator("#overview").wait_for()
    page.go_forward()
    page.locator("#cases").wait_for()


def test_the_signature_can_be_copied(report_page: Opened, ferry: Report) -> None:
    """With one click."""
    page = report_page.visit("#data-and-method")
    page.click("#copy-signature")
    page.wait_for_selector(".toast.on")
    assert page.evaluate("navigator.clipboard.readText()") == ferry.content.comparison.signature


def test_documents_beyond_the_budget_have_no_text(
    browser: Any, ferry: Report, tmp_path: Path
) -> None:
    """The worst come first; the others are listed with their scores."""
    path = tmp_path / "small.html"
    whole = len(ferry.to_html())
    ferry.save(path, budget=4_000)
    assert len(path.read_text("utf-8")) < whole
    with opened(browser, path, "#documents") as one:
        page = one.page
        assert page.locator("#matrix th a").all_inner_texts() == ["harbour/ferry"]
        assert page.locator("#matrix tbody tr").count() == 2
        assert "1 document of 2 has no text view" in page.inner_text("#documents")
        assert page.locator("#chart-documents .point.closed").count() == 1
        one.visit("#cases?s=0")
        assert "1 document without a text view are not listed" in page.inner_text("#case-status")


def test_every_system_has_its_badge(report_page: Opened) -> None:
    """Wherever a system is named, its mark and its letter are there."""
    page = report_page.visit("#glance")
    for section in ("glance", "scores", "errors", "entities", "mentions", "data-and-method"):
        names = page.locator(f"#{section} .system").all_inner_texts()
        found = {name.replace("\n", " ") for name in names}
        wanted = {
            f"{letter} {name}"
            for letter, name in zip("ABC", ("careful", "baseline", "hasty"), strict=True)
        }
        assert {" ".join(name.split()) for name in found} >= wanted, section
