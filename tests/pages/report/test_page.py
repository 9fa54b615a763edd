"""The page as a file: what it holds, what it must not hold, and how the command answers."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scoref.base.html import join, tag
from scoref.cli import main
from scoref.pages.report import Report, report
from scoref.pages.report.page_data import page_data
from scoref.pages.toolkit import dump
from tests.conftest import REPOSITORY
from tests.pages.report.conftest import FERRY, SYSTEMS

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def html(ferry: Report) -> str:
    """The page of the shipped example."""
    return ferry.to_html(with_text=True)


def test_the_policy_allows_what_the_page_has(html: str) -> None:
    """The hashes are those of its style and of its program; nothing else may run or load."""
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    said = policy[1].replace("&#x27;", "'")
    assert "default-src 'none'" in said
    assert "unsafe" not in said
    for element in ("style", "script"):
        (text,) = re.findall(rf"<{element}>(.*?)</{element}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in said


def test_nothing_is_loaded_from_elsewhere(html: str) -> None:
    """No address but that of the SVG namespace."""
    assert set(re.findall(r"https?://[^\s\"'<]+", html)) <= {"http://www.w3.org/2000/svg"}


def test_the_same_input_gives_the_same_bytes(ferry: Report, html: str) -> None:
    """So that reports can be compared."""
    again = report(FERRY / "key.conll", {name: FERRY / f"{name}.conll" for name in SYSTEMS})
    assert again.to_html(with_text=True) == html == ferry.to_html(with_text=True)


def test_elements_close() -> None:
    """Every element is closed, and text is always escaped."""
    assert tag("p", "<b>", tag("b", "&"), class_='"x"') == (
        '<p class="&quot;x&quot;">&lt;b&gt;<b>&amp;</b></p>'
    )
    assert join(["a", "<"], tag("br")) == "a&lt;<br/>"


class Checker(HTMLParser):
    """Checks that elements are nested and that identifiers are used once."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what is open."""
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in {"meta", "link", "input", "br"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """They close themselves."""

    def handle_endtag(self, tag: str) -> None:
        """What closes is what was opened last."""
        assert tag == "input" or self.open.pop() == tag


def test_the_page_is_well_formed(html: str) -> None:
    """Every element that is opened is closed, in its turn."""
    checker = Checker()
    checker.feed(html)
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))


def test_data_cannot_end_its_element() -> None:
    """Whatever it says."""
    text = "</script><!--\u2028&"
    assert not set("<>&\u2028") & set(dump([text]))
    assert json.loads(dump([text])) == [text]


def test_data_says_what_was_read(ferry: Report) -> None:
    """The mentions are those of the key, as texts of first and last tokens."""
    known = page_data(replace(ferry.content, with_text=True))
    view = known["views"]["0"]
    assert view["n"] == 126
    starts = [int(span.split("-")[0]) for span in view["k"][::3]]
    key = ferry.content.analyses[0].mentions.sides[0]
    assert starts == sorted(key.start[key.document == 0].tolist())
    assert view["w"][starts[1]] == "Lindholm"
    assert len(view["r"]) == 3
    assert [system["letter"] for system in known["systems"]] == ["A", "B", "C"]
    for system, analysis in enumerate(ferry.content.analyses):
        views = [known["views"][str(at)]["r"][system] for at in range(2)]
        assert sum(len(one["e"]) for one in views) == len(analysis.errors)
        gains = [gain for one in views for gain in one["g"]]
        assert gains == [round(1e6 * gain) for gain in analysis.gains]


def test_numbers_of_the_page_are_those_of_the_library(ferry: Report) -> None:
    """The page rounds scores once, to two digits of percent, as Python does."""
    known = page_data(ferry.content)
    for at, (name, result) in enumerate(ferry.content.comparison.results.items()):
        assert known["systems"][at]["name"] == name
        for document in known["documents"]:
            for metric, f1 in zip(known["metrics"], document["f1"][at], strict=True):
                exact = result.documents[document["name"]][metric].f1
                assert f"{100 * f1:.2f}" == f"{100 * exact:.2f}"


def test_paths_are_shown_only_on_request(ferry: Report, html: str) -> None:
    """A report is sent to others: it has the names of files, not the folders of their author."""
    assert str(FERRY) not in html
    assert "key.conll" in html
    assert str(FERRY) in ferry.to_html(show_paths=True)


