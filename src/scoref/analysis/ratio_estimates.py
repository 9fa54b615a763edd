"""Ratio estimators: scores of a whole from what drawn entities add, with intervals and cautions.

A score is a ratio of sums over all entities of a key. Let m entities be drawn, with weights w that
are 1 / the probability of a draw (Binette et al. 2023). The entity of a draw adds b to the
numerator and a to the denominator, weights included:

    r           mean(b) / mean(a)
    estimate    r + (1 - f) mean(a (b - r a)) / ((m - 1) mean(a)²)
    se²         (1 - f) sum((b - r a)²) / (m (m - 1) mean(a)²)

The estimate is r with its bias corrected to the first order (Cochran 1977). f is the part of the
population that was drawn, if it is known, and otherwise 0. Intervals are those of
`resampling/jackknife.py`: Student's t on the logit scale, with degrees of freedom that say how few
entities decide the variance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from scoref.analysis.sample_file import SampledEntities
from scoref.base.arrays import Floats, Ints
from scoref.base.phrases import counted, listed
from scoref.resampling.bootstrap import Interval
from scoref.resampling.cautions import variance_cautions
from scoref.resampling.effective import kish
from scoref.resampling.jackknife import Spread, freedom_of
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.units import Units

_FEW_FREEDOM = 10.0  # degrees of freedom; see the manual's page on calibration
_BIASED = 0.2  # of a standard error


class SampleEstimate(NamedTuple):
    """An estimate of a score, its standard error, and the ends of its interval; NaN if unknown."""

    estimate: float
    se: float
    low: float
    high: float


class Terms(NamedTuple):
    """What each drawn entity adds to the numerator and to the denominator of a score."""

    numerator: Floats
    denominator: Floats


EntityTerms = dict[str, dict[str, Terms]]
"""What entities add, by metric and score, without weights."""


class Draws(NamedTuple):
    """The entity of each draw, its name and its weight."""

    entity: Ints
    names: tuple[str, ...]
    weights: Floats

    @classmethod
    def of(cls, sample: SampledEntities) -> Draws:
        """Repeat an entity as often as it was drawn."""
        entity = np.repeat(np.arange(len(sample.names)), sample.draws)
        names = tuple(sample.names[at] for at in entity.tolist())
        return cls(entity, names, sample.weights[entity])

    @property
    def units(self) -> Units:
        """The draws as units of a variance."""
        return Units(self.names, self.names, np.arange(len(self.entity)), kind="draw")


class Ratio(NamedTuple):
    """An estimate of a ratio: its correction, deviations whose squares add up to its variance.

    `shares` are those of each draw in the denominator.
    """

    estimate: float
    correction: float
    deviation: Floats
    shares: Floats

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(float((self.deviation**2).sum()))

    @classmethod
    def of(cls, terms: Terms, fraction: float) -> Ratio:
        """Estimate a ratio from what each draw adds, weights included."""
        b, a = terms
        draws, mean = len(a), float(a.mean())
        if not mean > 0:
            nothing = np.full(draws, math.nan)
            return cls(math.nan, math.nan, nothing, np.zeros(draws))
        ratio = float(b.mean()) / mean
        correction, deviation = 0.0, np.full(draws, math.nan)
        if draws > 1:
            scaled = b - ratio * a
            correction = (1 - fraction) * float((a * scaled).mean()) / ((draws - 1) * mean**2)
            scale = math.sqrt((1 - fraction) / (draws * (draws - 1)))
            deviation = scaled * scale / mean
        return cls(ratio + correction, correction, deviation, a / a.sum())


def estimate_terms(
    terms: EntityTerms, draws: Draws, fraction: float, sampling: Sampling
) -> tuple[dict[str, dict[str, SampleEstimate]], list[str]]:
    """Return the estimates from what entities add, and cautions about them."""
    entity, weights, units = draws.entity, draws.weights, draws.units
    ratios = {
        metric: {
            score: Ratio.of(Terms(*(one[entity] * weights for one in of_score)), fraction)
            for score, of_score in scores.items()
        }
        for metric, scores in terms.items()
    }
    ratios["b3"]["f1"] = _harmonic(ratios["b3"]["recall"], ratios["b3"]["precision"])
    named = {f"{metric} {score}": one for metric, of in ratios.items() for score, one in of.items()}
    found = {name: _with_interval(one, units, sampling, fraction) for name, one in named.items()}
    by_metric = {
        metric: {score: found[f"{metric} {score}"][0] for score in of}
        for metric, of in ratios.items()
    }
    spreads = {name: spread for name, (_, spread) in found.items()}
    return by_metric, [*_cautions(named, spreads, draws, sampling.level, fraction)]


def _harmonic(recall: Ratio, precision: Ratio) -> Ratio:
    """Return F1, whose deviations are linear in those of recall and precision."""
    both = recall.estimate + precision.estimate
    if not both > 0:
        return recall._replace(estimate=both)
    by_recall, by_precision = (2 * (one.estimate / both) ** 2 for one in (precision, recall))
    return Ratio(
        2 * recall.estimate * precision.estimate / both,
        by_recall * recall.correction + by_precision * precision.correction,
        by_recall * recall.deviation + by_precision * precision.deviation,
        recall.shares,
    )


def _with_interval(
    ratio: Ratio, units: Units, sampling: Sampling, fraction: float
) -> tuple[SampleEstimate, Spread]:
    """Return an estimate between 0 and 1 with its interval, and its spread."""
    value, error = _clipped(ratio.estimate), ratio.error
    if math.isnan(value) or math.isnan(error):
        return SampleEstimate(value, *[math.nan] * 3), Spread(value, error, 1.0)
    freedom = freedom_of(ratio.deviation, kish(ratio.shares), units)
    spread = Spread(value, error, freedom, 0.0, 1.0)
    is_whole = fraction == 1
    ends = Interval(value, value) if is_whole else spread.bounded_interval(sampling.level)
    known = math.nan if ratio.estimate == 0 and not is_whole else error
    return SampleEstimate(value, known, *ends), spread


def _clipped(value: float) -> float:
    return value if math.isnan(value) else min(max(value, 0.0), 1.0)


def _cautions(
    ratios: dict[str, Ratio],
    spreads: dict[str, Spread],
    draws: Draws,
    level: float,
    fraction: float,
) -> Iterator[str]:
    """Say which estimates and intervals may not hold."""
    if undefined := [name for name, one in ratios.items() if math.isnan(one.estimate)]:
        yield f"{listed(undefined)}: undefined, since what they are divided by is 0 or unknown"
    if len(draws.entity) < 2:
        yield "one entity shows no variance: standard errors and intervals require at least 2"
        return
    for name, one in ratios.items():
        if one.estimate < 0 or one.estimate > 1 + 1e-9:
            shown = _clipped(one.estimate)
            yield f"{name} was estimated as {one.estimate:.4f}, and is shown as {shown:g}"
    if fraction == 1:
        return
    is_uniform = bool(np.ptp(draws.weights) == 0)
    more = f"draw more entities{', or draw by size' if is_uniform else ''}"
    few = {
        name: one.freedom
        for name, one in spreads.items()
        if one.error > 0 and one.freedom < _FEW_FREEDOM
    }
    if few:
        name = min(few, key=few.__getitem__)
        squares = ratios[name].deviation ** 2
        part = 100 * float(squares.max() / squares.sum())
        yield (
            f"few entities decide {name}{_and_others(few)}: {draws.names[int(np.argmax(squares))]}"
            f" alone makes {part:.0f} % of its variance, which has {few[name]:.1f} degrees of"
            f" freedom, so intervals can be too narrow: {more}"
        )
    biased = {
        name: one.correction
        for name, one in ratios.items()
        if one.error > 0 and abs(one.correction) > _BIASED * one.error
    }
    if biased:
        name = max(biased, key=lambda name: abs(biased[name]))
        yield (
            f"ratios of few entities are biased: {name}{_and_others(biased)} was corrected by"
            f" {100 * biased[name]:+.2f} points, which is not small for its standard error: {more}"
        )
    flat = {name: [one] for name, one in spreads.items() if not math.isnan(one.error)}
    yield from variance_cautions({"": flat}, draws.units, level)


def _and_others(scores: Mapping[str, object]) -> str:
    others = len(scores) - 1
    return f" (and {counted(others, 'other score')})" if others else ""
