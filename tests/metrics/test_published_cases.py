"""Published worked examples, by name: exact values, and what the papers printed.

`cases/seed_cases.json` holds partitions from Luo 2005, Recasens & Hovy 2011, Chen & Ng 2013,
Pradhan et al. 2014, Moosavi & Strube 2016, Cai & Strube 2010 and the reference scorer's own
test cases, with their sources.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import scoref
from scoref import Corpus
from scoref.metrics.arcs import score_links
from scoref.metrics.blanc import BLANC
from scoref.metrics.lea import lea
from tests.conftest import REPOSITORY

CASES = json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))

METRIC_OF = {
    "muc": "muc",
    "b3": "b3",
    "ceafm": "ceafm",
    "ceafe": "ceafe",
    "blanc": "blanc",
    "blanc_v8_01": "blanc",
    "blanc_alpha_0_2": "blanc(alpha=0.2)",
    "blanc_alpha_0_1": "blanc(alpha=0.1)",
    "ceaf_phi1": "ceaf(phi=1)",
    "ceaf_phi2": "ceaf(phi=2)",
    "lea": "lea",
    "lea_size": "lea",
    "pairwise": "pairwise",
    "rand": "rand",
    "blanc_luo2014": "blanc(boundary=luo2014)",
    "blanc_rh2011": "blanc(boundary=rh2011)",
    "lea_uniform": "lea(importance=uniform)",
    "lea_links": "lea(importance=links)",
    "lea_mention_types": "lea(importance=mention_types,{weights})",
    **{name: f"{name}({{weights}})" for name in ("lmuc", "lb3", "lceafm", "lceafe")},
    **{f"b3_{name}": f"b3(twinless={name})" for name in ("0", "all", "rn", "sys", "v4")},
    **{f"ceafm_{name}": f"ceafm(twinless={name})" for name in ("rn", "sys", "v4")},
    "ceafe_v4": "ceafe(twinless=v4)",
}
APART = {"link_counts", "n_entities", "n_singletons", "lea_entity_type"}  # see below
TYPE_OF = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}
FIELD_OF = {"r": "recall", "p": "precision", "f": "f1"}


def values(case: dict[str, Any], kind: str) -> list[tuple[str, str, float]]:
    """List (name, field, value) of the metrics that are built."""
    return [
        (name, field, value)
        for name, fields in case[kind].items()
        if name in METRIC_OF
        for field, value in fields.items()
        if value is not None
    ]


def test_no_case_is_left_out() -> None:
    """Every value of every case is compared with something."""
    assert {name for case in CASES["cases"] for name in case["expected"]} == {*METRIC_OF, *APART}


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_equals_the_exact_value(case: dict[str, Any]) -> None:
    """To nine digits and more."""
    for name, field, value in values(case, "expected"):
        found = getattr(score(case["id"], name), FIELD_OF[field])
        assert found == pytest.approx(value, abs=case["tolerance"]), (name, field)


@pytest.mark.parametrize(
    "case", [case for case in CASES["cases"] if case["printed_in_paper"]], ids=lambda c: c["id"]
)
def test_prints_what_the_paper_prints(case: dict[str, Any]) -> None:
    """Except for the misprints, which the case names with their reason."""
    scale = 100 if case["printed_unit"] == "percent" else 1
    for name, field, value in values(case, "printed_in_paper"):
        if not {name, f"{name}.{field}"} & set(case.get("printed_mismatch", [])):
            found = scale * getattr(score(case["id"], name), FIELD_OF[field])
            tolerance = case["printed_tolerance"] + 1e-9
            assert found == pytest.approx(value, abs=tolerance), (name, field)


@cache
def score(identity: str, name: str) -> scoref.Score:
    """Score one published document."""
    (case,) = (one for one in CASES["cases"] if one["id"] == identity)
    given = {name.removeprefix("w_").lower(): w for name, w in case.get("weights", {}).items()}
    weights = ",".join(f"{name}={weight}" for name, weight in given.items())
    metric = METRIC_OF[name].format(weights=weights)
    (found,) = scoref.score(*typed(case), [metric]).scores.values()
    return found


def typed(case: dict[str, Any]) -> tuple[Corpus, Corpus]:
    """Make the two sides of a published document, with mention types where it has them."""
    types = {mention: TYPE_OF[kind] for mention, kind in (case.get("types") or {}).items()}
    key = Corpus.from_entities({"d": case["key"]}, types)
    return key, Corpus.from_entities({"d": case["response"]}, types)


@pytest.mark.parametrize(
    "case",
    [case for case in CASES["cases"] if {"link_counts", "n_entities"} & case["expected"].keys()],
    ids=lambda case: case["id"],
)
def test_counts_what_is_published(case: dict[str, Any]) -> None:
    """The six link counts behind BLANC, and the entities and singletons of a response."""
    result = scoref.score({"d": case["key"]}, {"d": case["response"]}, ["blanc"])
    expected = case["expected"]
    assert expected.get("link_counts", result.totals("blanc")) == result.totals("blanc")
    assert expected.get("n_entities", result.response.entities) == result.response.entities
    dropped = scoref.score(
        {"d": case["key"]}, {"d": case["response"]}, policy=scoref.Policy(singletons="drop")
    )
    singletons = dropped.response.singletons_dropped
    assert expected.get("n_singletons", singletons) == singletons


@pytest.mark.parametrize(
    "case", CASES["count_cases"]["blanc_from_link_counts"], ids=lambda case: case["id"]
)
def test_blanc_from_published_link_counts(case: dict[str, Any]) -> None:
    """Recasens & Hovy 2011, Tables 14 and 15: scored from counts, without any partition."""
    rc, rn, wc, wn = (case[name] for name in ("rc", "rn", "wc", "wn"))
    counts = np.array([rc + wn, rc + wc, rc, rn + wc, rn + wn, rn], dtype=float)
    found = BLANC.scores(counts)
    expected = case["expected"]["blanc"]
    np.testing.assert_allclose(found, [expected[field] for field in "rpf"], atol=1e-9)
    assert 100 * found[2] == pytest.approx(case["printed_in_paper"]["blanc"], abs=0.005)


def test_lea_with_an_importance_of_ones_own() -> None:
    """Here by the type of the entity, as weights of the key's and the response's entities."""
    (case,) = [case for case in CASES["cases"] if "lea_entity_type" in case["expected"]]
    key, response = (np.array(case["weights"][side]) for side in ("key", "response"))
    metric = lea(importance=lambda _: (key, response))
    found = scoref.score({"d": case["key"]}, {"d": case["response"]}, [metric])["lea"]
    expected = case["expected"]["lea_entity_type"]
    assert found == pytest.approx([expected[field] for field in "rpf"], abs=1e-9)


def test_arcs() -> None:
    """The worked example of the diagnostics; mentions are in alphabetical order."""
    (case,) = CASES["diagnostic_cases"]
    kinds = ("immediate", "inferred", "anchor")
    result = scoref.score(*typed(case), [f"arcs(kind={kind})" for kind in kinds])
    expected = case["expected"]
    for kind, name in (("immediate", "arcs"), ("inferred", "arcs(kind=inferred)")):
        wanted = expected[f"arcs_{kind}"]
        assert list(result.totals(name).values()) == [wanted[c] for c in ("tp", "wl", "fn", "fp")]
        assert result[name] == pytest.approx([wanted[field] for field in "rpf"], abs=1e-9)
    anchor = expected["arcs_anchor"]
    counts = [anchor[what][c] for what in ("entity", "mention") for c in ("tp", "fn", "fp")]
    assert list(result.totals("arcs(kind=anchor)").values()) == counts
    assert result["arcs(kind=anchor)"].f1 == pytest.approx(anchor["f_harm"], abs=1e-9)


@pytest.mark.parametrize("case", CASES["count_cases"]["arcs_from_counts"], ids=lambda c: c["id"])
def test_arcs_from_published_counts(case: dict[str, Any]) -> None:
    """What the author's release prints for real systems."""
    counts = np.array([case[column] for column in ("tp", "wl", "fn", "fp")], dtype=float)
    expected = case["expected"]
    found = score_links(counts)
    np.testing.assert_allclose(found, [expected[field] for field in "rpf"], atol=1e-9)


