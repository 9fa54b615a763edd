"""The fingerprint is the same however an annotation is written, and no other's."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus import fingerprint
from tests.strategies import corpora

_CHANGES = {
    "a mention less": {"x": [[(0, 1), (2, 2)], [(3, 3)]], "y": [[(0, 0)]]},
    "another end": {"x": [[(0, 1), (2, 3)], [(3, 3), (5, 6)]], "y": [[(0, 0)]]},
    "start and end exchanged": {"x": [[(1, 0), (2, 2)], [(3, 3), (5, 6)]], "y": [[(0, 0)]]},
    "a mention moved": {"x": [[(0, 1)], [(2, 2), (3, 3), (5, 6)]], "y": [[(0, 0)]]},
    "entities joined": {"x": [[(0, 1), (2, 2), (3, 3), (5, 6)]], "y": [[(0, 0)]]},
    "an entity in another document": {"x": [[(0, 1), (2, 2)]], "y": [[(3, 3), (5, 6)], [(0, 0)]]},
    "documents exchanged": {"y": [[(0, 1), (2, 2)], [(3, 3), (5, 6)]], "x": [[(0, 0)]]},
    "an empty document more": {"x": [[(0, 1), (2, 2)], [(3, 3), (5, 6)]], "y": [[(0, 0)]], "z": []},
}
_WHOLE = {"x": [[(0, 1), (2, 2)], [(3, 3), (5, 6)]], "y": [[(0, 0)]]}


def _of(entities: Mapping[str, Any]) -> str:
    return scoref.Corpus.from_entities(entities).fingerprint()


@pytest.mark.parametrize("change", _CHANGES)
def test_any_change_shows(change: str) -> None:
    """No two of these annotations are the same."""
    assert _of(_CHANGES[change]) != _of(_WHOLE)


@given(corpora(), st.randoms())
@settings(max_examples=50)
def test_the_order_of_documents_entities_and_mentions_does_not_matter(
    documents: Any, random: Random
) -> None:
    """Neither do the names of entities."""
    whole = {str(number): key for number, (key, _) in enumerate(documents)}
    shuffled = list(whole.items())
    random.shuffle(shuffled)
    again = {}
    for name, entities in shuffled:
        again[name] = [random.sample(list(entity), len(entity)) for entity in entities]
        random.shuffle(again[name])
    assert _of(again) == _of(whole)


def test_spans_and_labels_that_are_spans_are_the_same() -> None:
    """A file has spans, Python has tuples."""
    labels = scoref.Corpus.from_entities(_WHOLE)
    spans = labels.as_spans()
    assert labels.labels is not None
    assert spans is not None
    assert spans.labels is None
    assert spans.fingerprint() == labels.fingerprint()


def test_labels_of_several_kinds() -> None:
    """What a label is does not depend on its neighbours."""
    labels = ["01", 1, (1, 1), (1, "1"), "", "\x00", "é", -1, 2**70, frozenset({1})]
    together = fingerprint.of_labels(labels)
    assert len(set(together.tolist())) == len(labels)
    assert together.tolist() == [int(fingerprint.of_labels([label])[0]) for label in labels]


def test_parts_add_up() -> None:
    """A corpus can be hashed document by document."""
    whole = scoref.Corpus.from_entities(_WHOLE)
    parts = 0
    for name, entities in _WHOLE.items():
        part = scoref.Corpus.from_entities({name: entities})
        assert part.labels is not None
        parts += fingerprint.total(
            fingerprint.of_documents([name]),
            part.document,
            fingerprint.of_labels(part.labels),
            part.entity,
        )
    assert fingerprint.digest(parts) == whole.fingerprint()


def test_all_bits_count() -> None:
    """Neighbouring spans of a large document all have hashes of their own."""
    start = np.repeat(np.arange(1000), 20)
    end = start + np.tile(np.arange(20), 1000)
    assert len(set(fingerprint.of_spans(start, end).tolist())) == len(start)
    assert len(set((fingerprint.of_spans(start, end) >> np.uint64(32)).tolist())) > 19_900


@pytest.mark.parametrize("number", [0, 7, -12, 2**63 - 1, -(2**63)])
def test_a_numeral_is_the_number_that_it_writes(number: int) -> None:
    """Tables have ids as numbers or as texts, and their readers make texts of both."""
    assert fingerprint.of_labels([str(number)]) == fingerprint.of_labels([number])


@pytest.mark.parametrize("text", ["", "07", "-0", "+1", "1 ", "\u0661", "1_0", str(2**63)])
def test_other_texts_are_no_numerals(text: str) -> None:
    """They would come back as another text."""
    assert not fingerprint.is_numeral(text)
