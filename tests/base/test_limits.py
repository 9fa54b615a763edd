"""Limits in proportion to the input."""

from __future__ import annotations

import pytest

from scoref.base.limits import FREE, PER_BYTE, limits_are_on, no_limits, proportion_problem


def exceeds(amount: int, input_bytes: int) -> bool:
    """Whether an amount is out of proportion."""
    return proportion_problem(amount, input_bytes, "it", "file") is not None


def test_a_small_number_is_free() -> None:
    """Even in an empty file."""
    assert not exceeds(FREE, 0)
    assert exceeds(FREE + 1, 0)


def test_a_large_file_may_have_large_numbers() -> None:
    """In proportion to its size."""
    assert not exceeds(FREE * PER_BYTE, FREE)
    assert exceeds(FREE * PER_BYTE + 1, FREE)


def test_the_problem_says_what_to_do() -> None:
    """Where, found, expected, hint."""
    problem = proportion_problem(10**9, 187, "the end 1,000,000,000", "key.csv", 7)
    assert problem is not None
    assert str(problem) == (
        "key.csv:7: found the end 1,000,000,000, expected at most 16,777,216 in a file of 187 bytes"
    )
    assert "--no-limits" in problem.hint


def test_all_limits_are_lifted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the context manager, or by the environment."""
    monkeypatch.delenv("SCOREF_LIMITS", raising=False)
    with no_limits():
        assert not exceeds(10**12, 1)
    assert exceeds(10**12, 1)
    monkeypatch.setenv("SCOREF_LIMITS", "off")
    with no_limits():
        pass
    assert not limits_are_on()
