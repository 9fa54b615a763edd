"""agreement(): the agreement of annotators, or of systems, when none of them is the key.

Symmetric scores show how similar two annotations are. Krippendorff's alpha shows how far all
annotators agree beyond chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, Unpack

import numpy as np

from scoref.alignment.document_pairing import ABSENT, check_paired_once, find_key_documents
from scoref.base.arrays import Floats
from scoref.base.phrases import counted, listed
from scoref.comparison.krippendorff import DISTANCES, EntitySets, score_alpha
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Statistic, exact_sum
from scoref.exceptions import DocumentError, UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.base import F1
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import clean
from scoref.preparation.inputs import Input, ReadOptions, as_corpus
from scoref.preparation.needs import columns_of_key, needs_of
from scoref.preparation.pipeline import refuse_special_counting
from scoref.preparation.regrouping import regroup
from scoref.preparation.same_text import AUTO, Checks
from scoref.resampling.bootstrap import Interval
from scoref.resampling.intervals import Resampled, Sampling, SamplingOptions, intervals
from scoref.resampling.units import Units
from scoref.scoring import score

DEFAULT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc(boundary=luo2014)", "lea", "conll")
"""The default metrics, with a boundary rule of BLANC that is symmetric."""


class Estimate(NamedTuple):
    """A value and its interval, or None if no interval is possible."""

    value: float
    interval: Interval | None


class PairAgreement(NamedTuple):
    """The agreement of two annotators: F1 by metric."""

    one: str
    other: str
    f1: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The agreement of each pair, and Krippendorff's alpha of all annotators by distance."""

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
        from scoref.comparison.views.agreement import AgreementView  # noqa: PLC0415  # a cycle

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
    """Compute the agreement of annotators on the documents that all of them have.

    `scoref.agreement({"ann": a, "ben": b})`: an annotation is any input of `score`. The keywords
    for intervals are those of `compare`: `level`, `method`, `trials`, `seed`, `jobs`, `blocks` and
    `strata`.
    """
    sampling = Sampling(**resampling)
    options = ReadOptions(format, encoding, check_words)
    policy = policy or Policy()
    refuse_special_counting(policy, "the agreement of annotators")
    if policy.markup != "none":
        raise UsageError(
            "the agreement of annotators is not available for generated text",
            "place it on the words of its source first, with `scoref align`",
        )
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
    for one, other in combinations(corpora, 2):
        result = score(corpora[one], corpora[other], chosen, policy, check_words=check_words)
        policy = result.policy  # its `match` is resolved
        notes += [f"{one} and {other}: {note}" for note in result.notes]
        found = None if units.refusal() else intervals(result.counts, policy, sampling)
        f1 = {m: Estimate(result[m].f1, found[m].f1 if found else None) for m in result}
        pairs.append(PairAgreement(one, other, f1))
    cleaned = {name: clean(corpus, policy).corpus for name, corpus in corpora.items()}
    sets = EntitySets.of(cleaned)
    alphas = {name: _estimate(sets.alpha_rows(name), units, sampling) for name in DISTANCES}
    return Agreement(
        annotators=tuple(corpora),
        metrics=tuple(metric.name for metric in chosen),
        pairs=tuple(pairs),
        alpha=alphas,
        mentions=sets.values.shape[1],
        sampling=sampling,
        units=units,
        signature=policy.signature("+".join(sorted(c.fingerprint() for c in corpora.values()))),
        notes=tuple(dict.fromkeys(notes)),
        refusal=units.refusal(),
    )


def _check(annotators: Mapping[str, Input], metrics: Sequence[Metric]) -> None:
    if len(annotators) < 2:
        raise UsageError(
            f"agreement requires at least 2 annotators, got {len(annotators)}",
            'pass {"ann": a, "ben": b}, or two files',
        )
    if asymmetric := [metric.name for metric in metrics if not metric.symmetric]:
        raise UsageError(
            f"agreement requires symmetric metrics, but {listed(asymmetric)} treats the key and the"
            " response differently",
            "use blanc(boundary=luo2014)" if "blanc" in asymmetric[0] else "",
        )


def _common_documents(corpora: Mapping[str, Corpus]) -> tuple[dict[str, Corpus], list[str]]:
    """Keep the documents that all annotators have, in the order of the first."""
    first = next(iter(corpora.values()))
    places = {name: find_key_documents(first, c).tolist() for name, c in corpora.items()}
    for name, found in places.items():
        check_paired_once(first, corpora[name], np.array(found, dtype=np.int64), name)
    shared = sorted(set.intersection(*map(set, places.values())) - {ABSENT})
    if not shared:
        raise DocumentError(
            f"no document is in all of {listed(list(corpora))}",
            "documents are paired by the name after `#begin document`",
        )
    notes = []
    kept = {}
    for name, corpus in corpora.items():
        if ignored := len(corpus.documents) - len(shared):
            notes.append(f"{name}: ignored {counted(ignored, 'document')} that not all have")
        number = {place: at for at, place in enumerate(places[name])}
        kept[name] = _keep_documents(corpus, [number[place] for place in shared])
    return kept, notes


def _keep_documents(corpus: Corpus, documents: Sequence[int]) -> Corpus:
    """Keep some documents, in this order."""
    number = np.full(len(corpus.documents), NOWHERE, dtype=np.int64)
    number[documents] = np.arange(len(documents))
    inside = corpus.where(number[corpus.document] != NOWHERE)
    return replace(
        inside,
        documents=tuple(corpus.documents[document] for document in documents),
        document=number[inside.document],
    )


def _estimate(rows: Floats, units: Units, sampling: Sampling) -> Estimate:
    value = float(score_alpha(exact_sum(rows))[F1])
    if units.refusal():
        return Estimate(value, None)
    resampled = Resampled([Statistic(rows, score_alpha)], units, sampling)
    return Estimate(value, resampled.intervals(0).f1)
