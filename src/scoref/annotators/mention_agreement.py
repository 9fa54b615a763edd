"""Agreement on mentions, apart from the entities that they are in: F1, and Cohen's kappa.

F1 counts the mentions that both annotators marked. Kappa (Cohen 1960) compares agreement with
chance. Its items are the words, and the label that an annotator gives a word is the list of the
lengths of all mentions that start there, which is empty for most words. So kappa requires the
number of words, which Python objects do not have.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes


class MentionAgreement(NamedTuple):
    """F1 and kappa of two annotators, and the number of mentions that both marked."""

    shared: int
    f1: float
    kappa: float


def mention_agreement(one: Corpus, other: Corpus) -> MentionAgreement:
    """Compare the mentions of two annotators, who have the same documents."""
    shared = int(np.count_nonzero(marked_by_both(one, other)[0]))
    total = len(one) + len(other)
    return MentionAgreement(shared, 2 * shared / total if total else math.nan, _kappa(one, other))


def marked_by_both(one: Corpus, other: Corpus) -> tuple[Bools, Bools]:
    """Return which mentions of each annotator the other marked too."""
    first, second = shared_codes({"one": one, "other": other}, [one.document, other.document])
    return np.isin(first, second), np.isin(second, first)


def _kappa(one: Corpus, other: Corpus) -> float:
    documents = zip(one.documents, other.documents, strict=True)
    lengths = [max(first.length, second.length) for first, second in documents]
    words = sum(lengths)
    if one.labels is not None or other.labels is not None or min(lengths, default=-1) < 0:
        return math.nan
    labels = [_labels(corpus) for corpus in (one, other)]
    used = labels[0].keys() | labels[1].keys()
    counts = [Counter(found.values()) for found in labels]
    for count, found in zip(counts, labels, strict=True):
        count[()] = words - len(found)
    same = sum(labels[0].get(word) == labels[1].get(word) for word in used)
    observed = (words - len(used) + same) / words if words else math.nan
    expected = sum(counts[0][label] * counts[1][label] for label in counts[0]) / words**2
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan


def _labels(corpus: Corpus) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the lengths of the mentions that start at each word at which some do."""
    found: dict[tuple[int, int], list[int]] = defaultdict(list)
    rows = zip(corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True)
    for document, start, end in rows:
        found[document, start].append(end - start + 1)
    return {word: tuple(sorted(lengths)) for word, lengths in found.items()}