def test_no_test_is_not_a_p_of_one(html: str) -> None:
    """With two documents nothing can be tested, and the page says so."""
    assert "which is too few for a test" in html
    assert "p = 1.0" not in html


def test_headings_are_what_the_navigation_says(html: str) -> None:
    """Each link of the navigation leads to a section with the same name."""
    links = re.findall(r'<a href="#([\w-]+)">(\w+)</a>', html.split("</nav>", maxsplit=1)[0])
    assert len(links) == 6
    for name, title in links:
        assert f'<section id="{name}" class="part"><h2>{title}</h2>' in html


def test_the_command(tmp_path: Path, capsys: Capture) -> None:
    """It prints where the report is, and the figures if they are asked for."""
    files = [str(FERRY / f"{name}.conll") for name in ("key", *SYSTEMS)]
    path, figures = tmp_path / "report.html", tmp_path / "figures"
    options = ["-o", str(path), "--with-text", "--figures", str(figures)]
    assert main(["report", *files, *options]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == str(path)
    assert {Path(line).name for line in out[:-1]} == {
        f"{name}.{kind}" for name in ("systems", "documents", "errors") for kind in ("svg", "png")
    }
    assert all(Path(line).stat().st_size > 1000 for line in out)


def test_one_system_one_document_and_labels_alone(tmp_path: Path) -> None:
    """No intervals, no pairs, no spans: the report says so and is still one."""
    path = tmp_path / "report.html"
    report({"d": [["a", "b"], ["c"]]}, {"only": {"d": [["a"], ["b", "c"]]}}).save(path)
    text = path.read_text("utf-8")
    assert "Intervals and tests require at least 2 documents" in text
    assert json.loads(re.search(r'id="data">(.*?)</script>', text)[1])["views"] == {}  # type: ignore[index]


def test_mistakes_are_answered(tmp_path: Path, capsys: Capture) -> None:
    """With a message and code 2."""
    key, response = str(FERRY / "key.conll"), str(FERRY / "careful.conll")
    nowhere = str(tmp_path / "no" / "report.html")
    assert main(["report", key, response, "-o", nowhere]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert main(["report", key, "-o", nowhere]) == 2
    assert "no RESPONSE" in capsys.readouterr().err
    counts = tmp_path / "careful.counts.json"
    assert main(["count", key, response, "-o", str(counts)]) == 0
    assert main(["report", key, str(counts), "-o", nowhere]) == 2
    assert "which has no mentions" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["report", key, response, "-o", nowhere, "--budget", "much"])


def test_several_runs_of_a_system() -> None:
    """Scores are means over the runs, and errors those of the first run; a note says so."""
    runs = [FERRY / f"{name}.conll" for name in ("careful", "baseline")]
    made = report(FERRY / "key.conll", {"ours": runs, "hasty": FERRY / "hasty.conll"}, ["b3"])
    html = made.to_html()
    (system,) = [one for one in made.content.comparison.systems if one.name == "ours"]
    assert f"mean of 2 runs (sd {100 * system.deviations['b3'].f1:.2f})" in html
    assert f"{100 * system.scores['b3'].f1:.2f}" in html
    assert any("errors and documents are those of the first run" in n for n in made.content.notes)
    alone = report(FERRY / "key.conll", {"ours": runs[0], "hasty": FERRY / "hasty.conll"}, ["b3"])
    errors = {one.name: len(one.errors) for one in made.content.analyses}
    assert errors == {one.name: len(one.errors) for one in alone.content.analyses}
    assert not any("first run" in note for note in alone.content.notes)


def test_pictures_of_the_manual_are_small() -> None:
    """`make pictures` takes them; the manual and the README show them."""
    screenshots = pytest.importorskip(
        "tests.pages.report.screenshots", reason="Pillow is not installed"
    )
    guides = REPOSITORY / "docs" / "guides"
    pages = [REPOSITORY / "README.md"]
    pages += [guides / f"{name}.md" for name in ("report", "checkpoints", "playground")]
    shown = "".join(page.read_text("utf-8") for page in pages)
    for name in screenshots.names():
        assert (screenshots.FIGURES / name).stat().st_size < screenshots.LARGEST
        assert name in shown
