"""The playground: one HTML file that scores entities, shows the formulas, and lets users edit.

Everything happens in the page. It requires no Python, no server and no network connection.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

from scoref.base.html import tag
from scoref.formats.io.output_files import write_whole
from scoref.pages.toolkit import READING, WHAT_IF, assets, html_file, simple_header, static
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
        tag("main", static("playground", "playground.html")),
        script=f"{scripts}\n{assets('playground', 'playground.js')}",
        data={"examples": list(examples())},
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
