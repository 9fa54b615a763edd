"""The what-if editor in a real browser: in the report, by pointer and by keyboard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.pages.report import report
from tests.pages.report.browser import opened, overflow
from tests.pages.report.conftest import FERRY

CARDS = """() => Object.fromEntries([...document.querySelectorAll(".wi-cards li")].map((card) => [
  card.dataset.metric,
  [...card.querySelectorAll(".wi-line")].map((line) => Number(line.title.split(/[ ,;]/)[1])),
]))"""
"""The F1 of the document, and of the corpus, by metric, in percent at full precision."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the shipped example on one system."""
    path = tmp_path_factory.mktemp("what-if") / "report.html"
    report(FERRY / "key.conll", {"hasty": FERRY / "hasty.conll"}).save(path, with_text=True)
    return path


def edit(one: Any) -> Any:
    """Open the editor of the document that is shown."""
    one.page.get_by_role("button", name="What if").click()
    one.page.wait_for_selector(".wi-chip[data-side=response]")
    return one.page


def exported(page: Any, title: str) -> str:
    """Return the text of an export."""
    page.locator(".wi-tools select").select_option(label=title)
    with page.expect_download() as found:
        page.click("[data-do=export]")
    return Path(found.value.path()).read_text("utf-8")


def replace_document(text: str, at: int, document: str) -> str:
    """Return a CoNLL file with another document in place of the nth."""
    parts = text.split("#begin document")
    parts[at + 1] = document.removeprefix("#begin document")
    return "#begin document".join(parts)


def check_scores(page: Any, key: Path, response: Path, at: int) -> None:
    """The page shows what `scoref.score` computes."""
    result = scoref.score(key, response)
    document = list(result.documents.values())[at]
    for name, (of_document, of_corpus) in page.evaluate(CARDS).items():
        assert of_document == pytest.approx(100 * document[name].f1, rel=1e-12), name
        assert of_corpus == pytest.approx(100 * result[name].f1, rel=1e-12), name


def test_every_edit_and_its_export(browser: Any, page: Path, tmp_path: Path) -> None:
    """Split, move, merge, add, remove, follow the key: the export scores as the page says."""
    with opened(browser, page, "#doc/0/0") as one:
        shown = edit(one)
        before = shown.evaluate(CARDS)
        check_scores(shown, FERRY / "key.conll", FERRY / "hasty.conll", 0)
        chips = shown.locator(".wi-chip[data-side=response]")
        for action in ("split", "remove", "key"):
            chips.nth(2).click()
            shown.locator(f"[data-do={action}]").click()
        chips.nth(0).click()
        shown.locator(".wi-bar select").select_option(index=3)
        shown.click("[data-do=move]")
        chips.nth(1).click()
        shown.locator(".wi-bar select").select_option(index=2)
        shown.click("[data-do=merge]")
        words = shown.locator("[data-side=response] .wi-w")
        words.nth(0).click()
        words.nth(1).click(modifiers=["Shift"])
        if shown.locator("[data-do=move]").text_content() == "Add":
            shown.click("[data-do=move]")
        assert shown.evaluate(CARDS) != before
        document = exported(shown, "Response as CoNLL")
        path = tmp_path / "edited.conll"
        path.write_text(replace_document((FERRY / "hasty.conll").read_text("utf-8"), 0, document))
        check_scores(shown, FERRY / "key.conll", path, 0)
        line = json.loads(exported(shown, "Adjudicated key as JSON lines"))
        edited, other = tmp_path / "key.jsonl", tmp_path / "one.conll"
        edited.write_text(json.dumps(line))
        other.write_text(document)
        assert scoref.score(edited, other)["conll"].f1 == 1.0
        while shown.locator("[data-do=undo]").is_enabled():
            shown.click("[data-do=undo]")
        assert shown.evaluate(CARDS) == before


def test_the_keyboard_is_enough(browser: Any, page: Path) -> None:
    """Arrows, Enter, Tab, Delete, Shift, Control-Z: no pointer."""
    with opened(browser, page, "#doc/0/0") as one:
        shown = one.page
        shown.get_by_role("button", name="What if").focus()
        shown.keyboard.press("Enter")
        before = shown.evaluate(CARDS)
        shown.focus(".wi-text")
        shown.keyboard.press("Enter")
        assert shown.locator(".wi-bar").is_visible()
        shown.keyboard.press("Delete")
        removed = shown.evaluate(CARDS)
        assert removed != before
        shown.keyboard.press("Control+z")
        assert shown.evaluate(CARDS) == before
        shown.keyboard.press("Control+y")
        assert shown.evaluate(CARDS) == removed
        shown.focus(".wi-text")
        shown.keyboard.press("ArrowDown")
        for _ in range(2):
            shown.keyboard.press("Shift+ArrowRight")
        assert "not in the response" in shown.locator(".wi-which").text_content()
        shown.keyboard.press("Escape")
        assert not shown.locator(".wi-bar").is_visible()
        assert shown.url.endswith("#doc/0/0"), "Escape did not leave the document"


def test_mentions_and_entities_can_be_dragged(browser: Any, page: Path) -> None:
    """A mention onto an entity or another mention; an entity onto another entity."""
    with opened(browser, page, "#doc/0/0", viewport={"width": 1400, "height": 1000}) as one:
        shown = edit(one)
        chips, entities = shown.locator(".wi-chip[data-side=response]"), shown.locator("[data-e]")
        many = entities.count()
        chips.nth(0).drag_to(chips.nth(2))
        assert chips.nth(0).text_content() == chips.nth(2).text_content()
        chips.nth(0).drag_to(entities.nth(3))
        entities.nth(1).drag_to(entities.nth(2))
        assert entities.count() < many
        assert "3 edits" in shown.locator(".wi-tools").text_content()


