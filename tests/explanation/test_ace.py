"""Explanations of ACE-Value: the published cases as exact fractions, and what is shown of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.explanation import Explanation
from scoref.explanation.blocks import Cell, Grid
from tests.metrics.test_ace import CASES, METRIC_OF, as_corpus, corpus, sides
from tests.reference.ace_definition import Entity, Mention, best_mapping

EXACT = {
    "ace-a": ("66.67 2/3", "76.60 36/47", "57.18 199/348", "57.18 199/348"),
    "ace-b": ("66.67 2/3", "61.70 29/47", "54.17 13/24", "54.17 13/24"),
    "ace-c": ("33.33 1/3", "38.30 18/47", "17.91 101/564", "17.91 101/564"),
    "ace-d": ("67.34 200/297", "63.83 30/47", "24.84 2951/11880", "24.84 2951/11880"),
    "ace-perfect": ("100 1", "100 1", "100 1", "100 1"),
    "ace-typeerr": ("80.17 481/600", "77.21 3629/4700", "80.17 481/600", "80.17 481/600"),
    "ace-subtype": ("96.67 29/30", "96.17 226/235", "96.67 29/30", "96.67 29/30"),
    # In 2008, a generic entity weighs 1e-8, and so earns 3/4 of that.
    "ace-classerr": ("66.67 2/3", "61.70 29/47", "66.67 2/3", "66.67 800000003/1200000000"),
    "ace-spurious": ("81.25 13/16", "88.03 331/376", "75.00 3/4", "75.00 3/4"),
    "ace-spurmention": ("86.11 31/36", "84.04 79/94", "91.07 51/56", "91.07 51/56"),
    "ace-menttype": ("78.24 169/216", "88.30 83/94", "89.81 97/108", "89.81 97/108"),
    "ace-empty": ("-1.88 -3/160", "-1.20 -9/752", "-2.50 -1/40", "-2.50 -1/40"),
}


def explained(case: str, *metrics: str) -> Explanation:
    """Explain a case."""
    (found,) = [one for one in CASES["ace_cases"] if one["id"] == case]
    return scoref.explain(corpus(found["key"]), corpus(found["response"]), metrics, limit=0)


def rows(explanation: Explanation, metric: str, caption: str) -> list[tuple[Cell, ...]]:
    """Return the rows of a table."""
    (grid,) = [
        block
        for block in explanation[metric].steps
        if isinstance(block, Grid) and block.caption == caption
    ]
    return list(grid.rows)


def test_there_is_a_fraction_for_each_case() -> None:
    """None is left out."""
    assert [case["id"] for case in CASES["ace_cases"]] == list(EXACT)


@pytest.mark.parametrize("case", EXACT)
def test_the_values_of_the_cases(case: str) -> None:
    """METRICS 1.8: as fractions, which agree with what NIST's scorers print in percent."""
    explanation = explained(case, *METRIC_OF.values())
    for metric, expected in zip(METRIC_OF.values(), EXACT[case], strict=True):
        printed, exact = expected.split()
        value = explanation[metric].document.f1
        assert value == Fraction(exact)
        assert abs(100 * float(value) - float(printed)) <= 0.005001


