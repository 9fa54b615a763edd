"""Sampling: how intervals and tests are made, and the random numbers that they draw.

Draws are made in chunks. The random numbers of a chunk depend only on the seed and on the number of
the chunk. So a result does not depend on the number of threads, and the p-value of a pair does not
depend on which other systems are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self, TypedDict, TypeVar, Unpack, cast, get_args

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats
from scoref.base.progress import progress
from scoref.counts.counted import Counted
from scoref.exceptions import UsageError
from scoref.policy import PolicyOptions
from scoref.resampling.units import Rule, Units

Score = Callable[[Floats], Floats]
"""A function that scores sums of rows; a row is what one unit adds."""
RandomWords = NDArray[np.uint64]
Item = TypeVar("Item")
Value = TypeVar("Value")

TIE = 1e-12
"""Differences up to this size are rounding errors."""

_CHUNK = 1000
_CELLS = 2**21  # of the largest matrix of weights: 16 MB

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
class Sampling:
    """How intervals and tests are made; see SamplingOptions."""

    trials: int = 10_000
    seed: int = 0
    jobs: int = 1
    level: float = 0.05
    method: Method = "jackknife"
    blocks: Rule | None = None
    strata: Rule | None = None

    def __post_init__(self) -> None:
        for name, least in (("trials", 1), ("seed", 0), ("jobs", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise UsageError(f"{name} is {value!r}, but must be an integer from {least}")
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

    def chunks(self, units: int) -> list[tuple[int, int]]:
        """Return the number and the size of each chunk; the size depends only on the units."""
        size = max(1, min(_CHUNK, _CELLS // max(units, 1)))
        starts = range(0, self.trials, size)
        return [(at, min(size, self.trials - start)) for at, start in enumerate(starts)]

    def random_words(self, purpose: int, chunk: int, count: int) -> RandomWords:
        """Return random 64-bit words, which are the same with every version of NumPy."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(purpose, chunk))
        return np.asarray(np.random.PCG64(sequence).random_raw(count), dtype=np.uint64)

    def map(self, work: Callable[[Item], Value], items: Sequence[Item]) -> list[Value]:
        """Call a function for each item, in threads, since NumPy releases the global lock."""
        with progress("drawing", len(items)) as advance:

            def collect(values: Iterable[Value]) -> list[Value]:
                found = []
                for value in values:
                    found.append(value)
                    advance(1)
                return found

            if self.jobs == 1 or len(items) < 2:
                return collect(map(work, items))
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # rarely needed

            with ThreadPoolExecutor(self.jobs) as pool:
                return collect(pool.map(work, items))
