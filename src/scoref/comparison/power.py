"""Power: the smallest difference that a test set can show, and the documents that one needs.

The jackknife estimates the standard error s of a difference between two systems on n documents. A
two-sided test at level a finds a true difference d with probability b if d is about
(z(1 - a/2) + z(b)) * s, where z is the quantile function of the normal distribution. Since s
shrinks with the square root of n, a difference d needs n * ((z(1 - a/2) + z(b)) * s / d)²
documents of the same kind. If systems have several runs, only the part of s² that comes from
documents shrinks with n.

s is estimated from the same few documents. Its square is about as precise as a chi-squared variable
with half the degrees of freedom of the jackknife, and so is the number of documents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

from scoref.base.phrases import counted, listed
from scoref.base.viewed import Tabular, find_view
from scoref.base.visible import visible
from scoref.exceptions import UsageError
from scoref.resampling.cautions import effective_cautions
from scoref.resampling.effective import EffectiveUnits
from scoref.resampling.jackknife import Spread
from scoref.resampling.resampled_scores import Resampled
from scoref.resampling.sampling_options import TIE, Sampling
from scoref.resampling.significance import fewest_units
from scoref.resampling.units import Units
from scoref.result import Result


class NeededUnits(NamedTuple):
    """How many units a difference needs, with an interval.

    None if no number of units is enough, because of the variance between runs, or if the number is
    not known, because the units show no variance or the difference is 0.
    """

    number: int | None
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class MetricPower:
    """The power of a test set by one metric; differences of F1 are from 0 to 1.

    `error` is the standard error of the difference, and `run_error` the part of it that comes from
    runs. `detectable` is the smallest difference that is found with the wanted power, or NaN if the
    test cannot find any, or if the units show no variance. `needed` is the number of units that the
    difference `target` needs.
    """

    metric: str
    difference: float
    error: float
    run_error: float
    freedom: float
    detectable: float
    target: float
    needed: NeededUnits

    @property
    def unreachable(self) -> bool:
        """Whether no number of units is enough: the variance between runs alone is too large."""
        return self._has_target and self.needed.number is None and self.error > TIE

    @property
    def without_variance(self) -> bool:
        """Whether the units show no variance, so that power is not known."""
        return self.error <= TIE

    @property
    def without_target(self) -> bool:
        """Whether the difference to detect is the observed one, and this is 0."""
        return self.target <= TIE

    @property
    def _has_target(self) -> bool:
        return self.target > TIE  # NaN is none


@dataclass(frozen=True, slots=True, eq=False)
class Power(Tabular):
    """The power of a test set, metric by metric.

    If `paired`, the standard error comes from two systems. Otherwise it assumes a second system
    with the same variance and independent errors, which is more than real systems differ by. If
    `post_hoc`, the number of units is for the observed difference. `tests` is the number of tests
    that p-values are corrected for, and `fewest` the number of units below which no difference can
    be significant.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricPower, ...]
    power: float
    tests: int
    fewest: int
    post_hoc: bool
    sampling: Sampling
    units: Units
    signature: str
    cautions: tuple[str, ...]

    @property
    def paired(self) -> bool:
        """Whether the standard error comes from two systems."""
        return len(self.systems) > 1

    def chance(self, metric: MetricPower, units: int, target: float) -> float:
        """Return the probability that a test on some units finds a difference."""
        from statistics import NormalDist  # noqa: PLC0415  # rarely needed

        if units < self.fewest:
            return 0.0
        documents = (metric.error**2 - metric.run_error**2) * len(self.units) / units
        error = math.sqrt(documents + metric.run_error**2)
        if error <= TIE:
            return math.nan
        normal = NormalDist()
        critical = normal.inv_cdf(1 - self.sampling.level / self.tests / 2)
        return normal.cdf(target / error - critical) + normal.cdf(-target / error - critical)

    def __repr__(self) -> str:
        found = ", ".join(f"{one.metric} {100 * one.detectable:.2f}" for one in self.metrics)
        on = counted(len(self.units), self.units.kind)
        return visible(f"<Power: detectable differences {found} (points of F1); {on}>")

    def draw(self, path: str | PathLike[str]) -> None:
        """Draw the probability of finding the difference by the number of units."""
        find_view("Power.draw")(self, path)


def power(
    systems: Mapping[str, Sequence[Result]],
    sampling: Sampling,
    *,
    wanted: float = 0.8,
    difference: float | None = None,
    compared: int = 2,
) -> Power:
    """Return the power of a test set, given the results of the runs of one or two systems on it.

    `difference` is the difference that should be found, by default the observed difference. If
    `compared` systems will be compared, p-values are corrected for all their pairs.
    """
    _check(systems, wanted, difference, compared)
    first = next(iter(systems.values()))[0]
    units = sampling.counted_units(run for runs in systems.values() for run in runs)
    units.check()
    tests = compared * (compared - 1) // 2
    fewest = fewest_units(sampling.level / tests)
    asked = _Wanted(wanted, difference, tests, fewest, sampling.level)
    found, effective = [], {}
    for metric in first.counts.metrics:
        resampled = Resampled.of(systems.values(), metric, units, sampling)
        effective[metric.name] = resampled.effective()
        found.append(_metric_power(metric.name, resampled, asked))
    return Power(
        systems=tuple(systems),
        metrics=tuple(found),
        power=wanted,
        tests=tests,
        fewest=fewest,
        post_hoc=difference is None and len(systems) > 1,
        sampling=sampling,
        units=units,
        signature=first.signature,
        cautions=(*_cautions(units, effective, fewest), *_missing(found, units.kind)),
    )


