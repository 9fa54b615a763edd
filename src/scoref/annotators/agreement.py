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

from scoref.annotators.beyond_chance import (
    DISTANCES,
    EntitySets,
    MentionAgreement,
    alpha_baselines,
    marked_by_both,
    mention_agreement,
    score_alpha,
)
from scoref.base.arrays import Floats
from scoref.base.exact_sums import exact_sum
from scoref.base.phrases import counted, listed
from scoref.base.viewed import Tabular
from scoref.base.visible import visible
from scoref.corpus.corpus import Corpus
from scoref.counts.counts import Statistic
from scoref.exceptions import DocumentError, UsageError
from scoref.matching.document_pairing import check_paired_once, find_key_documents
from scoref.matching.duplicates_and_singletons import clean
from scoref.matching.inputs import Input, ReadOptions, as_corpus
from scoref.matching.regrouping import regroup
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.base import F1, divide
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy, PolicyLike
from scoref.policy.capabilities import AGREEMENT, require
from scoref.resampling.bootstrap import Interval
from scoref.resampling.cautions import (
    Spreads,
    effective_cautions,
    size_cautions,
    variance_cautions,
)
from scoref.resampling.effective import EffectiveUnits
from scoref.resampling.intervals import intervals
from scoref.resampling.jackknife import Spread
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import ComparisonOptions, Sampling
from scoref.resampling.units import Units
from scoref.scoring import score

DEFAULT = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc(boundary=luo2014)", "lea", "conll")
"""The default metrics, with a boundary rule of BLANC that is symmetric."""


class Estimate(NamedTuple):
    """A value and its interval, or None if no interval is possible."""

    value: float
    interval: Interval | None


class PairAgreement(NamedTuple):
    """The agreement of two annotators: F1 by metric, on mentions alone, and alpha by distance.

    `alpha_shared` is alpha on the mentions that both annotators marked: agreement on links alone.
    """

    one: str
    other: str
    f1: Mapping[str, Estimate]
    mentions: MentionAgreement
    alpha: Mapping[str, Estimate]
    alpha_shared: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement(Tabular):
    """The agreement of each pair, and Krippendorff's alpha of all annotators by distance.

    * `annotators`: The names of the annotators.
    * `pairs`: The agreement of each pair: F1 by metric, mentions, and alpha by distance.
    * `alpha`: Krippendorff's alpha by distance, with its interval.
    * `baselines`: The alphas of annotations that say nothing, by name and distance.
    * `effective`: The effective number of documents by metric.
    * `mentions`: The number of mentions that at least one annotator marked.
    * `cautions`: Warnings about the reliability of intervals.
    * `refusal`: The reason if intervals are not possible, or an empty string.
    """

    annotators: tuple[str, ...]
    metrics: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    alpha: Mapping[str, Estimate]
    baselines: Mapping[str, Mapping[str, float]]
    effective: Mapping[str, EffectiveUnits]
    mentions: int
    sampling: Sampling
    units: Units
    signature: str
    notes: tuple[str, ...]
    cautions: tuple[str, ...]
    refusal: str

    def mean(self, metric: str) -> float:
        """Return the mean F1 over pairs."""
        return float(np.mean([pair.f1[metric].value for pair in self.pairs]))

    def __repr__(self) -> str:
        alpha = ", ".join(f"{name} {one.value:.4f}" for name, one in self.alpha.items())
        on = counted(len(self.units), self.units.kind)
        return visible(f"<Agreement of {', '.join(self.annotators)}: alpha {alpha}; {on}>")


