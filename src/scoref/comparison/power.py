"""How small a difference a test set can show, and how many documents a difference needs.

The jackknife gives the standard error s of a difference between two systems on n documents.
A two-sided test at level a finds a true difference d with probability b if d is about
(z(1 - a/2) + z(b)) * s, with z the quantiles of the normal distribution. As s shrinks with
the root of n, a difference d needs n * ((z(1 - a/2) + z(b)) * s / d)² documents like these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scoref.exceptions import UsageError
from scoref.metrics.base import F1
from scoref.resampling.intervals import Resampled, Sampling
from scoref.resampling.resampling import TIE, standard_error
from scoref.resampling.units import Units
from scoref.result import Result


@dataclass(frozen=True, slots=True)
class MetricPower:
    """What can be found under one metric, all as F1 from 0 to 1.

    `error` is the standard error of the difference, `detectable` the smallest difference that
    is found with the wanted power, `needed` how many units `target` takes, if any number does.
    """

    metric: str
    difference: float
    error: float
    detectable: float
    target: float
    needed: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Power:
    """The power of a test set, metric by metric.

    `paired` says whether the error is that of two systems; with one alone it is that of two
    which are as variable but err independently, more than two real systems differ by.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricPower, ...]
    power: float
    sampling: Sampling
    units: Units
    signature: str
    cautions: tuple[str, ...]

    @property
    def paired(self) -> bool:
        """Whether there are two systems."""
        return len(self.systems) > 1


def power(
    results: Mapping[str, Result],
    sampling: Sampling,
    *,
    wanted: float = 0.8,
    difference: float | None = None,
) -> Power:
    """Return what a test set can show, given the results of one system or of two on it.

    `difference` is the one that documents are counted for, by default the observed one.
    """
    from statistics import NormalDist  # noqa: PLC0415  # rarely needed

    if not 0.5 <= wanted < 1:
        raise UsageError(f"the power is {wanted:g}, but must be from 0.5 to below 1")
    if difference is not None and not 0 < difference <= 1:
        raise UsageError("the difference must be above 0 and at most 100 points")
    if len(results) not in (1, 2):
        raise UsageError(f"power takes one system or two, not {len(results)}")
    first = next(iter(results.values()))
    units = sampling.units(first.counts.units)
    units.check()
    normal = NormalDist()
    factor = normal.inv_cdf(1 - sampling.level / 2) + normal.inv_cdf(wanted)
    found = []
    for metric in first.counts.metrics:
        statistics = [one.counts.statistic(metric, one.policy) for one in results.values()]
        resampled = Resampled(statistics, units, sampling)
        left_out, values = resampled.left_out[..., F1], resampled.values[:, F1]
        if len(results) > 1:
            error = standard_error(left_out[0] - left_out[1], units.stratum)
            observed = float(values[0] - values[1])
        else:
            error = math.sqrt(2) * standard_error(left_out[0], units.stratum)
            observed = math.nan
        target = abs(observed) if difference is None else difference
        needed = None
        if target > TIE and error > TIE:
            needed = max(2, math.ceil(len(units) * (factor * error / target) ** 2))
        found.append(MetricPower(metric.name, observed, error, factor * error, target, needed))
    return Power(
        systems=tuple(results),
        metrics=tuple(found),
        power=wanted,
        sampling=sampling,
        units=units,
        signature=first.signature,
        cautions=tuple(units.cautions()),
    )
