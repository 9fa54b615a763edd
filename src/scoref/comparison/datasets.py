"""compare_datasets(): the same systems on several datasets, and on how many one is better.

A p-value for each dataset does not say on how many. The partial conjunction test (Benjamini &
Heller 2008; Dror et al. 2017) tests, for each u, whether fewer than u of n effects exist:

    Bonferroni   (n - u + 1) p(u)                                   for any dependence
    Fisher       chi-squared with 2 (n - u + 1) degrees of freedom,
                 of -2 sum of log p(i) for i from u to n            for independent datasets

where p(1) <= ... <= p(n) are one-sided. The largest u that is rejected at the level a is a lower
bound of the number of effects, with the confidence 1 - a. Which datasets these are, Holm's
correction says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from scoref.base.phrases import counted, letters, listed
from scoref.base.viewed import Tabular
from scoref.base.visible import visible
from scoref.comparison.comparison import Comparison, compare
from scoref.comparison.systems import SystemInput
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input
from scoref.policy import read_signature
from scoref.resampling.bootstrap import Interval
from scoref.resampling.jackknife import Spread
from scoref.resampling.sampling_options import TIE
from scoref.resampling.significance import holm


@dataclass(frozen=True, slots=True)
class Replication:
    """The difference between two systems on several datasets: F1 of `one` minus F1 of `other`.

    `difference` is the mean over datasets, and `p` and `adjusted` are its p-values. With the
    confidence of the comparison, `one` is better on `at_least` datasets. `better` names the
    datasets on which Holm's correction finds it better.
    """

    one: str
    other: str
    difference: float
    interval: Interval | None
    p: float
    adjusted: float
    significant: bool
    at_least: int
    other_at_least: int
    better: tuple[str, ...]
    worse: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DatasetsComparison(Tabular):
    """Systems on several datasets, best mean first, by one metric.

    `means` are the mean F1 over datasets. If two datasets have the same key, they are not
    `independent`.
    """

    metric: str
    systems: tuple[str, ...]
    comparisons: Mapping[str, Comparison]
    means: Mapping[str, Spread]
    pairs: tuple[Replication, ...]
    independent: bool
    baseline: str | None

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the datasets."""
        return tuple(self.comparisons)

    @property
    def first(self) -> Comparison:
        """The comparison on the first dataset, which has the settings of all."""
        return next(iter(self.comparisons.values()))

    @property
    def signature(self) -> str:
        """The signature of the first dataset; the others differ in their keys only."""
        return self.first.signature

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of all datasets."""
        return tuple(
            f"{name}: {note}" for name, one in self.comparisons.items() for note in one.notes
        )

    def label(self, system: str) -> str:
        """Return the letter of a system."""
        return letters(self.systems.index(system))

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {100 * one.value:.2f}" for name, one in self.means.items())
        on = counted(len(self.datasets), "dataset")
        return visible(f"<DatasetsComparison: mean F1 by {self.metric} {means} (percent); {on}>")


def compare_datasets(
    datasets: Mapping[str, tuple[Input | None, Mapping[str, SystemInput]]],
    *arguments: Any,
    **keywords: Any,
) -> DatasetsComparison:
    """Compare systems on several datasets: `{"news": (key, {"base": a, "ours": b}), ...}`.

    * `datasets`: A key and the systems by name, for each dataset. All datasets have the same
      systems. The key can be None if all systems are counts files.
    * `arguments`, `keywords`: The other arguments of `compare`.
    """
    if not datasets:
        raise UsageError("a comparison over datasets requires at least one dataset")
    systems = {name: set(dataset[1]) for name, dataset in datasets.items()}
    first, expected = next(iter(systems.items()))
    for name, found in systems.items():
        if found != expected:
            differing = sorted(found ^ expected)
            raise UsageError(
                f"datasets {first} and {name} have different systems: {listed(differing)}",
                "name the same systems in every dataset",
            )
    comparisons = {
        name: compare(key, of_dataset, *arguments, **keywords)
        for name, (key, of_dataset) in datasets.items()
    }
    return combine(comparisons)


def combine(comparisons: Mapping[str, Comparison]) -> DatasetsComparison:
    """Combine comparisons of the same systems, by the metric that ranks them."""
    first = next(iter(comparisons.values()))
    names = [system.name for system in first.systems]
    keys = [read_signature(one.signature).key for one in comparisons.values()]
    independent, baseline = len(set(keys)) == len(keys), first.design.baseline
    spreads = {
        name: average_spread(
            [one.spreads[name] for one in comparisons.values()], independent=independent
        )
        for name in names
    }
    order = sorted(names, key=lambda name: (math.isnan(spreads[name].value), -spreads[name].value))
    pairs = [
        _replicate(comparisons, one, other, independent=independent)
        for one, other in combinations(order, 2)
        if baseline in (None, one, other)
    ]
    return DatasetsComparison(
        first.metric,
        tuple(order),
        comparisons,
        {name: spreads[name] for name in order},
        tuple(_correct(pairs, first)),
        independent,
        baseline,
    )


def average_spread(spreads: Sequence[Spread], *, independent: bool = True) -> Spread:
    """Return the mean of values, with the degrees of freedom of Satterthwaite.

    Values that are not independent can be as far off as all of them together. If no dataset shows a
    variance, n independent datasets count as n times the units of the smallest.
    """
    range_of, fewest = spreads[0], min(one.freedom for one in spreads)
    value = sum(one.value for one in spreads) / len(spreads)
    if not independent:
        error = sum(one.error for one in spreads) / len(spreads)
        freedom = max(fewest, 1.0) if error > TIE else fewest
        return range_of._replace(value=value, error=error, freedom=freedom)
    variances = [one.error**2 for one in spreads]
    total = sum(variances)
    error, freedom = math.sqrt(total) / len(spreads), len(spreads) * (fewest + 1) - 1
    if error > TIE:
        parts = zip(variances, spreads, strict=True)
        freedom = total**2 / sum(v**2 / max(one.freedom, 1.0) for v, one in parts)
    return range_of._replace(value=value, error=error, freedom=freedom)


def _replicate(
    comparisons: Mapping[str, Comparison], one: str, other: str, *, independent: bool
) -> Replication:
    first = next(iter(comparisons.values()))
    metric, level = first.metric, first.sampling.level
    spreads, p_values = [], []
    for comparison in comparisons.values():
        pair = comparison.pair(one, other, metric)
        spread = pair.spread or Spread(pair.difference, math.nan, math.nan)
        spreads.append(spread if pair.one == one else -spread)
        p_values.append(pair.p)
    mean = average_spread(spreads, independent=independent)
    gains, losses = (
        [one_sided(p, sign * spread.value) for p, spread in zip(p_values, spreads, strict=True)]
        for sign in (1, -1)
    )
    better, worse = (
        tuple(name for name, p in zip(comparisons, holm(sided), strict=True) if p < level)
        for sided in (gains, losses)
    )
    return Replication(
        one=one,
        other=other,
        difference=mean.value,
        interval=None if math.isnan(mean.error) else mean.interval(level),
        p=mean.p_different(),
        adjusted=math.nan,
        significant=False,
        at_least=count_effects(gains, level, independent=independent),
        other_at_least=count_effects(losses, level, independent=independent),
        better=better,
        worse=worse,
    )


def _correct(pairs: Sequence[Replication], first: Comparison) -> list[Replication]:
    """Correct the p-values of the means over the pairs of systems."""
    p_values = [pair.p for pair in pairs]
    corrected = first.design.correction != "none" and not any(map(math.isnan, p_values))
    adjusted = holm(p_values) if corrected else p_values
    level = first.sampling.level
    return [
        replace(pair, adjusted=p, significant=p < level)
        for pair, p in zip(pairs, adjusted, strict=True)
    ]


def one_sided(p: float, difference: float) -> float:
    """Return the p-value for a positive difference, given the two-sided one.

    A dataset without a p-value does not count as evidence.
    """
    if math.isnan(p):
        return 1.0
    return p / 2 if difference > 0 else 1 - p / 2


def partial_conjunction(p_values: Sequence[float], *, independent: bool) -> list[float]:
    """Return the p-values for at least 1, 2, ..., n effects."""
    ordered, count = sorted(p_values), len(p_values)
    found: list[float] = []
    for place in range(count):
        rest = ordered[place:]
        if independent:
            from scipy.special import chdtrc  # noqa: PLC0415  # slow to load

            logs = -2 * sum(math.log(max(p, 1e-300)) for p in rest)
            p = float(chdtrc(2 * len(rest), logs))
        else:
            p = min(1.0, len(rest) * rest[0])
        found.append(max([p, *found[-1:]]))
    return found


def count_effects(p_values: Sequence[float], level: float, *, independent: bool) -> int:
    """Return a lower bound of the number of effects, with the confidence 1 - level."""
    found = partial_conjunction(p_values, independent=independent)
    return sum(p <= level for p in found)