def agreement(
    annotators: Mapping[str, Input],
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    *,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    encoding: str | None = None,
    check_words: Checks = AUTO,
    **choices: Unpack[ComparisonOptions],
) -> Agreement:
    """Compute the agreement of annotators on the documents that all of them have.

    `scoref.agreement({"ann": a, "ben": b})` takes any inputs of `score`.

    * `annotators`: The annotations by name.
    * `metrics`: Names such as `"b3"` or `"blanc(alpha=0.2)"`, `Metric` objects, or functions from a
      `Table` to counts of shape (units, 4). By default, those of `scoref score`.
    * `policy`: A `Policy`, or a dict of its fields.
    * `format`: The name of the format, by default detected.
    * `encoding`: The text encoding, by default UTF-8.
    * `check_words`: Whether to compare words, as in `scoref.score`.
    * `choices`: The keywords of `compare` for intervals: `level`, `method`, `trials`, `seed`,
      `jobs`, `blocks` and `strata`; and fields of the policy.
    """
    sampling, of_policy = Sampling.split(**choices)
    policy = Policy.of(policy, **of_policy)
    options = ReadOptions.under(policy, format, encoding, check_words)
    require(policy, AGREEMENT)
    chosen = find_metrics(DEFAULT if metrics is None else metrics, AGREEMENT)
    _check(annotators, chosen)
    columns = Requirements.of(chosen, policy, options)._replace(at_once=True).of_key
    corpora = {
        name: regroup(as_corpus(source, name, options, columns), policy.unit)
        for name, source in annotators.items()
    }
    corpora, notes = _common_documents(corpora)
    documents = [document.name for document in next(iter(corpora.values())).documents]
    units = sampling.units(documents, policy.unit)
    pairs = []
    effective: dict[str, EffectiveUnits] = {}
    spreads: dict[str, Spreads] = {}
    for one, other in combinations(corpora, 2):
        result = score(corpora[one], corpora[other], chosen, policy, check_words=check_words)
        policy = result.policy  # its `match` is resolved
        notes += [f"{one} and {other}: {note}" for note in result.notes]
        found = None if units.refusal() else intervals(result, sampling, units)
        if found:
            effective = effective or dict(found.effective)
            spreads[f"{one} and {other}"] = found.spreads
        f1 = {m: Estimate(result[m].f1, found[m].f1 if found else None) for m in result}
        pairs.append((one, other, f1))
    cleaned = {name: clean(corpus, policy).corpus for name, corpus in corpora.items()}
    sets = EntitySets.of(cleaned)
    alphas = _Alphas(units, sampling)
    every = alphas.estimate("", sets)
    between = []
    for one, other, f1 in pairs:
        two = {name: cleaned[name] for name in (one, other)}
        between.append(_pair(two, f1, alphas))
    return Agreement(
        annotators=tuple(corpora),
        metrics=tuple(metric.name for metric in chosen),
        pairs=tuple(between),
        alpha=every,
        baselines=alpha_baselines(cleaned, sampling.seed),
        effective=effective,
        mentions=sets.values.shape[1],
        sampling=sampling,
        units=units,
        signature=policy.signature("+".join(sorted(c.fingerprint() for c in corpora.values()))),
        notes=tuple(dict.fromkeys(notes)),
        cautions=(
            *effective_cautions(effective, units),
            *size_cautions(effective, units),
            *variance_cautions(spreads, units, sampling.level),
            *variance_cautions(alphas.spreads, units, sampling.level),
            *units.cautions(),
        ),
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
    shared = sorted(set.intersection(*map(set, places.values())) - {NOWHERE})
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


def _pair(corpora: dict[str, Corpus], f1: Mapping[str, Estimate], alphas: _Alphas) -> PairAgreement:
    """Return the agreement of two annotators, whose corpora are cleaned."""
    one, other = corpora
    first, second = corpora.values()
    both = marked_by_both(first, second)
    shared = {one: first.where(both[0]), other: second.where(both[1])}
    return PairAgreement(
        one,
        other,
        f1,
        mention_agreement(first, second),
        alphas.estimate(f"{one} and {other}", EntitySets.of(corpora)),
        alphas.estimate(f"{one} and {other} (links)", EntitySets.of(shared)),
    )


class _Alphas:
    """Estimates alpha by each distance, and collects the spreads of the estimates by annotators."""

    def __init__(self, units: Units, sampling: Sampling) -> None:
        self.units = units
        self.sampling = sampling
        self.spreads: dict[str, dict[str, tuple[Spread]]] = {}

    def estimate(self, annotators: str, sets: EntitySets) -> dict[str, Estimate]:
        """Estimate alpha by each distance, with intervals if they are possible."""
        self.spreads[annotators] = {}
        return {name: self._estimate(annotators, name, sets.alpha_rows(name)) for name in DISTANCES}

    def _estimate(self, annotators: str, distance: str, rows: Floats) -> Estimate:
        value = float(score_alpha(exact_sum(rows))[F1])
        if self.units.refusal() or np.isnan(value):
            return Estimate(value, None)
        shares = divide(rows[:, 1], rows[:, 1].sum())[None]  # of the expected disagreement
        statistic = Statistic(rows, score_alpha)
        resampled = Resampled([[statistic]], shares, self.units, self.sampling, lowest=-1.0)
        self.spreads[annotators][f"alpha ({distance})"] = (resampled.spread(0),)
        low, high = resampled.interval(0)
        return Estimate(value, Interval(low, min(high, 1.0)))
