"""Exact totals, from which the page subtracts a document."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scoref.policy import Policy
from scoref.report.corpus_totals import can_edit, exact_parts


@given(st.lists(st.floats(0, 1e9), max_size=40))
def test_parts_have_the_exact_sum(values: list[float]) -> None:
    """Without rounding, so that any document can be taken out again."""
    parts = exact_parts(values)
    assert sum(map(Fraction, parts)) == sum(map(Fraction, values))
    if values:
        left = math.fsum([*parts, -values[0]])
        assert left == math.fsum(values[1:])


def test_the_page_follows_the_default_policies() -> None:
    """And others that do not change how an edited response is scored."""
    assert can_edit(Policy())
    assert can_edit(Policy(duplicates="error"))
    for policy in (Policy(singletons="drop"), Policy(average="macro"), Policy(nested="drop")):
        assert not can_edit(policy)
