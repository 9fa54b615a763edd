"""Rows as integers: equal rows have equal codes, and no others do."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoref.arrays import pack

SIZES = st.sampled_from([1, 2, 300, 2**31, 2**56, 2**60 + 3, 2**62])


@given(data=st.data(), sizes=st.lists(SIZES, min_size=1, max_size=4))
def test_codes_are_equal_where_rows_are_and_keep_their_order(
    data: st.DataObject, sizes: list[int]
) -> None:
    """However large the numbers: ids of seven bytes have 56 bits, and documents come on top."""
    rows = data.draw(st.lists(st.tuples(*(st.integers(0, size) for size in sizes)), min_size=1))
    codes = pack(*np.array(rows, dtype=np.int64).T).tolist()
    assert sorted(range(len(rows)), key=rows.__getitem__) == sorted(
        range(len(rows)), key=codes.__getitem__
    )
    assert len(set(codes)) == len(set(rows))


def test_the_same_long_id_in_many_documents_is_not_one_entity() -> None:
    """With 64 bits alone, every 256th document would share its entities."""
    document = np.arange(600)
    assert len(np.unique(pack(document, np.full(600, 2**56 - 1)))) == 600
