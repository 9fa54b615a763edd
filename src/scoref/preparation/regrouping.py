"""Units of scoring other than documents: the whole corpus, a topic, any column of a file.

Links and alignments never cross units. Where entities are annotated across documents, a unit
is what they may cross: documents of a unit are put together, and entities of one name are one
entity. A document that has tokens of several units is divided, and entities that cross units
with it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints, number_by_appearance, pack
from scoref.base.phrases import counted
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.corpus.text import Text
from scoref.exceptions import UsageError

DOCUMENT, CORPUS, TOPIC = "document", "corpus", "topic"
_WHOLE = "all"


def columns_of(unit: str) -> frozenset[str]:
    """Return the column that a unit is told by, if it is."""
    if unit in (DOCUMENT, CORPUS):
        return frozenset()
    return frozenset({"column=1" if unit == TOPIC else unit})


@cached
def regroup(corpus: Corpus, unit: str) -> Corpus:
    """Return a corpus whose documents are the units; itself if they are already."""
    if unit in (DOCUMENT, corpus.grouped_by):
        return corpus
    names, of_mention, lengths, documents_of = (
        _whole(corpus) if unit == CORPUS else _by_column(corpus, *columns_of(unit))
    )
    written = np.array([str(name) for name in corpus.entity_names], dtype=np.str_)
    by_name = np.unique(written, return_inverse=True)[1].astype(np.int64)
    entity, first = number_by_appearance(pack(of_mention, by_name[corpus.entity]))
    merged = any(len(documents) > 1 for documents in documents_of)
    before = len(np.unique(corpus.entity))
    told = (
        f"{corpus.source}: {counted(before, 'entity', 'entities')} of documents are {len(first):,}"
        f" of units ({unit}); those of one name in a unit are one"
    )
    regrouped = replace(
        corpus,
        documents=tuple(
            Document(name, name, length, corpus.source)
            for name, length in zip(names, lengths, strict=True)
        ),
        document=of_mention,
        entity=entity,
        entity_names=tuple(written[corpus.entity[first]].tolist()),
        entity_attributes={
            name: column[corpus.entity[first]] for name, column in corpus.entity_attributes.items()
        },
        text=None,
        bridging=None,
        non_referring=None,
        grouped_by=unit,
        notes=(*corpus.notes, *([told] if before != len(first) else [])),
    )
    if not merged:
        return regrouped
    # Spans of different documents would be the same numbers: a mention is its document too.
    ids = [document.id for document in corpus.documents]
    labels = tuple(
        (ids[document], corpus.mention(row))
        for row, document in enumerate(corpus.document.tolist())
    )
    return replace(regrouped, labels=labels)


def _whole(corpus: Corpus) -> tuple[list[str], Ints, list[int], list[set[int]]]:
    everything = set(range(len(corpus.documents)))
    return [_WHOLE], np.zeros(len(corpus), dtype=np.int64), [-1], [everything]


def _by_column(corpus: Corpus, column: str) -> tuple[list[str], Ints, list[int], list[set[int]]]:
    """Tell units by a column of the tokens."""
    text, spans = corpus.text, corpus.as_spans()
    if text is None or column not in text or spans is None:
        raise UsageError(
            f"{corpus.source} has no tokens with a {column} to tell units by",
            "--unit corpus puts all documents together",
        )
    number: dict[str, int] = {}
    unit = np.array([number.setdefault(v, len(number)) for v in text.columns[column]])
    document = np.repeat(np.arange(len(corpus.documents)), np.diff(text.first))
    documents_of: list[set[int]] = [set() for _ in number]
    for pair in np.unique(np.stack([unit, document], axis=1), axis=0).tolist():
        documents_of[pair[0]].add(pair[1])
    of_mention = _units_of(spans, text, unit)
    return list(number), of_mention, np.bincount(unit).tolist(), documents_of


def _units_of(spans: Corpus, text: Text, unit: Ints) -> Ints:
    if not len(spans):
        return spans.document
    first = text.first[spans.document]
    start: Ints = unit[first + spans.start]
    end: Ints = unit[first + spans.end]
    if np.any(start != end):
        row = int(np.argmax(start != end))
        name = spans.documents[spans.document[row]].name
        raise UsageError(f"the mention {spans.mention(row)} of document {name} is in two units")
    return start
