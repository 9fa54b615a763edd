"""MEI: the mentions of major entities, given the names of these entities.

Manikantan, Toshniwal, Tapaswi & Gandhi (2024). A response gives each mention to one of the named
entities or to none of them. Per named entity, F1 over its mentions, which must have the same spans:

    macro F1        the mean of F1 over all named entities
    micro F1        the mean weighted by the mentions that the entity has in the key
    macro-micro F1  the mean over documents of the micro F1 of the document

The entities of a document are lists of mentions in the order of the names, and then perhaps the
list of all others. A mention in two lists counts in both.

If the response has fewer lists than a document has names, the published code adds one list, and
credits the entity in its place with all mentions of the key that the response lacks. Here, a list
that is missing is empty; a note has the figures of that code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scoref.analysis.presets.entity_lists import (
    EntityNames,
    ListsByDocument,
    MentionLists,
    read_lists,
    read_names,
)
from scoref.analysis.presets.preset_scores import Decisions, PresetScores, share
from scoref.base.phrases import counted, listed
from scoref.formats.io.plain_tables import TextFile

_FIGURES = ("macro_f1", "micro_f1", "macro_micro_f1")
EntityRows = dict[str, dict[str, float]]
"""The scores of each named entity of a document, and its mentions in the key."""


def mei(
    key: ListsByDocument,
    response: ListsByDocument,
    entities: TextFile | EntityNames,
    *,
    encoding: str | None = None,
) -> PresetScores:
    """Return the three averages of major entity identification, and a table per document.

    The figures are `macro_f1`, `micro_f1` and `macro_micro_f1`, and the same of the published code
    with `published_` in front if they differ.

    * `key`: Entities in the order of the names, `{"doc": [[mention, ...], ...]}`, or a JSON file
      with this, or with a line per document (`doc_key`, `clusters`, `predicted_clusters`).
    * `response`: The output of a system, in the same way.
    * `entities`: The names of each document in order: `{"doc": ["Ann", "Bob"]}`, a JSON file with
      this, or a file with a line `doc,Ann,Bob` per document.
    * `encoding`: The text encoding of all files, by default UTF-8.
    """
    names, notes = read_names(entities, encoding), []
    of_key = read_lists(key, "key", names, encoding)
    of_response = read_lists(response, "response", names, encoding)
    for lacking, one, other in (("response", of_key, of_response), ("key", of_response, of_key)):
        if absent := [document for document in one if document not in other]:
            many = counted(len(absent), "document")
            does = "counts as empty" if lacking == "response" else "is ignored"
            notes.append(f"the {lacking} lacks {many}, each of which {does}: {listed(absent)}")
    tables: dict[str, EntityRows] = {}
    published: dict[str, EntityRows] = {}
    for document, lists in of_key.items():
        short = of_response.get(document, [])
        missed = frozenset().union(*lists).difference(*short)
        tables[document] = _compare(names[document], lists, short)
        padded = [*short, missed] if document in of_response else []
        published[document] = _compare(names[document], lists, padded)
    figures = dict(zip(_FIGURES, _averages(tables), strict=True))
    silent = [name for rows in tables.values() for name, row in rows.items() if not row["mentions"]]
    if silent:
        many = counted(len(silent), "entity has", "entities have")
        notes.append(f"{many} no mention in the key, and an F1 of 0: {listed(silent)}")
    if tables != published:
        theirs = _averages(published)
        figures |= {f"published_{one}": value for one, value in zip(_FIGURES, theirs, strict=True)}
        shown = ", ".join(f"{100 * value:.2f}" for value in theirs)
        notes.append(
            "the response has fewer lists than names, so MEI's own code credits it with mentions"
            f" that it lacks: macro, micro and macro-micro F1 {shown}"
        )
    return PresetScores("mei", tables, figures, tuple(notes))


def _compare(names: Sequence[str], key: MentionLists, response: MentionLists) -> EntityRows:
    """Compare the mentions of each named entity."""
    found = {}
    for at, name in enumerate(names):
        one, other = key[at], response[at] if at < len(response) else frozenset()
        shared = len(one & other)
        decisions = Decisions(shared, len(other) - shared, len(one) - shared)
        found[name] = {**decisions.rates(0.0), "mentions": len(one)}
    return found


def _averages(tables: Mapping[str, EntityRows]) -> tuple[float, float, float]:
    """Return macro, micro and macro-micro F1."""
    every = [row for rows in tables.values() for row in rows.values()]
    of_documents = [_micro([*rows.values()], 0.0) for rows in tables.values()]
    macro = share(math.fsum(row["f1"] for row in every), len(every), math.nan)
    return macro, _micro(every, math.nan), share(math.fsum(of_documents), len(tables), math.nan)


def _micro(rows: Sequence[Mapping[str, float]], empty: float) -> float:
    """Return the mean of F1, weighted by mentions."""
    weighted = math.fsum(row["f1"] * row["mentions"] for row in rows)
    return share(weighted, sum(row["mentions"] for row in rows), empty)
