"""Rows as integers: equal rows have equal codes, and no others do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.base.arrays import GrowingArray, number_by_appearance, pack, sum_by

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


@given(st.lists(st.one_of(st.integers(0, 5), st.integers(-(2**40), 2**40)), max_size=40))
def test_values_are_numbered_as_they_appear(values: list[int]) -> None:
    """Whether they lie close together or far apart."""
    for given_values in (values, [value % 7 - 3 for value in values]):
        numbers = {value: at for at, value in enumerate(dict.fromkeys(given_values))}
        number, first = number_by_appearance(np.array(given_values, dtype=np.int64))
        assert number.tolist() == [numbers[value] for value in given_values]
        assert first.tolist() == [given_values.index(value) for value in numbers]


@given(st.lists(st.lists(st.one_of(st.integers(0, 9), st.integers(0, 2**40)), max_size=2000)))
def test_a_column_grows(pieces: list[list[int]]) -> None:
    """Also where small numbers are followed by large ones."""
    for small in (False, True):
        column = GrowingArray(small=small)
        for piece in pieces:
            column.extend(np.array(piece, dtype=np.int64))
        assert column.finish().tolist() == [value for piece in pieces for value in piece]


@given(
    labels=st.lists(st.integers(0, 4), max_size=60),
    seed=st.integers(0, 2**32 - 1),
    offset=st.integers(0, 3),
)
def test_sums_depend_on_the_values_of_their_label_alone(
    labels: list[int], seed: int, offset: int
) -> None:
    """So that a document has the same counts, to the last bit, in whatever part of a corpus."""
    label = np.sort(np.array(labels, dtype=np.int64))
    values = np.random.default_rng(seed).random(len(label))
    sums = sum_by(label, values, 5 + offset)
    assert len(sums) == 5 + offset
    for one in range(5):
        of_label = values[label == one]
        (alone,) = sum_by(np.zeros(len(of_label), dtype=np.int64), of_label, 1)
        assert sums[one] == alone
        assert sums[one] == pytest.approx(math.fsum(of_label), rel=1e-14)
    shuffled = np.random.default_rng(seed).permutation(len(label))
    assert sum_by(label[shuffled], values[shuffled], 5) == pytest.approx(sums[:5], rel=1e-14)
    assert sum_by(label, values > 0.5, 5).tolist() == [
        np.count_nonzero(values[label == one] > 0.5) for one in range(5)
    ]
