"""Pradhan et al. 2014: the reference scorer's worked example, and the variants it argues with."""

from __future__ import annotations

from functools import partial

from scoref.papers.exhibits import FIELDS, ExhibitTable, Paper, entities, labelled, score_table

PAPER = Paper(
    "pradhan2014",
    "Pradhan et al. 2014",
    "Sameer Pradhan, Xiaoqiang Luo, Marta Recasens, Eduard Hovy, Vincent Ng, Michael Strube."
    " 2014. Scoring coreference partitions of predicted mentions: a reference implementation. ACL.",
)

KEY = entities("abc defg")
RESPONSE = entities("ab cd fghi")

VARIANTS_KEY = entities("abc")
VARIANTS = {
    "{abd}": entities("abd"),
    "{abde}": entities("abde"),
    "{abd}{c}": entities("abd c"),
    "{abd}{i}{j}{k}": entities("abd i j k"),
    "{ab}{c}{i}{j}": entities("ab c i j"),
    "{ab}{c}{i}{j}{k}{l}": entities("ab c i j k l"),
    "{ab}{ij}{kl}{c}": entities("ab ij kl c"),
    "{ab}{ijkl}{c}": entities("ab ijkl c"),
    "{abd}{x}": entities("abd x"),
}
_B3 = {
    "B³": "b3",
    "B³ 0": "b3(twinless=0)",
    "B³ all": "b3(twinless=all)",
    "B³ r&n": "b3(twinless=rn)",
    "B³ sys": "b3(twinless=sys)",
    "B³ v4": "b3(twinless=v4)",
}
_CEAF = {
    "CEAFm": "ceafm",
    "CEAFm r&n": "ceafm(twinless=rn)",
    "CEAFm sys": "ceafm(twinless=sys)",
    "CEAFm v4": "ceafm(twinless=v4)",
}
_PRACTICES = (
    (
        "twinless mentions are those that only one side has; 0 and all: Stoyanov et al. 2009;"
        " r&n: Rahman & Ng 2009; sys: Cai & Strube 2010; v4: the scorer as it ran in 2011 and 2012"
    ),
    (
        "the responses are those of Cai & Strube 2010, Tables 1 to 5, whose printed numbers are not"
        " shown, since we could not check them against the text"
    ),
)
_ZERO = (
    "B³ 0 is said to lower recall for twinless mentions of the response; it does so for those of"
    " the key"
)


_by_practice = partial(
    score_table,
    VARIANTS_KEY,
    VARIANTS,
    rows="response field",
    fields=FIELDS,
    corner="key {abc}",
    unit="fraction",
    digits=4,
)


@PAPER.exhibit(
    "section 2",
    "B³ by older practices for mentions that one side lacks",
    variant="-b3",
    aliases=["pradhan2014-section2"],
)
def _section2_b3() -> ExhibitTable:
    in_print = """
        {abd} P     0.444  1.000  0.556  -  -  -
        {abd}{c} P  0.333  -      0.667  -  -  -
    """
    reason = (
        "7/12 = 0.583: c is a key mention and has a precision of 1; 0.333 is right for a singleton"
        " that the key lacks, as in the last response"
    )
    choice = "for r&n of B³ the reading of Cai & Strube 2010, as the original is not explicit"
    return _by_practice(
        _B3,
        in_print,
        {("{abd}{c} P", "B³"): reason},
        choices=(choice,),
        notes=(*_PRACTICES, _ZERO),
    )


@PAPER.exhibit(
    "section 2",
    "CEAFm by older practices for mentions that one side lacks",
    variant="-ceaf",
    aliases=["pradhan2014-section2"],
)
def _section2_ceaf() -> ExhibitTable:
    return _by_practice(_CEAF, notes=_PRACTICES)


example_table = partial(
    score_table,
    KEY,
    {"response": RESPONSE},
    rows="metric",
    columns="field",
    fields=FIELDS,
    unit="fraction",
    digits=4,
    notes=("key {a b c} {d e f g}, response {a b} {c d} {f g h i}",),
)


@PAPER.exhibit("section 4", "the worked example of the reference scorer")
def _section4() -> ExhibitTable:
    metrics = {
        **labelled("muc", "b3", "ceafm", "ceafe"),
        "coreference links": "blanc(alpha=1)",
        "other links": "blanc(alpha=0)",
        "BLANC": "blanc",
    }
    in_print = """
        MUC                0.40  0.40  0.40
        B³                 0.42  0.50  0.46
        CEAFm              0.57  0.50  0.53
        CEAFe              0.65  0.43  0.52
        coreference links  -     -     0.23
        BLANC              -     -     0.36
    """
    reasons = {
        ("B³", "F1"): "5/11 = 0.4545; 0.46 comes from recall and precision already rounded",
        ("coreference links", "F1"): "4/17 = 0.2353, which rounds to 0.24",
        ("BLANC", "F1"): "25/68 = 0.3676, the mean of 4/17 and 1/2",
    }
    return example_table(metrics, in_print, reasons)
