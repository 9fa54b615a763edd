"""Equal codes are found as a dictionary would find them, block by block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoref.matching.modes import exact
from scoref.metrics.table import NOWHERE

CODES = st.one_of(st.integers(0, 30), st.integers(2**61, 2**61 + 30))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    key=st.lists(CODES, max_size=40, unique=True),
    response=st.lists(CODES, max_size=40),
    in_order=st.tuples(st.booleans(), st.booleans()),
    block=st.integers(1, 9),
)
def test_partners_are_the_first_of_their_code(
    key: list[int],
    response: list[int],
    in_order: tuple[bool, bool],
    block: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In any order, with repeated codes in the response, however few fit into a block."""
    monkeypatch.setattr(exact, "_BLOCK", block)
    key, response = (
        sorted(codes) if is_sorted else codes
        for codes, is_sorted in zip((key, response), in_order, strict=True)
    )
    first = {code: at for at, code in reversed(list(enumerate(response)))}
    expected = [first.get(code, NOWHERE) for code in key]
    columns = (np.array(codes, dtype=np.int64) for codes in (key, response))
    assert exact.match_codes(*columns).tolist() == expected
