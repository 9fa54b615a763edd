"""Documents that show no variance, or nearly none: intervals are bounds, and have a width."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.metrics import FAMILIES, Metric, find_metrics
from scoref.metrics.needs import SAME_MENTIONS
from scoref.resampling.cautions import size_cautions, variance_cautions
from scoref.resampling.effective import EffectiveUnits, rank_correlation
from scoref.resampling.jackknife import Spread
from scoref.resampling.sampling_options import Method
from scoref.resampling.units import Units

Documents = dict[str, list[list[str]]]
LEVEL = 0.05
values = st.floats(0, 1)
units = st.floats(2, 400)


def copies(count: int) -> Documents:
    """Make documents of different sizes, with names of their own."""
    return {
        f"d{at:02d}": [
            [f"{at}.{n}" for n in range(3 + at % 3)],
            [f"{at}.x", f"{at}.y"],
            [f"{at}.alone"],
        ]
        for at in range(count)
    }


def mistaken(key: Documents, wrong: Iterable[str]) -> Documents:
    """Join the first two entities of some documents."""
    return {
        name: [entities[0] + entities[1], *entities[2:]] if name in set(wrong) else entities
        for name, entities in key.items()
    }


class TestTheBound:
    """The exact form of the rule of three."""

    def test_perfect_documents(self) -> None:
        """The interval begins where all documents are perfect with a probability of 5 %."""
        for count in (2, 5, 10, 60):
            spread = Spread(1.0, 0.0, count - 1.0, lowest=0.0)
            low, high = spread.bounded_interval(LEVEL)
            assert (low**count, high) == pytest.approx((LEVEL, 1.0))
        assert Spread(1.0, 0.0, 99.0, lowest=0.0).interval(LEVEL).low == pytest.approx(
            1 - 3 / 100, abs=0.001
        ), "the rule of three"
        assert Spread(0.0, 0.0, 99.0, lowest=0.0).interval(LEVEL).high == pytest.approx(
            0.03, abs=0.001
        )

    def test_equal_systems(self) -> None:
        """Five documents do not show that a difference is below a point; three hundred do."""
        for count, same in ((5, False), (298, False), (299, True)):
            spread = Spread(0.0, 0.0, count - 1.0)
            assert (spread.p_above(-0.01) < LEVEL) is same
            assert (spread.interval(LEVEL).low > -0.01) is same

    @given(values, units, st.floats(0.001, 0.5), st.booleans())
    def test_it_holds_the_value_and_has_a_width(
        self,
        value: float,
        count: float,
        level: float,
        score: bool,  # noqa: FBT001
    ) -> None:
        """Inside the range of values; and it shrinks with more documents."""
        lowest = 0.0 if score else -1.0
        few, more = (Spread(value, 0.0, n - 1, lowest).interval(level) for n in (count, 2 * count))
        assert lowest <= few.low <= more.low <= value <= more.high <= few.high <= 1
        assert few.high - few.low > 1e-6

    @given(values, units, values)
    def test_p_values_and_intervals_agree(self, value: float, count: float, limit: float) -> None:
        """A value is above a limit at 5 % if the interval is."""
        spread = Spread(value, 0.0, count - 1, lowest=0.0)
        low = spread.interval(LEVEL).low
        if abs(low - limit) > 1e-9:
            assert (spread.p_above(limit) < LEVEL) is (low > limit)
        assert spread.p_above(value) == 1
        assert (-spread).interval(LEVEL) == pytest.approx(
            [-end for end in spread.interval(LEVEL)][::-1]
        )

    def test_values_without_limits(self) -> None:
        """Have no bound, and nothing is claimed."""
        spread = Spread(1.0, 0.0, 9.0, lowest=-math.inf)
        assert all(map(math.isnan, spread.interval(LEVEL)))
        assert spread.p_above(0.0) == 1
        units = Units.of([f"d{at}" for at in range(10)])
        (caution,) = variance_cautions({"": {"ace": [spread]}}, units, LEVEL)
        assert caution.startswith("no interval of ace: the 10 documents show no variance, and the")

    def test_undefined_scores(self) -> None:
        """A score that only one document has is undefined without it: the reason is said."""
        key = {f"d{at}": [["a"], ["b"]] for at in range(6)} | {"d0": [["a", "b"]]}
        found = scoref.score(key, key, ["muc", "b3"], undefined="skip").intervals()
        assert math.isnan(found["muc"].f1.low)
        assert "no interval of muc: the score is undefined without one" in found.cautions[-1]
        found = scoref.score(key, key, ["muc", "b3"]).intervals()
        assert not any("larger documents" in caution for caution in found.cautions)


SIMPLE = [
    one for one in find_metrics(FAMILIES) if one.needs <= {SAME_MENTIONS} and not one.is_distance
]
"""The metrics that need only mentions and entities; distances have no intervals."""


@pytest.mark.parametrize("metric", SIMPLE, ids=lambda metric: metric.name)
@pytest.mark.parametrize("wrong", [0, 1])
@pytest.mark.parametrize("count", [2, 6, 30])
def test_every_metric_of_right_documents(metric: Metric, wrong: int, count: int) -> None:
    """All or all but one: by each method, the interval holds the score and has a width."""
    key = copies(count)
    result = scoref.score(key, mistaken(key, list(key)[:wrong]), [metric])
    methods: tuple[Method, ...] = ("jackknife", "percentile", "bca")
    for method in methods:
        found = result.intervals(method=method, trials=200)[metric.name]
        for value, interval in zip(result[metric.name], found, strict=True):
            if not math.isnan(interval.low):
                assert interval.low - 1e-12 <= value <= interval.high + 1e-12
                assert interval.high - interval.low > 1e-4
                assert metric.lowest <= interval.low
                assert interval.high <= 1
                assert interval.low > 0 or value < 0.75 or count < 3 or metric.lowest < -1


class TestCautions:
    """What is said about it."""

    def test_scores(self) -> None:
        """With the metrics, or the scores of metrics, and how much the documents leave open."""
        key = copies(5)
        result = scoref.score(key, key, ["b3", "muc"])
        (_, caution) = result.intervals().cautions
        assert caution == (
            "the 5 documents show no variance of b3, muc: intervals are bounds, since with 95 %"
            " confidence at most 46.3 % of documents are unlike these"
        )
        split = {name: [[m] for e in entities for m in e] for name, entities in key.items()}
        result = scoref.score(key, split, ["b3"])
        assert "no variance of precision of b3" in " ".join(result.intervals().cautions)
        assert "[0.00, 0.00]" not in result.render("text", intervals=result.intervals())

    def test_comparisons(self) -> None:
        """Systems that are equal on every document are not equivalent on five documents."""
        key = copies(5)
        wrong = mistaken(key, ["d01"])
        found = scoref.compare(key, {"x": wrong, "y": wrong, "z": key}, ["b3"], equivalent=0.01)
        pair = found.pair("x", "y")
        assert pair.interval is not None
        assert pair.interval.low == -pair.interval.high < -0.3
        assert not pair.equivalent
        said = " ".join(found.cautions)
        assert "z: the 5 documents show no variance of b3" in said
        assert "x and y: the 5 documents show no variance of the difference by b3" in said

    @pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
    def test_a_constant_difference(self, test: str) -> None:
        """Is not significant on four documents, by no test, and its interval holds 0."""
        key = {f"d{at}": [[f"{at}a", f"{at}b"]] for at in range(4)}
        nothing: Documents = {name: [] for name in key}
        found = scoref.compare(key, {"x": key, "y": nothing}, ["b3"], test=test, trials=300)  # type: ignore[arg-type]
        pair = found.pair("x", "y")
        assert pair.interval is not None
        assert pair.interval.low < 0 < pair.interval.high == 1
        assert pair.p >= 0.05

    def test_size(self) -> None:
        """Only where sizes vary much: other documents are then much larger, and harder."""
        units = Units.of([f"d{at:02d}" for at in range(40)])
        size = np.geomspace(1, 100, 40)
        f1 = np.linspace(0.9, 0.5, 40)
        found = EffectiveUnits.of(size / size.sum(), units, f1, 0.1)
        assert found.size_correlation == pytest.approx(-1)
        (caution,) = size_cautions({"conll": found, "b3": found}, units)
        assert found.size_effect == pytest.approx(-0.784, abs=0.001)
        assert caution.startswith("larger documents have lower scores by conll: one document five")
        assert "% of the width of its interval (size matters by 1 other metric too)" in caution
        wide = EffectiveUnits.of(size / size.sum(), units, f1, 0.5)
        assert size_cautions({"conll": wide}, units) == []
        alike = EffectiveUnits.of(np.linspace(0.02, 0.03, 40), units, f1, 0.1)
        assert size_cautions({"conll": alike}, units) == []
        unrelated = EffectiveUnits.of(
            size / size.sum(), units, f1[np.argsort(np.arange(40) % 7)], 0.1
        )
        assert size_cautions({"conll": unrelated}, units) == []

    def test_rank_correlation(self) -> None:
        """Equal values have equal ranks; units without a score are left out."""
        from scipy.stats import spearmanr

        one = np.array([1.0, 2, 2, 3, 5, 4, np.nan])
        other = np.array([0.1, 0.4, 0.1 + 1e-15, 0.3, 0.2, 0.9, 0.5])
        expected = spearmanr(one[:6], other.round(12)[:6]).statistic
        assert rank_correlation(one, other) == pytest.approx(expected)
        assert math.isnan(rank_correlation(np.ones(5), np.arange(5.0)))
        assert math.isnan(rank_correlation(np.array([]), np.array([])))
