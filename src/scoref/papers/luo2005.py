"""Luo 2005: one key and four responses, by which CEAF was introduced."""

from __future__ import annotations

from scoref.papers.examples import entities, f1s, score_all
from scoref.papers.exhibits import Exhibit, ExhibitTable, Paper, printed, rows

PAPER = Paper(
    "luo2005",
    "Luo 2005",
    "Xiaoqiang Luo. 2005. On coreference resolution performance metrics. HLT-EMNLP.",
)

KEY = entities("12345 67 89ABC")
RESPONSES = {
    "(a)": entities("12345 6789ABC"),
    "(b)": entities("1234589ABC 67"),
    "(c)": entities("123456789ABC"),
    "(d)": entities("1 2 3 4 5 6 7 8 9 A B C"),
}
_ABOUT = "key {1 2 3 4 5} {6 7} {8 9 A B C}; (c) is one entity, (d) all singletons"


def table1() -> ExhibitTable:
    """Make Table 1: F1 of the four responses."""
    columns = ("MUC", "B³", "CEAFm", "CEAFe")
    values = f1s(score_all(KEY, RESPONSES, ["muc", "b3", "ceafm", "ceafe"]), scale=1)
    in_print = printed("""
        (a)  0.947  0.865  0.833  0.733
        (b)  0.947  0.737  0.583  0.667
        (c)  0.900  0.545  0.417  0.294
        (d)  -      0.400  0.250  0.178
    """)
    return ExhibitTable(
        "response",
        columns,
        rows(values, columns, in_print),
        unit="fraction",
        digits=5,
        notes=(_ABOUT, "CEAFm is the paper's CEAF with phi 3, CEAFe with phi 4"),
    )


def table2() -> ExhibitTable:
    """Make Table 2: recall and precision where B³ is counter-intuitive."""
    measures = {"B³": "b3", "CEAFm": "ceafm", "CEAFe": "ceafe"}
    columns = tuple(f"{name} {side}" for name in measures for side in ("R", "P"))
    responses = {label: RESPONSES[label] for label in ("(c)", "(d)")}
    values = {
        label: [side for score in scores.values() for side in (score.recall, score.precision)]
        for label, scores in score_all(KEY, responses, [*measures.values()]).documents.items()
    }
    in_print = printed("""
        (c)  1.000  0.375  0.417  0.417  0.196  0.588
        (d)  0.250  1.000  0.250  0.250  0.444  0.111
    """)
    return ExhibitTable(
        "response",
        columns,
        rows(values, columns, in_print),
        unit="fraction",
        digits=5,
        notes=(
            (
                "section 3.1 sends its reader to columns 4 to 7 of Table 1 for these numbers; they"
                " are in Table 2"
            ),
        ),
    )


def section31() -> ExhibitTable:
    """Make the sentence of section 3.1 on MUC and one entity."""
    columns = ("R", "P", "F1")
    result = score_all(KEY, {"(c)": RESPONSES["(c)"]}, ["muc"])
    return ExhibitTable(
        "MUC of response",
        columns,
        rows(
            {"(c)": [100 * side for side in result["muc"]]},
            columns,
            printed("(c)  -  81.2  -"),
            {("(c)", "P"): "9 of 11 links are right, 81.82 %; the F1 of Table 1 is right too"},
        ),
        digits=3,
    )


EXHIBITS = (
    Exhibit("luo2005-table1", PAPER, "Table 1", "F1 of four responses to one key", table1),
    Exhibit(
        "luo2005-table2",
        PAPER,
        "Table 2",
        "recall and precision of one entity and of all singletons",
        table2,
    ),
    Exhibit(
        "luo2005-section3.1",
        PAPER,
        "section 3.1",
        "MUC of all mentions in one entity",
        section31,
    ),
)
