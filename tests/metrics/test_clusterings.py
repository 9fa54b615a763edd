"""Metrics of clusterings: the numbers of other packages, and a second implementation."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics import find_metric, information
from scoref.metrics.information import _expected, expected_variation
from scoref.metrics.table import Table
from tests.metrics.test_histogram import joined, of_table
from tests.metrics.test_more_definitions import labelled
from tests.reference import clustering_definitions as slow
from tests.reference import definitions
from tests.strategies import Pair, Partition, pairs, partial_partitions

SPLIT = (["abcdefgh"], ["abcd", "efgh"])
PUBLISHED = {
    # Of scikit-learn 1.9.1, er-evaluation 2.3.0 and entity-resolution-evaluation.
    "manual": (
        (["abc", "dfg"], ["ab", "cd", "fg"]),
        {
            "vmeasure": (0.4206198357, 0.6666666667, 0.515803743),
            "vi": 0.8675632285,
            "vi(unit=bits)": 1.2516291674,
            "fowlkes_mallows": 0.4714045208,
            "ami": 0.2987924582,
            "purity": (0.6666666667, 0.8333333333, 0.7407407407),
            "closest": (0.6666666667, 0.5277777778, 0.5891472868),
            "exact_entity": (0.0, 0.0, 0.0),
            "merge_distance": 3.0,
        },
    ),
    "split": (
        SPLIT,
        {
            "vmeasure": (0.0, 1.0, 0.0),
            "vi": 0.6931471806,
            "vi(unit=bits)": 1.0,
            "fowlkes_mallows": 0.6546536707,
            "ami": 0.0,
            "purity": (0.5, 1.0, 0.6666666667),
            "closest": (0.5, 0.5, 0.5),
            "exact_entity": (0.0, 0.0, 0.0),
            "merge_distance": 1.0,
        },
    ),
    "identical": (
        (["abc", "d"], ["abc", "d"]),
        {
            **dict.fromkeys(["vmeasure", "purity", "closest", "exact_entity"], (1.0, 1.0, 1.0)),
            **dict.fromkeys(["fowlkes_mallows", "ami"], 1.0),
            **dict.fromkeys(["vi", "vi(unit=bits)", "merge_distance"], 0.0),
        },
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_numbers_of_other_packages(name: str) -> None:
    """All metrics of a pair of partitions."""
    (key, response), expected = PUBLISHED[name]
    result = scoref.score({"d": list(map(list, key))}, {"d": list(map(list, response))}, expected)
    for metric, numbers in expected.items():
        if isinstance(numbers, tuple):
            assert result[metric] == pytest.approx(numbers, abs=1e-10)
        else:
            assert result[metric].f1 == pytest.approx(numbers, abs=1e-10)
            assert math.isnan(result[metric].recall)


@pytest.mark.parametrize("undefined", ["zero", "one", "skip"])
def test_links_of_singletons_are_left_to_the_policy(undefined: str) -> None:
    """scikit-learn scores 0; the other metrics see that both sides are equal."""
    side = {"d": [["a"], ["b"], ["c"]]}
    result = scoref.score(
        side, side, ["fowlkes_mallows", "ami", "vmeasure", "vi"], {"undefined": undefined}
    )
    expected = {"zero": 0.0, "one": 1.0, "skip": math.nan}[undefined]
    assert result["fowlkes_mallows"].f1 == pytest.approx(expected, nan_ok=True)
    assert (result["ami"].f1, result["vmeasure"].f1, result["vi"].f1) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("undefined", ["zero", "one", "skip"])
def test_nothing_is_not_the_best_distance(undefined: str) -> None:
    """0/0 as zero would be perfect for a distance, so no policy replaces it."""
    result = scoref.score({"d": []}, {"d": []}, ["vi", "merge_distance"], {"undefined": undefined})
    assert math.isnan(result["vi"].f1)
    assert result["merge_distance"].f1 == 0.0


@given(labelled)
def test_equal_mentions_against_the_definition(pair: Pair) -> None:
    """All metrics, of partitions of the same mentions."""
    key, response = map(definitions.entities, pair)
    result = scoref.score({"d": pair[0]}, {"d": pair[1]}, slow.DEFINITIONS, undefined="skip")
    for name, define in slow.DEFINITIONS.items():
        expected = [math.nan if x is None else x for x in define(key, response)]
        assert list(result[name]) == pytest.approx(expected, abs=1e-9, nan_ok=True), name


@given(pairs())
def test_other_mentions_against_the_definition(pair: Pair) -> None:
    """Mentions that only one side has stay in the sizes."""
    key, response = map(definitions.entities, pair)
    names = ["fowlkes_mallows", "purity", "closest", "exact_entity"]
    result = scoref.score({"d": pair[0]}, {"d": pair[1]}, names)
    for name in names:
        recall, precision, f1 = (x or 0.0 for x in slow.DEFINITIONS[name](key, response))
        assert result[name].f1 == pytest.approx(f1, abs=1e-12), name
        if name != "fowlkes_mallows":
            assert result[name][:2] == pytest.approx((recall, precision), abs=1e-12), name


def whole_partitions(mentions: str) -> list[Partition]:
    """Return all partitions of some mentions."""
    return [one for one in partial_partitions(mentions) if sum(map(len, one)) == len(mentions)]


def test_merge_distance_of_all_partitions_of_five() -> None:
    """2,704 pairs: the steps of the algorithm, with any costs."""
    names = ["merge_distance", "merge_distance(split=0.5,merge=3)"]
    for key, response in itertools.product(whole_partitions("abcde"), repeat=2):
        splits, merges = slow.steps(definitions.entities(key), definitions.entities(response))
        result = scoref.score({"d": key}, {"d": response}, names)
        assert result[names[0]].f1 == splits + merges
        assert result[names[1]].f1 == 0.5 * splits + 3 * merges


def test_chance_is_the_mean_over_all_permutations() -> None:
    """What AMI calls expected: VI of all 120 responses with the same sizes."""
    for key, response in itertools.combinations(whole_partitions("abcde")[::4], 2):
        one, other = definitions.entities(key), definitions.entities(response)
        table = joined((key, response))
        chance = slow.entropy(one) + slow.entropy(other) - 2 * slow.expected_information(one, other)
        assert expected_variation(table)[0] / 5 == pytest.approx(chance, rel=1e-12)


@pytest.mark.parametrize(("a", "b", "mentions"), [(7, 5, 12), (40, 3, 300), (90, 120, 300)])
def test_chance_is_exact(a: int, b: int, mentions: int) -> None:
    """A pair of sizes in a thousand digits, rounded once."""
    whole = Fraction(math.comb(mentions, b))
    expected = math.fsum(
        float(Fraction(math.comb(a, n) * math.comb(mentions - a, b - n)) / whole)
        * n
        * (math.log(a / n) + math.log(b / n))
        for n in range(max(1, a + b - mentions), min(a, b) + 1)
    )
    found = _expected(np.array([a]), np.array([b]), np.array([float(mentions)]))
    assert found[0] == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("sizes", ["all", "halves"])
def test_chance_costs_in_proportion_to_mentions(
    sizes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where all sizes differ, and where n may have many values: four times is at most five."""

    def terms(mentions: int) -> int:
        computed: list[int] = []

        def note(n: Floats, a: Floats, b: Floats) -> Floats:
            computed.append(len(n))
            return original(n, a, b)

        monkeypatch.setattr(information, "_surprise", note)
        most = math.isqrt(2 * mentions)
        every = np.arange(1, most) if sizes == "all" else np.full(2, mentions // 2)
        zeros, nothing = np.zeros_like(every), np.zeros(0, dtype=np.int64)
        expected_variation(Table(("d",), zeros, every, zeros, every, nothing, nothing, nothing))
        return sum(computed)

    original = information._surprise
    assert terms(80_000) < 5 * terms(20_000)


@given(labelled)
def test_ami_of_all_is_vi_above_chance(pair: Pair) -> None:
    """Never below -2, by the triangle inequality; the definition with I and E[I] says the same."""
    ami = scoref.score({"d": pair[0]}, {"d": pair[1]}, ["ami"])["ami"].f1
    assert -2 <= ami <= 1


@given(labelled, st.integers(2, 40))
def test_chance_in_a_large_histogram(pair: Pair, times: int) -> None:
    """Sizes that occur often count as often."""
    sides = [
        [[f"{m}{copy}" for m in entity] for copy in range(times) for entity in side]
        for side in pair
    ]
    table = joined((sides[0], sides[1]))
    found = expected_variation(of_table(table).table("d"))
    np.testing.assert_allclose(found, expected_variation(table), rtol=1e-12)


@pytest.mark.parametrize("name", ["vmeasure", "vi(unit=bits)", "ami", "merge_distance(split=2)"])
def test_different_mentions_are_refused(name: str) -> None:
    """With what differs, and the metric to use instead; shared mentions are scored."""
    sides = {"d": [["a", "b"], ["c"]]}, {"d": [["a", "x", "y"], ["c"]]}
    with pytest.raises(UsageError, match="the response lacks 1 mention and adds 2") as error:
        scoref.score(*sides, [name])
    instead = f"{name.rstrip(')')}{',' if '(' in name else '('}mentions=shared)"
    assert f"use {instead} to ignore" in str(error.value)
    shared = scoref.score({"d": [["a"], ["c"]]}, {"d": [["a"], ["c"]]}, [name])[name]
    assert scoref.score(*sides, [instead])[instead] == pytest.approx(shared, nan_ok=True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("vi(unit=miles)", "vi has no unit=miles"),
        ("merge_distance(split=-1)", "merge_distance has no split=-1"),
        ("merge_distance(merge=inf)", "infinite cost"),
        ("merge_distance(split=nan)", "merge_distance has no split=nan"),
        ("vmeasure(mentions=all)", "vmeasure has no mentions=all"),
    ],
)
def test_parameters_that_make_no_sense(name: str, message: str) -> None:
    """They are refused before anything is read."""
    with pytest.raises(UsageError) as error:
        find_metric(name)
    assert message in str(error.value)


def test_several_documents() -> None:
    """Entropies are weighted by mentions, steps are added."""
    key = {"a": [["x", "y", "z"], ["u"]], "b": [["p", "q"]]}
    response = {"a": [["x", "y"], ["z", "u"]], "b": [["p"], ["q"]]}
    result = scoref.score(key, response, ["vi", "merge_distance"])
    one, other = (result.documents[name] for name in "ab")
    assert result["vi"].f1 == pytest.approx((4 * one["vi"].f1 + 2 * other["vi"].f1) / 6)
    assert result["merge_distance"].f1 == 3.0
