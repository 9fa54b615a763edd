"""The page as a file: what it holds, what it must not hold, and how the command answers."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from scoref.browser.html_file import dump
from scoref.browser.markup import join, tag
from scoref.cli import main
from scoref.report import Report, report
from scoref.report.page_data import page_data
from tests.conftest import REPOSITORY
from tests.report.conftest import FERRY, SYSTEMS

Capture = pytest.CaptureFixture[str]
STYLE = REPOSITORY / "src" / "scoref" / "report" / "report.css"


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
    """Mentions can be added up again: the starts are differences."""
    known = page_data(ferry.content, with_text=True)
    view = known["views"]["0"]
    assert view["n"] == 126
    flat = view["k"]
    starts = [sum(flat[: at + 1 : 4]) for at in range(0, len(flat), 4)]
    key = ferry.content.analyses[0].mentions.sides[0]
    assert starts == sorted(key.start[key.document == 0].tolist())
    assert view["w"][starts[1]] == "Lindholm"
    assert len(view["r"]) == 3


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="dark"] {'])
def test_colours_can_be_read(theme: str) -> None:
    """Text and the signs of entities have a contrast of 4.5 or more, light and dark."""
    css = STYLE.read_text("utf-8")
    block = css[css.index(theme) :]
    block = block[: block.index("}")]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
    for background in ("paper", "card"):
        for name in ("ink", "soft", "accent", "warn", *(f"e{at}" for at in range(7))):
            low, high = sorted(luminance(colours[one]) for one in (name, background))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (name, background)


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
    report({"d": [["a", "b"], ["c"]]}, {"only": {"d": [["a"], ["b", "c"]]}}).write(path)
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
