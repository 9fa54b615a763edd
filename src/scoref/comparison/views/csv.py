"""A comparison for spreadsheets and data frames: a row per system and metric."""

from __future__ import annotations

import csv
import io
import math

from scoref.comparison.comparison import Comparison
from scoref.comparison.views.layout import reference_system, seen_from
from scoref.render.csv import exact
from scoref.resampling.resampling import Interval

_NOTHING = Interval(math.nan, math.nan)
_HEADER = (
    "metric",
    "rank",
    "system",
    "label",
    "recall",
    "precision",
    "f1",
    "recall_low",
    "recall_high",
    "precision_low",
    "precision_high",
    "f1_low",
    "f1_high",
    "beats",
    "reference",
    "difference",
    "difference_low",
    "difference_high",
    "p",
    "p_adjusted",
    "signature",
)


def render(comparison: Comparison, *, details: bool, digits: int) -> str:  # noqa: ARG001  # all, exact
    """Render scores with intervals, and the difference to the baseline or to the best."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_HEADER)
    reference = reference_system(comparison)
    for metric in comparison.metrics:
        for system in comparison.systems:
            found = system.intervals.get(metric, (_NOTHING,) * 3)
            values = [*system.scores[metric], *(end for one in found for end in one)]
            tested = [math.nan] * 5
            if system is not reference:
                pair = comparison.pair(system.name, reference.name, metric)
                difference, interval = seen_from(pair, system.name)
                tested = [difference, *(interval or _NOTHING), pair.p, pair.adjusted]
            rows.writerow(
                [
                    metric,
                    "" if system.rank is None or metric != comparison.metric else system.rank,
                    system.name,
                    system.label,
                    *map(exact, values),
                    " ".join(system.beats[metric]),
                    "" if system is reference else reference.name,
                    *map(exact, tested),
                    comparison.signature,
                ]
            )
    return text.getvalue().rstrip("\n")
