"""The playground: one HTML file that scores entities, shows the formulas, and lets users edit.

Everything happens in the page. It requires no Python, no server and no network connection.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

from scoref.base.html import Markup, join, tag
from scoref.formats.io.output_files import write_whole
from scoref.pages.toolkit import READING, WHAT_IF
from scoref.pages.toolkit.html_file import assets, html_file, section, simple_header
from scoref.papers import luo2005, moosavi2016, pradhan2014, recasens2011

__all__ = ["examples", "playground", "write_playground"]

Partition = Sequence[Sequence[Hashable]]


def write_playground(path: str | PathLike[str]) -> None:
    """Write the playground to a file."""
    with write_whole(path) as stream:
        stream.write(playground().encode())


def playground() -> str:
    """Return the playground as one HTML file."""
    shared = assets("toolkit", "base.css", "page.css", "whatif.css")
    scripts = assets("toolkit", *WHAT_IF, *READING, "worked.js")
    about = "Scores of coreference, and how each metric arrives at them. Nothing leaves this page."
    return html_file(
        "Coreference playground",
        f"{shared}\n{assets('playground', 'playground.css')}",
        tag("a", "Skip to the scores", href="#scores", class_="skip"),
        simple_header("Coreference playground", about),
        tag("main", _input(), _output()),
        script=f"{scripts}\n{assets('playground', 'playground.js')}",
        data={"examples": list(examples())},
    )


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


def examples() -> Iterator[dict[str, Any]]:
    """Yield keys and responses of papers: title, what to see, and the entities of each."""
    yield _example(
        "Pradhan et al. 2014: the worked example",
        "The response divides both key entities, misses e and adds h and i.",
        pradhan2014.KEY,
        pradhan2014.RESPONSE,
    )
    about = {
        "(a)": "Two entities are merged. MUC sees one wrong link.",
        "(b)": "Two large entities are merged. MUC gives the same score as for (a).",
        "(c)": "Everything is one entity. MUC recall is 1.",
        "(d)": "Everything is a singleton. MUC is 0.",
    }
    for name, response in luo2005.RESPONSES.items():
        yield _example(f"Luo 2005: response {name}", about[name], luo2005.KEY, response)
    yield _example(
        "Recasens & Hovy 2011: Figure 1",
        "Most mentions are singletons, and B³ and CEAF reward finding them.",
        recasens2011.FIGURE1_KEY,
        recasens2011.FIGURE1_RESPONSE,
    )
    yield from _responses(
        "Recasens & Hovy 2011: Table 12",
        "16 singletons and one link in the key.",
        recasens2011.TABLE12_KEY,
        recasens2011.TABLE12_RESPONSES,
    )
    yield from _responses(
        "Moosavi & Strube 2016: Table 3",
        "One entity of eight mentions: divided into halves (cr1), or one half left out (cr2).",
        moosavi2016.TABLE3_KEY,
        moosavi2016.TABLE3_RESPONSES,
    )


def _responses(
    title: str, about: str, key: Partition, responses: Mapping[str, Partition]
) -> Iterator[dict[str, Any]]:
    for name, response in responses.items():
        yield _example(f"{title}, response {name}", about, key, response)


def _example(title: str, about: str, key: Partition, response: Partition) -> dict[str, Any]:
    sides = {"key": key, "response": response}
    written = {
        side: "\n".join(" ".join(map(str, entity)) for entity in entities)
        for side, entities in sides.items()
    }
    return {"title": title, "about": about, **written}
