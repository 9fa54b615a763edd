"""CorefEvaluator: the numbers of e2e-coref if asked for, those of scoref otherwise."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy
from scoref.compat import CorefEvaluator, Evaluator, e2e, muc
from scoref.exceptions import MentionError, UsageError
from tests.reference import e2e_definition

clusters = st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=4), max_size=4)
"""Clusters in which a mention may be in several, or several times in one."""

Documents = list[tuple[list[list[int]], list[list[int]]]]


@given(st.lists(st.tuples(clusters, clusters), min_size=1, max_size=3))
def test_counting_as_e2e(documents: Documents) -> None:
    """Equal to the definitions, repeated mentions included."""
    evaluators = {name: Evaluator(name, counting="e2e") for name in e2e_definition.METRICS}
    for name, evaluator in evaluators.items():
        for response, key in documents:
            evaluator.update(response, key, {}, {})
        of_each = [e2e_definition.counts(name, *document) for document in documents]
        expected = [float(sum(column)) for column in zip(*of_each, strict=True)]
        assert evaluator.get_counts() == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_hostile_documents() -> None:
    """Repeats within and across clusters, singletons and empty sides, document by document."""
    random = Random(29)  # noqa: S311  # not a secret
    documents = [e2e_definition.draw_hostile(random) for _ in range(1500)]
    responses, keys = (dict(enumerate(side)) for side in zip(*documents, strict=True))
    repeated = sum(len({*one}) < len(one) for side in responses.values() for one in side)
    assert repeated > 500

    result = scoref.score(keys, responses, e2e_definition.METRICS, compat="e2e")

    for name in e2e_definition.METRICS:
        found = result.counts.rows[name][:, [2, 3, 0, 1]]
        expected = [
            list(map(float, e2e_definition.counts(name, *document))) for document in documents
        ]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=name)


@given(st.lists(st.tuples(clusters, clusters), min_size=1, max_size=3))
def test_averages(documents: Documents) -> None:
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
    """Counts twice as in the old evaluator if its numbers are asked for, and once otherwise."""
    documents = [[(0, 3), (0, 3)]], [[(0, 3)]]
    expected = {"e2e": (5 / 9, 2 / 9, 2 / 9), "scoref": (2 / 3, 2 / 3, 2 / 3)}
    for counting, scores in expected.items():
        evaluator = CorefEvaluator(counting=counting)  # type: ignore[arg-type]
        evaluator.update(*documents, {}, {})
        assert evaluator.get_prf() == pytest.approx(scores)
    old = e2e.CorefEvaluator()
    old.update([[(0, 0), (1, 1), (1, 1)]], [[(0, 0), (1, 1)]])
    assert [one.get_precision() for one in old.evaluators] == pytest.approx([1, 1, 4 / 5])


def test_other_metrics_count_the_first_of_repeated_mentions() -> None:
    """A mention of two entities on both sides was shared four times: an F1 of 150 %."""
    document = {"d": [["a", "b", "b"], ["a", "c"]]}
    metrics = ["mentions", "ceafm", "blanc", "pairwise", "mentions(match=lenient)"]
    spans = {"d": [[(0, 1), (2, 2), (2, 2)], [(0, 1), (4, 4)]]}
    heads = {"d": {(at, end): {"head_start": end} for one in spans["d"] for at, end in one}}
    key, response = (scoref.Corpus.from_entities(spans, mentions=heads) for _ in range(2))
    result = scoref.score(key, response, metrics, compat="e2e")
    assert [score.f1 for score in result.scores.values()] == [1.0] * len(metrics)
    assert result.notes == tuple(
        f"the {side} repeats 2 mentions: muc, b3, ceafe, lea and conll count a mention each time,"
        " as CorefEvaluator does; other metrics count the first"
        for side in ("key", "response")
    )
    other = {"d": [["a", "b"], ["c", "b", "b"], ["x"]]}
    as_usual = scoref.score(document, other, metrics[:-1]).counts
    counts = scoref.score(document, other, metrics[:-1], compat="e2e").counts
    for name, rows in as_usual.rows.items():
        assert counts.rows[name].tolist() == rows.tolist()
    accumulator = scoref.Accumulator(["mentions", "muc"], compat="e2e")
    accumulator.update(document, other)
    assert accumulator["mentions"] == scoref.score(document, other, ["mentions"])["mentions"]
    with pytest.raises(MentionError, match="the key repeats 2 mentions"):
        scoref.score(document, other, compat="e2e", duplicates="error")


def test_no_false_note_on_positions() -> None:
    """The rows of this alignment have one side each, but the mentions match."""
    document = {"d": [[(at, at), (at + 1, at + 1)] for at in range(0, 80, 2)]}
    shifted = {"d": [[(start, end + 1) for start, end in one] for one in document["d"]]}
    result = scoref.score(document, shifted, compat="e2e", positions="exclusive-ends")
    assert result["conll"].f1 == 1
    assert result.notes == ("converted the positions of 80 response mentions (exclusive-ends)",)


def test_mistakes() -> None:
    """An unknown way to count, and a metric that is not a ratio."""
    with pytest.raises(UsageError, match="must be scoref or e2e"):
        CorefEvaluator("old")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="conll is not a ratio"):
        Evaluator("conll")
    with pytest.raises(UsageError, match="CorefEvaluator only supports --match exact"):
        Policy(compat="e2e", match="head")
