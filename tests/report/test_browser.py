"""The report in a real browser: everything a reader can do, and nothing a hostile text can."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.report import Report, report
from tests.report.browser import opened
from tests.report.conftest import FERRY

LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2},
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_look(browser: Any, ferry_page: Path, look: str) -> None:
    """Light, dark and on a phone; nothing is wider than the window."""
    with opened(browser, ferry_page, **LOOKS[look]) as one:
        one.page.wait_for_selector("#scatter a")
        one.keep(f"overview-{look}", whole=True)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert one.page.evaluate(wide) <= 0
        one.page.goto(f"{ferry_page.as_uri()}#doc/0/2/1")
        one.page.wait_for_selector(".tag.hot")
        one.page.wait_for_timeout(1700)  # until nothing flashes
        one.keep(f"text-{look}")
        assert one.page.evaluate(wide) <= 0


def test_the_printed_page(browser: Any, ferry_page: Path) -> None:
    """Paper has no buttons; all sections and the text are there."""
    with opened(browser, ferry_page) as one:
        one.page.emulate_media(media="print")
        assert not one.page.locator("nav").is_visible()
        assert not one.page.locator("#theme").is_visible()
        assert one.page.locator("#errors table").first.is_visible()
        one.keep("print", whole=True)
        one.page.goto(f"{ferry_page.as_uri()}#doc/0")
        assert one.page.locator("#text .row").nth(3).is_visible()
        assert not one.page.locator("aside").is_visible()


def test_the_theme_can_be_switched(browser: Any, ferry_page: Path) -> None:
    """A button switches it, independent of the preference of the operating system."""
    colour = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, ferry_page) as one:
        before = one.page.evaluate(colour)
        one.page.click("#theme")
        assert one.page.evaluate(colour) != before
        one.page.click("#theme")
        assert one.page.evaluate(colour) == before


def test_a_point_opens_its_document(browser: Any, ferry_page: Path) -> None:
    """And the way back leads to the list of documents."""
    with opened(browser, ferry_page) as one:
        point = one.page.locator("#scatter a[data-doc='1']")
        assert "harbour/letter" in point.get_attribute("aria-label")
        point.click()
        one.page.locator("#name", has_text="harbour/letter").wait_for()
        assert "Editor" in one.page.inner_text("#text")
        assert not one.page.locator("#overview").is_visible()
        one.page.click("#back")
        one.page.locator("#overview").wait_for()
        one.page.go_back()
        one.page.locator("#name", has_text="harbour/letter").wait_for()


def test_axes_of_the_scatter(browser: Any, ferry_page: Path) -> None:
    """Systems, metrics and lengths can be chosen."""
    with opened(browser, ferry_page) as one:
        one.page.select_option("#by", label="lea")
        one.page.select_option("#other", label="length")
        labels = one.page.locator("#scatter .axis").all_text_contents()
        assert labels == ["mentions in the key", "lea F1 of careful"]
        assert one.page.locator("#scatter a").count() == 2


def test_the_list_can_be_searched_and_sorted(browser: Any, ferry_page: Path) -> None:
    """Worst first, until another order is asked for."""
    with opened(browser, ferry_page) as one:
        names = one.page.locator("#list tbody th")
        assert names.all_inner_texts() == ["harbour/ferry", "harbour/letter"]
        one.page.click("#list thead button:has-text('hasty')")
        one.page.click("#list thead button:has-text('hasty')")
        assert names.all_inner_texts() == ["harbour/letter", "harbour/ferry"]
        one.page.fill("#find", "LETT")
        assert names.all_inner_texts() == ["harbour/letter"]
        assert one.page.inner_text("#many") == "1 of 2"


def test_an_entity_can_be_followed(browser: Any, ferry_page: Path) -> None:
    """A click on a sign, or on a word, holds the entity; its mentions light up on both sides."""
    with opened(browser, ferry_page, "#doc/0/1") as one:  # baseline
        one.page.click(".row p[data-side=key] .tag[data-e='5'] >> nth=0")
        hot = one.page.locator("#text .tag.hot")
        numbers = {node.get_attribute("data-e") for node in hot.all()}
        assert numbers == {"5"}
        key = scoref.read(FERRY / "key.conll")
        brandt = int((key.entity == 4).sum())
        assert one.page.locator(".row p[data-side=key] .tag.hot").count() == brandt == 7
        assert "Ada Brandt" in one.page.inner_text("#entity h3")
        assert one.page.url.endswith("#doc/0/1/5")
        one.page.click("#entity >> text=Clear")
        assert hot.count() == 0
        one.page.click(".row p[data-side=response] .w:has-text('Lindholm') >> nth=0")
        assert one.page.inner_text("#entity h3").endswith("Lindholm")


def test_hovering_shows_an_entity_for_a_moment(browser: Any, ferry_page: Path) -> None:
    """The highlight ends when the pointer leaves."""
    with opened(browser, ferry_page, "#doc/0") as one:
        one.page.hover(".row p[data-side=key] .tag[data-e='1'] >> nth=0")
        assert one.page.locator("#text .tag.hot").count() > 6
        one.page.hover("#name")
        assert one.page.locator("#text .hot").count() == 0


def test_signs_tell_what_is_wrong_without_colours(browser: Any, ferry_page: Path) -> None:
    """Missing, extra and misplaced mentions have marks and lines of their own."""
    with opened(browser, ferry_page, "#doc/0/2") as one:  # hasty
        shown = {
            status: one.page.locator(f"#text .tag.{status}").first.inner_text()
            for status in ("missing", "extra", "misplaced")
        }
        assert shown["missing"].endswith(" –")  # noqa: RUF001
        assert shown["extra"].endswith(" +")
        misplaced = one.page.locator("p[data-side=response] .tag.misplaced").all_inner_texts()
        assert misplaced
        assert all("≠" in text for text in misplaced)
        borders = {
            one.page.locator(f"#text p .tag.{status}").first.evaluate(
                "node => getComputedStyle(node).borderStyle"
            )
            for status in ("right", "missing", "extra", "misplaced")
        }
        assert borders == {"solid", "dashed", "dotted", "double"}


def test_errors_can_be_filtered(browser: Any, ferry_page: Path) -> None:
    """By kind and by type of mentions, as the library does."""
    errors = scoref.errors(FERRY / "key.conll", FERRY / "baseline.conll")
    errors = errors.where(document="harbour/ferry")
    with opened(browser, ferry_page, "#doc/0/1") as one:
        items = one.page.locator("#wrong li")
        assert items.count() == len(errors)
        one.page.click("#kinds >> text=divided entity")
        assert items.count() == len(errors.where(kind="divided"))
        one.page.select_option("#type", label="pronouns")
        wanted = errors.where(kind="divided", type="pronoun")
        assert items.count() == len(wanted)
        for item, error in zip(items.all(), wanted, strict=True):
            assert all(mention.words in item.inner_text() for mention in error.mentions)
        one.page.click("#kinds >> text=divided entity")
        assert items.count() == len(errors.where(type="pronoun"))


def test_everything_can_be_done_with_keys(browser: Any, ferry_page: Path) -> None:
    """Errors, mentions, documents, systems, search, help, and the way out."""
    with opened(browser, ferry_page, "#doc/0/1") as one:
        page = one.page
        page.keyboard.press("n")
        page.keyboard.press("n")
        current = page.locator("#wrong button[aria-current=true]")
        assert current.count() == 1
        second = current.inner_text()
        page.keyboard.press("p")
        assert current.inner_text() != second
        assert page.locator("#text .flash").count() > 0
        page.goto(f"{ferry_page.as_uri()}#doc/0/1/5")
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
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "search"
        page.keyboard.press("Escape")
        page.keyboard.press("s")
        assert page.locator("#system option:checked").inner_text() == "hasty"
        page.keyboard.press("]")
        page.locator("#name", has_text="harbour/letter").wait_for()
        page.keyboard.press("[")
        page.locator("#name", has_text="harbour/ferry").wait_for()
        page.keyboard.press("Escape")
        page.locator("#overview").wait_for()


def test_words_can_be_found(browser: Any, ferry_page: Path) -> None:
    """Enter goes from one to the next; several words may be asked for."""
    with opened(browser, ferry_page, "#doc/0") as one:
        one.page.fill("#search", "brandt")
        assert one.page.inner_text("#hits") == "3 found"
        assert one.page.locator("p[data-side=key] .w.hit").count() == 3
        one.page.press("#search", "Enter")
        assert one.page.inner_text("#hits") == "1 of 3"
        one.page.fill("#search", "the island")
        assert one.page.inner_text("#hits") == "2 found"


def test_links_from_expensive_entities(browser: Any, ferry_page: Path) -> None:
    """They lead into the text, to the entity."""
    with opened(browser, ferry_page) as one:
        link = one.page.locator("#entities a.words").first
        words = link.inner_text()
        link.click()
        assert words in one.page.inner_text("#entity h3")


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


def test_hostile_names_and_words_are_shown_and_not_run(browser: Any, tmp_path: Path) -> None:
    """Names of documents and of systems, and words, are always text."""
    key, response = hostile_files(tmp_path)
    made = report(key, {HOSTILE[0]: response, HOSTILE[1]: key})
    path = tmp_path / "report.html"
    made.write(path, with_text=True)
    with opened(browser, path) as one:
        page = one.page
        text = page.inner_text("body")
        for name in HOSTILE[:2]:
            assert name in text
        assert page.locator("script").count() == 2
        page.hover("#scatter a[data-doc='1']")
        one.keep("hostile", whole=True)
        page.goto(f"{path.as_uri()}#doc/0/1/1")
        shown = page.inner_text("#text")
        for word in HOSTILE[:5]:
            assert word in shown
        page.hover(".row p[data-side=response] .w >> nth=1")
        page.click(".row p[data-side=response] .w >> nth=1")
        page.click("#wrong button >> nth=0")
        assert HOSTILE[0] in page.inner_text("#entity") + page.inner_text("#wrong")
        assert page.locator("#reader img, #reader script").count() == 0
        assert page.evaluate("typeof window.onmouseover") == "object"


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


def test_without_text_words_are_bars(browser: Any, ferry: Report, tmp_path: Path) -> None:
    """The text view works, and the report says why there are no words."""
    path = tmp_path / "veiled.html"
    ferry.write(path)
    page_text = path.read_text("utf-8")
    assert "Brandt" not in page_text
    assert "Lindholm" not in page_text
    with opened(browser, path) as one:
        assert "does not contain the words" in one.page.inner_text("#words")
        one.page.goto(f"{path.as_uri()}#doc/0/1/5")
        assert one.page.locator("#text .w.veil").count() > 100
        assert one.page.inner_text("#entity h3").endswith("tokens 16–17")  # noqa: RUF001
        assert one.page.locator("#search").is_disabled()
        one.keep("text-veiled")


CROSSING_KEY = {"d": [[(0, 3), (8, 8)], [(2, 5), (9, 9)], [(3, 3), (10, 10)]]}
CROSSING_RESPONSE = {"d": [[(0, 3), (8, 8)], [(2, 5), (9, 9)], [(3, 3), (10, 10)]]}


def test_crossing_and_nested_mentions_have_lines_of_their_own(browser: Any, tmp_path: Path) -> None:
    """Tokens 2 and 3 are in two and in three mentions: as many lines are drawn under them."""
    path = tmp_path / "crossing.html"
    report(CROSSING_KEY, {"s": CROSSING_RESPONSE}).write(path)
    with opened(browser, path, "#doc/0") as one:
        one.keep("crossing")
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
    report(key, {"same": key}).write(path, with_text=True)
    with opened(browser, path, "#doc/0/0/1") as one:
        one.keep("discontinuous")
        signs = one.page.locator("p[data-side=key] .tag").all_inner_texts()
        assert sorted(signs) == ["1", "…1", "∅ 1"]
        lit = one.page.locator("p[data-side=key] .seg.in .w").all_inner_texts()
        assert lit == ["the", "man", "who", "sang"]
        assert "the man … who sang" in one.page.inner_text("#entity")
        assert "∅" in one.page.inner_text("#entity")


@pytest.mark.slow
def test_a_long_document_scrolls(browser: Any, tmp_path: Path) -> None:
    """100,000 tokens open at once, since only what is near the window is drawn."""
    tokens = 100_000
    lines = ["#begin document (long); part 000"]
    for at in range(tokens):
        entity = f"({at % 700})" if at % 3 == 0 else "-"
        lines.append(f"long\t0\t{at % 20}\tword{at}\t{entity}")
        if at % 20 == 19:
            lines.append("")
    lines += ["#end document", ""]
    key = tmp_path / "key.conll"
    key.write_text("\n".join(lines), "utf-8")
    path = tmp_path / "long.html"
    report(key, {"same": key}).write(path, with_text=True)
    with opened(browser, path) as one:
        started = time.monotonic()
        one.page.click("#scatter a")
        one.page.wait_for_selector("#text .row")
        assert time.monotonic() - started < 10
        nodes = "document.querySelectorAll('#text *').length"
        assert one.page.evaluate(nodes) < 30_000
        for share in (0.25, 0.5, 0.75, 1.0):
            one.page.evaluate(f"scrollTo(0, {share} * document.documentElement.scrollHeight)")
            one.page.wait_for_timeout(200)
            assert one.page.evaluate(nodes) < 40_000
        one.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        one.page.wait_for_selector(f"#text .w[data-i='{tokens - 1}']")
        one.page.fill("#search", "word50001")
        one.page.press("#search", "Enter")
        assert one.page.locator("p[data-side=key] .w.hit").is_visible()


def test_documents_beyond_the_budget_have_no_text(
    browser: Any, ferry: Report, tmp_path: Path
) -> None:
    """The worst come first; the others are listed with their scores."""
    path = tmp_path / "small.html"
    whole = len(ferry.to_html())
    ferry.write(path, budget=2_600)
    assert len(path.read_text("utf-8")) < whole
    with opened(browser, path) as one:
        assert one.page.locator("#list a").all_inner_texts() == ["harbour/ferry"]
        assert one.page.locator("#list tbody tr").count() == 2
        assert "1 document of 2 has no text view" in one.page.inner_text("#documents")
        assert one.page.locator("#scatter .point.closed").count() == 1


def test_a_reader_who_does_not_see_the_page(browser: Any, ferry_page: Path) -> None:
    """Headings in order, a name for every control, a caption for every table."""
    with opened(browser, ferry_page) as one:
        levels = one.page.evaluate(
            "[...document.querySelectorAll('#top h1, #overview h2, #overview h3')]"
            ".map(node => Number(node.tagName[1]))"
        )
        assert levels[0] == 1
        assert levels.count(1) == 1
        nameless = one.page.evaluate(
            """[...document.querySelectorAll("select, input, button, a")].filter((node) =>
                !(node.labels && node.labels.length) && !node.getAttribute("aria-label")
                && !node.textContent.trim()).length"""
        )
        assert nameless == 0
        captions = "[...document.querySelectorAll('table')].every(t => t.caption)"
        assert one.page.evaluate(captions)


@pytest.mark.parametrize("clicked", [False, True])
@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("pause", [0, 200])
def test_escape_while_a_mention_is_hovered(
    browser: Any, ferry_page: Path, *, clicked: bool, times: int, pause: int
) -> None:
    """The document closes under the pointer, which then leaves the text; nothing fails."""
    with opened(browser, ferry_page) as one:
        one.page.goto(f"{ferry_page.as_uri()}#doc/0")
        tag = one.page.locator("#text .tag").first
        tag.wait_for()
        tag.hover()
        if clicked:
            tag.click()
        for _ in range(times):
            one.page.keyboard.press("Escape")
            one.page.wait_for_timeout(pause)
        one.page.mouse.move(3, 3)
        one.page.wait_for_timeout(50)
        is_open = clicked and times == 1  # the first one only ends the selection
        assert one.page.locator("#reader").is_visible() == is_open
        one.page.goto(f"{ferry_page.as_uri()}#doc/1")
        one.page.locator("#text .tag").first.hover()
        one.page.keyboard.press("Escape")
