"""The same outputs under every practice of scoring: how much of a difference is practice.

The outputs are real, and their texts are licensed, so scoref has only the scores, in
`practices.csv`. `python docs/practices.py` computes them again from the corpora.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import NamedTuple

from scoref.exceptions import ScorefError
from scoref.matching.inputs import Input
from scoref.papers.exhibits import ExhibitFigure, ExhibitTable, Paper
from scoref.scoring import score

PAPER = Paper(
    "practices",
    "Scoring practices",
    "Real outputs on public corpora, scored by scoref as different papers and programs would:"
    " LitBank (with errors made by a program), OpenBoek (dutchcoref), GerDraCor (a second"
    " annotator), OntoGUM and GUM (xrenner), ECB+ and GVC (a neural system for events).",
)
KINDS = ("usual", "singletons", "spans", "units", "average", "scorer")


class ScoringPractice(NamedTuple):
    """A way to score: what it is about, its name, its policy, and the metrics that it averages."""

    kind: str
    name: str
    policy: Mapping[str, str] = {}
    metrics: tuple[str, str, str] = ("muc", "b3", "ceafe")

    def score(self, key: Input, response: Input, base: Mapping[str, str]) -> float:
        """Return the mean F1 in percent, or NaN if the corpus lacks what the practice requires."""
        try:
            found = score(key, response, self.metrics, {**base, **self.policy})
        except ScorefError:
            return math.nan
        return 100 * sum(found[metric].f1 for metric in found) / len(self.metrics)


PRACTICES = (
    ScoringPractice("usual", "reference scorer"),
    ScoringPractice("singletons", "no singletons", {"singletons": "drop"}),
    ScoringPractice("spans", "heads", {"match": "head"}),
    ScoringPractice("spans", "partial match", {"match": "partial"}),
    ScoringPractice("spans", "half overlap", {"match": "overlap=0.5"}),
    ScoringPractice("spans", "outermost only", {"nested": "drop"}),
    ScoringPractice("units", "1,500-token windows", {"window": "1500"}),
    ScoringPractice("units", "500-token windows", {"window": "500"}),
    ScoringPractice("units", "each document apart", {"unit": "column=3"}),
    ScoringPractice("average", "mean of documents", {"average": "macro"}),
    ScoringPractice("scorer", "neural evaluator", {"compat": "e2e"}),
    ScoringPractice(
        "scorer",
        "corefud-scorer's defaults",
        {"compat": "corefud-1.2", "match": "head", "singletons": "drop"},
    ),
    ScoringPractice(
        "scorer", "scorer of 2011-12", {}, ("muc", "b3(twinless=v4)", "ceafe(twinless=v4)")
    ),
    ScoringPractice(
        "scorer", "Rahman & Ng 2009", {}, ("muc", "b3(twinless=rn)", "ceafe(twinless=rn)")
    ),
)
FIRST, SECOND = "GVC 00", "GVC 05"
"""Two outputs on one corpus, whose order depends on the practice."""
DRAWN = ("LitBank", "OpenBoek", "GerDraCor", "OntoGUM", "GUM", "ECB+ 01", FIRST)


@cache
def scores() -> dict[str, dict[str, float | None]]:
    """Return the scores by practice and output; None if a practice does not apply."""
    text = (files("scoref.papers") / "practices.csv").read_text("utf-8")
    return {
        row.pop("practice"): {name: float(cell) if cell else None for name, cell in row.items()}
        for row in csv.DictReader(text.splitlines())
    }


def spread(output: str) -> tuple[tuple[float, str], tuple[float, str]]:
    """Return the lowest and the highest score of an output, each with its practice."""
    found = [(value, name) for name, row in scores().items() if (value := row[output]) is not None]
    return min(found, key=itemgetter(0)), max(found, key=itemgetter(0))


@PAPER.exhibit("Fig. 1", "one output, many scores")
def _figure() -> ExhibitFigure:
    rows = [
        (practice.kind, practice.name, *(scores()[practice.name][name] for name in DRAWN))
        for practice in PRACTICES
    ]
    widths = {name: spread(name)[1][0] - spread(name)[0][0] for name in DRAWN}
    return ExhibitFigure(
        chart="practices",
        axes=("about", "practice"),
        series=DRAWN,
        rows=tuple(rows),
        x_label="CoNLL F1 (percent)",
        y_label="",
        notes=(
            "each practice is one change to the usual one, that of the reference scorer",
            "a gap: the corpus lacks what the practice requires",
            "the texts are licensed: the scores were computed for this version, and are stored",
            "between the lowest and the highest score of one output: "
            + ", ".join(f"{name} {width:.1f}" for name, width in widths.items())
            + " points",
        ),
    )


@PAPER.exhibit("Table 1", "two outputs on GVC, whose order depends on the practice")
def _order() -> ExhibitTable:
    values = {}
    for practice in PRACTICES:
        row = scores()[practice.name]
        first, second = row[FIRST], row[SECOND]
        if first is not None and second is not None:
            values[practice.name] = [first, second, first - second]
    lost = sum(difference < 0 for *_, difference in values.values())
    return ExhibitTable(
        "practice",
        [FIRST, SECOND, "difference"],
        values,
        notes=(f"{SECOND} is ahead under {lost} of {len(values)} practices",),
    )
