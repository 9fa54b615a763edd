"""Published worked examples, by name: exact values, and what the papers printed.

`cases/seed_cases.json` holds partitions from Luo 2005, Recasens & Hovy 2011, Chen & Ng 2013,
Pradhan et al. 2014, Moosavi & Strube 2016, Cai & Strube 2010 and the reference scorer's own
test cases, with their sources. Values of measures that are not built yet are not read here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.metrics.blanc import BLANC

CASES = json.loads((Path(__file__).parent / "cases" / "seed_cases.json").read_text("utf-8"))

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
}
FIELD_OF = {"r": "recall", "p": "precision", "f": "f1"}


def values(case: dict[str, Any], kind: str) -> list[tuple[str, str, float]]:
    """List (name, field, value) of the measures that are built."""
    return [
        (name, field, value)
        for name, fields in case[kind].items()
        if name in METRIC_OF
        for field, value in fields.items()
        if value is not None
    ]


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_equals_the_exact_value(case: dict[str, Any]) -> None:
    """To nine digits and more."""
    for name, field, value in values(case, "expected"):
        found = getattr(score(case, name), FIELD_OF[field])
        assert found == pytest.approx(value, abs=case["tolerance"]), (name, field)


@pytest.mark.parametrize(
    "case", [case for case in CASES["cases"] if case["printed_in_paper"]], ids=lambda c: c["id"]
)
def test_prints_what_the_paper_prints(case: dict[str, Any]) -> None:
    """Except for the misprints, which the case names with their reason."""
    scale = 100 if case["printed_unit"] == "percent" else 1
    for name, field, value in values(case, "printed_in_paper"):
        if not {name, f"{name}.{field}"} & set(case.get("printed_mismatch", [])):
            found = scale * getattr(score(case, name), FIELD_OF[field])
            tolerance = case["printed_tolerance"] + 1e-9
            assert found == pytest.approx(value, abs=tolerance), (name, field)


def score(case: dict[str, Any], name: str) -> scoref.Score:
    """Score one published document."""
    metric = METRIC_OF[name]
    return scoref.score({"d": case["key"]}, {"d": case["response"]}, [metric])[metric]


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
