"""The playground: one HTML file that scores entities, shows the formulas, and lets users edit.

Everything happens in the page. It requires no Python, no server and no network connection.
"""

from __future__ import annotations

from importlib.resources import files
from os import PathLike

from scoref.browser import READING, WHAT_IF, program
from scoref.browser.html_file import html_file
from scoref.browser.markup import Markup, join, section, tag
from scoref.formats.io.output_files import write_whole
from scoref.playground.examples import examples

__all__ = ["playground", "write_playground"]


def write_playground(path: str | PathLike[str]) -> None:
    """Write the playground to a file."""
    with write_whole(path) as stream:
        stream.write(playground().encode())


def playground() -> str:
    """Return the playground as one HTML file."""
    style = f"{program('page.css', 'whatif.css')}\n{_file('playground.css')}"
    script = f"{program(*WHAT_IF, *READING, 'worked.js')}\n{_file('playground.js')}"
    return html_file(
        "Coreference playground",
        style,
        script,
        {"examples": examples()},
        tag("a", "Skip to the scores", href="#scores", class_="skip"),
        _header(),
        tag("main", _input(), _output()),
    )


def _header() -> Markup:
    about = "Scores of coreference, and how each metric arrives at them. Nothing leaves this page."
    theme = tag("button", "Dark", id="theme", type="button", aria_label="Light or dark")
    title = tag("div", tag("h1", "Coreference playground"), tag("p", about, class_="soft"))
    return tag("header", title, theme)


def _input() -> Markup:
    choice = tag("label", "Example ", tag("select", id="example"))
    return section(
        "input",
        "Key and response",
        "",
        tag("p", choice, tag("span", id="about", class_="soft"), class_="pick"),
        tag("div", _side("key", "Key"), _side("response", "Response"), class_="sides"),
        tag(
            "p",
            "Type one entity per line, mentions separated by blanks, or write {a b} {c d}. Or drop"
            " a file on each side: CoNLL columns, JSON lines or clusters.",
            class_="soft",
        ),
        tag("p", id="problem", role="alert", hidden=""),
    )


def _side(name: str, title: str) -> Markup:
    picker = tag("input", type="file", id=f"{name}-file", aria_label=f"{title} file")
    return tag(
        "div",
        tag("div", tag("label", title, for_=f"{name}-text"), picker, class_="line"),
        tag("textarea", id=f"{name}-text", spellcheck="false", rows="6", autocomplete="off"),
        tag("p", id=f"{name}-said", class_="soft said"),
        class_="drop",
        data_side=name,
    )


def _output() -> Markup:
    document = tag("label", "Document ", tag("select", id="document"))
    chosen = tag("p", document, id="documents", hidden="")
    formulas = section(
        "formulas",
        "How each metric arrives at its score",
        "K1, K2, … are the entities of the key in the order of the text, R1, R2, … those of the"
        " response as it is now.",
        tag("div", id="tables"),
        tag("div", id="worked"),
    )
    return join(
        section("scores", "Scores, and what if", "", chosen, tag("div", id="whatif")), formulas
    )


def _file(name: str) -> str:
    return (files("scoref.playground") / name).read_text("utf-8")
