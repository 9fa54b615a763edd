"""Counts as a vector: sums of rows and of packed rows have the scores of all documents at once."""

from __future__ import annotations

import math
import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.exceptions import UsageError
from scoref.integrations.counts_vector import CountsVector
from scoref.integrations.exact_integers import from_integers, to_integers
from scoref.metrics import DEFAULT
from tests.integrations.conftest import Pair

counts = st.floats(-(2.0**54), 2.0**54).filter(lambda x: x == 0 or abs(x) >= 2.0**-52)


@given(st.lists(counts, min_size=1, max_size=40), st.randoms())
def test_integers_add_exactly_in_any_order(values: list[float], rng: random.Random) -> None:
    """The sum is rounded once, as by `math.fsum`."""
    integers = to_integers(np.array(values))
    rng.shuffle(shuffled := list(integers))
    half = len(shuffled) // 2
    total = sum(shuffled[half:], start=sum(shuffled[:half], start=np.zeros_like(integers[0])))

    assert from_integers(total) == math.fsum(values)


@given(st.floats(allow_nan=False, allow_infinity=False, max_value=2.0**54, min_value=-(2.0**54)))
def test_smaller_numbers_are_off_by_less_than_their_last_bit_is_worth(value: float) -> None:
    """2 ** -105 is nothing in a sum of counts."""
    assert abs(from_integers(to_integers(np.array([value])))[0] - value) <= 2.0**-105


@pytest.mark.parametrize("value", [math.nan, math.inf, 2.0**55, -(2.0**60)])
def test_numbers_that_are_no_counts_are_refused(value: float) -> None:
    """Silently wrong sums are the worst."""
    with pytest.raises(UsageError, match="finite numbers below"):
        to_integers(np.array([1.0, value]))


@pytest.mark.parametrize(
    "policy",
    [{}, {"singletons": "drop"}, {"average": "macro"}, {"compat": "e2e"}, {"undefined": "skip"}],
    ids=str,
)
def test_sums_of_any_parts_have_the_scores_of_the_whole(pair: Pair, policy: dict[str, str]) -> None:
    """To the last bit, with rows in any order and packed sums of any batches."""
    result = scoref.score(pair.key, pair.response, policy=policy)
    vector = CountsVector(policy=policy)
    rows = vector.count(pair.key, pair.response)
    assert rows.shape == (60, len(vector.columns))
    rng = np.random.default_rng(3)
    order = rng.permutation(60)

    np.testing.assert_equal(vector.scores(rows[order]), result.scores)
    parts = [vector.pack(part) for part in np.array_split(rows[order], 7)]
    sums = np.sum(parts, axis=0)
    assert sums[0] == 60
    assert sums.shape == (vector.packed_width,)
    np.testing.assert_equal(vector.scores_of_sum(vector.unpack(sums)), result.scores)


def test_columns_are_in_a_fixed_order() -> None:
    """Metric by metric, as they are given."""
    assert CountsVector(["muc", "ceafe"]).columns == (
        *("muc.recall_num", "muc.recall_den", "muc.precision_num", "muc.precision_den"),
        *("ceafe.recall_num", "ceafe.recall_den", "ceafe.precision_num", "ceafe.precision_den"),
    )
    assert len(CountsVector().columns) == 42
    assert [m.name for m in CountsVector().metrics] == list(DEFAULT)


def test_a_vector_is_pickled_by_the_names_of_its_metrics(pair: Pair) -> None:
    """Other processes count and score alike."""
    vector = CountsVector(["muc", "blanc(alpha=0.2)", "conll"], {"singletons": "drop"})
    again = pickle.loads(pickle.dumps(vector))  # noqa: S301
    rows = vector.count(pair.key, pair.response)

    assert (again.columns, again.policy) == (vector.columns, vector.policy)
    assert again.scores(rows)["blanc(alpha=0.2)"] == vector.scores(rows)["blanc(alpha=0.2)"]


def test_what_cannot_be_added_is_refused(pair: Pair) -> None:
    """Other columns, other types, entities across documents."""
    vector, other = CountsVector(["muc"]), CountsVector(["blanc"])
    rows = vector.count(pair.key, pair.response)
    with pytest.raises(UsageError, match="expected 6 columns"):
        other.scores(rows)
    with pytest.raises(UsageError, match="expected 31 integers"):
        other.unpack(vector.pack(rows))
    with pytest.raises(UsageError, match="type float64"):
        vector.unpack(vector.pack(rows).astype(float))
    with pytest.raises(UsageError, match="cannot be added if the unit is corpus"):
        CountsVector(policy={"unit": "corpus"})
    with pytest.raises(UsageError, match="other metrics or another policy"):
        vector.rows(pair.result)


def test_no_documents_have_the_scores_of_nothing() -> None:
    """As an accumulator without documents."""
    vector = CountsVector(["muc"])
    assert vector.scores([])["muc"] == scoref.Accumulator(["muc"])["muc"]