class TestWhatIsShown:
    """Each step of a computation, for a reader to follow by hand."""

    def test_two_entities_in_one(self) -> None:
        """By hand in METRICS 1.8: the sum is 2.9, and 6 and 7 cost 0.75 * 1.1 / 2.9 = 33/116."""
        name = "ace(year=2007)"
        explanation = explained("ace-a", name)
        entities = rows(explanation, name, "Entities of the response")
        assert [str(row[4]) for row in entities] == ["9/5", "29/10"]
        pairs = rows(explanation, name, "Pairs of entities that can be mapped")
        assert [tuple(map(str, row)) for row in pairs] == [
            ("K1", "R1", "1", "-", "1", "5/9", "9/5", "0", "1"),
            ("K2", "R2", "1", "-", "1", "10/11", "11/10", "27/58", "31/58"),
            ("K3", "R2", "1", "-", "1", "5/9", "9/5", "33/116", "83/116"),
        ]
        mapping = [(row[0], row[1], row[5]) for row in rows(explanation, name, "The mapping")]
        assert mapping == [
            ("K1", "R1", Fraction(7, 4)),
            ("K2", "R2", None),
            ("K3", "R2", Fraction(85, 58)),
        ]
        matches = rows(explanation, name, "Mentions that can match")
        assert [row[2] for row in matches if row[7] is not None] == ["R1"] * 5 + ["R2"] * 5
        lost = rows(explanation, name, "What is lost")
        assert tuple(map(str, lost[1])) == ("K2", "-", "1", "None", "1", "None", "None")
        assert dict(explanation[name].document.counts) == {
            "reference": 3,
            "missed": 1,
            "error": Fraction(33, 116),
            "false_alarm": 0,
            "valued_entities": 3,
        }
        assert "  value     = (3 - 1 - 33/116 - 0) / 3 = 199/348 ≈ 0.5718\n" in str(explanation)

    def test_wrong_attributes(self) -> None:
        """Type and subtype of the entity, and by its type the roles of its mentions."""
        explanation = explained("ace-typeerr", "ace")
        pair = rows(explanation, "ace", "Pairs of entities that can be mapped")[0]
        assert tuple(map(str, pair)) == (
            *("K1", "R1", "1", "type, subtype", "9/20", "5/9", "81/50", "0", "81/200"),
        )
        edge = rows(explanation, "ace", "Mentions that can match")[0]
        assert tuple(map(str, edge)) == (*("K1", "0-4", "R1", "0-4", "1", "role", "9/10", "9/10"),)

    def test_a_spurious_entity(self) -> None:
        """It costs 0.75 * 0.75 in 2005, and 0.75 in 2007."""
        for name, cost in (("ace", Fraction(9, 16)), ("ace(year=2007)", Fraction(3, 4))):
            explanation = explained("ace-spurious", name)
            assert rows(explanation, name, "What is lost")[-1] == (
                *("-", "R4", None, None, None, None, cost),
            )

    def test_2008_maps_before_it_values(self) -> None:
        """With shares of one, then anew for the pairs of the mapping; it has no recall."""
        name = "ace(year=2008)"
        explanation = explained("ace-a", name)
        caption = "Pairs that can be mapped, for the mapping"
        assert {row[5] for row in rows(explanation, name, caption)} == {1}
        again = rows(explanation, name, "Mapped pairs, by levels")
        assert [(row[0], row[1], str(row[8])) for row in again] == [
            ("K1", "R1", "1"),
            ("K3", "R2", "83/116"),
        ]
        assert "recall" not in str(explanation).rpartition("What is lost")[2]

    def test_rules_are_stated(self) -> None:
        """With the weights and costs that were asked for."""
        name = "ace(year=2007,coreference=0.25,overlap=0.4,type_error=0.2,text=0)"
        text = str(explained("ace-a", name)).replace("\n", " ")
        for parameter in ("coreference=1/4", "overlap=2/5", "type_error=1/5", "text=0"):
            assert f" {parameter}" in text

    def test_what_is_undefined(self) -> None:
        """Whatever the policy makes of 0/0, in one document and in several."""
        generic = [Entity("PER", "A", "GEN", (Mention("name", (0, 3)),))]
        side = as_corpus(generic)
        for year in (2005, 2007, 2008):
            name = f"ace(year={year})"
            for undefined in ("zero", "one", "skip"):
                policy = scoref.Policy(undefined=undefined)
                explanation = scoref.explain(side, side, [name], policy)
                assert explanation[name].document.f1 is None
                assert "= undefined: no entity of the key counts" in str(explanation)
                assert '"f1": null' in explanation.to_json()

    def test_below_zero(self) -> None:
        """A value can be, recall and precision cannot."""
        name = "ace(mention_false_alarm=3)"
        explanation = explained("ace-spurmention", name)
        numbers = explanation[name].document
        assert (numbers.recall, numbers.precision) == (Fraction(4, 9), Fraction(4, 9))
        worse = explained("ace-spurmention", "ace(mention_false_alarm=9)")
        numbers = worse[worse_name := "ace(mention_false_alarm=9)"].document
        assert numbers.recall == numbers.precision == 0
        assert numbers.f1 is not None
        assert numbers.f1 < 0
        assert "what is below zero counts as zero" in str(worse[worse_name].result)


VARIANTS = (
    *METRIC_OF.values(),
    "ace(year=2007,valuation=mention)",
    "ace(coreference=0.3,overlap=0.5,generic=0.2,per=0.7,nom=0.3)",
    "ace(year=2008,generic=0.1,false_alarm=0.1,mention_false_alarm=0.9,pro=0)",
)


@settings(max_examples=150)
@given(key=sides(), response=sides(), metric=st.sampled_from(VARIANTS))
def test_fractions_are_the_values(key: list[Entity], response: list[Entity], metric: str) -> None:
    """Of random documents whose heads overlap; and the mapping is the best one there is."""
    ours, theirs = as_corpus(key), as_corpus(response)
    score = scoref.score(ours, theirs, [metric])[metric]
    explanation = scoref.explain(ours, theirs, [metric], limit=0)
    value = explanation[metric].document.f1
    assert (value is None) == (score.f1 != score.f1)
    if value is not None:
        assert float(value) == pytest.approx(score.f1, abs=1e-12)
    assert all(len(line) <= 80 for line in str(explanation).splitlines()[:-1])
    tables = [b for b in explanation[metric].steps if isinstance(b, Grid)]
    for table in tables:
        if table.caption == "The mapping":
            gains: dict[Any, float] = {row[:2]: float(row[4]) for row in table.rows}  # type: ignore[arg-type]
            best = sum(gains[pair] for pair in best_mapping(gains))
            assert sum(gains[row[:2]] for row in table.rows if row[5] is not None) == (
                pytest.approx(best, abs=1e-9)
            )
