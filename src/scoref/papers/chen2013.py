"""Chen & Ng 2013: metrics that distinguish names from pronouns, on a running example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoref.papers.exhibits import (
    FIELDS,
    Claim,
    ExhibitFigure,
    ExhibitTable,
    Paper,
    Value,
    claimed,
    entities,
    f1s,
    labelled,
    score_all,
    score_table,
    with_singletons,
)

PAPER = Paper(
    "cn2013",
    "Chen & Ng 2013",
    "Chen Chen and Vincent Ng. 2013. Linguistically aware coreference evaluation metrics. IJCNLP.",
)

MENTIONS = "abcdefghijklmnopqrst"
KEY = with_singletons(entities("abc defghijklm no"), MENTIONS)
TYPES = {
    **dict.fromkeys(MENTIONS, "pronoun"),
    **dict.fromkeys("enpqrst", "nominal"),
    **dict.fromkeys("ad", "name"),
}
RESPONSES = {
    "(a)": with_singletons(entities("bc ghijklm"), MENTIONS),
    "(b)": with_singletons(entities("bc fghijklm"), MENTIONS),
    "(c)": with_singletons(entities("bc eghijklm"), MENTIONS),
    "(d)": with_singletons(entities("bc dghijklm"), MENTIONS),
    "(e)": with_singletons(entities("abcghijklm def no"), MENTIONS),
}
PLAIN = "unweighted"
WEIGHTS = {
    "W1": "nam=1,nom=1,pro=1,sing=1e-20",
    "W2": "nam=1,nom=1,pro=1,sing=0.5",
    "W3": "nam=1,nom=1,pro=1,sing=1",
    "W4": "nam=1,nom=0.75,pro=0.5,sing=1",
    "W5": "nam=1,nom=0.5,pro=0.25,sing=1",
}
METRICS = {
    f"{letter}{label}": f"{letter.lower()}{metric}"
    for label, metric in labelled("muc", "b3", "ceafm", "ceafe").items()
    for letter in ("", "L")
}
_AWARE = {name: metric for name, metric in METRICS.items() if name.startswith("L")}


@PAPER.exhibit("Table 1", "eight metrics on the running example")
def _table1() -> ExhibitTable:
    metrics = {
        name: f"{metric}({WEIGHTS['W4']})" if name in _AWARE else metric
        for name, metric in METRICS.items()
    }
    in_print = """
        MUC R       58.3   66.7   66.7   66.7   91.7
        MUC P      100.0  100.0  100.0  100.0   91.7
        MUC F1      73.7   80.0   80.0   80.0   91.7
        LMUC R      50.7   53.7   64.2   74.6   76.1
        LMUC P      58.6   64.3   68.3   71.4   92.7
        LMUC F1     54.4   58.5   66.2   73.0   83.6
        B³ R        64.3   71.3   71.3   71.3   79.0
        B³ P       100.0  100.0  100.0  100.0   79.0
        B³ F1       78.3   83.3   83.3   83.3   79.0
        LB³ R       39.2   43.1   50.8   58.6   65.0
        LB³ P       70.0   75.0   75.0   75.0   72.5
        LB³ F1      50.2   54.7   60.6   65.8   68.5
        CEAFm R     75.0   80.0   80.0   80.0   70.0
        CEAFm P     75.0   80.0   80.0   80.0   70.0
        CEAFm F1    75.0   80.0   80.0   80.0   70.0
        LCEAFm R    50.7   53.7   64.2   74.6   58.2
        LCEAFm P    58.6   64.3   68.3   71.4   70.9
        LCEAFm F1   54.4   58.5   66.2   73.0   63.9
        CEAFe R     91.1   91.9   91.9   91.9   86.5
        CEAFe P     56.1   61.3   61.3   61.3   86.5
        CEAFe F1    69.4   73.6   73.6   73.6   86.5
        LCEAFe R    73.8   74.5   76.7   78.4   85.8
        LCEAFe P    45.4   49.7   51.1   52.3   85.8
        LCEAFe F1   56.2   59.6   61.4   62.8   85.8
    """
    table = score_table(
        KEY,
        RESPONSES,
        metrics,
        in_print,
        rows="metric field",
        corner="metric",
        columns="response",
        fields=FIELDS,
        types=TYPES,
        digits=3,
        notes=(
            (
                "weights of links: 1 with a name, 0.75 with a nominal, 0.5 among pronouns, 1 for a"
                " singleton"
            ),
            (
                "section 4.1 says 19 mentions; the example has 20, a to t, and the table is"
                " computed with 20"
            ),
        ),
    )
    first, *_, last = table.values["B³ F1"]
    claim = "B³ gives response (e) only 0.7 points more than (a)"
    return replace(table, claims=claimed({claim: round(last - first, 1) == 0.7}))


@PAPER.exhibit("Fig. 3", "linguistically aware metrics, five weights")
def _figure3() -> ExhibitFigure:
    points: list[tuple[Value, ...]] = []
    f1: dict[tuple[str, str], dict[str, float]] = {}
    for name, metric in _AWARE.items():
        found = f1s(score_all(KEY, RESPONSES, [*_settings(metric).values()], TYPES))
        for at, weights in enumerate(_settings(metric)):
            f1[name, weights] = {response: values[at] for response, values in found.items()}
            points.append((name, weights, *f1[name, weights].values()))
    return ExhibitFigure(
        "panels",
        ("measure", "weights"),
        tuple(RESPONSES),
        tuple(points),
        x_label="weights",
        y_label="F1 (%)",
        notes=(
            "unweighted, or none: MUC, B³, CEAFm and CEAFe as they are",
            "W1, W2, W3: every link weighs 1, a singleton 1e-20, 0.5 and 1",
            (
                "W4 and W5: links with a name and singletons weigh 1, links with a nominal 0.75 and"
                " 0.5, links among pronouns 0.5 and 0.25"
            ),
            "where the type of a mention has no weight, (b), (c) and (d) are equal",
            "section 4.2 says 0 for the singletons of W1; footnote 8 says 1e-20, which is used",
        ),
        claims=_claims(f1),
    )


def _settings(metric: str) -> dict[str, str]:
    """Return the metric without weights and with each of them."""
    return {
        PLAIN: metric.removeprefix("l"),
        **{name: f"{metric}({weights})" for name, weights in WEIGHTS.items()},
    }


def _claims(f1: Mapping[tuple[str, str], Mapping[str, float]]) -> tuple[Claim, ...]:
    def same(name: str, one: str, other: str) -> bool:
        pairs = zip(f1[name, one].values(), f1[name, other].values(), strict=True)
        return all(abs(a - b) < 1e-9 for a, b in pairs)

    def gap(name: str, weights: str, one: str, other: str) -> float:
        return f1[name, weights][other] - f1[name, weights][one]

    muc = {weights: f1["LMUC", weights] for weights in (PLAIN, *WEIGHTS)}
    singletons = (
        "LB³ and LCEAFe do not depend on the weight of singletons: W1, W2 and W3 are the same"
    )
    return claimed(
        {
            "LMUC with W1 equals MUC": same("LMUC", PLAIN, "W1"),
            "LMUC of (a) to (d) falls from W1 to W3, that of (e) rises above MUC": (
                all(muc["W1"][r] > muc["W2"][r] > muc["W3"][r] for r in list(RESPONSES)[:4])
                and muc["W3"]["(e)"] > muc["W2"]["(e)"] > muc[PLAIN]["(e)"]
            ),
            singletons: all(
                same(name, "W1", other) for name in ("LB³", "LCEAFe") for other in ("W2", "W3")
            ),
            "LCEAFm ranks (a) above (e) with W1, and the other way round with W3": (
                gap("LCEAFm", "W1", "(a)", "(e)") < 0 < gap("LCEAFm", "W3", "(a)", "(e)")
            ),
            "the gaps between (b), (c) and (d) are larger with W5 than with W4": all(
                gap(name, "W5", *pair) > gap(name, "W4", *pair)
                for name in _AWARE
                for pair in (("(b)", "(c)"), ("(c)", "(d)"))
            ),
        }
    )
