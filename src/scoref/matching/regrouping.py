"""Regrouping: units of scoring other than documents, such as the whole corpus or a topic.

Links and alignments never cross units. If entities are annotated across documents, a unit is the
largest text that they may cross: its documents are merged, and entities of the same name become
one entity. A document with tokens of several units is divided, and so are its entities.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints, number_by_appearance, pack
from scoref.base.phrases import counted
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.matching.requirements import CORPUS, DOCUMENT, unit_columns
from scoref.metrics.table import NOWHERE

_STATED = {"column=1": "topic", "column=2": "subtopic"}
"""The attributes of mentions that define units, in files without these columns of tokens."""


_BECAME = " of documents became"


class Grouping(NamedTuple):
    """The names and lengths of units, and the unit of each mention.

    `merges` says whether a unit has mentions of several documents. `note` is for the user.
    """

    names: list[str]
    lengths: list[int]
    of_mention: Ints
    merges: bool
    note: str = ""


@cached
def regroup(corpus: Corpus, unit: str) -> Corpus:
    """Return a corpus whose documents are the units, or the same corpus if they already are."""
    if unit in (DOCUMENT, corpus.grouped_by):
        return corpus
    return _with_units(corpus, unit, _group(corpus, unit))


def regroup_both(
    key: Corpus, response: Corpus, key_document: Ints, unit: str
) -> tuple[Corpus, Corpus]:
    """Regroup two sides, of which `key_document` is the key document of each response document.

    A response without the column that defines units has the units of the key, if all its documents
    are in the key and no document of the key is divided.
    """
    if unit in (DOCUMENT, key.grouped_by, response.grouped_by):
        return regroup(key, unit), regroup(response, unit)
    of_key = _group(key, unit)
    is_whole = len(np.unique(key_document)) == len(key.documents)
    of_response = _group_response(key, response, key_document, unit, of_key)
    if not is_whole and of_key.merges:  # lengths of documents have been compared
        of_response = of_response._replace(lengths=[UNKNOWN] * len(of_response.names))
    of_response = of_response._replace(merges=of_response.merges or of_key.merges)
    documents = tuple(  # labels of mentions include the document, which can have another name
        one if at == NOWHERE else one._replace(id=key.documents[at].id)
        for one, at in zip(response.documents, key_document.tolist(), strict=True)
    )
    notes = (*response.notes, of_response.note) if of_response.note else response.notes
    response = replace(response, documents=documents, notes=notes)
    return regroup(key, unit), _with_units(response, unit, of_response)


def units_in_key(key: Corpus, corpus: Corpus, key_document: Ints, unit: str) -> Ints:
    """Return the unit of each mention of a side, as the key numbers units, or NOWHERE."""
    if unit == DOCUMENT:
        return key_document[corpus.document]
    of_key = _group(key, unit)
    groups = _group_response(key, corpus, key_document, unit, of_key)
    number = {name: at for at, name in enumerate(of_key.names)}
    place = np.array([number.get(name, NOWHERE) for name in groups.names], dtype=np.int64)
    return place[groups.of_mention]


def _group_response(
    key: Corpus, response: Corpus, key_document: Ints, unit: str, of_key: Grouping
) -> Grouping:
    """Group a response by its own units, or else by those of the key's documents.

    Units with the same tokens are the same, whatever both sides call them: two programs of Cattan
    et al. name the subtopics of ECB+ in opposite ways.
    """
    if unit != CORPUS and not _has_column(response, *unit_columns(unit)):
        return _as_in_key(key, response, key_document, unit, of_key)
    groups = _group(response, unit)
    texts = [one.text for one in (key, response) if one.text is not None]
    columns = [text.columns[name] for text in texts for name in unit_columns(unit) if name in text]
    is_same = np.array_equal(key_document, np.arange(len(key.documents)))
    if len(columns) < 2 or not is_same or not np.array_equal(texts[0].first, texts[1].first):
        return groups
    pairs = set(zip(*columns, strict=True))
    names = {other: one for one, other in pairs}
    changed = sorted((one, other) for one, other in pairs if one != other)
    if not changed or not len(pairs) == len(names) == len(set(names.values())):
        return groups
    note = (
        f"{response.source}: units have other names than in the key, such as {changed[0][1]!r} for"
        f" {changed[0][0]!r}, and the same tokens: they are paired by their tokens"
    )
    return groups._replace(names=[names[name] for name in groups.names], note=note)


def without_notes_on_units(notes: Iterable[str]) -> list[str]:
    """Return notes without those on how many entities regrouping divided or joined."""
    return [note for note in notes if _BECAME not in note]


@cached
def _group(corpus: Corpus, unit: str) -> Grouping:
    return _one_unit(corpus) if unit == CORPUS else _by_column(corpus, *unit_columns(unit))


def _with_units(corpus: Corpus, unit: str, groups: Grouping) -> Corpus:
    """Return a corpus whose documents are the units of a grouping."""
    names = np.array([str(name) for name in corpus.entity_names], dtype=np.str_)
    by_name = np.unique(names, return_inverse=True)[1].astype(np.int64)
    entity, first = number_by_appearance(pack(groups.of_mention, by_name[corpus.entity]))
    before = len(np.unique(corpus.entity))
    note = (
        f"{corpus.source}: {counted(before, 'entity', 'entities')}{_BECAME}"
        f" {len(first):,} of units ({unit}); entities of the same name in a unit are one entity"
    )
    original = corpus.entity[first]
    regrouped = replace(
        corpus,
        documents=tuple(
            Document(name, name, length, corpus.source)
            for name, length in zip(groups.names, groups.lengths, strict=True)
        ),
        document=groups.of_mention,
        entity=entity,
        entity_names=tuple(names[original].tolist()),
        entity_attributes={n: column[original] for n, column in corpus.entity_attributes.items()},
        text=None,
        bridging=None,
        non_referring=None,
        grouped_by=unit,
        notes=(*corpus.notes, note) if before != len(first) else corpus.notes,
    )
    if not groups.merges:
        return regrouped
    # Equal spans of different documents are different mentions, so labels include the document.
    ids = [document.id for document in corpus.documents]
    mentions: Iterable[Any] = corpus.labels or ()
    if corpus.labels is None:
        mentions = zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)
        if "nodes" in corpus.attributes:  # parts of a mention tell it from another of its span
            nodes = corpus.attributes["nodes"].tolist()
            pairs = zip(mentions, nodes, strict=True)
            mentions = ((*span, of_one) if of_one else span for span, of_one in pairs)
    of_rows = map(ids.__getitem__, corpus.document.tolist())
    return replace(regrouped, labels=tuple(zip(of_rows, mentions, strict=True)))


def _one_unit(corpus: Corpus) -> Grouping:
    unit = np.zeros(len(corpus), dtype=np.int64)
    return Grouping(["all"], [UNKNOWN], unit, merges=len(corpus.documents) > 1)


def _by_column(corpus: Corpus, column: str) -> Grouping:
    """Group tokens by the values of a column, or mentions by their topic or subtopic."""
    if (stated := stated_units(corpus, column)) is not None:
        names, unit = np.unique(stated, return_inverse=True)
        of_mention = unit.astype(np.int64)
        merges = len(np.unique(pack(of_mention, corpus.document))) > len(names)
        return Grouping(names.tolist(), [UNKNOWN] * len(names), of_mention, merges)
    text, spans = corpus.text, corpus.as_spans()
    if text is None or spans is None or not _has_column(corpus, column):
        raise _no_column(corpus, column)
    number: dict[str, int] = {}
    unit = np.array([number.setdefault(v, len(number)) for v in text.columns[column]])
    document = np.repeat(np.arange(len(corpus.documents)), np.diff(text.first))
    merges = len(np.unique(pack(unit, document))) > len(number)
    return Grouping(list(number), np.bincount(unit).tolist(), _units_of(spans, text, unit), merges)


def _has_column(corpus: Corpus, column: str) -> bool:
    is_of_tokens = corpus.text is not None and column in corpus.text
    return is_of_tokens or stated_units(corpus, column) is not None


def stated_units(corpus: Corpus, column: str) -> NDArray[Any] | None:
    """Return the topic or subtopic of each mention, or None if a mention has none."""
    values = corpus.attributes.get(_STATED.get(column, ""))
    return None if values is None or np.any(values == "") else values


def _no_column(corpus: Corpus, column: str) -> UsageError:
    return UsageError(
        f"{corpus.source} has no tokens with the {column} that defines units"
        + (f", and no {_STATED[column]} of each mention" if column in _STATED else ""),
        "--unit corpus scores all documents as one unit",
    )


def _as_in_key(
    key: Corpus, response: Corpus, key_document: Ints, unit: str, of_key: Grouping
) -> Grouping:
    """Group the documents of a response as the documents of the key that they are paired with."""
    (column,) = unit_columns(unit)
    of_document = _of_documents(key, column, of_key)
    if of_document is None or np.any(key_document < 0) or np.any(of_document[key_document] < 0):
        raise _no_column(response, column)
    used, place = np.unique(of_document[key_document], return_inverse=True)
    return Grouping(
        [of_key.names[at] for at in used.tolist()],
        [UNKNOWN] * len(used),
        place.astype(np.int64)[response.document],
        of_key.merges,
    )


def _of_documents(key: Corpus, column: str, of_key: Grouping) -> Ints | None:
    """Return the unit of each document, or NOWHERE; None if a document is divided."""
    of_document = np.full(len(key.documents), NOWHERE, dtype=np.int64)
    if stated_units(key, column) is not None:
        units, documents = of_key.of_mention, key.document
    elif key.text is not None:
        number = {name: at for at, name in enumerate(of_key.names)}
        units = np.array([number[value] for value in key.text.columns[column]], dtype=np.int64)
        documents = np.repeat(np.arange(len(key.documents)), np.diff(key.text.first))
    of_document[documents] = units
    return of_document if np.array_equal(of_document[documents], units) else None


def _units_of(spans: Corpus, text: Text, unit: Ints) -> Ints:
    if not len(spans):
        return spans.document
    first = text.first[spans.document]
    start: Ints = unit[first + spans.start]
    end: Ints = unit[first + spans.end]
    if np.any(start != end):
        row = int(np.argmax(start != end))
        name = spans.documents[spans.document[row]].name
        raise UsageError(f"the mention {spans.mention(row)} of document {name} crosses two units")
    return start
