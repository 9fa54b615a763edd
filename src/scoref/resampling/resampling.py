"""Intervals and tests that never see a document, only what it adds.

Everything here takes `rows`, which are what each unit adds, and `score`, which scores any sum
of rows. Units are documents, or blocks of documents whose rows have been summed. A draw is a
matrix product: the weights of the units times their rows. Efron & Tibshirani (1993) for the
bootstrap and the jackknife; Noreen (1989) for approximate randomisation.

Draws come in chunks, each with a random stream of its own that depends on the seed and the
number of the chunk alone. So a result does not depend on how many threads worked on it, nor a
pair's p-value on which other systems are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Floats, Ints
from scoref.base.progress import Advance, progress
from scoref.exceptions import UsageError

Score = Callable[[Floats], Floats]
Words = NDArray[np.uint64]
Pairs = Sequence[tuple[int, int]]
Item = TypeVar("Item")
Value = TypeVar("Value")

TIE = 1e-12
"""Differences that are equal but for rounding count as equal."""
ENUMERATED = 16
"""With as many units that differ, or fewer, all exchanges are tried instead of a sample."""

_CHUNK = 1000
_CELLS = 2**21  # of the largest matrix of weights: 16 MB
_PAIRS = 32  # as many differences are scored at a time
_BOOTSTRAP, _EXCHANGE = range(2)


class Interval(NamedTuple):
    """The ends of a confidence interval; NaN where a score does not exist."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """How many times to draw, from which seed, and with how many threads."""

    trials: int = 10_000
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        for name, least in (("trials", 1), ("seed", 0), ("jobs", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise UsageError(f"{name} is {value!r}, but must be a whole number from {least}")

    def chunks(self, units: int) -> list[tuple[int, int]]:
        """Return the number and size of each chunk, which depend on nothing but the units."""
        size = max(1, min(_CHUNK, _CELLS // max(units, 1)))
        starts = range(0, self.trials, size)
        return [(at, min(size, self.trials - start)) for at, start in enumerate(starts)]

    def words(self, purpose: int, chunk: int, count: int) -> Words:
        """Return random 64-bit words; they are the same with every version of NumPy."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(purpose, chunk))
        return np.asarray(np.random.PCG64(sequence).random_raw(count), dtype=np.uint64)

    def map(self, work: Callable[[Item], Value], items: Sequence[Item]) -> list[Value]:
        """Do some work for each item, in threads: NumPy lets others run while it computes."""
        with progress("drawing", len(items)) as advance:
            if self.jobs == 1 or len(items) < 2:
                return list(_noting(map(work, items), advance))
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # rarely needed

            with ThreadPoolExecutor(self.jobs) as pool:
                return list(_noting(pool.map(work, items), advance))


def _noting(values: Iterable[Value], advance: Advance) -> Iterator[Value]:
    for value in values:
        advance(1)
        yield value


def bootstrap(rows: Floats, score: Score, draws: Draws, stratum: Ints | None = None) -> Floats:
    """Score resampled units: rows of (systems, units, columns) give (trials, systems, ...).

    All systems see the same draws, so that differences between their scores are paired. With
    strata, as many units are drawn from each as it has.
    """
    return bootstrap_all([(rows, score)], draws, stratum)[0]


def bootstrap_all(
    statistics: Sequence[tuple[Floats, Score]], draws: Draws, stratum: Ints | None = None
) -> list[Floats]:
    """Do the same for several ways to count and score the same units, with the same draws."""
    systems, units, _ = statistics[0][0].shape
    flat = [rows.transpose(1, 0, 2).reshape(units, -1) for rows, _ in statistics]
    strata = [np.arange(units)]
    if stratum is not None:
        strata = [np.flatnonzero(stratum == one) for one in np.unique(stratum)]

    def work(chunk: tuple[int, int]) -> list[Floats]:
        number, size = chunk
        weights = np.empty((size, units))
        words = draws.words(_BOOTSTRAP, number, size * units).reshape(size, units)
        for members in strata:
            weights[:, members] = _times_drawn(words.take(members, axis=1))
        return [
            score((weights @ one).reshape(size, systems, -1))
            for one, (_, score) in zip(flat, statistics, strict=True)
        ]

    chunks = draws.map(work, draws.chunks(units))
    return [np.concatenate(scores) for scores in zip(*chunks, strict=True)]


