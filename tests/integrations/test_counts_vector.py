"""Counts as a vector: rows in any order have the scores of all documents at once."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import scoref
from scoref.exceptions import UsageError
from scoref.integrations.counts_vector import CountsVector
from scoref.metrics import DEFAULT
from tests.integrations.conftest import Pair


@pytest.mark.parametrize(
    "policy",
    [{}, {"singletons": "drop"}, {"average": "macro"}, {"compat": "e2e"}, {"undefined": "skip"}],
    ids=str,
)
def test_sums_of_any_parts_have_the_scores_of_the_whole(pair: Pair, policy: dict[str, str]) -> None:
    """To the last bit, with rows in any order."""
    result = scoref.score(pair.key, pair.response, policy=policy)
    vector = CountsVector(policy=policy)
    rows = vector.count(pair.key, pair.response)
    assert rows.shape == (60, len(vector.columns))
    rng = np.random.default_rng(3)
    order = rng.permutation(60)

    np.testing.assert_equal(vector.scores(rows[order]), result.scores)


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
    """Other columns, entities across documents."""
    vector, other = CountsVector(["muc"]), CountsVector(["blanc"])
    rows = vector.count(pair.key, pair.response)
    with pytest.raises(UsageError, match="expected 6 columns"):
        other.scores(rows)
    with pytest.raises(UsageError, match="cannot be added if the unit is corpus"):
        CountsVector(policy={"unit": "corpus"})


def test_no_documents_have_the_scores_of_nothing() -> None:
    """As an accumulator without documents."""
    vector = CountsVector(["muc"])
    assert vector.scores([])["muc"] == scoref.Accumulator(["muc"])["muc"]
