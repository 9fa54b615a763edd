"""Every cell of every table: our value is exact, and print agrees or says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import pytest

from scoref.papers import EXHIBITS, find
from scoref.papers.exhibits import ExhibitCell, ExhibitTable
from tests.conftest import REPOSITORY

SEED = json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))
CASES = {case["id"]: case for case in SEED["cases"]}
COUNTED = {case["id"]: case for case in SEED["count_cases"]["blanc_from_link_counts"]}
TABLES = [
    exhibit.name
    for exhibit in EXHIBITS
    if not exhibit.is_figure and exhibit.paper.name != "practices"  # they have tests of their own
]

METRICS = {
    "MUC": "muc",
    "B³": "b3",
    "CEAFm": "ceafm",
    "CEAFe": "ceafe",
    "BLANC": "blanc",
    "LEA": "lea",
    "Rand": "rand",
    "pairwise": "pairwise",
    "coreference links": "pairwise",
    "BLANC 0.2": "blanc_alpha_0_2",
    "BLANC 0.1": "blanc_alpha_0_1",
    **{f"L{name}": f"l{name.lower()}" for name in ("MUC", "CEAFm", "CEAFe")},
    "LB³": "lb3",
    **{f"B³ {name}": f"b3_{name}" for name in ("0", "all", "sys", "v4")},
    **{f"CEAFm {name}": f"ceafm_{name}" for name in ("sys", "v4")},
    "B³ r&n": "b3_rn",
    "CEAFm r&n": "ceafm_rn",
}
FIELDS = {"R": "r", "P": "p", "F1": "f"}
VARIANTS = {
    "{abd}": "t1-1",
    "{abde}": "t1-2",
    "{abd}{c}": "t2-2",
    "{abd}{i}{j}{k}": "t3-2",
    "{ab}{c}{i}{j}": "t4-1",
    "{ab}{c}{i}{j}{k}{l}": "t4-2",
    "{ab}{ij}{kl}{c}": "t5-1",
    "{ab}{ijkl}{c}": "t5-2",
    "{abd}{x}": "spurious-x",
}
# Printed numbers that the specification has in its text and not among its cases (METRICS 4, 11).
IN_TEXT = {
    ("rh2011-table1", "(a)", "H"): "77.8",
    ("rh2011-table1", "(b)", "H"): "57.1",
    ("rh2011-table1", "(c)", "H"): "0",
    ("rh2011-table1", "(d)", "H"): "48.7",
    ("luo2005-section3.1", "(c)", "P"): "81.2",
    ("pradhan2014-section4", "coreference links", "F1"): "0.23",
}


@cache
def table(name: str) -> ExhibitTable:
    """Make a table once."""
    made = next(exhibit for exhibit in EXHIBITS if exhibit.name == name).make()
    assert isinstance(made, ExhibitTable)
    return made


def split(text: str) -> tuple[str, str]:
    """Take `LMUC R` apart into a metric and a field, `{abd} P` into a response and a field."""
    name, side = text.rsplit(" ", 1)
    return METRICS.get(name, name), FIELDS[side]


# Where the specification has the cells of a table: (case, metric, field) of a row and a column.
PLACES: dict[str, Callable[[str, str], tuple[str, str, str]]] = {
    "luo2005-table1": lambda row, column: (f"luo2005-{row[1]}", METRICS[column], "f"),
    "luo2005-table2": lambda row, column: (f"luo2005-{row[1]}", *split(column)),
    "luo2005-section3.1": lambda _, column: ("luo2005-c", "muc", FIELDS[column]),
    "rh2011-table1": lambda row, column: (f"rh2011-table1-{row[1]}", METRICS[column], "f"),
    "rh2011-table7": lambda _, column: ("rh2011-fig1", METRICS[column], "f"),
    "rh2011-table10": lambda row, column: (f"rh2011-table8-{row}", METRICS[column], "f"),
    "rh2011-table11": lambda row, column: (f"rh2011-table8-{row}", *split(column)),
    "rh2011-table13": lambda row, column: (f"rh2011-table12-{row}", METRICS[column], "f"),
    "rh2011-table14-15": lambda row, column: (f"rh2011-table15-{row}", "blanc", FIELDS[column]),
    "cn2013-table1": lambda row, column: (f"cn2013-W4-{column[1]}", *split(row)),
    "pradhan2014-section2-b3": lambda row, column: (
        f"cs2010-{VARIANTS[split(row)[0]]}",
        METRICS[column],
        split(row)[1],
    ),
    "pradhan2014-section4": lambda row, column: ("pradhan2014-s4", METRICS[row], FIELDS[column]),
    "ms2016-table3": lambda row, column: (f"ms2016-table3-{row}", METRICS[column], "f"),
    "ms2016-section5": lambda _, column: ("pradhan2014-s4", "lea", FIELDS[column]),
}
PLACES["pradhan2014-section2-ceaf"] = PLACES["pradhan2014-section2-b3"]
# What the specification's cases do not have: our nmi, numbers of links, the others of BLANC.
ELSEWHERE = {"H", "right", "right other", "wrong", "wrong other"}


def place(name: str, row: str, column: str) -> tuple[str, str, str] | None:
    """Say where the specification has a cell: (case, metric, field)."""
    if name not in PLACES or column in ELSEWHERE or row == "other links":
        return None
    return PLACES[name](row, column)


@pytest.mark.parametrize("name", TABLES)
def test_every_value_is_exact(name: str) -> None:
    """To nine digits, wherever the specification has the cell."""
    scale = 100 if table(name).unit == "percent" else 1
    compared = 0
    for row, column, cell in table(name).cells():
        if at := place(name, row, column):
            case, metric, field = at
            expected = {**CASES, **COUNTED}[case]["expected"][metric][field]
            assert cell.value == pytest.approx(scale * expected, abs=scale * 1e-9), (row, column)
            compared += 1
    assert compared or name in {"rh2011-table5", "rh2011-table9"}, "see the next tests"


def test_the_links_of_rh2011_table_5() -> None:
    """2 right and 3 wrong coreference links, 84 right and 2 wrong others."""
    links = CASES["rh2011-fig1"]["expected"]["link_counts"]
    expected = [
        *(links["cc"], links["ck"] - links["cc"], links["ck"]),
        *(links["cr"] - links["cc"], links["nn"], links["nk"]),
        *(links["cr"], links["nr"], 91),
    ]
    assert [cell.value for _, _, cell in table("rh2011-table5").cells()] == expected


def test_the_parts_of_rh2011_table_9() -> None:
    """Entities, singletons and links of each response."""
    for label, values in table("rh2011-table9").values.items():
        expected = CASES[f"rh2011-table8-{label}"]["expected"]
        links = expected["link_counts"]
        assert values == [
            expected["n_entities"],
            expected["n_singletons"],
            links["cc"],
            links["cr"] - links["cc"],
            links["nn"],
            links["ck"] - links["cc"],
        ]


def test_every_printed_number_is_one_of_the_specification() -> None:
    """Nothing is invented, and nothing that the five papers print is left out."""
    shown = {}
    for name in TABLES:
        for row, column, cell in table(name).cells():
            if not cell.printed:
                continue
            if (name, row, column) in IN_TEXT:
                assert cell.printed == IN_TEXT[name, row, column]
                continue
            at = place(name, row, column)
            assert at, (name, row, column)
            shown[at] = float(cell.printed)
    given = {
        (case["id"], metric, field): float(value)
        for case in SEED["cases"]
        for metric, fields in (case["printed_in_paper"] or {}).items()
        for field, value in fields.items()
    }
    given |= {(i, "blanc", "f"): c["printed_in_paper"]["blanc"] for i, c in COUNTED.items()}
    assert shown == given


@pytest.mark.parametrize("name", TABLES)
def test_print_agrees_or_says_why_not(name: str) -> None:
    """A cell without a mark has the printed digits; a marked one really differs."""
    for row, column, cell in table(name).cells():
        assert cell.printed or not cell.reason, (row, column)
        if cell.printed:
            assert cell.agrees(cut=table(name).cut) != bool(cell.reason), (row, column)


def test_exactly_the_known_misprints_are_marked() -> None:
    """METRICS 11."""
    marked = {
        (name, row, column)
        for name in TABLES
        for row, column, cell in table(name).cells()
        if cell.reason
    }
    assert marked == {
        ("luo2005-section3.1", "(c)", "P"),
        ("rh2011-table1", "(b)", "pairwise"),
        *(("rh2011-table1", row, "H") for row in ("(a)", "(b)", "(d)")),
        ("pradhan2014-section2-b3", "{abd}{c} P", "B³"),
        ("pradhan2014-section4", "B³", "F1"),
        ("pradhan2014-section4", "coreference links", "F1"),
        ("pradhan2014-section4", "BLANC", "F1"),
        ("ms2016-table3", "cr2", "BLANC"),
    }


def test_the_manual_lists_what_is_marked() -> None:
    """Every marked number stands in the page of misprints."""
    manual = (REPOSITORY / "docs" / "explanation" / "papers.md").read_text("utf-8")
    for name in TABLES:
        for row, column, cell in table(name).cells():
            assert not cell.reason or cell.printed in manual, (name, row, column)


def test_the_manual_counts_what_agrees() -> None:
    """The numbers that it gives are those of the tables."""
    cells = [cell for name in TABLES for _, _, cell in table(name).cells() if cell.printed]
    agree = sum(not cell.reason for cell in cells)
    manual = " ".join(
        (REPOSITORY / "docs" / "explanation" / "papers.md").read_text("utf-8").split()
    )
    assert f"Of {len(cells)} printed numbers that the tables show, {agree} agree." in manual


def test_arithmetic_where_the_data_are_licensed() -> None:
    """METRICS 7 and 11: what Moosavi & Strube 2016 print implies numbers of links.

    The key of their Table 1 has 19,764 mentions and 15,232 MUC links; 10,558 links of the base
    response are right, of 13,849. Percentages are cut off.
    """
    right, links = 10_558, 13_849
    assert ExhibitCell(100 * right / (links + 1_350), "69.46").agrees(cut=True), "less precise a"
    assert ExhibitCell(100 * right / (links + 283), "74.70").agrees(cut=True), "b, as printed"
    assert ExhibitCell(100 * right / (links + 2_429), "64.86").agrees(cut=True), "b, as described"
    assert ExhibitCell(100 * 15_232 / (19_764 - 346), "78.44").agrees(cut=True), "section 3.1"


def test_digits_show_whether_print_was_cut_or_rounded() -> None:
    """2/3 is 66.67 rounded and 66.66 cut; a value is compared with the digits that are there."""
    assert ExhibitCell(200 / 3, "66.67").agrees()
    assert not ExhibitCell(200 / 3, "66.66").agrees()
    assert ExhibitCell(200 / 3, "66.66").agrees(cut=True)
    assert not ExhibitCell(200 / 3, "66.65").agrees(cut=True)
    assert ExhibitCell(5, "5").agrees()


def test_chen_and_ng_on_b_cubed() -> None:
    """CN13: B³ gives (e), which keeps entities whole, only 0.7 points more than (a)."""
    (claim,) = table("cn2013-table1").claims
    assert "only 0.7 points more" in claim.text
    assert claim.holds


def test_names_and_aliases() -> None:
    """An exhibit, an alias, a paper, a kind, all; in any case of letters."""
    assert [e.name for e in find("rh2011-table14")] == ["rh2011-table14-15"]
    assert len(find("pradhan2014-section2")) == 2
    assert {e.paper.name for e in find("LUO2005")} == {"luo2005"}
    assert len(find("tables")) + len(find("figures")) == len(find("all")) == len(EXHIBITS)
    names = [exhibit.name for exhibit in EXHIBITS]
    assert len(set(names)) == len(names)
