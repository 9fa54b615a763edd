"""Intervals and tests over counts: the exact published case, laws, and calibration."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.base.arrays import Floats, Ints
from scoref.counts.counts import Statistic
from scoref.exceptions import UsageError
from scoref.metrics.base import score_ratio
from scoref.resampling import bootstrap as bootstrap_module
from scoref.resampling import significance
from scoref.resampling.bootstrap import bca_interval, percentile_interval
from scoref.resampling.jackknife import deviations, leave_one_out
from scoref.resampling.sampling_options import Sampling, Score
from scoref.resampling.significance import (
    bootstrap_tests,
    count_shifted_extreme,
    holm,
    randomisation_tests,
    stretch,
)
from scoref.resampling.units import Units
from tests.conftest import REPOSITORY

CASE = json.loads((REPOSITORY / "tests/cases/seed_cases.json").read_text("utf-8"))[
    "significance_cases"
][0]
EXPECTED = CASE["expected"]
ROWS = np.array([CASE["tallies_A"], CASE["tallies_B"]], dtype=np.float64)


def f1(sums: Floats) -> Floats:
    """Score sums by F1 alone."""
    scores: Floats = np.nan_to_num(score_ratio(sums)[..., 2])
    return scores


def bootstrap(rows: Floats, score: Score, draws: Sampling, stratum: Ints | None = None) -> Floats:
    """Score resampled units of one statistic."""
    (drawn,) = bootstrap_module.bootstrap([Statistic(rows, score)], draws, stratum)
    return drawn


def make_units(count: int, stratum: Ints | None = None) -> Units:
    """Make units with sorted names, in strata if any are given."""
    names = [f"{at:06d}" for at in range(count)]
    strata = None if stratum is None else dict(zip(names, stratum.tolist(), strict=True))
    return Units.of(names, strata=strata)


def standard_error(rows: Floats, stratum: Ints | None = None) -> float:
    """Return the jackknife's standard error of F1."""
    units = make_units(len(rows), stratum)
    return math.sqrt(float((deviations(leave_one_out(rows, f1, units), units) ** 2).sum()))


@pytest.fixture(scope="module")
def all_samples() -> Floats:
    """The difference of F1 in each of the 46,656 bootstrap samples of six documents."""
    drawn = itertools.product(range(6), repeat=6)
    times = np.array([np.bincount(one, minlength=6) for one in drawn], dtype=np.float64)
    scores = f1((times @ ROWS.transpose(1, 0, 2).reshape(6, 8)).reshape(-1, 2, 4))
    difference: Floats = scores[:, 0] - scores[:, 1]
    return difference


class TestTheWorkedCase:
    """Six documents, small enough to try everything."""

    def test_scores(self) -> None:
        """78/107 and 74/109."""
        assert f1(ROWS.sum(axis=1)) == pytest.approx([78 / 107, 74 / 109])
        assert pytest.approx(EXPECTED["f_A"]) == 78 / 107

    def test_all_exchanges(self) -> None:
        """12 of 64 are as extreme."""
        (test,) = randomisation_tests(ROWS, f1, [(0, 1)], Sampling())
        assert test.p == EXPECTED["swaps_at_least_as_extreme"] / 64 == 0.1875
        assert (test.differing, test.exact) == (6, True)

    def test_all_bootstrap_samples(self, all_samples: Floats) -> None:
        """The shifted two-sided test, counted by the function that counts draws."""
        delta = float(np.subtract(*f1(ROWS.sum(axis=1))))
        assert len(all_samples) == EXPECTED["bootstrap_total"]
        extreme = count_shifted_extreme(all_samples, delta)
        assert extreme == EXPECTED["bootstrap_shifted_two_sided_count"]
        assert extreme / 46656 == pytest.approx(0.047947, abs=1e-6)
        interval = percentile_interval(all_samples, 0.05)
        assert interval == pytest.approx(EXPECTED["bootstrap_percentile_95"])

    def test_the_other_order_counts_the_same(self, all_samples: Floats) -> None:
        """The order of the two systems does not matter."""
        delta = float(np.subtract(*f1(ROWS.sum(axis=1))))
        extreme = count_shifted_extreme(-all_samples, -delta)
        assert extreme == EXPECTED["bootstrap_shifted_two_sided_count"]
        (test,) = randomisation_tests(ROWS[::-1], f1, [(0, 1)], Sampling())
        assert test.p == 0.1875

    def test_sampling_comes_near(self, all_samples: Floats) -> None:
        """Draws and exchanges are samples of what was enumerated above."""
        draws = Sampling(trials=40_000)
        drawn = bootstrap(ROWS, f1, draws)
        interval = percentile_interval(drawn[:, 0] - drawn[:, 1], 0.05)
        assert interval == pytest.approx(EXPECTED["bootstrap_percentile_95"], abs=0.003)
        (test,) = bootstrap_tests(ROWS, drawn, f1(ROWS.sum(axis=1)), [(0, 1)], [1e9])
        shifted = stretch(EXPECTED["p_bootstrap_shifted"], math.sqrt(5 / 6), 1e9)
        assert test.p == pytest.approx(shifted, abs=0.007)
        spread = float(np.std(all_samples))
        assert np.std(drawn[:, 0] - drawn[:, 1]) == pytest.approx(spread, rel=0.03)


