"""Luo 2005: one key and four responses, with which CEAF was introduced."""

from __future__ import annotations

from scoref.papers.exhibits import FIELDS, ExhibitTable, Paper, entities, labelled, score_table

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


@PAPER.exhibit("Table 1", "F1 of four responses to one key")
def _table1() -> ExhibitTable:
    in_print = """
        (a)  0.947  0.865  0.833  0.733
        (b)  0.947  0.737  0.583  0.667
        (c)  0.900  0.545  0.417  0.294
        (d)  -      0.400  0.250  0.178
    """
    return score_table(
        KEY,
        RESPONSES,
        labelled("muc", "b3", "ceafm", "ceafe"),
        in_print,
        unit="fraction",
        digits=5,
        notes=(_ABOUT, "CEAFm is the paper's CEAF with phi 3, CEAFe with phi 4"),
    )


@PAPER.exhibit("Table 2", "recall and precision of one entity and of all singletons")
def _table2() -> ExhibitTable:
    in_print = """
        (c)  1.000  0.375  0.417  0.417  0.196  0.588
        (d)  0.250  1.000  0.250  0.250  0.444  0.111
    """
    note = "section 3.1 refers to columns 4 to 7 of Table 1 for these numbers; they are in Table 2"
    return score_table(
        KEY,
        {label: RESPONSES[label] for label in ("(c)", "(d)")},
        labelled("b3", "ceafm", "ceafe"),
        in_print,
        columns="metric field",
        fields=("R", "P"),
        unit="fraction",
        digits=5,
        notes=(note,),
    )


@PAPER.exhibit("section 3.1", "MUC of all mentions in one entity")
def _section31() -> ExhibitTable:
    return score_table(
        KEY,
        {"(c)": RESPONSES["(c)"]},
        {"MUC": "muc"},
        "(c)  -  81.2  -",
        {("(c)", "P"): "9 of 11 links are right, 81.82 %; the F1 of Table 1 is right too"},
        columns="field",
        fields=FIELDS,
        corner="MUC of response",
        digits=3,
    )
