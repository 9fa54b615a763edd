"""Regrouping: units of scoring other than documents, such as the whole corpus or a topic.

Links and alignments never cross units. If entities are annotated across documents, a unit is the
largest text that they may cross: its documents are merged, and entities of the same name become
one entity. A document with tokens of several units is divided, and so are its entities.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints, number_by_appearance, pack
from scoref.base.phrases import counted
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.corpus.text import Text
from scoref.exceptions import UsageError

DOCUMENT, CORPUS, TOPIC = "document", "corpus", "topic"


def unit_columns(unit: str) -> frozenset[str]:
    """Return the column of the file that defines a unit, if any."""
    if unit in (DOCUMENT, CORPUS):
        return frozenset()
    return frozenset({"column=1" if unit == TOPIC else unit})


class Grouping(NamedTuple):
    """The names and lengths of units, and the unit of each mention.

    `merges` says whether a unit has mentions of several documents.
    """

    names: list[str]
    lengths: list[int]
    of_mention: Ints
    merges: bool


@cached
def regroup(corpus: Corpus, unit: str) -> Corpus:
    """Return a corpus whose documents are the units, or the same corpus if they already are."""
    if unit in (DOCUMENT, corpus.grouped_by):
        return corpus
    groups = _one_unit(corpus) if unit == CORPUS else _by_column(corpus, *unit_columns(unit))
    names = np.array([str(name) for name in corpus.entity_names], dtype=np.str_)
    by_name = np.unique(names, return_inverse=True)[1].astype(np.int64)
    entity, first = number_by_appearance(pack(groups.of_mention, by_name[corpus.entity]))
    before = len(np.unique(corpus.entity))
    note = (
        f"{corpus.source}: {counted(before, 'entity', 'entities')} of documents became"
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
    labels = tuple(
        (ids[document], corpus.mention(row))
        for row, document in enumerate(corpus.document.tolist())
    )
    return replace(regrouped, labels=labels)


def _one_unit(corpus: Corpus) -> Grouping:
    unit = np.zeros(len(corpus), dtype=np.int64)
    return Grouping(["all"], [UNKNOWN], unit, merges=len(corpus.documents) > 1)


def _by_column(corpus: Corpus, column: str) -> Grouping:
    """Group tokens by the values of a column."""
    text, spans = corpus.text, corpus.as_spans()
    if text is None or column not in text or spans is None:
        raise UsageError(
            f"{corpus.source} has no tokens with the {column} that defines units",
            "--unit corpus scores all documents as one unit",
        )
    number: dict[str, int] = {}
    unit = np.array([number.setdefault(v, len(number)) for v in text.columns[column]])
    document = np.repeat(np.arange(len(corpus.documents)), np.diff(text.first))
    merges = len(np.unique(np.stack([unit, document], axis=1), axis=0)) > len(number)
    return Grouping(list(number), np.bincount(unit).tolist(), _units_of(spans, text, unit), merges)


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
