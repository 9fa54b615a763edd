"""The identity of mentions: when two mentions, of one corpus or of several, are the same.

Two spans of the same document are the same mention if they have the same start, end and `nodes`:
a discontinuous mention or an empty node is not determined by its first and last word. Other labels
are the same mention if they are equal in Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints, pack, pack_jointly, split
from scoref.corpus.attributes import is_span
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import SpanLabels
from scoref.exceptions import MentionError


def mention_codes(corpus: Corpus) -> Ints:
    """Give equal codes to equal mentions of one corpus."""
    (codes,) = shared_codes({"corpus": corpus}, [corpus.document])
    return codes


def shared_codes(corpora: dict[str, Corpus], documents: Sequence[Ints]) -> list[Ints]:
    """Give equal codes to equal mentions of several corpora.

    `documents` are the documents of each corpus's mentions, numbered the same in all corpora.
    """
    found = list(corpora.values())
    if any(corpus.labels is None for corpus in found) or _all_spans(found):
        found = [_as_spans(corpus, name) for name, corpus in corpora.items()]
    if found[0].labels is not None:
        labels = chain.from_iterable(corpus.labels or () for corpus in found)
        codes = _label_codes(np.concatenate(documents), labels)
        return split(codes, [len(corpus) for corpus in found])
    return pack_jointly(
        *(
            [document, corpus.start, corpus.end - corpus.start, *nodes]
            for corpus, document, nodes in zip(
                found, documents, _numbered_nodes(found), strict=True
            )
        )
    )


def number_texts(texts: NDArray[Any]) -> Ints:
    """Give equal numbers to equal texts, and 0 to empty texts, which are not sorted."""
    present = np.flatnonzero(texts != "")
    number = np.zeros(len(texts), dtype=np.int64)
    number[present] = 1 + np.unique(texts[present], return_inverse=True)[1]
    return number


def _numbered_nodes(corpora: Sequence[Corpus]) -> list[list[Ints]]:
    """Return the numbered `nodes` as a column per corpus, or no columns if none has `nodes`."""
    if not any("nodes" in corpus.attributes for corpus in corpora):
        return [[] for _ in corpora]
    columns = [c.attributes.get("nodes", np.full(len(c), "")) for c in corpora]
    numbers = number_texts(np.concatenate(columns))
    return [[part] for part in split(numbers, [len(corpus) for corpus in corpora])]


def _all_spans(corpora: Sequence[Corpus]) -> bool:
    """Whether all labels are spans in arrays, which compare faster than objects."""
    return all(isinstance(corpus.labels, SpanLabels) for corpus in corpora)


def _label_codes(document: Ints, labels: Iterable[Hashable]) -> Ints:
    number: dict[Hashable, int] = {}
    codes = [number.setdefault(label, len(number)) for label in labels]
    return pack(document, np.array(codes, dtype=np.int64))


def _as_spans(corpus: Corpus, name: str) -> Corpus:
    spans = corpus.as_spans()
    if spans is not None:
        return spans
    odd = next(label for label in corpus.labels or () if not is_span(label))
    raise MentionError(
        f"the {name} has the mention {odd!r}, but the other side has token spans",
        "pass mentions as (start, end): token positions in the document from 0, end inclusive",
    )