def _times_drawn(words: Words) -> Ints:
    """Say how often each unit is drawn in each trial, given a random word for each pick."""
    size, units = words.shape
    # The high half of a word, scaled to the number of units, picks one of them.
    words >>= np.uint64(32)
    words *= np.uint64(units)
    words >>= np.uint64(32)
    words += np.arange(0, size * units, units, dtype=np.uint64)[:, None]
    cells = words.reshape(-1).view(np.int64)
    return np.bincount(cells, minlength=size * units).reshape(size, units)


def jackknife(rows: Floats, score: Score) -> Floats:
    """Score all units but one, for each: rows of (..., units, columns) give (..., units, ...)."""
    return score(rows.sum(axis=-2, keepdims=True) - rows)


def percentile_interval(drawn: Floats, level: float) -> Interval:
    """Return what holds the middle 1 - level of some drawn scores."""
    return _quantiles(drawn, level / 2, 1 - level / 2)


def bca_interval(
    drawn: Floats, value: float, left_out: Floats, level: float, stratum: Ints | None = None
) -> Interval:
    """Return the bias-corrected and accelerated interval (Efron 1987).

    `left_out` are the scores without each unit; they tell how the spread of the score
    changes with its value.
    """
    from statistics import NormalDist  # noqa: PLC0415  # rarely needed

    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn) or math.isnan(value) or np.isnan(left_out).any():
        return percentile_interval(drawn, level)
    below = np.count_nonzero(drawn < value - TIE)
    equal = np.count_nonzero(np.abs(drawn - value) <= TIE)
    share = (below + equal / 2) / len(drawn)
    edge = 1 / (len(drawn) + 1)
    normal = NormalDist()
    bias = normal.inv_cdf(min(max(share, edge), 1 - edge))
    acceleration = _acceleration(left_out, stratum)

    def corrected(at: float) -> float:
        shifted = bias + normal.inv_cdf(at)
        rest = 1 - acceleration * shifted
        return normal.cdf(bias + shifted / rest) if rest > 0 else float(shifted > 0)

    return _quantiles(drawn, corrected(level / 2), corrected(1 - level / 2))


def _acceleration(left_out: Floats, stratum: Ints | None) -> float:
    squares = cubes = 0.0
    for units in _split(left_out, stratum):
        influence = (1 - 1 / len(units)) * (units.mean() - units)
        squares += float((influence**2).sum())
        cubes += float((influence**3).sum())
    return cubes / (6 * squares**1.5) if squares > TIE**2 else 0.0


def standard_error(left_out: Floats, stratum: Ints | None = None) -> float:
    """Return the jackknife's standard error of a score, given the scores without each unit."""
    parts = [
        (1 - 1 / len(units)) * float(((units - units.mean()) ** 2).sum())
        for units in _split(left_out, stratum)
    ]
    return math.sqrt(sum(parts))


def _split(values: Floats, stratum: Ints | None) -> list[Floats]:
    if stratum is None:
        return [values]
    return [values[stratum == one] for one in np.unique(stratum)]


def _quantiles(drawn: Floats, low: float, high: float) -> Interval:
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return Interval(math.nan, math.nan)
    return Interval(*np.quantile(drawn, [low, high]).tolist())


class Outcome(NamedTuple):
    """The p-value of a test, and how many units differ; `exact` if all exchanges were tried."""

    p: float
    differing: int
    exact: bool


def randomisation_tests(rows: Floats, score: Score, pairs: Pairs, draws: Draws) -> list[Outcome]:
    """Test pairs of systems by exchanging their rows, unit by unit, as a coin falls.

    Under the hypothesis that it does not matter which system produced which row, every
    exchange is as likely as what was observed. The p-value is two-sided: the share of
    exchanges with a difference as large as the observed one. Ties count, and so does the
    observed split itself: p is never zero. With few units that differ, all exchanges are
    tried and p is exact.

    `rows` are (systems, units, columns), and `score` gives one number for a sum.
    """
    tests: list[Outcome] = []
    for start in range(0, len(pairs), _PAIRS):
        tests += _test_exchanges(rows, score, pairs[start : start + _PAIRS], draws)
    return tests


