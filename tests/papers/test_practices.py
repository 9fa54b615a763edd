"""The picture of the field: stored scores of real outputs, computed again where the data is."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoref.papers import find, practices
from scoref.papers.exhibits import ExhibitTable
from scoref.policy import Policy
from tests.conftest import REPOSITORY

PROGRAM: Any = SimpleNamespace(**runpy.run_path(str(REPOSITORY / "docs" / "practices.py")))
SOME = ("OpenBoek", "GUM", "GVC 00", "GVC 05")
NAMES = [
    name if name in SOME else pytest.param(name, marks=pytest.mark.long) for name in PROGRAM.OUTPUTS
]


@pytest.mark.parametrize("output", NAMES)
def test_stored_scores_are_those_of_the_corpora(data: Path, output: str) -> None:
    """Every practice, to the last stored digit; `python docs/practices.py` stores them again."""
    found = PROGRAM.compute(data, output)
    for practice, value in found.items():
        stored = practices.scores()[practice][output]
        assert math.isnan(value) == (stored is None), practice
        assert stored is None or stored == pytest.approx(value, abs=1e-6), practice


def test_every_practice_is_stored_once() -> None:
    """With a valid policy, and a kind that the figure explains; the first is the usual one."""
    names = [practice.name for practice in practices.PRACTICES]
    assert list(practices.scores()) == names
    assert len(set(names)) == len(names)
    assert {practice.kind for practice in practices.PRACTICES} == set(practices.KINDS)
    assert practices.PRACTICES[0].policy == {}
    for practice in practices.PRACTICES:
        Policy.of(practice.policy)
        assert list(practices.scores()[practice.name]) == list(PROGRAM.OUTPUTS)


def test_known_scores() -> None:
    """What others published for these outputs, by the reference scorer and by coval."""
    usual = practices.scores()["reference scorer"]
    published = {"LitBank": 69.39, "OpenBoek": 68.69, "GerDraCor": 72.64, "ECB+ 01": 78.10}
    for output, value in published.items():
        found = usual[output]
        assert found is not None
        assert round(found, 2) == value
    # coreference-eval, which skips singletons as this evaluator does, gives 61.80.
    neural = practices.scores()["neural evaluator"]["LitBank"]
    assert neural is not None
    assert round(neural, 2) == 61.80


def test_the_order_of_two_systems() -> None:
    """The table has both scores and the difference, and says how often the order changes."""
    (exhibit,) = find("practices-table1")
    table = exhibit.make()
    assert isinstance(table, ExhibitTable)
    differences = [second for *_, second in table.values.values()]
    lost = sum(one < 0 for one in differences)
    assert 0 < lost < len(differences)
    assert f"under {lost} of {len(differences)} practices" in table.notes[0]
