"""agreement(): how far people, or systems, agree when none of them is the key.

Two views. Scores that do not change when key and response change places say how alike two
annotations are. Krippendorff's alpha says how far all of them agree beyond chance: after
Passonneau (2004), each mention is an item, and what an annotator says of it is the set of
mentions in its entity. Two such sets can be partly the same, which a distance weighs:

    passonneau    0 equal, 1/3 one holds the other, 2/3 they overlap, 1 they share nothing
    masi          1 - J * M, with J the shared part of the union and M = 1, 2/3, 1/3, 0 for
                  the same four cases (Passonneau 2006)

    alpha = 1 - observed distance / expected distance

The observed distance is the mean over pairs of annotators and over mentions that anyone has
marked; a mention that an annotator has not marked is alone there. The expected distance is
the mean over all pairs of such sets in the document, whoever said it of whichever mention.
Over documents both are summed, each document weighted by its mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, Unpack

import numpy as np

from scoref.alignment.document_pairing import ABSENT
from scoref.base.arrays import Floats, Ints, pack
from scoref.base.phrases import counted, listed
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes
from scoref.counts.counts import Statistic, exact_sum
from scoref.exceptions import DocumentError, UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.base import F1, divide, only_f1
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import clean
from scoref.preparation.inputs import Input, ReadOptions, as_corpus
from scoref.preparation.needs import columns_of_key, needs_of
from scoref.preparation.pipeline import refuse_special_counting
from scoref.preparation.regrouping import regroup
from scoref.preparation.same_text import AUTO, Checks
from scoref.resampling.intervals import Resampled, Sampling, SamplingOptions, intervals
from scoref.resampling.resampling import Interval
from scoref.resampling.units import Units
from scoref.scoring import score

DEFAULT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc(boundary=luo2014)", "lea", "conll")
"""The default measures, with the BLANC that does not look at the key alone."""
DISTANCES = ("passonneau", "masi")


class Estimate(NamedTuple):
    """A value and its interval, if there can be one."""

    value: float
    interval: Interval | None


class PairAgreement(NamedTuple):
    """How alike two annotations are: F1 by measure."""

    one: str
    other: str
    f1: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Agreement of each pair, and Krippendorff's alpha of all, by distance."""

    annotators: tuple[str, ...]
    metrics: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    alpha: Mapping[str, Estimate]
    mentions: int
    sampling: Sampling
    units: Units
    signature: str
    notes: tuple[str, ...]
    refusal: str

    def mean(self, metric: str) -> float:
        """Return the mean F1 over pairs."""
        return float(np.mean([pair.f1[metric].value for pair in self.pairs]))

    def __str__(self) -> str:
        return self.render("text")

    def render(self, output: str, *, digits: int = 2) -> str:
        """Render as `text`, `json`, `csv`, `latex` or `markdown`."""
        from scoref.comparison.views.agreement import AgreementView  # noqa: PLC0415  # it takes agreements

        return AgreementView(self, digits).render(output)


def agreement(
    annotators: Mapping[str, Input],
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    *,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    check_words: Checks = AUTO,
    **resampling: Unpack[SamplingOptions],
) -> Agreement:
    """Measure the agreement of annotators on the documents that all of them have.

    `scoref.agreement({"ann": a, "ben": b})`: an annotator is whatever `score` takes. Intervals
    take the keywords of `compare`: `level`, `method`, `trials`, `seed`, `jobs`, `blocks`, `strata`.
    """
    sampling = Sampling.of(**resampling)
    options = ReadOptions(format, encoding, check_words)
    policy = policy or Policy()
    refuse_special_counting(policy, "the agreement of annotators")
    chosen = find_metrics(DEFAULT if metrics is None else metrics)
    _check(annotators, chosen)
    columns = columns_of_key(policy, needs_of(chosen), check_words, once=True)
    corpora = {
        name: regroup(as_corpus(source, name, options, columns), policy.unit)
        for name, source in annotators.items()
    }
    corpora, notes = _common_documents(corpora)
    documents = [document.name for document in next(iter(corpora.values())).documents]
    units = sampling.units(documents)
    pairs = []
    for (one, ours), (other, theirs) in combinations(corpora.items(), 2):
        result = score(ours, theirs, chosen, policy, check_words=check_words)
        policy = result.policy  # it says what --match min stands for
        notes += [f"{one} and {other}: {note}" for note in result.notes]
        found = None if units.refusal() else intervals(result.counts, policy, sampling)
        f1 = {m: Estimate(result[m].f1, found[m].f1 if found else None) for m in result}
        pairs.append(PairAgreement(one, other, f1))
    cleaned = {name: clean(corpus, policy).corpus for name, corpus in corpora.items()}
    judgements = Judgements.of(cleaned)
    alphas = {name: _estimate(judgements.alpha_rows(name), units, sampling) for name in DISTANCES}
    return Agreement(
        annotators=tuple(corpora),
        metrics=tuple(metric.name for metric in chosen),
        pairs=tuple(pairs),
        alpha=alphas,
        mentions=judgements.values.shape[1],
        sampling=sampling,
        units=units,
        signature=policy.signature("+".join(sorted(c.fingerprint() for c in corpora.values()))),
        notes=tuple(dict.fromkeys(notes)),
        refusal=units.refusal(),
    )


def _check(annotators: Mapping[str, Input], metrics: Sequence[Metric]) -> None:
    if len(annotators) < 2:
        raise UsageError(
            f"agreement takes at least two annotators, not {len(annotators)}",
            'pass {"ann": a, "ben": b}, or two files',
        )
    if sided := [metric.name for metric in metrics if not metric.symmetric]:
        raise UsageError(
            f"{listed(sided)} treats key and response differently, and here neither is the key",
            "blanc(boundary=luo2014) is a BLANC that does not" if "blanc" in sided[0] else "",
        )


