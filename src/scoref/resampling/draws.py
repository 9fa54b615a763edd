"""Draws: reproducible random numbers for the bootstrap and for randomisation tests.

Draws are made in chunks. The random numbers of a chunk depend only on the seed and on the number of
the chunk. So a result does not depend on the number of threads, and the p-value of a pair does not
depend on which other systems are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats
from scoref.base.progress import progress
from scoref.exceptions import UsageError

Score = Callable[[Floats], Floats]
"""A function that scores sums of rows; a row is what one unit adds."""
RandomWords = NDArray[np.uint64]
Item = TypeVar("Item")
Value = TypeVar("Value")

TIE = 1e-12
"""Differences up to this size are rounding errors."""

_CHUNK = 1000
_CELLS = 2**21  # of the largest matrix of weights: 16 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """The number of draws, their seed, and the number of threads."""

    trials: int = 10_000
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        for name, least in (("trials", 1), ("seed", 0), ("jobs", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise UsageError(f"{name} is {value!r}, but must be an integer from {least}")

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
