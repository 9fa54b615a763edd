"""The page of runs: one file with learning curves, a table, and the comparison of two runs."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from scoref.base.phrases import counted
from scoref.browser import program
from scoref.browser.html_file import html_file
from scoref.browser.markup import Markup, join, section, tag


def page(data: dict[str, Any], title: str, *, reload_after: int = 0) -> str:
    """Return the page; with `reload_after`, it loads itself again after so many seconds."""
    style = f"{program('page.css')}\n{_file('runs.css')}"
    script = f"{program('elements.js')}\n{_file('curves.js')}\n{_file('runs.js')}"
    return html_file(
        f"{title}: coreference runs",
        style,
        script,
        {**data, "reload": reload_after},
        tag("a", "Skip to the curves", href="#curves", class_="skip"),
        _header(data, title),
        tag("main", _problems(data), _sections(data), _method(data)),
    )


def _header(data: dict[str, Any], title: str) -> Markup:
    about = f"{counted(len(data['runs']), 'run')} · {counted(data['documents'], 'document')}"
    theme = tag("button", "Dark", id="theme", type="button", aria_label="Light or dark")
    return tag("header", tag("div", tag("h1", title), tag("p", about, class_="soft")), theme)


def _problems(data: dict[str, Any]) -> Markup:
    lines = [tag("li", tag("b", name), f": {message}") for name, message in data["problems"]]
    return tag("ul", lines, class_="problems", role="status") if lines else Markup("")


def _sections(data: dict[str, Any]) -> Markup:
    lead = f"F1 of each run. Bands are {data['confidence']} intervals over documents."
    if data["refusal"]:
        lead = f"F1 of each run, without intervals: {data['refusal']}."
    pick = [tag("label", f"{name} ", tag("select", id=name.lower())) for name in ("Run", "With")]
    save = tag("button", "Save as CSV", id="csv", type="button")
    pair, table = (tag("div", id=name, class_="scroll", tabindex="0") for name in ("pair", "table"))
    two = (
        section("compare", "Compare two runs", "", tag("p", pick, class_="pick"), pair),
        section("runs", "All runs", "", save, table),
    )
    curves = section("curves", "Learning curves", lead, tag("div", id="charts"))
    return join(curves, tag("div", two, class_="two"))


def _method(data: dict[str, Any]) -> Markup:
    notes = tag("ul", [tag("li", note) for note in data["notes"]]) if data["notes"] else ""
    text = (
        "The comparison has the jackknife's interval of the difference, and a t-test without"
        " correction for the number of pairs. For a paper, test the runs that you chose before"
        " looking with `scoref compare`."
    )
    return section("method", "Data and method", text, notes, tag("code", data["signature"]))


def _file(name: str) -> str:
    return (files("scoref.runs") / name).read_text("utf-8")
