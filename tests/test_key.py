"""A key that is prepared once scores as if it were read anew for every response."""

from __future__ import annotations

import io
import itertools
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Key, Policy, Result
from scoref.corpus.spans import SpanLabels
from scoref.exceptions import DocumentError, MentionError, ScorefError
from scoref.matching.inputs import Input
from tests.conftest import REPOSITORY
from tests.strategies import Pair, corpora, named

FERRY = REPOSITORY / "examples" / "ferry"
POLICIES = (
    Policy(),
    Policy(singletons="drop"),
    Policy(unit="corpus"),
    Policy(duplicates="error"),
    Policy(missing_documents="error", extra_documents="ignore"),
    Policy(where="entity_size>1", average="macro", undefined="skip"),
    Policy(match="overlap=0.5"),
)


def everything(score: Callable[[], Result]) -> tuple[Any, ...]:
    """Return all that a result says, to the last bit; or the error."""
    try:
        result = score()
    except ScorefError as error:
        return type(error), str(error)
    assert result.alignment is not None
    return (
        repr(result.scores),
        repr(result.documents),
        result.signature,
        result.notes,
        result.key,
        result.response,
        {name: rows.tobytes() for name, rows in result.counts.rows.items()},
        result.alignment.key_row.tolist(),
        result.alignment.res_row.tolist(),
    )


@st.composite
def spans(draw: st.DrawFn) -> dict[str, list[list[tuple[int, int]]]]:
    """Draw entities of spans, some of them repeated, in some of four documents."""
    span = st.tuples(st.integers(0, 12), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1]))
    entities = st.lists(st.lists(span, min_size=1, max_size=4), max_size=4)
    return draw(st.dictionaries(st.sampled_from("abcd"), entities, max_size=4))


@given(spans(), st.lists(spans(), min_size=1, max_size=3), st.sampled_from(POLICIES))
def test_the_same_as_scoring_with_a_key_that_is_read_anew(
    ours: Mapping[str, Any], checkpoints: list[Mapping[str, Any]], policy: Policy
) -> None:
    """Scores, notes, signature, errors: one response after the other, and again."""
    key = Key(ours, policy=policy)
    for response in [*checkpoints, *checkpoints]:
        expected = everything(lambda r=response: scoref.score(ours, r, policy=policy))  # type: ignore[misc]
        assert everything(lambda r=response: key.score(r)) == expected  # type: ignore[misc]


@given(corpora(most=4), st.sampled_from(POLICIES[:3]))
def test_mentions_of_any_kind(documents: list[Pair], policy: Policy) -> None:
    """Labels are compared as Python compares them."""
    ours, theirs = named(documents)
    key = Key(ours, policy=policy)
    expected = everything(lambda: scoref.score(ours, theirs, policy=policy))
    assert everything(lambda: key.score(theirs)) == expected
    assert everything(lambda: key.score(theirs)) == expected


@given(spans())
def test_spans_are_read_at_once_as_they_are_one_by_one(entities: Mapping[str, Any]) -> None:
    """The fast way makes the corpus that the careful way makes."""
    fast = Corpus.from_entities(entities, source="x")
    slow = Corpus.from_entities(entities, {}, "x")  # types are looked up one by one
    assert isinstance(fast.labels, SpanLabels)
    assert not isinstance(slow.labels, SpanLabels)
    assert tuple(fast.labels) == tuple(slow.labels or ())
    assert fast.documents == slow.documents
    assert tuple(fast.entity_names) == tuple(slow.entity_names)
    for name in ("document", "start", "end", "entity", "line"):
        assert getattr(fast, name).tolist() == getattr(slow, name).tolist()
        assert getattr(fast, name).dtype == getattr(slow, name).dtype
    assert fast.fingerprint() == slow.fingerprint()
    assert fast.entities() == slow.entities()