@pytest.mark.parametrize(("name", "exact"), [("a", 79.56), ("b", 60.94), ("c", 0), ("d", 58.53)])
def test_normalised_mutual_information_is_not_the_printed_column(name: str, exact: float) -> None:
    """METRICS 4: V-metric of Luo's four responses; Table 1 of RH11 prints 77.8, 57.1, 0, 48.7."""
    (case,) = [case for case in CASES["cases"] if case["id"] == f"luo2005-{name}"]
    found = scoref.score({"d": case["key"]}, {"d": case["response"]}, ["nmi"])["nmi"]
    assert 100 * found.f1 == pytest.approx(exact, abs=0.005)


# METRICS 3.3: every pattern of (key has coreference links, key has others, response has ...).
BOUNDARY = """
a            | a             | 0.0000 0.0000 0.0000
a            | x             | 0.0000 0.0000 0.0000
a            | ax            | 0.0000 0.0000 0.0000
a            | a x           | 0.0000 0.0000 0.0000
a            | ax y          | 0.0000 0.0000 0.0000
abc          | a             | 0.0000 0.0000 0.0000
abc          | abc           | 1.0000 1.0000 1.0000
abc          | abx           | 0.3333 0.3333 0.3333
abc          | a b c         | 0.0000 0.0000 0.0000
abcdef       | ab cde f      | 0.2667 1.0000 0.4211
abcdef       | ab cxy z      | 0.0667 0.2500 0.1053
a b c        | a             | 0.0000 0.0000 0.0000
a b c        | a b c         | 1.0000 1.0000 1.0000
a b c        | a b x         | 0.3333 0.3333 0.3333
a b c        | abc           | 0.0000 0.0000 0.0000
a b c d e f  | ab cde f      | 0.7333 1.0000 0.8462
a b c d e f  | ab cxy z      | 0.1333 0.1818 0.1538
ab c         | a             | 0.0000 0.0000 0.0000
a bc def     | abcdef        | 0.5000 0.1333 0.2105
a bc def     | a b c d e f   | 0.5000 0.3667 0.4231
abc defg     | ab cd fghi    | 0.4444 0.3250 0.3676
"""


@pytest.mark.parametrize("line", BOUNDARY.strip().splitlines())
def test_blanc_at_its_boundaries(line: str) -> None:
    """The output of the reference scorer v8.01 for each pattern of link kinds."""
    key, response, numbers = line.split("|")
    found = scoref.score(
        {"d": [list(entity) for entity in key.split()]},
        {"d": [list(entity) for entity in response.split()]},
        ["blanc"],
    )["blanc"]
    assert found == pytest.approx([float(number) for number in numbers.split()], abs=5e-5)
