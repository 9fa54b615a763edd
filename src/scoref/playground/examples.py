"""The examples of the playground: keys and responses that papers discuss."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from scoref.papers import luo2005, moosavi2016, pradhan2014, recasens2011

Partition = Sequence[Sequence[Hashable]]


def examples() -> list[dict[str, Any]]:
    """Return each example with its title, what to see in it, and its entities."""
    return list(_examples())


def _examples() -> Iterator[dict[str, Any]]:
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
