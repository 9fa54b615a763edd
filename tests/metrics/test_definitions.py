"""The package against the slow second implementation: at random, and for everything small."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import scoref
from scoref.base.arrays import Floats
from scoref.metrics import DEFAULT, FAMILIES
from tests.reference import definitions as slow
from tests.strategies import Pair, Partition, corpora, named, pairs, partial_partitions

NAMES = list(slow.COUNT)


def test_every_metric_has_a_second_implementation() -> None:
    """A metric that nobody checked would be found here; averages are checked by their parts."""
    elsewhere = {"rand", "ari", "nmi", "lmuc", "lb3", "lceafm", "lceafe", "arcs"}
    elsewhere |= {"vmeasure", "vi", "ami", "fowlkes_mallows", "purity", "closest", "exact_entity"}
    elsewhere |= {"merge_distance"}
    names = {name.split("(")[0] for name in slow.COUNT}
    # The others are in test_more_definitions, test_clusterings, test_ace, test_partial_credit,
    # test_zero and test_anaphora.
    others = {"conll", "ace", "mor", "zero", "bridging", "nonreferring"}
    assert names | others | elsewhere == set(FAMILIES)
    assert set(DEFAULT) <= set(FAMILIES)


@settings(max_examples=100)
@given(pairs())
def test_counts_equal_the_definition(pair: Pair) -> None:
    """One document of up to twelve mentions."""
    key, response = map(slow.entities, pair)
    result = scoref.score({"d": pair[0]}, {"d": pair[1]}, NAMES)
    for name, count in slow.COUNT.items():
        expected = count(key, response)
        np.testing.assert_allclose(
            list(result.totals(name).values()), [float(x) for x in expected], rtol=1e-12
        )
        np.testing.assert_allclose(
            result[name], [float(x) for x in slow.score(name, expected)], rtol=1e-12
        )


@given(corpora(least=1, most=6))
def test_a_corpus_is_summed_before_it_is_divided(documents: list[Pair]) -> None:
    """Micro average: the sums of all documents make one ratio."""
    result = scoref.score(*named(documents), [*NAMES, "conll"])
    f1 = {}
    for name, count in slow.COUNT.items():
        counts = [count(*map(slow.entities, pair)) for pair in documents]
        scores = slow.score(name, tuple(map(sum, zip(*counts, strict=True))))  # type: ignore[arg-type]
        np.testing.assert_allclose(result[name], [float(x) for x in scores], rtol=1e-12)
        f1[name] = scores[2]
    conll = (f1["muc"] + f1["b3"] + f1["ceafe"]) / 3
    assert result["conll"].f1 == pytest.approx(float(conll), rel=1e-12)


@pytest.mark.parametrize(
    ("mentions", "count"), [("abcd", 52), pytest.param("abcde", 203, marks=pytest.mark.long)]
)
def test_everything_up_to_five_mentions(mentions: str, count: int) -> None:
    """All pairs of partitions with all patterns of missing and spurious mentions: one corpus.

    203 partitions of subsets of five mentions on each side make 41,209 documents.
    """
    all_partitions = list(partial_partitions(mentions))
    documents = [(key, response) for key in all_partitions for response in all_partitions]
    assert len(documents) == count**2
    result = scoref.score(*named(documents), NAMES)
    shapes = [_renamed(key, response) for key, response in documents]
    for name, counting in slow.COUNT.items():
        metric = next(m for m in result.counts.metrics if m.name == name)
        scores = result.counts.unit_scores(metric, result.policy)
        counts = {shape: counting(*shape) for shape in set(shapes)}
        expected_counts = [counts[shape] for shape in shapes]
        scored = {shape: slow.score(name, count) for shape, count in counts.items()}
        expected_scores = [scored[shape] for shape in shapes]
        np.testing.assert_allclose(
            result.counts.rows[name], _floats(expected_counts), rtol=1e-12, atol=1e-15
        )
        np.testing.assert_allclose(scores, _floats(expected_scores), rtol=1e-12, atol=1e-15)


def _renamed(key: Partition, response: Partition) -> tuple[slow.Entities, slow.Entities]:
    """Name mentions by their place in the key, so that documents of one shape are counted once."""
    largest_first = sorted(key, key=len, reverse=True)
    number = {m: str(i) for i, m in enumerate(m for entity in largest_first for m in entity)}
    renamed = [[[number.get(m, m) for m in e] for e in side] for side in (largest_first, response)]
    ours, theirs = map(slow.entities, renamed)
    return ours, tuple(sorted(theirs, key=sorted))


def _floats(rows: Sequence[tuple[Fraction, ...]]) -> Floats:
    return np.array([[x.numerator / x.denominator for x in row] for row in rows])
