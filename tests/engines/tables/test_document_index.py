"""Ids get the numbers that a dictionary would give them, in any batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.engines.tables.document_index import Factorizer
from scoref.engines.tables.id_column import IdColumn, NumberedTexts
from scoref.exceptions import ScorefError

arrow = pytest.importorskip("pyarrow")

NEAR = st.integers(-20, 40)
FAR = st.sampled_from([-(2**63), -(2**40), 0, 7, 2**24, 2**40, 2**63 - 1])


@given(batches=st.lists(st.lists(st.one_of(NEAR, NEAR, FAR), max_size=30), max_size=8))
def test_ids_are_numbered_as_they_appear(batches: list[list[int]]) -> None:
    """Near each other or far apart, met before or new."""
    factorizer, expected = Factorizer(), dict[int, int]()
    for batch in batches:
        ids = np.array(batch, dtype=np.int64)
        known = [expected.get(one, -1) for one in batch]
        assert factorizer.find(ids).tolist() == known
        numbers = [expected.setdefault(one, len(expected)) for one in batch]
        assert factorizer.add(ids).tolist() == numbers
        assert len(factorizer) == len(expected)


def test_texts_with_the_same_number_are_refused() -> None:
    """If two texts have the same hash, in the same rows or in later rows."""
    values = IdColumn(np.array([0, 1]), arrow.array(["a", "b"]))
    together = NumberedTexts("document")
    with pytest.raises(ScorefError, match="same 64-bit hash"):
        together.check(values, np.array([0, 0]), 1)
    later = NumberedTexts("document")
    later.check(values.at(np.array([0])), np.array([0]), 1)
    with pytest.raises(ScorefError, match="same 64-bit hash"):
        later.check(values.at(np.array([1])), np.array([0]), 1)
