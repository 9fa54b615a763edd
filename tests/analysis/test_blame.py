"""Blame sums to the loss of a metric."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref.analysis.aligned_mentions import align_mentions
from scoref.analysis.blame import blame, decomposes
from scoref.metrics import FAMILIES, find_metrics
from scoref.policy import Policy
from tests.analysis.conftest import sides
from tests.strategies import MENTIONS, SHARED, Pair, corpora, pairs

DECOMPOSE = [
    "mentions", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise", "lmuc", "lb3", "lceafm",
    "lceafe", "conll",
]  # fmt: skip


@pytest.mark.parametrize("metric", DECOMPOSE)
@pytest.mark.parametrize("average", ["micro", "macro"])
@SHARED
@given(documents=corpora(), pronouns=st.sets(st.sampled_from(MENTIONS)))
def test_the_sum_of_blame_is_the_loss(
    metric: str, average: str, documents: list[Pair], pronouns: set[str]
) -> None:
    """Over entities, and over mentions, if the metric is defined for each document."""
    key, response = sides(documents, pronouns)
    policy = Policy(average=average, undefined="skip")  # type: ignore[arg-type]  # parametrized
    score = scoref.score(key, response, [metric], policy)
    parts = find_metrics([metric])[0].parts or find_metrics([metric])
    results = scoref.score(key, response, parts, policy)
    for part in results:
        f1s = [one[part].f1 for one in results.documents.values()]
        assume(not np.isnan(f1s).any())  # a document without links has no MUC to lose
    shares = blame(align_mentions(key, response, policy), metric)
    assert shares.loss == pytest.approx(1 - score[metric].f1)
    assert shares.key.sum() + shares.response.sum() == pytest.approx(shares.loss)
    assert shares.mention.sum() == pytest.approx(shares.loss)
    assert (shares.mention >= -1e-12).all()
    assert (shares.key >= -1e-12).all()
    assert (shares.response >= -1e-12).all()


def test_metrics_that_do_not_decompose_are_refused() -> None:
    """Exactly the metrics that are listed decompose."""
    mentions = align_mentions({"d": [["a", "b"]]}, {"d": [["a", "c"]]})
    with pytest.raises(scoref.ScorefError, match="not a sum over entities"):
        blame(mentions, "blanc")
    for name in FAMILIES:
        metric = find_metrics([name])[0]
        assert decomposes(metric) == (metric.name in DECOMPOSE)


@given(pairs())
def test_b_cubed_blame_is_its_definition(pair: Pair) -> None:
    """The share of its entity that each key mention misses, over all key mentions."""
    key, response = pair
    mentions = align_mentions({"d": key}, {"d": response})
    score = scoref.score({"d": key}, {"d": response}, ["b3"])["b3"]
    assume(score.f1 > 0)
    shares = blame(mentions, "b3").key_mention
    total = sum(map(len, key))
    weight = score.precision / (score.recall + score.precision)
    for row in range(len(shares)):
        mention = mentions.mention(row)
        entity = next((set(e) for e in key if mention in e), set())
        other = next((set(e) for e in response if mention in e), set())
        if entity:
            missed = 1 - len(entity & other) / len(entity)
            assert shares[row] == pytest.approx(weight * missed / total)