def _check(
    systems: Mapping[str, object], wanted: float, difference: float | None, compared: int
) -> None:
    if not 0.5 <= wanted < 1:
        raise UsageError(f"the power is {wanted:g}, but must be from 0.5 to below 1")
    if difference is not None and not 0 < difference <= 1:
        raise UsageError("the difference must be above 0 and at most 100 points")
    if len(systems) not in (1, 2):
        raise UsageError(f"power requires 1 or 2 systems, got {len(systems)}")
    if compared < 2:
        raise UsageError(f"a comparison requires at least 2 systems, got {compared}")


def _cautions(units: Units, effective: Mapping[str, EffectiveUnits], fewest: int) -> list[str]:
    found = [*effective_cautions(effective, units), *units.cautions()]
    if len(units) < fewest:
        found.insert(
            0,
            f"no difference can be significant on {len(units)} {units.kind}s: the test requires at"
            f" least {fewest}",
        )
    return found


def _missing(metrics: Sequence[MetricPower], kind: str) -> list[str]:
    """Say why metrics lack the number of units that a difference needs."""
    found = []
    if names := [one.metric for one in metrics if one.unreachable]:
        found.append(
            f"no number of {kind}s is enough by {listed(names)}: the variance between runs alone"
            " hides a difference of this size, and only more runs reduce it"
        )
    if names := [one.metric for one in metrics if one.without_variance]:
        found.append(
            f"the {kind}s show no variance by {listed(names)}, so the smallest detectable"
            f" difference and the number of {kind}s needed are unknown"
        )
    if names := [one.metric for one in metrics if one.without_target]:
        found.append(
            f"the observed difference by {listed(names)} is 0, which no test can detect: state the"
            " difference that matters with --difference POINTS"
        )
    return found


class _Wanted(NamedTuple):
    """What a test set should show: with which probability, and by which test."""

    power: float
    difference: float | None
    tests: int
    fewest: int
    level: float

    @property
    def factor(self) -> float:
        """The smallest detectable difference in standard errors."""
        from statistics import NormalDist  # noqa: PLC0415  # rarely needed

        normal = NormalDist()
        return normal.inv_cdf(1 - self.level / self.tests / 2) + normal.inv_cdf(self.power)


def _metric_power(metric: str, resampled: Resampled, wanted: _Wanted) -> MetricPower:
    if len(resampled.runs) > 1:
        spread, runs = resampled.difference_spread(0, 1), resampled.run_variance([0, 1]).variance
    else:
        alone, runs = resampled.spread(0), 2 * resampled.run_variance([0]).variance
        spread = Spread(math.nan, math.sqrt(2) * alone.error, alone.freedom)
    target = abs(spread.value) if wanted.difference is None else wanted.difference
    units = len(resampled.units)
    knows = units >= wanted.fewest and not spread.without_variance
    return MetricPower(
        metric=metric,
        difference=spread.value,
        error=spread.error,
        run_error=math.sqrt(runs),
        freedom=spread.freedom,
        detectable=wanted.factor * spread.error if knows else math.nan,
        target=target,
        needed=_needed(spread, runs, target, units, wanted),
    )


def _needed(spread: Spread, runs: float, target: float, units: int, wanted: _Wanted) -> NeededUnits:
    """Return the number of units that a difference needs, and an interval of this number."""
    if not (target > TIE and spread.error > TIE):
        return NeededUnits(None, None, None)
    documents = max(0.0, spread.error**2 - runs)
    left = (target / wanted.factor) ** 2 - runs  # the variance that documents may have

    def number(ratio: float) -> int | None:
        if left <= 0:
            return None
        return max(wanted.fewest, math.ceil(units * documents * ratio / left))

    low, high = variance_bounds(spread.freedom, wanted.level)
    return NeededUnits(number(1.0), number(low), number(high))


def variance_bounds(freedom: float, level: float) -> tuple[float, float]:
    """Return an interval of a variance, as multiples of its estimate.

    The degrees of freedom are halved. They depend on the kurtosis, which few documents understate,
    and simulated corpora show that twice as many make intervals too short.
    """
    from scipy.special import chdtri  # noqa: PLC0415  # slow to load

    halved = max(1.0, freedom / 2)
    low, high = (halved / float(chdtri(halved, tail)) for tail in (level / 2, 1 - level / 2))
    return low, high