def test_sampled_exchanges_come_near_the_exact_p(monkeypatch: pytest.MonkeyPatch) -> None:
    """And count the observed split as one of them."""
    monkeypatch.setattr(significance, "ENUMERATED", 3)
    (test,) = randomisation_tests(ROWS, f1, [(0, 1)], Sampling(trials=20_000))
    assert not test.exact
    assert test.p == pytest.approx(0.1875, abs=0.01)
    (test,) = randomisation_tests(ROWS, f1, [(0, 1)], Sampling(trials=1))
    assert test.p in {0.5, 1.0}


counts = st.integers(0, 12).map(float)
units = st.tuples(counts, counts, counts, counts)


def draw_rows(least: int = 1, most: int = 6) -> st.SearchStrategy[Floats]:
    """Draw the rows of two systems on a few documents, numerators within denominators."""

    def rows(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> Floats:
        values = np.array(pairs).transpose(1, 0, 2)
        values[..., 0] = np.minimum(values[..., 0], values[..., 1])
        values[..., 2] = np.minimum(values[..., 2], values[..., 3])
        return values

    return st.lists(st.tuples(units, units), min_size=least, max_size=most).map(rows)


@given(draw_rows())
def test_p_is_what_the_definition_says(rows: Floats) -> None:
    """Written out: every exchange, document by document."""
    documents = rows.shape[1]
    observed = abs(float(np.subtract(*f1(rows.sum(axis=1)))))
    extreme = 0
    for swaps in itertools.product([False, True], repeat=documents):
        one = sum(rows[int(swap), at] for at, swap in enumerate(swaps))
        other = sum(rows[1 - int(swap), at] for at, swap in enumerate(swaps))
        extreme += abs(float(f1(np.asarray(one)) - f1(np.asarray(other)))) >= observed - 1e-12
    (test,) = randomisation_tests(rows, f1, [(0, 1)], Sampling())
    assert test.p == pytest.approx(extreme / 2**documents)
    assert test.exact
    assert test.p > 0


@given(draw_rows(least=2), st.integers(0, 2**32), st.integers(1, 40))
def test_intervals_lie_within_what_can_be_drawn(rows: Floats, seed: int, trials: int) -> None:
    """With any seed; the ends of an interval are in order."""
    drawn = bootstrap(rows, f1, Sampling(trials=trials, seed=seed))
    assert drawn.shape == (trials, 2)
    low, high = percentile_interval(drawn[:, 0], 0.05)
    assert 0 <= low <= high <= 1
    deviation = deviations(leave_one_out(rows[0], f1), make_units(rows.shape[1]))
    low, high = bca_interval(drawn[:, 0], float(f1(rows[0].sum(axis=0))), deviation, 0.05)
    assert 0 <= low <= high <= 1


@given(draw_rows(least=2))
def test_identical_systems_do_not_differ(rows: Floats) -> None:
    """P is 1, by either test."""
    twins = rows[[0, 0]]
    assert randomisation_tests(twins, f1, [(0, 1)], Sampling(trials=10)) == [(1.0, 0, True)]
    drawn = bootstrap(twins, f1, Sampling(trials=10))
    assert bootstrap_tests(twins, drawn, f1(twins.sum(axis=1)), [(0, 1)], [3.0])[0].p == 1


@given(draw_rows(least=2))
def test_the_jackknife_leaves_one_out(rows: Floats) -> None:
    """Each in turn."""
    left_out = leave_one_out(rows[0], f1)
    for at in range(rows.shape[1]):
        assert left_out[at] == pytest.approx(float(f1(np.delete(rows[0], at, axis=0).sum(axis=0))))


def random_rows(seed: int, systems: int, documents: int) -> Floats:
    """Make counts of systems that are all equally good."""
    rng = np.random.default_rng(seed)
    size = rng.integers(5, 40, size=documents)
    found = rng.binomial(size, 0.7, size=(systems, documents))
    said = found + rng.binomial(size, 0.2, size=(systems, documents))
    return np.stack([found, np.broadcast_to(size, found.shape), found, said], axis=-1).astype(float)


class TestReproducibility:
    """A seed fixes the result."""

    @pytest.mark.parametrize(("documents", "trials"), [(30, 4321), (12_000, 1500)])
    def test_any_number_of_threads_gives_the_same_bits(self, documents: int, trials: int) -> None:
        """One, two and eight; also where chunks are smaller because documents are many."""
        rows = random_rows(1, 3, documents)
        pairs = [(0, 1), (0, 2), (1, 2)]
        several = [Sampling(trials=trials, seed=7, jobs=jobs) for jobs in (1, 2, 8)]
        first, *others = (bootstrap(rows, score_ratio, draws) for draws in several)
        assert all(np.array_equal(first, other) for other in others)
        one, *more = (randomisation_tests(rows, f1, pairs, draws) for draws in several)
        assert all(one == other for other in more)

    def test_the_bits_themselves(self) -> None:
        """They do not change with a release of NumPy or of scoref unless we say so."""
        assert Sampling().random_words(0, 0, 2).tolist() == [
            10424841047235941500,
            17255695675875941810,
        ]
        assert Sampling().random_words(1, 3, 1).tolist() == [12315895916963303453]
        rows = random_rows(1, 2, 30)
        (test,) = randomisation_tests(rows, f1, [(0, 1)], Sampling(trials=999))
        assert test.p == 0.714
        drawn = bootstrap(rows, f1, Sampling(trials=2))[:, 0]
        assert drawn == pytest.approx([0.7412587412587414, 0.7432550043516101], abs=1e-15)

    def test_seeds_differ(self) -> None:
        """Zero is a seed like any other."""
        rows = random_rows(1, 2, 30)
        zero, again, one = (
            bootstrap(rows, f1, Sampling(trials=50, seed=seed)) for seed in (0, 0, 1)
        )
        assert np.array_equal(zero, again)
        assert not np.array_equal(zero, one)

    def test_a_pair_does_not_depend_on_other_systems(self) -> None:
        """Nor on how many pairs are tested at a time."""
        rows = random_rows(2, 12, 40)
        pairs = list(itertools.combinations(range(12), 2))
        together = randomisation_tests(rows, f1, pairs, Sampling(trials=500))
        for pair, test in zip(pairs, together, strict=True):
            alone = randomisation_tests(rows[list(pair)], f1, [(0, 1)], Sampling(trials=500))
            assert alone == [test]

    def test_more_trials_begin_with_the_same_draws(self) -> None:
        """Whole chunks do not change when more are added."""
        rows = random_rows(3, 1, 20)
        few = bootstrap(rows, f1, Sampling(trials=1000))
        assert np.array_equal(few, bootstrap(rows, f1, Sampling(trials=2500))[:1000])

    @pytest.mark.parametrize(
        ("name", "value"), [("seed", -1), ("trials", 0), ("jobs", 0), ("trials", 1.5)]
    )
    def test_wrong_settings(self, name: str, value: float) -> None:
        """Say what they must be."""
        with pytest.raises(UsageError, match=f"{name} is {value}, but must be an integer from"):
            Sampling(**{name: value})  # type: ignore[arg-type]


class TestDraws:
    """What is drawn."""

    def test_each_draw_has_as_many_units(self) -> None:
        """And each unit comes once on average."""
        rows = np.eye(7)[None]
        times = bootstrap(rows, lambda sums: sums, Sampling(trials=20_000))[:, 0]
        assert np.all(times.sum(axis=1) == 7)
        assert times.mean(axis=0) == pytest.approx(np.ones(7), abs=0.03)
        assert times.var(axis=0) == pytest.approx(np.full(7, 6 / 7), abs=0.05)

    def test_strata_keep_their_size(self) -> None:
        """In every draw: one unit less is drawn, and weighs more (Rao & Wu 1988)."""
        stratum = np.array([0, 1, 0, 1, 1, 2])
        rows = np.eye(6)[None]
        times = bootstrap(rows, lambda sums: sums, Sampling(trials=2000), stratum)[:, 0]
        for one, size in ((0, 2), (1, 3), (2, 1)):
            assert times[:, stratum == one].sum(axis=1) == pytest.approx(size)
        assert times[:, [0, 2]].mean(axis=0) == pytest.approx([1, 1], abs=0.05)

    def test_strata_narrow_an_interval(self) -> None:
        """Where they explain differences between documents."""
        good, bad = np.tile([9.0, 10, 9, 10], (20, 1)), np.tile([2.0, 10, 2, 10], (20, 1))
        rng = np.random.default_rng(0)
        rows = np.concatenate([good, bad])[None] + rng.integers(0, 2, (1, 40, 1)) * [1, 0, 1, 0]
        stratum = np.repeat([0, 1], 20)
        plain = bootstrap(rows, f1, Sampling(trials=2000))
        within = bootstrap(rows, f1, Sampling(trials=2000), stratum)
        assert within.std() < plain.std() / 3
        error = standard_error(rows[0], stratum)
        assert error == pytest.approx(float(within.std()), rel=0.1)


class TestCalibration:
    """Tests and intervals keep their promises on simulated systems and documents."""

    def test_under_the_null_few_p_values_are_small(self) -> None:
        """About one in twenty is below 0.05, by either test."""
        runs = 600
        small = {"randomisation": 0, "bootstrap": 0}
        for run in range(runs):
            rows = random_rows(run, 2, 30)
            draws = Sampling(trials=199, seed=run)
            (one,) = randomisation_tests(rows, f1, [(0, 1)], draws)
            drawn = bootstrap(rows, f1, draws)
            (other,) = bootstrap_tests(rows, drawn, f1(rows.sum(axis=1)), [(0, 1)], [29.0])
            small["randomisation"] += one.p <= 0.05
            small["bootstrap"] += other.p <= 0.05
        # Three standard errors of a share of 0.05 in 600 runs are 0.027.
        assert small["randomisation"] / runs == pytest.approx(0.05, abs=0.027)
        assert small["bootstrap"] / runs == pytest.approx(0.05, abs=0.027)

    def test_an_exact_p_is_never_too_small(self) -> None:
        """P(p <= a) <= a for all a, up to chance: eight documents, all exchanges."""
        p_values = [
            randomisation_tests(random_rows(run, 2, 8), f1, [(0, 1)], Sampling())[0].p
            for run in range(800)
        ]
        for level in (0.05, 0.1, 0.2, 0.5):
            share = np.mean(np.array(p_values) <= level)
            assert share <= level + 3 * math.sqrt(level * (1 - level) / 800)

    @pytest.mark.parametrize("method", ["percentile", "bca"])
    def test_intervals_cover_the_truth(self, method: str) -> None:
        """About 95 of 100 intervals hold the score of all documents there could be."""
        truth = float(f1(random_rows(99_999, 1, 400_000)[0].sum(axis=0)))
        runs, covered = 600, 0
        for run in range(runs):
            rows = random_rows(run, 1, 40)
            drawn = bootstrap(rows, f1, Sampling(trials=400, seed=run))[:, 0]
            value = float(f1(rows[0].sum(axis=0)))
            if method == "bca":
                deviation = deviations(leave_one_out(rows[0], f1), make_units(40))
                low, high = bca_interval(drawn, value, deviation, 0.05)
            else:
                low, high = percentile_interval(drawn, 0.05)
            covered += low <= truth <= high
        # Bootstrap intervals of 40 documents are a little narrow; chance adds 0.027.
        assert covered / runs == pytest.approx(0.94, abs=0.03)

    def test_the_standard_error_is_that_of_the_draws(self) -> None:
        """Jackknife and bootstrap estimate the same error."""
        rows = random_rows(5, 1, 60)
        drawn = bootstrap(rows, f1, Sampling())
        assert standard_error(rows[0]) == pytest.approx(float(drawn.std()), rel=0.05)


class TestAgainstSciPy:
    """Where SciPy has the same method."""

    def test_bca(self) -> None:
        """For a mean, whose sum of rows is its counts."""
        pytest.importorskip("scipy", "1.15", reason="bootstrap() takes a generator since then")
        from scipy.stats import bootstrap as scipy_bootstrap

        sample = np.random.default_rng(3).exponential(size=50)
        theirs = scipy_bootstrap((sample,), np.mean, n_resamples=9999, method="BCa", rng=1)
        rows = np.stack([sample, np.ones(50)], axis=-1)

        def mean(sums: Floats) -> Floats:
            values: Floats = sums[..., 0] / sums[..., 1]
            return values

        drawn = bootstrap(rows[None], mean, Sampling(trials=9999))[:, 0]
        deviation = deviations(leave_one_out(rows, mean), make_units(50))
        ours = bca_interval(drawn, float(sample.mean()), deviation, 0.05)
        low, high = theirs.confidence_interval
        assert ours == pytest.approx((low, high), abs=0.02)
        plain = percentile_interval(drawn, 0.05)
        assert abs(ours.high - plain.high) > 0.01, "the correction does something"

    def test_exact_randomisation(self) -> None:
        """The same p for a difference of means."""
        from scipy.stats import permutation_test

        rng = np.random.default_rng(4)
        one, other = rng.integers(0, 9, size=(2, 9)).astype(float)
        theirs = permutation_test(
            (one, other), lambda a, b: np.mean(a) - np.mean(b), permutation_type="samples"
        )
        rows = np.stack([one, other])[..., None]
        (ours,) = randomisation_tests(rows, lambda sums: sums[..., 0] / 9, [(0, 1)], Sampling())
        assert ours.p == pytest.approx(theirs.pvalue)


def test_scores_that_do_not_exist() -> None:
    """They are left out of intervals, and count against significance."""
    drawn = np.array([0.2, np.nan, 0.4, 0.3])
    assert percentile_interval(drawn, 0.5) == pytest.approx((0.25, 0.35))
    nothing = percentile_interval(np.full(3, np.nan), 0.05)
    assert all(math.isnan(end) for end in nothing)
    assert all(math.isnan(end) for end in bca_interval(np.full(3, np.nan), 0.1, drawn, 0.05))
    rows = np.zeros((2, 3, 4))
    rows[1, :, 1] = 1

    def undefined(sums: Floats) -> Floats:
        scores: Floats = score_ratio(sums)[..., 2]
        return scores

    assert randomisation_tests(rows, undefined, [(0, 1)], Sampling())[0].p == 1


def test_rounding_errors_are_not_scores() -> None:
    """0.1 + 0.2 - 0.3 is not zero, but must not become a ratio."""
    sums = np.array([[0.1 + 0.2 - 0.3, 5.0], [1e-9, -3.0]])
    assert sums[0, 0] != 0
    cleaned = significance._without_residue(sums, np.array([0.6, 5.0]))
    assert cleaned.tolist() == [[0.0, 5.0], [1e-9, -3.0]]


def test_a_score_that_never_varies() -> None:
    """Its interval is the score itself."""
    rows = np.tile([3.0, 4, 3, 4], (1, 25, 1))
    drawn = bootstrap(rows, f1, Sampling(trials=100))[:, 0]
    deviation = deviations(leave_one_out(rows[0], f1), make_units(25))
    assert bca_interval(drawn, 0.75, deviation, 0.05) == pytest.approx((0.75, 0.75))
    assert percentile_interval(drawn, 0.05) == pytest.approx((0.75, 0.75))


def test_holm() -> None:
    """Holm's (1979) procedure: each p times the number of tests left, never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0.0001, 1), max_size=8))
def test_holm_only_raises_p_values(p_values: list[float]) -> None:
    """And keeps their order, and 1 as the limit."""
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[at] for at in order] == sorted(adjusted)
