"""The accumulator of a training loop gives the bits that scoring at once gives."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Accumulator, Key, Policy
from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.table import Table
from tests.strategies import Pair, corpora, named

METRICS = ["muc", "b3", "ceafe", "blanc", "lea", "conll"]


def bits(scores: object) -> str:
    """Write scores so that equal text means equal bits, NaN included."""
    return repr(scores)


@given(corpora(most=6), st.randoms(), st.sampled_from(["micro", "macro"]))
def test_documents_one_at_a_time_in_any_order(
    documents: list[Pair], random: object, average: str
) -> None:
    """To the last bit, whatever is averaged."""
    policy = Policy(average=average, undefined="skip")  # type: ignore[arg-type]
    key, response = named(documents)
    names = list(key)
    random.shuffle(names)  # type: ignore[attr-defined]
    accumulator = Accumulator(METRICS, policy)
    for name in names:
        accumulator.add(key[name], response[name], name)
    at_once = scoref.score(key, response, METRICS, policy)
    assert bits(accumulator.scores) == bits(at_once.scores)
    assert len(accumulator) == len(key)


@given(corpora(least=2, most=6), st.integers(1, 5))
def test_batches_merged_and_pickled(documents: list[Pair], cut: int) -> None:
    """As from two processes."""
    key, response = named(documents)
    parts = [list(key)[:cut], list(key)[cut:]]
    merged = Accumulator(METRICS)
    for part in parts:
        worker = Accumulator(METRICS)
        worker.update({n: key[n] for n in part}, {n: response[n] for n in part})
        merged += pickle.loads(pickle.dumps(worker))  # noqa: S301  # our own
    assert bits(merged.scores) == bits(scoref.score(key, response, METRICS).scores)


@given(corpora(least=2, most=6), st.integers(1, 5), st.sampled_from(["micro", "macro"]))
def test_batches_of_one_key(documents: list[Pair], cut: int, average: str) -> None:
    """Each process has the whole key, and the response to some of its documents."""
    policy = Policy(average=average, undefined="skip")  # type: ignore[arg-type]
    ours, response = named(documents)
    key = Key(ours, METRICS, policy)
    merged = Accumulator(key.metrics, key.policy)
    for part in (list(ours)[:cut], list(ours)[cut:]):
        worker = Accumulator(key.metrics, key.policy)
        if part:
            worker.update(key, {name: response[name] for name in part})
        assert len(worker) == len(part)
        merged += worker
    assert bits(merged.scores) == bits(scoref.score(ours, response, METRICS, policy).scores)


def test_a_key_of_other_metrics() -> None:
    """It would count something else."""
    key = Key({"d": [["a", "b"]]}, ["muc"])
    with pytest.raises(UsageError, match="other metrics"):
        Accumulator(["b3"]).update(key, {"d": [["a"]]})
    with pytest.raises(UsageError, match="another policy"):
        Accumulator(["muc"], Policy(singletons="drop")).update(key, {"d": [["a"]]})
    twice = Accumulator(key.metrics, key.policy)
    twice.update(key, {"d": [["a"]]})
    with pytest.raises(UsageError, match="added twice: d"):
        twice.update(key, {"d": [["a"]]})


def test_asking_in_between() -> None:
    """At any moment, also before anything was added."""
    accumulator = Accumulator(["b3", "conll"])
    assert accumulator["b3"].f1 == 0
    accumulator.add([["a", "b"]], [["a"], ["b"]])
    assert accumulator["b3"].recall == 0.5
    accumulator.add([["a", "b"]], [["a", "b"]])
    assert accumulator["bcub"].recall == 0.75
    assert math.isnan(accumulator["conll"].recall)
    accumulator.reset()
    assert len(accumulator) == 0
    assert accumulator["b3"].f1 == 0
    assert math.isnan(Accumulator(["b3"], Policy(undefined="skip"))["b3"].f1)


def test_documents_are_copied_and_counted_together() -> None:
    """What was added may change afterwards; more documents than fit into the buffer are counted."""
    accumulator = Accumulator(["b3"])
    key, response = [["a", "b"]], [["a", "b"]]
    for _ in range(600):
        accumulator.add(key, iter(response))
    key[0].append("c")
    response.clear()
    assert accumulator["b3"].f1 == 1
    assert accumulator.totals("b3") == dict.fromkeys(accumulator.metrics[0].columns, 1200)
    with pytest.raises(UsageError, match="average macro"):
        Accumulator(["b3"], Policy(average="macro")).totals("b3")


def test_a_document_is_added_once() -> None:
    """Also over processes: samplers like to repeat some."""
    one, other = Accumulator(["b3"]), Accumulator(["b3"])
    one.add([["a"]], [["a"]], "d1")
    other.add([["a"]], [["a"]], "d1")
    with pytest.raises(UsageError, match="documents were added twice: d1"):
        one.add([["a"]], [["a"]], "d1")
    with pytest.raises(UsageError, match="documents were added twice: d1"):
        one.merge(other)
    with pytest.raises(UsageError, match="documents were added twice: d1"):
        one.update({"d1": [["a"]]}, {"d1": [["a"]]})
    assert len(one) == 1
    one.add([["a"]], [["a"]])
    one.add([["a"]], [["a"]])
    assert len(one) == 3


def test_only_the_same_can_be_merged() -> None:
    """Metrics and policy."""
    for other in (Accumulator(["muc"]), Accumulator(["b3"], Policy(singletons="drop"))):
        with pytest.raises(UsageError, match="same metrics and policy"):
            Accumulator(["b3"]).merge(other)
    with pytest.raises(UsageError, match="this accumulator has no metric 'lea'"):
        Accumulator(["b3"])["lea"]


def found(table: Table) -> Floats:
    """Count mentions that both sides have."""
    shared = table.sum_cells(table.count)
    return np.stack([shared, shared, shared, shared], axis=-1)


def test_metrics_of_ones_own_are_pickled_by_reference() -> None:
    """Known ones by name, parameters included."""
    accumulator = Accumulator([found, "blanc(alpha=0.2)", "nmi(mentions=shared)"])
    accumulator.add([["a", "b"]], [["a", "b"]])
    again = pickle.loads(pickle.dumps(accumulator))  # noqa: S301  # our own
    assert bits(again.scores) == bits(accumulator.scores)
    again.add([["a", "b"]], [["a"], ["b"]])
    assert again["found"].f1 == 1


def wrong(table: Table) -> Floats:
    """Count nonsense."""
    return np.full((len(table.units), 4), np.inf)


def test_nonsense_is_refused() -> None:
    """When documents are counted."""
    accumulator = Accumulator([wrong])
    accumulator.add([["a"]], [["a"]])
    with pytest.raises(UsageError, match="wrong has counts that are not finite"):
        _ = accumulator.scores


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (5, "the document is 5, but must be a list of entities"),
        (None, "the document is None, but must be a list of entities"),
        ("ab", "the document is 'ab', but must be a list of entities"),
        ([5], "an entity is 5, but must be a list of mentions"),
        (["ab"], "an entity is 'ab', but must be a list of mentions"),
        ({"1": "ab"}, "an entity is 'ab', but must be a list of mentions"),
    ],
)
def test_what_is_not_a_document_is_refused(response: object, message: str) -> None:
    """At once, and not when documents are counted; the letters of a string are not mentions."""
    accumulator = Accumulator(["b3"])
    with pytest.raises(UsageError, match=message):
        accumulator.add([["a"]], response)
    accumulator.add([["a"]], [["a"]])
    assert accumulator.scores["b3"].f1 == 1
