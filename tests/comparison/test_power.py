"""Power: a difference that is said to be detectable is detected as often as said."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.base.arrays import Floats
from scoref.comparison.power import power
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.policy import Policy
from scoref.resampling.sampling_options import Sampling
from scoref.resampling.significance import randomisation_tests
from scoref.result import Result, Side
from tests.comparison.systems import make_key, make_system

METRIC = Metric("m", count=lambda table: np.zeros((len(table.units), 4)))


def simulate(rng: np.random.Generator, documents: int, better: float) -> Floats:
    """Make counts of two systems, the first better by a share of mentions found."""
    size = rng.integers(20, 60, size=documents)
    easy = rng.uniform(-0.15, 0.15, size=documents)  # what both find easy or hard
    found = np.stack([rng.binomial(size, 0.6 + easy + gain) for gain in (better, 0.0)])
    sizes = np.broadcast_to(size, found.shape)
    return np.stack([found, sizes, found, sizes], axis=-1).astype(np.float64)


def as_results(rows: Floats) -> dict[str, tuple[Result, ...]]:
    """Make results of counts alone, one run per system."""
    units = tuple(f"d{at}" for at in range(rows.shape[1]))
    side = Side("", len(units), 1, 1, 0, 0)
    return {
        name: (
            Result(
                side,
                side,
                Counts(units, (METRIC,), {"m": one}),
                Policy(),
                Policy().signature("0" * 8),
            ),
        )
        for name, one in zip("xy", rows, strict=False)
    }


def test_what_is_detectable_is_detected() -> None:
    """In about 80 of 100 test sets of the same size; half as much in far fewer."""
    rng = np.random.default_rng(0)
    pilot = [power(as_results(simulate(rng, 60, 0.0)), Sampling()).metrics[0] for _ in range(40)]
    detectable = float(np.mean([one.detectable for one in pilot]))

    def detected(difference: float) -> float:
        found = 0
        for run in range(250):
            rows = simulate(rng, 60, difference)
            (test,) = randomisation_tests(
                rows,
                lambda sums: sums[..., 0] / sums[..., 1],
                [(0, 1)],
                Sampling(trials=199, seed=run),
            )
            found += test.p <= 0.05
        return found / 250

    assert detected(detectable) == pytest.approx(0.8, abs=0.09)
    assert detected(detectable / 2) < 0.45


def test_the_documents_needed() -> None:
    """As many as make the difference the smallest detectable one; errors fall with their root."""
    results = as_results(simulate(np.random.default_rng(1), 60, 0.02))
    (one,) = power(results, Sampling(), difference=0.01).metrics
    assert one.needed.number == math.ceil(60 * (one.detectable / 0.01) ** 2)
    (other,) = power(results, Sampling()).metrics
    assert other.target == abs(other.difference)
    (stronger,) = power(results, Sampling(), wanted=0.95).metrics
    assert stronger.detectable > one.detectable
    (stricter,) = power(results, Sampling(level=0.01)).metrics
    assert stricter.detectable > one.detectable


def test_one_system_stands_for_two_that_err_independently() -> None:
    """More than two that err alike."""
    results = as_results(simulate(np.random.default_rng(2), 60, 0.0))
    alone = power({"x": results["x"]}, Sampling(), difference=0.01)
    both = power(results, Sampling(), difference=0.01)
    assert not alone.paired
    assert both.paired
    assert alone.metrics[0].detectable > both.metrics[0].detectable
    assert math.isnan(alone.metrics[0].difference)
    assert power({"x": results["x"]}, Sampling()).metrics[0].needed.number is None


def test_equal_systems_need_no_number() -> None:
    """Nothing is there to be found."""
    rows = simulate(np.random.default_rng(3), 30, 0.0)
    (one,) = power(as_results(rows[[0, 0]]), Sampling()).metrics
    assert (one.error, one.needed.number) == (0, None)


def test_a_missing_number_has_a_reason() -> None:
    """Runs that vary too much, documents that do not vary, no difference: each is stated."""
    key = make_key(20)
    good, bad = make_system(key, 0.1, 1), make_system(key, 0.5, 2)
    runs = {
        name: [scoref.score(key, run, ["muc"]) for run in of]
        for name, of in {"one": (good, bad), "other": (bad, good)}.items()
    }
    found = power(runs, Sampling(), difference=0.005)
    assert "unreachable" in str(found)
    assert any("no number of documents is enough by muc" in one for one in found.cautions)
    same = {name: [scoref.score(key, good, ["muc"])] for name in ("one", "other")}
    found = power(same, Sampling(), difference=0.01)
    assert "unknown" in str(found)
    assert any("no variance by muc" in one for one in found.cautions)
    (muc,) = found.metrics
    assert math.isnan(muc.detectable), "not 0: a difference of 0.00 is not detectable"
    assert math.isnan(found.chance(muc, 100, 0.01))
    found = power(same, Sampling())
    assert any("observed difference by muc is 0" in one for one in found.cautions)
    alone = power({"one": same["one"]}, Sampling())
    assert not any("muc is 0" in one or "no number" in one for one in alone.cautions)


def test_never_below_what_the_test_can_reject() -> None:
    """Four documents find nothing; six are the fewest, and more for the pairs of five systems."""
    results = as_results(simulate(np.random.default_rng(5), 4, 0.2))
    found = power(results, Sampling(), difference=0.5)
    assert math.isnan(found.metrics[0].detectable)
    assert found.metrics[0].needed.number == found.fewest == 6
    assert found.metrics[0].needed.low == 6
    assert found.cautions[0].startswith("no difference can be significant on 4 documents")
    assert found.chance(found.metrics[0], 5, 0.5) == 0
    many = power(results, Sampling(), difference=0.5, compared=5)
    assert (many.tests, many.fewest) == (10, 9)
    assert 10 * 2 / 2**9 < 0.05 <= 10 * 2 / 2**8


def test_the_standard_error_within_strata() -> None:
    """Sixteen strata of two documents: the error is that of repeated draws from the strata."""
    rng = np.random.default_rng(9)
    gain = rng.normal(0, 0.1, size=16)  # a genre suits one system or the other
    strata = {f"d{at}": str(at // 2) for at in range(32)}
    values, errors = [], []
    for _ in range(400):
        size = np.full(32, 50)
        found = np.stack(
            [rng.binomial(size, 0.6 + sign * np.repeat(gain, 2) / 2) for sign in (1, -1)]
        )
        rows = np.stack([found, np.broadcast_to(size, found.shape)] * 2, axis=-1)
        (one,) = power(as_results(rows.astype(np.float64)), Sampling(strata=strata)).metrics
        values.append(one.difference)
        errors.append(one.error)
    truth = float(np.std(values))
    assert math.sqrt(np.mean(np.square(errors))) == pytest.approx(truth, rel=0.1)


def test_more_systems_need_more_documents() -> None:
    """Holm's correction starts at the level divided by the number of pairs."""
    results = as_results(simulate(np.random.default_rng(6), 60, 0.02))
    two, five = (power(results, Sampling(), difference=0.02, compared=n) for n in (2, 5))
    assert two.metrics[0].needed.number is not None
    assert five.metrics[0].needed.number is not None
    assert five.metrics[0].needed.number > two.metrics[0].needed.number
    strict = power(results, Sampling(level=0.005), difference=0.02)
    assert strict.metrics[0].detectable == pytest.approx(five.metrics[0].detectable)


