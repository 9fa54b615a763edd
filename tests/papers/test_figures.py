"""The points of every figure: each curve of the specification, every point and column."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from scoref.papers import EXHIBITS, find, growing
from scoref.papers.exhibits import Claim, ExhibitFigure
from tests.conftest import REPOSITORY

CASES = json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))
CURVES = CASES["curves"]
FIGURES = [exhibit.name for exhibit in EXHIBITS if exhibit.is_figure]

# What the specification calls the columns that say where a point is.
AXES = {
    "ms2016-fig2": {"x": "wanted_percent_of_links", "actual_link_ratio": "percent_of_links"},
    "ms2016-fig4": {
        "x": "percent_of_entities",
        "n_entities": "entities",
        "link_ratio": "percent_of_links",
    },
    "ms2016-fig8": {"x": "percent_of_mentions", "n_mentions": "mentions"},
}
AXES |= {
    "ms2016-fig2-largest-first": AXES["ms2016-fig2"],
    "ms2016-fig3": AXES["ms2016-fig2"],
    "ms2016-fig3-largest-first": AXES["ms2016-fig2"],
    "ms2016-fig5": AXES["ms2016-fig4"],
}


@cache
def figure(name: str) -> ExhibitFigure:
    """Make a figure once."""
    (exhibit,) = find(name)
    made = exhibit.make()
    assert isinstance(made, ExhibitFigure)
    return made


def points(name: str) -> list[dict[str, Any]]:
    """Return the rows of a figure by column."""
    made = figure(name)
    names = (*made.axes, *made.series)
    return [dict(zip(names, row, strict=True)) for row in made.rows]


@pytest.mark.parametrize("name", AXES)
def test_every_point_of_a_growing_response(name: str) -> None:
    """METRICS 8.4: what is said to grow, and six metrics, to the last digit that is given."""
    assert len(points(name)) == len(CURVES[name])
    for found, expected in zip(points(name), CURVES[name], strict=True):
        for column, value in expected.items():
            mine = found[AXES[name].get(column, column)]
            tolerance = 5e-4 if "ratio" in column else 5e-5 if column == "x" else 5e-7
            assert mine == pytest.approx(value, abs=tolerance), (name, expected["x"], column)


@pytest.mark.parametrize("name", ["ms2016-fig6", "ms2016-fig7"])
def test_every_point_of_splits_and_spurious_mentions(name: str) -> None:
    """METRICS 8.4: the cases of the specification, whose responses are checked elsewhere."""
    cases = {c["id"]: c for c in CASES["cases"] if c["id"].startswith(f"{name}-")}
    found = {f"{name}-{point[figure(name).axes[0]]}": point for point in points(name)}
    assert list(found) == list(cases)
    for case, point in found.items():
        for metric in figure(name).series:
            expected = 100 * cases[case]["expected"][metric]["f"]
            assert point[metric] == pytest.approx(expected, abs=1e-7), (case, metric)


def test_every_point_of_rh2011_figure_6() -> None:
    """METRICS 8.1; and BLANC from links alone between the points that have a response."""
    found = {point["right_links"]: point for point in points("rh2011-fig6")}
    assert list(found) == list(range(11))
    for expected in CURVES["rh2011-fig6"]:
        for metric in ("muc", "b3", "ceafm", "blanc"):
            value = found[expected["rc"]][metric]
            assert value == pytest.approx(expected[metric], abs=5e-7), (expected["rc"], metric)
    blanc = [49.90, 59.00, 66.58, 73.00, 78.51, 83.28, 87.46, 91.15, 94.42, 97.36, 100]
    assert figure("rh2011-fig6").column("blanc") == pytest.approx(blanc, abs=0.005)


def test_every_point_of_rh2011_figure_7() -> None:
    """METRICS 8.2; ours has points in between where the surface is steep."""
    found = {(p["right_coreference"], p["right_other"]): p["blanc"] for p in points("rh2011-fig7")}
    assert len(CURVES["rh2011-fig7"]) == 121
    for expected in CURVES["rh2011-fig7"]:
        value = found[expected["rc"], expected["rn"]]
        assert value == pytest.approx(expected["blanc"], abs=5e-7), expected


def test_every_point_of_cn2013_figure_3() -> None:
    """METRICS 8.3: four metrics, five weightings, five responses."""
    found = {
        (p["measure"].lower().replace("³", "3"), p["weights"]): p for p in points("cn2013-fig3")
    }
    assert len(CURVES["cn2013-fig3"]) == 100
    for expected in CURVES["cn2013-fig3"]:
        value = found[expected["metric"], expected["weights"]][f"({expected['response']})"]
        assert value == pytest.approx(expected["f"], abs=5e-7), expected


def test_no_curve_is_left_out() -> None:
    """Every curve of the specification is a figure of that name, and is compared above."""
    assert {*CURVES} == {*AXES, "rh2011-fig6", "rh2011-fig7", "cn2013-fig3"}
    assert {*CURVES} <= {*FIGURES}


HOLDS = {
    "rh2011-fig6": ["BLANC is higher than MUC but lower than B³ and CEAF", "nearly flat"],
    "rh2011-fig7": ["rear face"],
    "cn2013-fig3": [
        "LMUC with W1 equals MUC",
        "that of (e) rises above MUC",
        "LB³ and LCEAFe do not depend on the weight of singletons",
        "LCEAFm ranks (a) above (e) with W1",
        "larger with W5 than with W4",
    ],
    "ms2016-fig2": ["BLANC is not above B³ and LEA"],
    "ms2016-fig3": ["only MUC and LEA are 0"],
    "ms2016-fig3-largest-first": ["only MUC and LEA are 0"],
    "ms2016-fig4": ["B³, CEAFm and LEA are equal", "2t / (17 + t)"],
    "ms2016-fig5": ["B³, CEAFm and LEA are equal", "2t / (17 + t)", "BLANC is far below"],
    "ms2016-fig6": [
        "MUC has two values only",
        "CEAFe ties 2-2 with 10-10",
        "B³ ranks 18-2, 5-3-2, 16-4",
        "BLANC ranks 5-3-2, 18-2, 16-4",
        "CEAFm, CEAFe and LEA rank 18-2, 16-4, 5-3-2",
    ],
    "ms2016-fig7": [
        "MUC and CEAFm have three values only",
        "all metrics but CEAFe put 3-10 last",
        "CEAFe puts 2-0 and 3-0 last",
        "only LEA ranks 2-0 above 1-2 and 1-10",
        "costs LEA the same in any entity",
    ],
    "ms2016-fig8": ["MUC and LEA are 0 throughout"],
}
FAILS = {
    "rh2011-fig6": ["slope of BLANC gradually increases"],
    "rh2011-fig7": ["near zero to 0.5"],
    "ms2016-fig2-largest-first": ["BLANC is not above B³ and LEA"],
    "ms2016-fig3": ["CEAFe drops", "at least 20 points"],
    "ms2016-fig3-largest-first": ["CEAFe drops", "at least 20 points"],
}


@pytest.mark.parametrize("name", FIGURES)
def test_what_the_papers_say_of_their_figures(name: str) -> None:
    """Each claim is checked against the points when the figure is made; these hold or do not."""
    for held, expected in ((True, HOLDS), (False, FAILS)):
        claims = [claim for claim in figure(name).claims if claim.holds is held]
        parts = expected.get(name, [])
        assert len(claims) == len(parts)
        for claim, part in zip(claims, parts, strict=True):
            assert part in claim.text
            assert held or claim.comment, "a claim that fails says what is the case"


def test_a_claim_can_fail() -> None:
    """With other points, a claim that holds would not: the check looks at the points."""
    from scoref.papers.moosavi2016 import METRICS, _claims6, _claims8

    same = dict.fromkeys(METRICS, [50.0] * len(growing.SPLITS))
    assert not any(claim.holds for claim in _claims6(same)[:1] + _claims6(same)[2:])
    (claim,) = _claims8(dict.fromkeys(METRICS, [0.0] * 11))
    assert isinstance(claim, Claim)
    assert not claim.holds


class TestConstructions:
    """METRICS 8.4: the key, and promises that every response of a figure keeps."""

    def test_the_key(self) -> None:
        """17 entities, 79 mentions, 326 links, of which MUC sees 62."""
        assert len(growing.KEY) == 17
        assert sum(growing.SIZES) == 79
        assert growing.LINKS == 326
        assert sum(size - 1 for size in growing.SIZES) == 62

    @pytest.mark.parametrize("share", [step / 100 for step in range(101)])
    @pytest.mark.parametrize("parts_of", [growing.nearest_parts, growing.largest_parts])
    def test_every_mention_is_placed_once(self, parts_of: Any, share: float) -> None:
        """With wrong pairs, no mention is left out, none alone, and the parts stay whole."""
        parts = parts_of(share)
        response = growing.with_wrong_pairs(parts)
        mentions = [mention for entity in response for mention in entity]
        assert sorted(mentions) == sorted(m for entity in growing.KEY for m in entity)
        assert all(len(entity) > 1 for entity in response)
        kept = growing.resolved_only(parts)
        for entity in response[len(kept) :]:
            assert len({e for e, _ in entity}) == len(entity), "a right link among wrong ones"

    def test_the_largest_entities_take_no_more_than_their_share(self) -> None:
        """The budget of links is never exceeded, and is used up at 100 %."""
        for step in range(101):
            links = sum(m * (m - 1) // 2 for m in growing.largest_parts(step / 100))
            assert links <= step / 100 * growing.LINKS + 1e-6
        assert growing.largest_parts(1) == list(growing.SIZES)

    def test_the_end_of_figure_8_is_the_beginning_of_figure_3(self) -> None:
        """All mentions, none linked rightly."""
        last, first = figure("ms2016-fig8").rows[-1], figure("ms2016-fig3").rows[0]
        assert last[2:] == pytest.approx(first[2:])
