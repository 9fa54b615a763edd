"""Concatenation of corpora, such as the files of a directory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from scoref.corpus.attributes import concatenate_columns
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import show_parts
from scoref.corpus.spans import AnySpans, Links, Spans
from scoref.corpus.text import Text
from scoref.exceptions import MentionError


def concatenate(corpora: Sequence[Corpus], source: str) -> Corpus:
    """Concatenate corpora. All must have spans in the same unit, or all must have labels."""
    corpora = _unify_mentions([c for c in corpora if c.documents] or corpora, source)
    labels = [corpus.labels for corpus in corpora if corpus.labels is not None]
    rows = np.arange(sum(map(len, corpora)), dtype=np.int64) if labels else None
    documents = np.cumsum([0, *(len(corpus.documents) for corpus in corpora)])
    entities = np.cumsum([0, *(corpus.entity_count for corpus in corpora)])
    placed = list(zip(corpora, documents.tolist(), entities.tolist(), strict=False))
    return Corpus(
        documents=show_parts(document for corpus in corpora for document in corpus.documents),
        document=np.concatenate([corpus.document + first for corpus, first, _ in placed]),
        start=np.concatenate([corpus.start for corpus in corpora]) if rows is None else rows,
        end=np.concatenate([corpus.end for corpus in corpora]) if rows is None else rows,
        labels=None if rows is None else tuple(one for part in labels for one in part),
        entity=np.concatenate([corpus.entity + first for corpus, _, first in placed]),
        entity_names=tuple(name for corpus in corpora for name in corpus.entity_names),
        line=np.concatenate([corpus.line for corpus in corpora]),
        attributes=concatenate_columns([(corpus.attributes, len(corpus)) for corpus in corpora]),
        entity_attributes=concatenate_columns(
            [(corpus.entity_attributes, corpus.entity_count) for corpus in corpora]
        ),
        characters=tuple(text for corpus in corpora for text in corpus.characters),
        glimpse=tuple(words for corpus in corpora for words in corpus.glimpse)
        if all(len(corpus.glimpse) == len(corpus.documents) for corpus in corpora)
        else (),
        text=Text.concatenate([c.text for c in corpora if c.text])
        if all(corpus.text for corpus in corpora)
        else None,
        bridging=_concatenate_spans(Links, [(c.bridging, c, first) for c, first, _ in placed]),
        non_referring=_concatenate_spans(
            Spans, [(c.non_referring, c, first) for c, first, _ in placed]
        ),
        source=source,
        notes=tuple(note for corpus in corpora for note in corpus.notes),
    )


def _unify_mentions(corpora: Sequence[Corpus], source: str) -> Sequence[Corpus]:
    """Return corpora whose mentions are all spans in one unit, or all labels."""
    if len({corpus.unit for corpus in corpora}) > 1:
        raise MentionError(
            f"some files of {source} count tokens, others characters", "read each file separately"
        )
    if len({corpus.labels is None for corpus in corpora if len(corpus)}) < 2:
        return [c if len(c) else replace(c, labels=None) for c in corpora]
    spans = [corpus.as_spans() for corpus in corpora]
    if None in spans:
        raise MentionError(
            f"some files of {source} have mentions by name, others token spans",
            "read each file separately",
        )
    return [corpus for corpus in spans if corpus is not None]


def _concatenate_spans(
    kind: type[AnySpans], parts: Iterable[tuple[AnySpans | None, Corpus, int]]
) -> AnySpans | None:
    """Concatenate spans or links; each part comes with the number of its first document."""
    found = [
        spans.in_documents(np.arange(first, first + len(corpus.documents)))
        for spans, corpus, first in parts
        if spans is not None
    ]
    return kind.concatenate(found) if found else None