def _test_exchanges(rows: Floats, score: Score, pairs: Pairs, draws: Draws) -> list[Outcome]:
    """Test a few pairs, those with few units that differ exactly, the others together."""
    one, other = (list(side) for side in zip(*pairs, strict=True))
    total = rows.sum(axis=1)
    moved = np.ascontiguousarray((rows[one] - rows[other]).transpose(1, 0, 2))
    differ = np.any(moved != 0, axis=2)
    differing = np.count_nonzero(differ, axis=0)

    def enumerate_all(at: int) -> float:
        exchanged = _all_exchanges(int(differing[at])) @ moved[differ[:, at], at]
        extreme = _as_extreme(total[one[at]], total[other[at]], exchanged, score)
        return float(extreme / len(exchanged))

    p = np.empty(len(pairs))
    few = np.flatnonzero(differing <= ENUMERATED)
    p[few] = draws.map(enumerate_all, few.tolist())
    sampled = np.flatnonzero(differing > ENUMERATED)
    if len(sampled):
        ours, theirs = total[np.take(one, sampled)], total[np.take(other, sampled)]
        extreme = _sample_exchanges(moved[:, sampled], ours, theirs, score, draws)
        p[sampled] = (1 + extreme) / (1 + draws.trials)
    return [
        Outcome(value, units, exact=units <= ENUMERATED)
        for value, units in zip(p.tolist(), differing.tolist(), strict=True)
    ]


def _all_exchanges(units: int) -> Floats:
    """List the exchanges that leave the first unit alone; the others are their mirror images."""
    free = max(units - 1, 0)
    bits = np.arange(2**free)[:, None] >> np.arange(free)
    first = np.zeros((len(bits), min(units, 1)))
    return np.concatenate([first, (bits & 1).astype(np.float64)], axis=1)


def _sample_exchanges(
    moved: Floats, one: Floats, other: Floats, score: Score, draws: Draws
) -> Ints:
    """Count the sampled exchanges that are as extreme as what was observed, for each pair."""
    units, pairs, columns = moved.shape
    flat = moved.reshape(units, pairs * columns)

    def work(chunk: tuple[int, int]) -> Ints:
        number, size = chunk
        words = draws.words(_EXCHANGE, number, size * -(-units // 64))
        bits = np.unpackbits(words.astype("<u8").view(np.uint8)).reshape(size, -1)
        exchanged = bits[:, :units].astype(np.float64) @ flat
        return _as_extreme(one, other, exchanged.reshape(size, pairs, columns), score)

    counts: Ints = np.sum(draws.map(work, draws.chunks(units)), axis=0)
    return counts


def _as_extreme(one: Floats, other: Floats, exchanged: Floats, score: Score) -> Ints:
    """Count exchanges with a difference as large as the observed one.

    A difference that does not exist counts too: it is no evidence against equality.
    """
    observed = np.abs(score(one) - score(other))
    scale = np.maximum(np.abs(one), np.abs(other))
    ours, theirs = (_without_dust(sums, scale) for sums in (one - exchanged, other + exchanged))
    differences = np.abs(score(ours) - score(theirs))
    return np.asarray(np.sum(~(differences < observed - TIE), axis=0), dtype=np.int64)


def _without_dust(sums: Floats, scale: Floats) -> Floats:
    """Make zeros of what subtracting left of a sum that is zero: 1e-17/1e-17 is no score."""
    sums[np.abs(sums) < TIE * scale] = 0.0
    return sums


def reversals(drawn: Floats, observed: float) -> int:
    """Count drawn differences without the observed one's sign: a one-sided bootstrap test."""
    return int(np.count_nonzero(~(drawn * np.sign(observed) > TIE)))


def shifted_extremes(drawn: Floats, observed: float) -> int:
    """Count drawn differences as far from the observed one as that is from zero: two-sided."""
    return int(np.count_nonzero(~(np.abs(drawn - observed) < abs(observed) - TIE)))


def bootstrap_tests(rows: Floats, drawn: Floats, observed: Floats, pairs: Pairs) -> list[Outcome]:
    """Test pairs of systems by the shifted paired bootstrap, given the scores of draws.

    The p-value is two-sided: the share of draws whose difference is as far from the observed
    one as that is from zero; the observed sample counts as one of the draws.
    """
    tests = []
    for one, other in pairs:
        difference = float(observed[one] - observed[other])
        extreme = shifted_extremes(drawn[:, one] - drawn[:, other], difference)
        differing = int(np.count_nonzero(np.any(rows[one] != rows[other], axis=1)))
        tests.append(Outcome((1 + extreme) / (1 + len(drawn)), differing, exact=False))
    return tests


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for their number so that the chance of any false finding stays in bounds."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, at in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = largest
    return adjusted
