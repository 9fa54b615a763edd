"""The page "How scoref is tested" states numbers that the repository has."""

from __future__ import annotations

import re

import pytest

from tests.census import CENSUS
from tests.manual_pages import MANUAL

PAGE = (MANUAL / "explanation" / "testing.md").read_text("utf-8")
STATED = dict(re.findall(r"^\| ([^|]+?) \| ((?:more than )?[\d,]+) \|$", PAGE, re.MULTILINE))


def test_the_page_has_every_number() -> None:
    """And no others."""
    assert STATED.keys() == CENSUS.keys()


@pytest.mark.parametrize("name", CENSUS)
def test_numbers_are_true(name: str) -> None:
    """`python -m tests.census` prints them."""
    limit = int(re.sub(r"\D", "", STATED[name]))
    found = CENSUS[name]()
    assert found > limit if STATED[name].startswith("more than") else found == limit


def test_numbers_in_sentences_are_those_of_the_table() -> None:
    """Exact numbers that the text repeats."""
    for name in ("pairs of partitions", "documents for coval", "documents for corefud-scorer"):
        assert PAGE.count(STATED[name]) >= 2, name
