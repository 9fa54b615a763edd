"""CorefEvaluator: the numbers of e2e-coref if asked for, those of scoref otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy
from scoref.compat import CorefEvaluator, Evaluator, b_cubed, ceafe, lea, muc
from scoref.exceptions import UsageError

Clusters = list[list[int]]

clusters = st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4, unique=True), max_size=4)
"""Clusters in which a mention may be in several."""


def slow_counts(one: Clusters, other: Clusters, metric: str) -> tuple[Fraction, Fraction]:
    """Count one side by the definitions of e2e-coref."""
    home = {mention: at for at, cluster in enumerate(other) for mention in cluster}
    found = total = Fraction(0)
    for cluster in one:
        places = [home[mention] for mention in cluster if mention in home]
        size = len(cluster)
        if metric == "muc":
            found += len(places) - len(set(places))
            total += size - 1
        elif size > 1:
            if metric == "b3":
                right = sum(
                    places.count(place) ** 2 for place in set(places) if len(other[place]) > 1
                )
                found += Fraction(right, size)
            else:
                pairs = sum(
                    places.count(place) * (places.count(place) - 1) for place in set(places)
                )
                found += Fraction(size * pairs, size * (size - 1))
            total += size
    return found, total


def slow_ceafe(response: Clusters, key: Clusters) -> tuple[Fraction, int, Fraction, int]:
    """Try all alignments of the clusters that e2e-coref compares."""
    several = [cluster for cluster in response if len(cluster) > 1]
    longer, shorter = sorted((key, several), key=len, reverse=True)

    def phi4(one: Sequence[int], other: Sequence[int]) -> Fraction:
        return Fraction(2 * len(set(one) & set(other)), len(one) + len(other))

    best = max(
        sum((phi4(a, b) for a, b in zip(shorter, order, strict=False)), Fraction(0))
        for order in permutations(longer, len(shorter))
    )
    return best, len(several), best, len(key)


@given(st.lists(st.tuples(clusters, clusters), min_size=1, max_size=3))
def test_counting_as_e2e(documents: list[tuple[Clusters, Clusters]]) -> None:
    """Equal to the definitions, repeated mentions included."""
    evaluators = {name: Evaluator(name, counting="e2e") for name in (muc, b_cubed, lea, ceafe)}
    expected = {name: [Fraction(0)] * 4 for name in evaluators}
    for key, response in documents:
        for name, evaluator in evaluators.items():
            evaluator.update(response, key, {}, {})
            if name == ceafe:
                counts: Sequence[Fraction | int] = slow_ceafe(response, key)
            else:
                counts = (*slow_counts(response, key, name), *slow_counts(key, response, name))
            expected[name] = [a + b for a, b in zip(expected[name], counts, strict=True)]
    for name, evaluator in evaluators.items():
        assert evaluator.get_counts() == pytest.approx([float(x) for x in expected[name]])


@given(st.lists(st.tuples(clusters, clusters), min_size=1, max_size=3))
def test_averages(documents: list[tuple[Clusters, Clusters]]) -> None:
    """The CoNLL score of both ways to count, as `score` gives it."""
    keys = {str(n): key for n, (key, _) in enumerate(documents)}
    responses = {str(n): response for n, (_, response) in enumerate(documents)}
    for counting, policy in (("scoref", Policy()), ("e2e", Policy(compat="e2e"))):
        evaluator = CorefEvaluator(counting)  # type: ignore[arg-type]
        for key, response in documents:
            evaluator.update(response, key, {}, {})
        result = scoref.score(keys, responses, ["muc", "b3", "ceafe", "conll"], policy)
        assert evaluator.get_f1() == pytest.approx(result["conll"].f1)
        parts = [result[name] for name in ("muc", "b3", "ceafe")]
        assert evaluator.get_precision() == pytest.approx(sum(p.precision for p in parts) / 3)
        assert evaluator.get_recall() == pytest.approx(sum(p.recall for p in parts) / 3)
        assert [e.get_prf() for e in evaluator.evaluators] == [
            pytest.approx((p.precision, p.recall, p.f1)) for p in parts
        ]


def test_interface_of_the_old_evaluator() -> None:
    """Spans as lists or tuples, mappings as further arguments, an F-measure with beta."""
    evaluator = CorefEvaluator()
    predicted, gold = [((0, 0), (2, 3))], [((0, 0), (2, 3), (5, 5))]
    evaluator.update(predicted, gold, {(0, 0): predicted[0]}, {(0, 0): gold[0]})
    assert evaluator.get_prf() == pytest.approx(
        (2.8 / 3, (1 / 2 + 4 / 9 + 4 / 5) / 3, (2 / 3 + 8 / 13 + 4 / 5) / 3)
    )
    twice = Evaluator(muc, beta=2)
    twice.update([[[0, 0], [2, 3]]], [[[0, 0], [2, 3], [5, 5]]])
    assert twice.get_counts() == (1, 1, 1, 2)
    assert twice.get_f1() == pytest.approx(5 * 0.5 / 4.5)
    assert CorefEvaluator().get_prf() == (0, 0, 0)


def test_a_mention_twice_in_an_entity() -> None:
    """Counts once, and not twice as in the old evaluator."""
    for counting in ("scoref", "e2e"):
        evaluator = CorefEvaluator(counting=counting)
        evaluator.update([[(0, 0), (1, 1), (1, 1)]], [[(0, 0), (1, 1)]], {}, {})
        assert evaluator.get_prf() == (1, 1, 1)


def test_mistakes() -> None:
    """An unknown way to count, and a metric that is not a ratio."""
    with pytest.raises(UsageError, match="must be scoref or e2e"):
        CorefEvaluator("old")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="conll is not a ratio"):
        Evaluator("conll")
    with pytest.raises(UsageError, match="CorefEvaluator only supports --match exact"):
        Policy(compat="e2e", match="head")