def test_edits_of_several_documents_stay(browser: Any, page: Path, tmp_path: Path) -> None:
    """Another document and the overview can be opened; one file has all edited documents."""
    with opened(browser, page, "#doc/0/0") as one:
        for at in (0, 1):
            one.visit(f"#doc/{at}/0")
            shown = edit(one)
            assert shown.locator("[data-do=export-all]").count() == at
            shown.locator(".wi-chip[data-side=response]").nth(1).click()
            shown.click("[data-do=remove]")
        both = tmp_path / "both.conll"
        shown.locator(".wi-tools select").select_option(label="Adjudicated key as CoNLL")
        assert shown.locator("[data-do=export-all]").text_content() == "Export 2 edited documents"
        with shown.expect_download() as found:
            shown.click("[data-do=export-all]")
        assert found.value.suggested_filename == "edited.key.conll"
        both.write_bytes(Path(found.value.path()).read_bytes())
        assert len(scoref.read(both).documents) == 2
        check_scores(shown, FERRY / "key.conll", both, 1)
        one.visit("#doc/0/0")
        toggle = shown.get_by_role("button", name="What if")
        assert "(1 edit)" in toggle.text_content()
        toggle.click()
        check_scores(shown, FERRY / "key.conll", both, 0)
        shown.click("[data-do=undo]")
        assert "no edits yet" in shown.locator(".wi-tools").text_content()
        assert shown.locator("[data-do=export-all]").text_content() == "Export 1 edited document"


def test_the_page_asks_before_edits_are_lost(browser: Any, page: Path) -> None:
    """It asks if they were not exported, and only then."""
    for exports in (False, True):
        context = browser.new_context()
        shown = context.new_page()
        asked: list[str] = []
        shown.on("dialog", lambda dialog, asked=asked: (asked.append(dialog.type), dialog.accept()))
        shown.goto(f"{page.as_uri()}#doc/0/0")
        shown.get_by_role("button", name="What if").click()
        shown.locator(".wi-chip[data-side=response]").nth(1).click()
        shown.click("[data-do=remove]")
        if exports:
            exported(shown, "Response as CoNLL")
        shown.reload()
        assert asked == ([] if exports else ["beforeunload"])
        context.close()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_looks(browser: Any, page: Path, scheme: str) -> None:
    """Nothing is wider than the window."""
    with opened(browser, page, "#doc/0/0", color_scheme=scheme) as one:
        shown = edit(one)
        shown.locator(".wi-chip[data-side=response]").nth(1).click()
        for width in (360, 768, 1400):
            shown.set_viewport_size({"width": width, "height": 900})
            assert overflow(shown) <= 0, width


def test_hostile_words_are_text(browser: Any, tmp_path: Path) -> None:
    """Names and words that are code stay text, also in exports."""
    hostile = "</script><img/src=x/onerror=alert(1)>"
    line = {"doc_key": hostile, "sentences": [[hostile, "b", "'\"&"]], "offsets": "token-inclusive"}
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    key.write_text(json.dumps({**line, "clusters": [[[0, 0], [1, 1]], [[2, 2]]]}))
    response.write_text(json.dumps({**line, "clusters": [[[0, 1], [2, 2]]]}))
    path = tmp_path / "report.html"
    report(key, {hostile: response}).save(path, with_text=True)
    with opened(browser, path, "#doc/0/0") as one:
        shown = edit(one)
        shown.locator(".wi-chip[data-side=response]").nth(0).click()
        assert hostile in shown.locator(".wi-which").text_content()
        assert json.loads(exported(shown, "Response as JSON lines"))["doc_key"] == hostile


def test_other_policies_have_no_editor(browser: Any, tmp_path: Path) -> None:
    """The page would score an edit without singletons otherwise than Python does."""
    path = tmp_path / "report.html"
    made = report(FERRY / "key.conll", {"a": FERRY / "hasty.conll"}, policy={"singletons": "drop"})
    made.save(path, with_text=True)
    with opened(browser, path, "#doc/0/0") as one:
        one.page.wait_for_selector("#text .row")
        assert not one.page.get_by_role("button", name="What if").is_visible()


@pytest.mark.long
def test_the_largest_document_of_litbank(browser: Any, data: Path, tmp_path: Path) -> None:
    """What the page shows after edits equals `scoref score` on the exported file."""
    key, response = (data / "litbank" / f"{side}.conll" for side in ("key", "response"))
    path = tmp_path / "report.html"
    report(key, {"system": response}).save(path, with_text=True, budget=20_000_000)
    corpus = scoref.read(key)
    sizes = [int((corpus.document == at).sum()) for at in range(len(corpus.documents))]
    largest = sizes.index(max(sizes))
    with opened(browser, path, f"#doc/{largest}/0") as one:
        shown = edit(one)
        check_scores(shown, key, response, largest)
        for at in (3, 9, 12):
            shown.locator(".wi-chip[data-side=response]").nth(at).click()
            shown.click("[data-do=whole]")
            shown.click("[data-do=key]")
        edited = tmp_path / "edited.conll"
        document = exported(shown, "Response as CoNLL")
        edited.write_text(replace_document(response.read_text("utf-8"), largest, document))
        check_scores(shown, key, edited, largest)
