"""Power: the smallest difference that a test set can show, and the documents that one needs.

The jackknife estimates the standard error s of a difference between two systems on n documents. A
two-sided test at level a finds a true difference d with probability b if d is about
(z(1 - a/2) + z(b)) * s, where z is the quantile function of the normal distribution. Since s
shrinks with the square root of n, a difference d needs n * ((z(1 - a/2) + z(b)) * s / d)²
documents of the same kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scoref.exceptions import UsageError
from scoref.metrics.base import F1
from scoref.resampling.bootstrap import standard_error
from scoref.resampling.draws import TIE
from scoref.resampling.intervals import Resampled, Sampling
from scoref.resampling.units import Units
from scoref.result import Result


@dataclass(frozen=True, slots=True)
class MetricPower:
    """The power of a test set by one metric; differences of F1 are from 0 to 1.

    `error` is the standard error of the difference. `detectable` is the smallest difference that
    is found with the wanted power. `needed` is the number of units that the difference `target`
    needs, or None if no number is enough.
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

    If `paired`, the standard error comes from two systems. Otherwise it assumes a second system
    with the same variance and independent errors, which is more than real systems differ by.
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
        """Whether the standard error comes from two systems."""
        return len(self.systems) > 1


def power(
    results: Mapping[str, Result],
    sampling: Sampling,
    *,
    wanted: float = 0.8,
    difference: float | None = None,
) -> Power:
    """Return the power of a test set, given the results of one or two systems on it.

    `difference` is the difference that should be found, by default the observed difference.
    """
    from statistics import NormalDist  # noqa: PLC0415  # rarely needed

    if not 0.5 <= wanted < 1:
        raise UsageError(f"the power is {wanted:g}, but must be from 0.5 to below 1")
    if difference is not None and not 0 < difference <= 1:
        raise UsageError("the difference must be above 0 and at most 100 points")
    if len(results) not in (1, 2):
        raise UsageError(f"power requires 1 or 2 systems, got {len(results)}")
    first = next(iter(results.values()))
    units = sampling.units(first.counts.units)
    units.check()
    normal = NormalDist()
    factor = normal.inv_cdf(1 - sampling.level / 2) + normal.inv_cdf(wanted)
    found = []
    for metric in first.counts.metrics:
        resampled = Resampled.of(results.values(), metric, units, sampling)
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