class Tensor:
    """What PyTorch has, as far as it matters: hashable by identity, iterable, with `tolist`."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)

    def __array__(self) -> Any:
        return self.values

    def __iter__(self) -> Any:
        return (Tensor(value) for value in self.values)

    def __index__(self) -> int:
        return int(self.values)

    def tolist(self) -> Any:
        """Return lists or a number."""
        return self.values.tolist()


SPANS: list[list[tuple[int, int]]] = [[(0, 1), (3, 3)], [(5, 9)]]


@pytest.mark.parametrize(
    "entities",
    [
        [[[0, 1], [3, 3]], [[5, 9]]],
        [((0, 1), (3, 3)), ((5, 9),)],
        tuple(tuple(entity) for entity in SPANS),
        [np.array(entity) for entity in SPANS],
        [np.array(entity, dtype=np.int32) for entity in SPANS],
        [Tensor(entity) for entity in SPANS],
        [[Tensor(span) for span in entity] for entity in SPANS],
        [[tuple(Tensor(part) for part in span) for span in entity] for entity in SPANS],
        [list(map(tuple, np.array(entity))) for entity in SPANS],
        [iter(entity) for entity in SPANS],
        iter([iter(entity) for entity in SPANS]),
        [SPANS[0], {(5, 9)}],
        {"1": SPANS[0], "2": SPANS[1]},
    ],
    ids=itertools.count(),
)
def test_spans_in_whatever_they_come(entities: Any) -> None:
    """Lists, tuples, sets, iterators, arrays, tensors, and numbers of arrays."""
    corpus = Corpus.from_entities({"doc": entities})
    assert corpus.entities() == {"doc": SPANS}
    assert corpus.fingerprint() == Corpus.from_entities({"doc": SPANS}).fingerprint()


@pytest.mark.parametrize(
    "odd",
    [(2, 1), (-1, 3), (1, 2, 3), (1,), (1.0, 2.0), (0, 2**70), "ab", "a", 7, (1, "b"), b"ab", None],
    ids=repr,
)
def test_what_is_no_span_is_a_label(odd: Any) -> None:
    """One such mention makes labels of all, as Python compares them."""
    ours = {"doc": [[(0, 1), odd], [(4, 5)]]}
    theirs = {"doc": [[(0, 1), (4, 5)], [odd]]}
    result = scoref.score(ours, theirs, ["b3"])
    labels = {(0, 1): "x", odd: "y", (4, 5): "z"}
    one, other = (
        {"doc": [[labels[mention] for mention in entity] for entity in side["doc"]]}
        for side in (ours, theirs)
    )
    assert result["b3"] == scoref.score(one, other, ["b3"])["b3"]
    assert everything(lambda: Key(ours).score(theirs)) == everything(
        lambda: scoref.score(ours, theirs)
    )


def test_what_is_wrong_is_said_as_ever() -> None:
    """An entity without mentions, a mention that is not hashable, an entity that is not a list."""
    with pytest.raises(MentionError, match="without mentions"):
        Key({"doc": [[(0, 1)], []]})
    key = Key({"doc": [[(0, 1)]]})
    with pytest.raises(MentionError, match="not hashable"):
        key.score({"doc": [[{0: 1}]]})
    with pytest.raises(ScorefError, match="must be a list of mentions"):
        key.score({"doc": ["ab"]})
    with pytest.raises(DocumentError, match="no document of the response is in the key"):
        key.score({"dok": [[(0, 1)]]})


@pytest.mark.parametrize("policy", [Policy(), Policy(match="head"), Policy(where="type=pronoun")])
@pytest.mark.parametrize("metrics", [None, ["muc", "lmuc", "arcs"]])
def test_a_key_from_a_file(policy: Policy, metrics: list[str] | None) -> None:
    """Its words are read if heads or types are needed, whatever the response is."""
    path = FERRY / "key.conll"
    key = Key(path, metrics, policy)
    responses: list[Input] = [
        FERRY / "careful.conll",
        str(FERRY / "baseline.conll"),
        scoref.read(FERRY / "careful.conll"),
        scoref.read(FERRY / "careful.conll").entities(),
    ]
    for response in [*responses, *responses]:
        expected = everything(lambda r=response: scoref.score(path, r, metrics, policy))  # type: ignore[misc]
        assert everything(lambda r=response: key.score(r)) == expected  # type: ignore[misc]


def test_a_key_is_read_once(tmp_path: Path) -> None:
    """It may be gone when the responses come."""
    path = tmp_path / "key.conll"
    path.write_bytes((FERRY / "key.conll").read_bytes())
    key = Key(path)
    path.unlink()
    assert key.score(FERRY / "careful.conll")["conll"] == pytest.approx(
        scoref.score(FERRY / "key.conll", FERRY / "careful.conll")["conll"], nan_ok=True
    )


def test_a_key_is_read_once_with_the_words_of_a_conversion(tmp_path: Path) -> None:
    """Its words are known to be required before the first response comes."""
    path = tmp_path / "key.conll"
    path.write_bytes((FERRY / "key.conll").read_bytes())
    key = Key(path, positions="own-tokens")
    path.unlink()
    response = FERRY / "careful.conll"
    expected = scoref.score(FERRY / "key.conll", response, positions="own-tokens")
    assert key.score(response) == expected


@pytest.mark.parametrize("policy", [Policy(), Policy(match="head"), Policy(positions="own-tokens")])
def test_a_key_from_standard_input(monkeypatch: pytest.MonkeyPatch, policy: Policy) -> None:
    """It can be read only once, with all that will be needed."""
    text = (FERRY / "key.conll").read_bytes()
    responses = [FERRY / "careful.conll", FERRY / "baseline.conll"]

    def standard_input() -> None:
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text)))
        monkeypatch.setattr("sys.stdin", stream)

    standard_input()
    key = Key("-", policy=policy)
    found = [everything(lambda r=response: key.score(r)) for response in responses]  # type: ignore[misc]
    for response, one in zip(responses, found, strict=True):
        standard_input()
        assert one == everything(lambda r=response: scoref.score("-", r, policy=policy))  # type: ignore[misc]


@pytest.mark.parametrize("far", [2**40, 2**61, 2**62 - 9, 2**62, 2**64])
def test_spans_far_out(far: int) -> None:
    """Positions of any size are compared as they are."""
    ours = {"doc": [[(0, 1), (far, far + 1)], [(far + 2, far + 2)]], "two": [[(far, far + 1)]]}
    theirs = {"doc": [[(0, 1), (far, far + 1), (far + 3, far + 3)]], "two": [[(0, far)]]}
    result = Key(ours, ["mentions"]).score(theirs)
    assert result.totals("mentions") == scoref.score(ours, theirs, ["mentions"]).totals("mentions")
    assert result.totals("mentions")["recall_num"] == 2


def test_a_key_can_be_sent_to_another_process() -> None:
    """Also after it has scored, and its results too."""
    key = Key({"doc": SPANS}, ["b3", "blanc(alpha=0.2)"])
    expected = everything(lambda: key.score({"doc": SPANS[:1]}))
    sent = pickle.loads(pickle.dumps(key))  # noqa: S301  # our own
    assert everything(lambda: sent.score({"doc": SPANS[:1]})) == expected


def test_what_is_made_of_a_remembering_corpus_forgets() -> None:
    """A copy with fewer mentions has a fingerprint of its own."""
    corpus = Corpus.from_entities({"doc": SPANS}).enable_cache()
    before = corpus.fingerprint()
    fewer = corpus.where(np.array([True, True, False]))
    assert fewer.cache is None
    assert fewer.fingerprint() != before == corpus.fingerprint()
