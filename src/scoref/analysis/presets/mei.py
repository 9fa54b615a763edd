"""MEI: the mentions of major entities, given the names of these entities.

Manikantan, Toshniwal, Tapaswi & Gandhi (2024). A response gives each mention to one of the named
entities or to none of them. Per named entity, F1 over its mentions, which must have the same spans:

    macro F1        the mean of F1 over all named entities
    micro F1        the mean weighted by the mentions that the entity has in the key
    macro-micro F1  the mean over documents of the micro F1 of the document

The entities of a document are lists of mentions in the order of the names, and then perhaps the
list of all others. A mention in two lists counts in both.

If the response has fewer lists than a document has names, the published code adds one list, and
credits the entity in its place with all mentions of the key that the response lacks. `published`
has the figures of that code; here, a list that is missing is empty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from scoref.analysis.presets.answers import (
    Decisions,
    PresetScores,
    PresetTable,
    TextFile,
    share,
)
from scoref.analysis.presets.entity_lists import EntityNames, MentionLists, read_lists, read_names
from scoref.base.phrases import counted, listed
from scoref.matching.inputs import Input

_BY_DOCUMENT = attrgetter("document")


class MajorEntity(NamedTuple):
    """A named entity of a document; its mentions that were found, are spurious, and were missed."""

    document: str
    name: str
    decisions: Decisions

    @property
    def f1(self) -> float:
        """F1, which is 0 if no mention was found."""
        return self.decisions.rates(0.0)["f1"]

    @property
    def mentions(self) -> int:
        """The number of its mentions in the key."""
        return self.decisions.tp + self.decisions.fn


class MeiAverages(NamedTuple):
    """The three averages; NaN without an entity, or without a mention."""

    macro_f1: float
    micro_f1: float
    macro_micro_f1: float

    @classmethod
    def of(cls, entities: Sequence[MajorEntity]) -> MeiAverages:
        """Return the averages of entities in the order of their documents."""
        documents = [_micro([*one], 0.0) for _, one in groupby(entities, _BY_DOCUMENT)]
        macro = share(math.fsum(one.f1 for one in entities), len(entities), math.nan)
        of_documents = share(math.fsum(documents), len(documents), math.nan)
        return cls(macro, _micro(entities, math.nan), of_documents)


def _micro(entities: Sequence[MajorEntity], empty: float) -> float:
    """Return the mean F1, weighted by mentions."""
    weighted = math.fsum(one.f1 * one.mentions for one in entities)
    return share(weighted, sum(one.mentions for one in entities), empty)


@dataclass(frozen=True, slots=True, eq=False)
class MeiScores(PresetScores):
    """The F1 of each major entity, and three averages.

    * `entities`: The named entities, each with `document`, `name`, `decisions`, `f1`, `mentions`.
    * `averages`: `macro_f1`, `micro_f1` and `macro_micro_f1`.
    * `published`: The averages of the published code, which differ if lists are missing.
    * `notes`: What a user should know about the data.
    """

    entities: tuple[MajorEntity, ...]
    averages: MeiAverages
    published: MeiAverages
    notes: tuple[str, ...]

    def tables(self) -> Sequence[PresetTable]:
        """Return a table per document."""
        by_document = groupby(self.entities, _BY_DOCUMENT)
        return [
            PresetTable(
                document,
                {
                    one.name: {**one.decisions.rates(0.0, 0.0), "mentions": one.mentions}
                    for one in entities
                },
            )
            for document, entities in by_document
        ]

    def remarks(self) -> Sequence[str]:
        """Return the averages."""
        names = ("macro F1", "micro F1", "macro-micro F1")
        found = zip(names, self.averages, strict=True)
        return [f"{name}: {100 * value:.2f}" for name, value in found]

    def content(self) -> dict[str, Any]:
        """Return the averages, those of the published code, and every entity."""
        return {
            **self.averages._asdict(),
            "published": self.published._asdict(),
            "documents": dict(self.tables()),
            "notes": self.notes,
        }

    def __repr__(self) -> str:
        return f"<MeiScores: {', '.join(self.remarks())} (percent)>"


def mei(
    key: Input,
    response: Input,
    entities: TextFile | EntityNames,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: str | None = None,
) -> MeiScores:
    """Return the three averages of major entity identification.

    * `key`: Entities in the order of the names, `{"doc": [[mention, ...], ...]}`, or by name,
      `{"doc": {"Ann": [mention, ...]}}`; a JSON file with one of these, or with a line per document
      (`doc_key`, `clusters`, `predicted_clusters`); or another format, with names as ids.
    * `response`: The output of a system, in the same way.
    * `entities`: The names of each document in order: `{"doc": ["Ann", "Bob"]}`, a JSON file with
      this, or a file with a line `doc,Ann,Bob` per document.
    * `format`: The format of files that are not JSON, by default detected.
    * `encoding`: The text encoding of all files, by default UTF-8.
    """
    names = read_names(entities, encoding)
    notes: list[str] = []
    of_key = read_lists(key, "key", names, (format, encoding), notes)
    of_response = read_lists(response, "response", names, (format, encoding), notes)
    if absent := [document for document in of_key if document not in of_response]:
        many = counted(len(absent), "document")
        notes.append(f"the response lacks {many}, which count as empty: {listed(absent)}")
    if extra := [document for document in of_response if document not in of_key]:
        many = counted(len(extra), "document")
        notes.append(f"ignored {many} of the response that the key lacks: {listed(extra)}")
    found: list[MajorEntity] = []
    published: list[MajorEntity] = []
    for document, lists in of_key.items():
        short = of_response.get(document, [])
        lacking = frozenset().union(*lists).difference(*short)
        found += _compare(document, names[document], lists, short)
        published += _compare(document, names[document], lists, [*short, lacking])
    if silent := [one.name for one in found if not one.mentions]:
        many = counted(len(silent), "entity has", "entities have")
        notes.append(f"{many} no mention in the key, and an F1 of 0: {listed(silent)}")
    theirs = MeiAverages.of(published)
    if found != published:
        figures = ", ".join(f"{100 * value:.2f}" for value in theirs)
        notes.append(
            "the response has fewer lists than names, so MEI's own code credits it with mentions"
            f" that it lacks: macro, micro and macro-micro F1 {figures}"
        )
    return MeiScores(tuple(found), MeiAverages.of(found), theirs, tuple(notes))


def _compare(
    document: str, names: Sequence[str], key: MentionLists, response: MentionLists
) -> list[MajorEntity]:
    """Compare the mentions of each named entity."""
    found = []
    for at, name in enumerate(names):
        one, other = key[at], response[at] if at < len(response) else frozenset()
        shared = len(one & other)
        decisions = Decisions(shared, len(other) - shared, len(one) - shared)
        found.append(MajorEntity(document, name, decisions))
    return found
