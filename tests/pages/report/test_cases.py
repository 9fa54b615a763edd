"""The list of errors of all documents: filters, order, context, and errors as test cases."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.analysis.errors import KINDS, TITLES, Errors
from scoref.cli import main
from tests.pages.report.browser import Opened, until
from tests.pages.report.conftest import FERRY

SYSTEM = 1  # baseline


@pytest.fixture(scope="module")
def errors() -> Errors:
    """The errors of that system, by the library."""
    return scoref.errors(FERRY / "key.conll", FERRY / "baseline.conll")


@pytest.mark.parametrize("kind", ["divided", "missing_mention"])
def test_each_kind_opens_its_errors(report_page: Opened, errors: Errors, kind: str) -> None:
    """A number in the table of errors leads to as many cases."""
    page = report_page.visit("#errors")
    row = page.locator("#errors tbody tr", has_text=TITLES[kind]).first
    link = row.locator("td a").nth(1)
    assert int(link.inner_text()) == errors.counts[kind]
    link.click()
    page.wait_for_selector(".case")
    assert page.locator(".case").count() == errors.counts[kind]
    assert set(page.locator(".case-title b").all_inner_texts()) == {TITLES[kind]}
    assert f"kind={KINDS.index(kind)}" in page.url
    page.go_back()
    page.locator("#errors").wait_for()


def test_cases_show_their_context(report_page: Opened, errors: Errors) -> None:
    """The sentence with both annotations, the mentions marked, and what the repair is worth."""
    page = report_page.visit(f"#cases?s={SYSTEM}&sort=text")
    cases = page.locator(".case")
    assert cases.count() == len(errors) == 20
    for case, error in zip(cases.all(), errors, strict=True):
        assert TITLES[error.kind] in case.inner_text()
        assert error.document in case.inner_text()
        assert (
            case.locator("p[data-side=key]").count() == case.locator("[data-side=response]").count()
        )
        marked = " ".join(case.locator(".seg.chosen .w").all_inner_texts())
        assert all(word in marked for mention in error.mentions for word in mention.words.split())


def test_cases_are_sorted_by_cost(report_page: Opened) -> None:
    """What costs most comes first, unless another order is chosen."""
    page = report_page.visit(f"#cases?s={SYSTEM}")
    shown = [
        float(text.replace("\u2212", "-"))
        for text in page.locator(".case .worth").all_inner_texts()
    ]
    assert shown == sorted(shown, reverse=True)
    page.select_option("#case-sort", "size")
    until(page, "location.hash.includes('sort=size')")
    assert "2 mentions" in page.locator(".case").first.inner_text()


def test_cases_can_be_filtered(report_page: Opened, errors: Errors) -> None:
    """By kind, type, words and document; the address has the filters, and back undoes them."""
    page = report_page.visit(f"#cases?s={SYSTEM}")
    cases = page.locator(".case")
    page.click("#case-kinds >> text=divided entity")
    until(page, "location.hash.includes('kind=')")
    page.select_option("#case-type", label="pronoun")
    until(page, "location.hash.includes('type=')")
    assert cases.count() == len(errors.where(kind="divided", type="pronoun")) > 0
    page.go_back()
    until(page, "!location.hash.includes('type=')")
    assert cases.count() == len(errors.where(kind="divided"))
    page.go_forward()
    until(page, "location.hash.includes('type=')")
    page = report_page.visit(f"#cases?s={SYSTEM}&doc=1")
    assert cases.count() == len(errors.where(document="harbour/letter"))
    page.click("#case-filters button")
    until(page, "!location.hash.includes('doc=')")
    assert cases.count() == len(errors)
    page.fill("#case-find", "brandt")
    assert 0 < cases.count() < len(errors)
    page.fill("#case-find", "no such word")
    assert "No error has all these properties" in page.inner_text("#case-list")


def test_slices_and_entities_open_their_errors(report_page: Opened, errors: Errors) -> None:
    """From the mentions of a class, and from an entity, to its errors."""
    page = report_page.visit("#mentions")
    page.click("#mentions tbody tr:has-text('pronoun') >> nth=0 >> a >> nth=1")
    page.wait_for_selector(".case")
    assert page.locator(".case").count() == len(errors.where(type="pronoun"))
    page = report_page.visit("#mentions")
    page.click("[data-csv='Mentions by entity size'] tbody tr >> nth=1 >> a >> nth=1")
    page.wait_for_selector(".case")
    assert "entity_size=1" in page.url
    assert 0 < page.locator(".case").count() < len(errors)
    page = report_page.visit("#entities")
    page.click("#entities .expensive >> nth=1 >> a:text-is('errors') >> nth=0")
    page.wait_for_selector(".case")
    assert "entity 1" in page.inner_text("#case-filters")
    assert 0 < page.locator(".case").count() < len(errors)


def test_cases_by_keyboard(report_page: Opened) -> None:
    """Next, previous, open in the text, and back to the same case."""
    page = report_page.visit(f"#cases?s={SYSTEM}")
    current = page.locator(".case[aria-current=true]")
    page.keyboard.press("n")
    first = current.inner_text()
    page.keyboard.press("j")
    assert current.count() == 1
    assert current.inner_text() != first
    page.keyboard.press("k")
    assert current.inner_text() == first
    page.click("#case-next")
    second, address = current.inner_text(), page.url
    page.keyboard.press("Enter")
    page.locator("#reader").wait_for()
    assert page.locator("#text .seg.chosen").count() > 0
    page.keyboard.press("Escape")  # the entity
    page.keyboard.press("Escape")
    page.locator("#cases").wait_for()
    assert page.url == address
    assert current.inner_text() == second


def run_test_case(commands: str, folder: Path) -> tuple[Path, Path]:
    """Run the commands of a test case in a shell, all but the last; return the two files."""
    *write, explain = commands.strip().splitlines()
    assert explain.startswith("scoref explain key.conll response.conll -m ")
    subprocess.run([str(shutil.which("sh")), "-c", "\n".join(write)], cwd=folder, check=True)
    return folder / "key.conll", folder / "response.conll"


@pytest.mark.skipif(shutil.which("sh") is None, reason="no shell to run a test case in")
@pytest.mark.parametrize("system", [1, 2])
def test_every_error_is_a_test_case(
    report_page: Opened, tmp_path: Path, capsys: pytest.CaptureFixture[str], system: int
) -> None:
    """The small pair has the error, the library finds it there, and the command explains it."""
    page = report_page.visit(f"#cases?s={system}")
    many = page.locator(".case").count()
    for at in range(many):
        case = page.locator(".case").nth(at)
        kind = case.locator(".case-title b").inner_text()
        case.locator("text=Copy as test case").click()
        commands = page.evaluate("navigator.clipboard.readText()")
        files = run_test_case(commands, tmp_path)
        found = scoref.errors(*files)
        assert kind in {TITLES[name] for name in found.counts if found.counts[name]}, commands
        if at == 0:
            metric = commands.split("-m ")[-1].strip().strip("'")
            assert main(["explain", *map(str, files), "-m", metric]) == 0
            assert "F1" in capsys.readouterr().out


def test_cases_can_be_saved(report_page: Opened, errors: Errors) -> None:
    """As CSV: a row per error, with its gain."""
    page = report_page.visit(f"#cases?s={SYSTEM}&sort=text")
    with page.expect_download() as started:
        page.click("#case-csv")
    lines = Path(started.value.path()).read_text("utf-8").splitlines()
    assert lines[0] == "document,sentence,kind,type,mentions,what,gain"
    assert len(lines) == len(errors) + 1
    gains = [float(line.rsplit(",", 1)[1]) for line in lines[1:]]
    assert np.isfinite(gains).all()
