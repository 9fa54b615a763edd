"""How many cases of which kind the tests have: `python -m tests.census`.

The manual page "How scoref is tested" states these numbers, and `test_census.py` compares them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from scoref.formats.registry import MODULES
from scoref.metrics import FAMILIES
from scoref.papers import EXHIBITS
from scoref.papers.exhibits import ExhibitTable
from tests.conftest import REPOSITORY
from tests.engines.same_tables import FILES
from tests.fuzz.test_fuzz import INPUTS, MUTANTS
from tests.manual_pages import PAGES
from tests.metrics.test_published_cases import values
from tests.reference import test_corefud_scorer, test_coval, test_reference_scorer
from tests.strategies import partial_partitions
from tests.test_documentation import sessions

TESTS = REPOSITORY / "tests"


def count_in_tests(pattern: str) -> int:
    """Count what the files of the tests contain."""
    return sum(
        len(re.findall(pattern, path.read_text("utf-8"), re.MULTILINE))
        for path in TESTS.rglob("*.py")
    )


def published() -> dict[str, Any]:
    """Return the published examples."""
    found: dict[str, Any] = json.loads((TESTS / "cases" / "seed_cases.json").read_text("utf-8"))
    return found


def documents(shapes: dict[str, Any]) -> int:
    """Return how many random documents another scorer is compared on."""
    return sum(shape.documents for shape in shapes.values())


def printed_numbers() -> int:
    """Return how many printed numbers the regenerated tables of papers show."""
    tables = [exhibit.make() for exhibit in EXHIBITS if not exhibit.is_figure]
    return sum(
        bool(cell.printed)
        for table in tables
        if isinstance(table, ExhibitTable)
        for _, _, cell in table.cells()
    )


CENSUS: dict[str, Callable[[], int]] = {
    "test functions": lambda: count_in_tests(r"^ *def test_"),
    "laws": lambda: count_in_tests(r"^ *@given\("),
    "published examples": lambda: len(published()["cases"]),
    "exact values of these examples": lambda: sum(
        len(values(case, "expected")) for case in published()["cases"]
    ),
    "published scores of ACE": lambda: len(published()["ace_cases"]),
    "printed numbers of papers": printed_numbers,
    "pairs of partitions": lambda: len(list(partial_partitions("abcde"))) ** 2,
    "families of metrics": lambda: len(FAMILIES),
    "formats": lambda: len(MODULES),
    "damaged files in the suite": lambda: INPUTS * len(MODULES),
    "readers that are wrong on purpose": lambda: len(MUTANTS),
    "tables, good and bad": lambda: len(FILES),
    "documents for the reference scorer": lambda: documents(test_reference_scorer.SHAPES),
    "documents for coval": lambda: documents(test_coval.SHAPES),
    "documents for corefud-scorer": lambda: documents(test_corefud_scorer.SHAPES),
    "commands in the manual": lambda: sum(len(sessions(page)) for page in PAGES),
    "statements of Python in the manual": lambda: sum(
        len(re.findall(r"^ *>>> ", page.read_text("utf-8"), re.MULTILINE)) for page in PAGES
    ),
    "options of the command line": lambda: sum(
        line.startswith("--") for line in (TESTS / "cli" / "flags.txt").read_text().splitlines()
    ),
}
"""The kinds of cases by the name that the page has, and how to count them."""


if __name__ == "__main__":
    for name, count in CENSUS.items():
        print(f"{count():>8,}  {name}")  # noqa: T201  # a command
