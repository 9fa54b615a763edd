"""The playground in a real browser: examples, typing, files, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref.cli import main
from scoref.pages.playground import examples, write_playground
from tests.pages.report.browser import opened, overflow
from tests.pages.report.conftest import FERRY
from tests.pages.toolkit.test_whatif import CARDS


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The playground."""
    path = tmp_path_factory.mktemp("playground") / "playground.html"
    write_playground(path)
    return path


def type_entities(shown: Any, key: str, response: str) -> None:
    """Type both sides."""
    shown.fill("#key-text", key)
    shown.fill("#response-text", response)


def drop(shown: Any, key: Path, response: Path) -> None:
    """Choose two files."""
    for side, path in (("key", key), ("response", response)):
        shown.set_input_files(f"#{side}-file", str(path))
        shown.locator(f"#{side}-said b", has_text=path.name).wait_for()


def test_the_command_writes_the_page(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One file, which requests nothing."""
    path = tmp_path / "p.html"
    assert main(["playground", "-o", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    text = path.read_text("utf-8")
    assert text == page.read_text("utf-8")
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    assert main(["playground", "-o", str(tmp_path / "none" / "p.html")]) == 2


def test_examples_of_papers(browser: Any, page: Path) -> None:
    """Each example shows the scores that Python computes, and the formula of each metric."""
    with opened(browser, page) as one:
        shown = one.page
        for at, example in enumerate(examples()):
            shown.select_option("#example", str(at))
            key, response = (
                {"d": [line.split() for line in example[side].split("\n")]}
                for side in ("key", "response")
            )
            result = scoref.score(key, response)
            expected = {name: [100 * result[name].f1] for name in result}
            found = shown.evaluate(CARDS)
            assert found.keys() == expected.keys()
            for name, values in found.items():
                assert values == pytest.approx(expected[name], rel=1e-12), example["title"]
            assert shown.locator("#worked .metric").count() == len(expected)
        shown.select_option("#example", "0")
        worked = shown.locator("[data-metric=b3] dd").all_text_contents()
        assert worked[0] == "(2²/3 + 1²/3 + 1²/4 + 2²/4) / 7 = 2.9167 / 7 = 41.67 %"
        worked = shown.locator(".metric[data-metric=ceafe] dd").all_text_contents()
        assert worked[:2] == [
            "K1\u2013R1, K2\u2013R2",
            "(2·2/(3 + 2) + 2·2/(4 + 4)) / 2 = 1.3000 / 2 = 65.00 %",
        ]


def test_typed_entities(browser: Any, page: Path) -> None:
    """Lines or braces; a mention twice is refused with its line; edits change the text."""
    with opened(browser, page) as one:
        shown = one.page
        type_entities(shown, "{a b} {c}", "a\nb c")
        expected = scoref.score({"d": [["a", "b"], ["c"]]}, {"d": [["a"], ["b", "c"]]})
        assert shown.evaluate(CARDS)["lea"] == pytest.approx([100 * expected["lea"].f1])
        shown.fill("#response-text", "a\nb a")
        assert shown.text_content("#problem").startswith("response:2: found the mention `a` again")
        shown.fill("#response-text", "{a b")
        assert "text outside of braces" in shown.text_content("#problem")
        shown.fill("#response-text", "a\nb c")
        assert not shown.locator("#problem").is_visible()
        shown.locator(".wi-chip[data-side=response]").nth(1).click()
        shown.click("[data-do=key]")
        assert shown.input_value("#response-text") == "a b\nc"
        shown.fill("#key-text", "")
        shown.fill("#response-text", "")
        assert shown.evaluate(CARDS)["conll"] == [0]


def test_files_and_what_is_refused(browser: Any, page: Path, tmp_path: Path) -> None:
    """Two files are scored as by Python; damage has its line, and nothing changes."""
    broken = tmp_path / "broken.conll"
    broken.write_text((FERRY / "hasty.conll").read_text("utf-8").replace("(", "", 1))
    with opened(browser, page) as one:
        shown = one.page
        drop(shown, FERRY / "key.conll", FERRY / "hasty.conll")
        result = scoref.score(FERRY / "key.conll", FERRY / "hasty.conll")
        name = next(iter(result.documents))
        found = shown.evaluate(CARDS)
        for metric in result:
            expected = [100 * result.documents[name][metric].f1, 100 * result[metric].f1]
            assert found[metric] == pytest.approx(expected, rel=1e-12)
        drop(shown, FERRY / "key.conll", broken)
        assert "broken.conll:" in shown.text_content("#problem")
        assert shown.evaluate(CARDS) == found
        drop(shown, FERRY / "key.conll", Path(__file__))
        assert "a file of another format" in shown.text_content("#problem")


def test_json_lines(browser: Any, page: Path, tmp_path: Path) -> None:
    """The other format, names that are code, and JSON that only the command line reads."""
    hostile = "</script><img src=x onerror=alert(1)>"
    line = {"doc_key": hostile, "sentences": [[hostile, "b", "c"]]}
    files = {
        "key.jsonl": {**line, "clusters": [[[0, 0], [2, 2]]]},
        "response.jsonl": {**line, "clusters": [[[0, 0], [1, 1]]]},
        "clusters.json": {hostile: [[hostile, "b"], ["c"]]},
    }
    paths = {name: tmp_path / name for name in files}
    for name, value in files.items():
        paths[name].write_text(json.dumps(value))
    with opened(browser, page) as one:
        key, response = paths["key.jsonl"], paths["response.jsonl"]
        drop(one.page, key, response)
        result = scoref.score(key, response)
        assert one.page.evaluate(CARDS)["b3"] == pytest.approx([100 * result["b3"].f1])
        assert hostile[:20] in one.page.text_content("#tables")
        drop(one.page, paths["clusters.json"], response)
        assert "no field with words" in one.page.text_content("#problem")
        one.page.select_option("#example", "0")
        type_entities(one.page, hostile, hostile.replace(" ", "_"))


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_looks(browser: Any, page: Path, scheme: str) -> None:
    """Nothing is wider than the window; paper has no buttons."""
    with opened(browser, page, color_scheme=scheme) as one:
        for width in (360, 768, 1400):
            one.page.set_viewport_size({"width": width, "height": 900})
            assert overflow(one.page) <= 0, width
        one.page.emulate_media(media="print")
        assert not one.page.locator("#theme").is_visible()
        assert one.page.locator("#worked .metric").first.is_visible()
