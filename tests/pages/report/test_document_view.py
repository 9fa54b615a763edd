"""A document in a real browser: entities, errors and words, two systems, and words left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.pages.report import Report, report
from tests.pages.report.browser import Opened, opened, until
from tests.pages.report.conftest import FERRY


def test_an_entity_can_be_followed(report_page: Opened) -> None:
    """A click on a sign, or on a word, holds the entity; its mentions light up on both sides."""
    page = report_page.visit("#doc/0/1")  # baseline
    page.click(".row p[data-side=key] .tag[data-e='5'] >> nth=0")
    hot = page.locator("#text .tag.hot")
    assert {node.get_attribute("data-e") for node in hot.all()} == {"5"}
    key = scoref.read(FERRY / "key.conll")
    brandt = int((key.entity == 4).sum())
    assert page.locator(".row p[data-side=key] .tag.hot").count() == brandt == 7
    assert "Ada Brandt" in page.inner_text("#entity h3")
    assert page.url.endswith("#doc/0/1/5")
    page.click("#entity >> text=Clear")
    assert hot.count() == 0
    page.click(".row p[data-side=response] .w:has-text('Lindholm') >> nth=0")
    assert page.inner_text("#entity h3").endswith("Lindholm")


def test_numbers_agree_with_nouns(report_page: Opened) -> None:
    """One mention does not belong, two do not."""
    page = report_page.visit("#doc/0/1/5")
    assert "5 of 7 mentions found; 2 mentions do not belong" in page.inner_text("#entity")
    page = report_page.visit("#doc/0/1/12")
    assert "1 of 1 mention found; 1 mention does not belong" in page.inner_text("#entity")


def test_hovering_shows_an_entity_for_a_moment(report_page: Opened) -> None:
    """The highlight ends when the pointer leaves."""
    page = report_page.visit("#doc/0")
    page.hover(".row p[data-side=key] .tag[data-e='1'] >> nth=0")
    assert page.locator("#text .tag.hot").count() > 6
    page.hover("#name")
    assert page.locator("#text .hot").count() == 0


def test_signs_tell_what_is_wrong_without_colours(report_page: Opened) -> None:
    """Missing, extra and misplaced mentions have marks and lines of their own."""
    page = report_page.visit("#doc/0/2")  # hasty
    shown = {
        status: page.locator(f"#text .tag.{status}").first.inner_text()
        for status in ("missing", "extra", "misplaced")
    }
    assert shown["missing"].endswith(" –")  # noqa: RUF001
    assert shown["extra"].endswith(" +")
    misplaced = page.locator("p[data-side=response] .tag.misplaced").all_inner_texts()
    assert misplaced
    assert all("≠" in text for text in misplaced)
    borders = {
        page.locator(f"#text p .tag.{status}").first.evaluate(
            "node => getComputedStyle(node).borderStyle"
        )
        for status in ("right", "missing", "extra", "misplaced")
    }
    assert borders == {"solid", "dashed", "dotted", "double"}


def test_entities_of_the_same_colour_have_other_signs(report_page: Opened) -> None:
    """Entities 1 and 13 share a hue; one sign is outlined, the other filled."""
    page = report_page.visit("#doc/0/0")

    def look(number: int) -> str:
        style = "node => { const s = getComputedStyle(node);"
        style += " return s.color + s.backgroundColor + s.borderRadius + s.boxShadow; }"
        tag = page.locator(f"p[data-side=key] .tag[data-e='{number}']").first
        found: str = tag.evaluate(style)
        return found

    looks = [look(number) for number in range(1, 19)]
    assert len(set(looks)) == len(looks)


def test_the_selected_error_is_marked(report_page: Opened) -> None:
    """Its mentions on both sides, and the mention that it belongs with, until another is chosen."""
    page = report_page.visit("#doc/0/1")
    page.click("#wrong button:has-text('divided entity') >> nth=0")
    assert page.locator("p[data-side=key] .seg.chosen").all_inner_texts()
    assert page.locator("p[data-side=response] .seg.chosen").count()
    assert page.locator(".seg.anchor").count()
    first = page.locator(".seg.chosen").all_inner_texts()
    page.keyboard.press("n")
    assert page.locator(".seg.chosen").all_inner_texts() != first
    assert page.locator("#wrong button[aria-current=true]").count() == 1


def test_errors_can_be_filtered(report_page: Opened) -> None:
    """By kind and by type of mentions, as the library does."""
    errors = scoref.errors(FERRY / "key.conll", FERRY / "baseline.conll")
    errors = errors.where(document="harbour/ferry")
    page = report_page.visit("#doc/0/1")
    items = page.locator("#wrong li")
    assert items.count() == len(errors)
    page.click("#kinds >> text=divided entity")
    assert items.count() == len(errors.where(kind="divided"))
    page.select_option("#type", label="pronouns")
    wanted = errors.where(kind="divided", type="pronoun")
    assert items.count() == len(wanted)
    for item, error in zip(items.all(), wanted, strict=True):
        assert all(mention.words in item.inner_text() for mention in error.mentions)
    page.click("#kinds >> text=divided entity")
    assert items.count() == len(errors.where(type="pronoun"))


def test_everything_can_be_done_with_keys(report_page: Opened) -> None:
    """Errors, mentions, documents, systems, search, help, and the way out."""
    page = report_page.visit("#doc/0/1")
    for key in "nn":
        page.keyboard.press(key)
    current = page.locator("#wrong button[aria-current=true]")
    second = current.inner_text()
    page.keyboard.press("p")
    assert current.inner_text() != second
    page = report_page.visit("#doc/0/1/5")
    go = page.locator("#entity button[aria-current=true]")
    first = go.inner_text()
    page.keyboard.press("j")
    assert go.inner_text() != first
    page.keyboard.press("k")
    assert go.inner_text() == first
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    for key, control in (("/", "query"), ("f", "search")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == control
        page.keyboard.press("Escape")
    page.keyboard.press("s")
    until(page, "document.getElementById('system').value === '2'")
    page.keyboard.press("]")
    page.locator("#name", has_text="harbour/letter").wait_for()
    page.keyboard.press("[")
    page.locator("#name", has_text="harbour/ferry").wait_for()
    page.keyboard.press("Escape")
    page.locator("#overview").wait_for()


def test_words_can_be_found(report_page: Opened) -> None:
    """Enter goes from one to the next; several words may be asked for."""
    page = report_page.visit("#doc/0")
    page.fill("#search", "brandt")
    assert page.inner_text("#hits") == "3 found"
    assert page.locator("p[data-side=key] .w.hit").count() == 3
    page.press("#search", "Enter")
    assert page.inner_text("#hits") == "1 of 3"
    page.fill("#search", "the island")
    assert page.inner_text("#hits") == "2 found"


def test_two_systems_side_by_side(report_page: Opened) -> None:
    """The key, one response and another, sentence by sentence."""
    page = report_page.visit("#doc/0/0?with=2")
    assert page.locator("#text .row >> nth=1").locator("p").count() == 3
    assert page.locator(".head .name").all_inner_texts() == ["careful", "hasty"]
    careful, hasty = (
        page.locator(f"p[data-side={side}] .tag").all_inner_texts()
        for side in ("response", "second")
    )
    assert careful != hasty
    page.select_option("#with", label="no other system")
    until(page, "!document.querySelector('p[data-side=second]')")
    page.select_option("#sides", label="response")
    assert not page.locator("p[data-side=key]").first.is_visible()


@pytest.mark.parametrize("clicked", [False, True])
def test_escape_while_a_mention_is_hovered(report_page: Opened, *, clicked: bool) -> None:
    """The document closes under the pointer, which then leaves the text; nothing fails."""
    page = report_page.visit("#doc/0")
    tag = page.locator("#text .tag").first
    tag.hover()
    if clicked:
        tag.click()
        page.keyboard.press("Escape")
        assert page.locator("#reader").is_visible()  # the first one only ends the selection
    page.keyboard.press("Escape")
    page.locator("#overview").wait_for()
    page.mouse.move(3, 3)
    page.keyboard.press("Escape")
    report_page.visit("#doc/1").locator("#text .tag").first.hover()
    page.keyboard.press("Escape")
    page.locator("#overview").wait_for()


def test_what_another_part_of_the_page_is_told(report_page: Opened) -> None:
    """The place above the text exists, and is empty unless something is mounted there."""
    page = report_page.visit("#doc/0/1")
    assert page.locator("#what-if").count() == 1


def test_without_text_words_are_bars(browser: Any, ferry: Report, tmp_path: Path) -> None:
    """The text view works, and the report says why there are no words."""
    path = tmp_path / "veiled.html"
    ferry.save(path)
    page_text = path.read_text("utf-8")
    assert "Brandt" not in page_text
    assert "Lindholm" not in page_text
    with opened(browser, path) as one:
        assert "does not contain the words" in one.page.inner_text("#words")
        page = one.visit("#doc/0/1/5")
        assert page.locator("#text .w.veil").count() > 100
        assert page.inner_text("#entity h3").endswith("tokens 16–17")  # noqa: RUF001
        assert page.locator("#search").is_disabled()
        page = one.visit("#cases?s=1")
        assert page.locator(".case .w.veil").count() > 100
        page = one.visit("#search?q=ferry")
        assert "does not contain the words" in page.inner_text("#results-status")
        assert page.locator("#found a").all_inner_texts() == ["harbour/ferry"]


CROSSING_KEY = {"d": [[(0, 3), (8, 8)], [(2, 5), (9, 9)], [(3, 3), (10, 10)]]}
CROSSING_RESPONSE = {"d": [[(0, 3), (8, 8)], [(2, 5), (9, 9)], [(3, 3), (10, 10)]]}


def test_crossing_and_nested_mentions_have_lines_of_their_own(browser: Any, tmp_path: Path) -> None:
    """Tokens 2 and 3 are in two and in three mentions: as many lines are drawn under them."""
    path = tmp_path / "crossing.html"
    report(CROSSING_KEY, {"s": CROSSING_RESPONSE}).save(path)
    with opened(browser, path, "#doc/0") as one:
        lines = "node => getComputedStyle(node).backgroundPosition.split(',').map(s => s.trim())"
        for token, many in ((0, 1), (2, 2), (3, 3), (5, 1)):
            seg = one.page.locator(f"p[data-side=key] .seg:has(.w[data-i='{token}'])")
            places = seg.evaluate(lines)
            assert len(places) == len(set(places)) == many
        assert one.page.locator("p[data-side=key] .tag").count() == 6


COREFUD = """\
# global.Entity = eid-etype-head-other
# newdoc id = d
# sent_id = 1
1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\tEntity=(e1[1/2]-person-2-
2\tman\tman\tNOUN\t_\t_\t3\tnsubj\t_\tEntity=e1[1/2])
3\tcame\tcome\tVERB\t_\t_\t0\troot\t_\t_
4\twho\twho\tPRON\t_\t_\t5\tnsubj\t_\tEntity=(e1[2/2]-person-2-
5\tsang\tsing\tVERB\t_\t_\t2\tacl\t_\tEntity=e1[2/2])
5.1\t_\the\tPRON\t_\t_\t_\t_\t3:nsubj\tEntity=(e1-person-1-)
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


def test_discontinuous_mentions_and_empty_nodes(browser: Any, tmp_path: Path) -> None:
    """Both parts have a line and a sign, the words between them have none; a zero has a sign."""
    key = tmp_path / "key.conllu"
    key.write_text(COREFUD, "utf-8")
    path = tmp_path / "parts.html"
    report(key, {"same": key}).save(path, with_text=True)
    with opened(browser, path, "#doc/0/0/1") as one:
        signs = one.page.locator("p[data-side=key] .tag").all_inner_texts()
        assert sorted(signs) == ["1", "…1", "∅ 1"]
        lit = one.page.locator("p[data-side=key] .seg.in .w").all_inner_texts()
        assert lit == ["the", "man", "who", "sang"]
        assert "the man … who sang" in one.page.inner_text("#entity")
        assert "∅" in one.page.inner_text("#entity")
