"""Sampling: how intervals and tests are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, TypedDict, Unpack, cast, get_args

from scoref.counts.counted import Counted
from scoref.exceptions import UsageError
from scoref.policy import PolicyOptions
from scoref.resampling.draws import Draws
from scoref.resampling.units import Rule, Units

Method = Literal["jackknife", "percentile", "bca"]
METHODS: tuple[str, ...] = get_args(Method)


class SamplingOptions(TypedDict, total=False):
    """The keywords of every function that makes intervals or tests by resampling documents.

    `level` (0.05) is the level of the tests, and intervals have the confidence 1 - level. `method`
    is `jackknife`, `percentile` or `bca`. `trials` (10,000) draws are made with `seed` (0) in
    `jobs` (1) threads. Documents of the same block (`blocks`) are drawn together, and draws are
    made within each stratum (`strata`). Both are a regular expression on document names, a mapping
    from names, or a function of a name.
    """

    level: float
    method: Method
    trials: int
    seed: int
    jobs: int
    blocks: Rule | None
    strata: Rule | None


class ComparisonOptions(SamplingOptions, PolicyOptions, total=False):
    """The keywords of functions that score and resample."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling(Draws):
    """How intervals and tests are made; see SamplingOptions."""

    level: float = 0.05
    method: Method = "jackknife"
    blocks: Rule | None = None
    strata: Rule | None = None

    def __post_init__(self) -> None:
        Draws.__post_init__(self)
        if not 0 < self.level <= 0.5:
            raise UsageError(
                f"the level is {self.level:g}, but must be above 0 and at most 0.5",
                "0.05 tests at 5 % and gives 95 % intervals",
            )
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise UsageError(f"unknown kind of interval {self.method!r}", f"one of: {known}")

    @classmethod
    def split(cls, **options: Unpack[ComparisonOptions]) -> tuple[Self, PolicyOptions]:
        """Return how intervals and tests are made, and the keywords that belong to the policy."""
        known = SamplingOptions.__annotations__
        own = {name: value for name, value in options.items() if name in known}
        others = {name: value for name, value in options.items() if name not in known}
        return cls(**own), cast("PolicyOptions", others)  # type: ignore[arg-type]

    @property
    def confidence(self) -> str:
        """The confidence of intervals, such as `95 %`."""
        return f"{100 * (1 - self.level):.10g} %"

    def units(self, documents: Sequence[str], unit: str = "document") -> Units:
        """Group documents, or the other units of a policy, into the units that are resampled."""
        return replace(Units.of(documents, self.blocks, self.strata), unit=unit)

    def counted_units(self, results: Iterable[Counted]) -> Units:
        """Group the documents of results on the same key, without those that count nothing.

        A document without mentions, such as one outside the slice of `where`, is not an
        observation: with it, the variance would be that of a larger sample.
        """
        first, *others = results
        has_counts = first.has_counts()
        for one in others:
            has_counts |= one.has_counts()
        units = Units.of(first.counts.units, self.blocks, self.strata, has_counts)
        return replace(units, unit=first.policy.unit)