def test_the_interval_of_what_is_needed_covers_it() -> None:
    """A pilot of fifty equal documents: at least 95 of 100 intervals contain the true number."""
    rng = np.random.default_rng(7)
    values = []
    for _ in range(2000):
        one, other = (side.sum(axis=0) for side in simulate(rng, 50, 0.0))
        values.append(one[0] / one[1] - other[0] / other[1])
    truth = 50 * (2.8016 * float(np.std(values)) / 0.02) ** 2
    pilots = [
        power(as_results(simulate(rng, 50, 0.0)), Sampling(), difference=0.02).metrics[0].needed
        for _ in range(300)
    ]
    ends = np.array(pilots, dtype=np.float64)
    covered = np.mean((ends[:, 1] <= truth) & (truth <= ends[:, 2]))
    assert covered >= 0.95
    assert ends[:, 0].mean() == pytest.approx(truth, rel=0.1)


def test_the_curve_goes_through_the_wanted_power() -> None:
    """At the number of documents needed, and through nearly nothing without a difference."""
    found = power(
        as_results(simulate(np.random.default_rng(8), 60, 0.0)), Sampling(), difference=0.02
    )
    (one,) = found.metrics
    assert one.needed.number is not None
    assert found.chance(one, one.needed.number, 0.02) == pytest.approx(0.8, abs=0.01)
    assert found.chance(one, 60, 0.0) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compared": 1}, "at least 2 systems, got 1"),
        ({"wanted": 1.0}, "the power is 1"),
        ({"difference": 0.0}, "the difference must be above 0"),
    ],
)
def test_wrong_settings(options: dict[str, Any], message: str) -> None:
    """Say what they must be."""
    results = as_results(simulate(np.random.default_rng(4), 30, 0.0))
    with pytest.raises(UsageError, match=message):
        power(results, Sampling(), **options)


def test_what_is_refused() -> None:
    """Three systems, one document."""
    key = make_key(3)
    result = scoref.score(key, make_system(key, 0.1, 0), ["b3"])
    with pytest.raises(UsageError, match="requires 1 or 2 systems, got 3"):
        power(dict.fromkeys("xyz", (result,)), Sampling())
    one = scoref.score({"d": [["a"]]}, {"d": [["a"]]}, ["b3"])
    with pytest.raises(UsageError, match="at least 2 documents"):
        power({"x": (one,)}, Sampling())
