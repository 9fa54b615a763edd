"""Agreement beyond chance: Krippendorff's alpha on entities, and Cohen's kappa on mentions.

After Passonneau (2004), each mention is an item, and the label that an annotator gives it is the
set of mentions in its entity. Two sets can be partly the same, so a distance compares them:

    passonneau    0 if equal, 1/3 if one contains the other, 2/3 if they overlap, else 1
    masi          1 - J * M, where J is the shared part of the union, and M is 1, 2/3, 1/3 or 0
                  in the same four cases (Passonneau 2006)

    alpha = 1 - observed distance / expected distance

The observed distance is the mean over pairs of annotators and over mentions that at least one
annotator marked; a mention that an annotator did not mark is alone in its set. The expected
distance is the mean over all pairs of sets in the document, of any annotators and any mentions.
Both are summed over documents, and each document is weighted by its mentions.

Passonneau's distance is lenient: an annotator who marks nothing puts every mention into a set of
its own, which is contained in the other annotator's set. So alpha is read against two baselines.
Both take each annotator in turn as the partner, and are means over annotators.

    nothing   the partner is compared with an annotator who marks nothing
    random    the partner is compared with an annotator who marks the same mentions, and deals them
              at random to entities of the same sizes

Kappa (Cohen 1960) is agreement on mentions, whatever entities they are in. Its items are the words,
and the label that an annotator gives a word is the list of the lengths of all mentions that start
there, which is empty for most words. So kappa requires the number of words, which Python objects do
not have.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools, Floats, Ints, pack
from scoref.base.exact_sums import exact_sum
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes
from scoref.metrics.base import F1, divide, mean_of_defined, only_f1
from scoref.resampling.sampling_options import RandomWords, Sampling

DISTANCES = ("passonneau", "masi")


@dataclass(frozen=True, slots=True, eq=False)
class EntitySets:
    """The entity of each mention for each annotator: `values` are (annotators, mentions).

    Entities have different numbers for different annotators. `size` is the number of mentions of
    each entity, and `document` is the document of each mention.
    """

    values: Ints
    size: Ints
    document: Ints
    documents: int

    @classmethod
    def of(cls, corpora: dict[str, Corpus]) -> EntitySets:
        """Collect all mentions; a mention that an annotator lacks is an entity of its own there."""
        document = np.concatenate([corpus.document for corpus in corpora.values()])
        codes = shared_codes(corpora, [corpus.document for corpus in corpora.values()])
        _, first, mention = np.unique(np.concatenate(codes), return_index=True, return_inverse=True)
        count = len(first)
        values = np.empty((len(corpora), count), dtype=np.int64)
        entities = start = 0
        for at, corpus in enumerate(corpora.values()):
            rows = mention[start : start + len(corpus)]
            values[at] = np.arange(count) + corpus.entity_count  # an entity of its own by default
            values[at, rows] = corpus.entity
            values[at] += entities
            entities += corpus.entity_count + count
            start += len(corpus)
        size = np.bincount(values.ravel(), minlength=entities)
        return cls(values, size, document[first], len(next(iter(corpora.values())).documents))

    def alpha_rows(self, distance: str) -> Floats:
        """Return what each document adds to the observed and to the expected distance.

        Distances are summed over ordered pairs. Two sets of one annotator are equal or disjoint.
        Two sets of different annotators overlap only if some mention is in both.
        """
        annotators = len(self.values)
        sets = annotators * self._sum(np.ones(len(self.document)), self.document)
        observed = np.zeros(self.documents)
        similar = np.zeros(self.documents)
        for one in self.values:
            similar += self._sum(self.size[one].astype(np.float64), self.document)
        for one, other in combinations(self.values, 2):
            _, at, shared = np.unique(pack(one, other), return_index=True, return_counts=True)
            sizes = self.size[one[at]], self.size[other[at]]
            similarity = 1 - set_distance(distance, shared, *sizes)
            document = self.document[at]
            observed += 2 * self._sum(shared * (1 - similarity), document)
            similar += 2 * self._sum(sizes[0] * sizes[1] * similarity, document)
        expected = divide(sets**2 - similar, sets - 1)
        return np.stack([observed / (annotators - 1), np.nan_to_num(expected)], axis=-1)

    def _sum(self, values: Floats, document: Ints) -> Floats:
        sums = np.bincount(document, weights=values, minlength=self.documents)
        return sums.astype(np.float64, copy=False)


def set_distance(distance: str, shared: Ints, one: Ints, other: Ints) -> Floats:
    """Return the distance of sets that overlap, given the sizes of their overlap and of both."""
    equal = (shared == one) & (shared == other)
    inside = (shared == one) | (shared == other)
    monotonicity = np.select([equal, inside], [1.0, 2 / 3], 1 / 3)
    if distance == "passonneau":
        return np.asarray(1 - monotonicity, dtype=np.float64)
    return np.asarray(1 - shared / (one + other - shared) * monotonicity, dtype=np.float64)


def score_alpha(sums: Floats) -> Floats:
    """Score (..., 2) sums of distances; alpha is undefined if the expected distance is zero."""
    return only_f1(1 - divide(sums[..., 0], sums[..., 1]))


BASELINES = ("nothing", "random")
_DEALS = 10
_PURPOSE = 3


def alpha_baselines(corpora: Mapping[str, Corpus], seed: int) -> dict[str, dict[str, float]]:
    """Return alpha of each baseline by distance."""
    draws = Sampling(seed=seed)
    found: dict[str, dict[str, list[float]]] = {
        name: {distance: [] for distance in DISTANCES} for name in BASELINES
    }
    for corpus in corpora.values():
        nothing = Corpus.without_mentions(corpus.documents)
        if corpus.labels is not None:
            nothing = corpus.where(np.zeros(len(corpus), dtype=np.bool_))
        partners = [("nothing", nothing)]
        for deal in range(_DEALS):
            words = draws.random_words(_PURPOSE, deal, len(corpus))
            partners.append(("random", _deal(corpus, words)))
        for name, partner in partners:
            sets = EntitySets.of({"one": corpus, "other": partner})
            for distance, values in found[name].items():
                values.append(float(score_alpha(exact_sum(sets.alpha_rows(distance)))[F1]))
    return {
        name: {
            distance: float(mean_of_defined(np.array(values), axis=0))
            for distance, values in by_distance.items()
        }
        for name, by_distance in found.items()
    }


def _deal(corpus: Corpus, words: RandomWords) -> Corpus:
    """Deal the mentions of each document at random to entities of the same sizes.

    Documents are dealt in the order of their names, so their order in files does not matter.
    """
    names = [document.name for document in corpus.documents]
    rank = np.argsort(np.argsort(names, kind="stable"))[corpus.document]
    rows = np.argsort(rank, kind="stable")
    shuffled = np.empty_like(corpus.entity)
    dealt = rows[np.lexsort((words, rank[rows]))]
    shuffled[dealt] = corpus.entity[rows]
    return replace(corpus, entity=shuffled)


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