def _common_documents(corpora: Mapping[str, Corpus]) -> tuple[dict[str, Corpus], list[str]]:
    """Keep the documents that all annotators have, in the order of the first."""
    first = next(iter(corpora.values()))
    where: dict[object, int] = {d.name: at for at, d in enumerate(first.documents)}
    where.update({d.id: at for at, d in enumerate(first.documents)})
    places = {
        name: np.array(
            [where.get(d.id, where.get(d.name, ABSENT)) for d in corpus.documents], dtype=np.int64
        )
        for name, corpus in corpora.items()
    }
    shared = set(places[next(iter(places))].tolist())
    for place in places.values():
        shared &= set(place.tolist())
    if not shared:
        raise DocumentError(
            f"no document is in all of {listed(list(corpora))}",
            "documents are paired by the name after `#begin document`",
        )
    notes = []
    kept = {}
    for name, corpus in corpora.items():
        if left := len(corpus.documents) - len(shared):
            many = counted(left, "document")
            notes.append(f"{name}: {many} that not all have, left out")
        kept[name] = _only(corpus, places[name], sorted(shared))
    return kept, notes


def _only(corpus: Corpus, place: Ints, shared: Sequence[int]) -> Corpus:
    """Keep some documents, in the order in which they are named."""
    at = {int(p): number for number, p in enumerate(place)}
    documents = [at[one] for one in shared]
    number = np.full(len(corpus.documents), NOWHERE, dtype=np.int64)
    number[documents] = np.arange(len(documents))
    inside = corpus.where(number[corpus.document] != NOWHERE)
    return replace(
        inside,
        documents=tuple(corpus.documents[document] for document in documents),
        document=number[inside.document],
    )


@dataclass(frozen=True, slots=True, eq=False)
class Judgements:
    """What each annotator says of each mention: `values` are entities, (annotators, mentions).

    Entities are numbered through all annotators; `size` counts their mentions. `document` is
    that of each mention.
    """

    values: Ints
    size: Ints
    document: Ints
    documents: int

    @classmethod
    def of(cls, corpora: dict[str, Corpus]) -> Judgements:
        """Line up the mentions that anyone has marked; one who has not leaves them alone."""
        document = np.concatenate([corpus.document for corpus in corpora.values()])
        codes = shared_codes(corpora, [corpus.document for corpus in corpora.values()])
        _, first, mention = np.unique(np.concatenate(codes), return_index=True, return_inverse=True)
        count = len(first)
        values = np.empty((len(corpora), count), dtype=np.int64)
        entities = start = 0
        for at, corpus in enumerate(corpora.values()):
            rows = mention[start : start + len(corpus)]
            values[at] = np.arange(count) + corpus.entity_count  # alone, unless marked
            values[at, rows] = corpus.entity
            values[at] += entities
            entities += corpus.entity_count + count
            start += len(corpus)
        size = np.bincount(values.ravel(), minlength=entities)
        return cls(values, size, document[first], len(next(iter(corpora.values())).documents))

    def alpha_rows(self, distance: str) -> Floats:
        """Return what each document adds to the observed and to the expected distance.

        Distances are summed over ordered pairs. Sets of one annotator are equal or share
        nothing; those of two share something only if they share a cell.
        """
        annotators = len(self.values)
        said = annotators * self._sum(np.ones(len(self.document)), self.document)
        observed = np.zeros(self.documents)
        alike = np.zeros(self.documents)
        for one in self.values:
            alike += self._sum(self.size[one].astype(np.float64), self.document)
        for one, other in combinations(self.values, 2):
            _, at, shared = np.unique(pack(one, other), return_index=True, return_counts=True)
            ours, theirs = self.size[one[at]], self.size[other[at]]
            similarity = 1 - set_distance(distance, shared, ours, theirs)
            document = self.document[at]
            observed += 2 * self._sum(shared * (1 - similarity), document)
            alike += 2 * self._sum(ours * theirs * similarity, document)
        expected = divide(said**2 - alike, said - 1)
        return np.stack([observed / (annotators - 1), np.nan_to_num(expected)], axis=-1)

    def _sum(self, values: Floats, document: Ints) -> Floats:
        sums = np.bincount(document, weights=values, minlength=self.documents)
        return sums.astype(np.float64, copy=False)


def set_distance(distance: str, shared: Ints, one: Ints, other: Ints) -> Floats:
    """Return the distance of sets that share something, from the sizes of all three."""
    equal = (shared == one) & (shared == other)
    inside = (shared == one) | (shared == other)
    monotonicity = np.select([equal, inside], [1.0, 2 / 3], 1 / 3)
    if distance == "passonneau":
        return np.asarray(1 - monotonicity, dtype=np.float64)
    return np.asarray(1 - shared / (one + other - shared) * monotonicity, dtype=np.float64)


def score_alpha(sums: Floats) -> Floats:
    """Score (..., 2) sums of distances; without any to be expected, alpha does not exist."""
    return only_f1(1 - divide(sums[..., 0], sums[..., 1]))


def _estimate(rows: Floats, units: Units, sampling: Sampling) -> Estimate:
    value = float(score_alpha(exact_sum(rows))[F1])
    if units.refusal():
        return Estimate(value, None)
    resampled = Resampled([Statistic(rows, score_alpha)], units, sampling)
    return Estimate(value, resampled.intervals(0).f1)
