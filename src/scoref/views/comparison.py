"""A comparison of systems in every output."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from scoref.comparison.comparison import Comparison, System
from scoref.comparison.pairwise_tests import Pair
from scoref.policy import short_signature
from scoref.resampling.bootstrap import Interval
from scoref.result import Side
from scoref.views.comparison_tables import (
    difference_to,
    level_legend,
    metric_table,
    pair_table,
    ranking_table,
    reference_system,
    remarks,
    runs_line,
    spread_of_runs,
    superscript,
    tau_table,
    test_line,
)
from scoref.views.formatting import (
    FIELDS,
    INTERVAL_FIELDS,
    as_dicts,
    interval_line,
    pick,
    resampling,
    side_row,
)
from scoref.views.model import BaseView, Page
from scoref.views.paper_table import AVERAGE, PaperRow, check_style, write_paper_table

_UNKNOWN = Interval(math.nan, math.nan)
_HEADER = (
    *("metric", "rank", "system", "label", *FIELDS, *INTERVAL_FIELDS, "beats", "reference"),
    *("difference", "difference_low", "difference_high", "p", "p_adjusted", "signature"),
    *("simultaneous_low", "simultaneous_high", "p_equivalent", "runs", "f1_sd"),
)


@dataclass(frozen=True, slots=True)
class ComparisonView(BaseView):
    """The ranking of systems and F1 by metric; `details` adds every pair and Kendall's tau."""

    comparison: Comparison
    details: bool = False
    digits: int = 2
    style: str = "full"

    def render(self, output: str) -> str:
        """Render as one of `outputs`; in LaTeX, `style` can be that of most papers."""
        if self.style == "full":
            return BaseView.render(self, output)
        check_style(self.style, output)
        found, digits = self.comparison, self.digits
        tested = not found.refusal and len(found.systems) > 1
        caption = ["Recall, precision and F1 in percent", *runs_line(found)]
        caption += [level_legend(found), test_line(found)] if tested else []
        rows = [
            PaperRow(
                system.name,
                system.scores,
                system.label if tested else "",
                {name: superscript(b, len(found.systems)) for name, b in system.beats.items()},
                spread_of_runs(system, AVERAGE, digits),
            )
            for system in found.systems
        ]
        return write_paper_table(rows, caption, found.signature, digits)

    def page(self) -> Page:
        """Return the ranking, F1 by metric, how they were made, and the signature."""
        found, digits = self.comparison, self.digits
        tested, several = not found.refusal, len(found.systems) > 1
        how = [interval_line(found.sampling, found.units)] if tested else []
        how += runs_line(found)
        test = [test_line(found)] if tested and several else []
        letters = [level_legend(found), *test] if test else []
        tables = [ranking_table(found, digits, [*how, *letters])]
        if len(found.metrics) > 1:
            tables.append(metric_table(found, digits, letters))
        if self.details and several:
            tables.append(pair_table(found, digits, [*how, *test]))
            tables += tau_table(found)
        inputs, said = [side_row("key", found.key._replace(source=""))], remarks(found)
        return Page(inputs=inputs, tables=tables, remarks=said, signature=found.signature)

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric and system, with the difference to the baseline or the best."""
        found, reference = self.comparison, reference_system(self.comparison)
        yield _HEADER
        for metric in found.metrics:
            for system in found.systems:
                ranges = system.intervals.get(metric, (_UNKNOWN,) * 3)
                tested: list[object] = [""] * 6
                claims: list[object] = [""] * 3
                if system is not reference:
                    pair = found.pair(system.name, reference.name, metric)
                    difference, interval = difference_to(pair, system.name, pair.interval)
                    _, together = difference_to(pair, system.name, pair.simultaneous)
                    tested = [reference.name, difference, *(interval or _UNKNOWN), pair.p]
                    tested.append(pair.adjusted)
                    claims = [*(together or _UNKNOWN), pair.p_equivalent]
                rank = system.rank if metric == found.metric else None
                scores = *system.scores[metric], *chain.from_iterable(ranges)
                spread = system.deviations[metric].f1 if system.deviations else math.nan
                tested = [" ".join(system.beats[metric]), *tested, found.signature]
                runs = [*claims, len(system.runs), spread]
                yield [metric, rank, system.name, system.label, *scores, *tested, *runs]

    def content(self) -> dict[str, Any]:
        """Return everything that a comparison has."""
        found, design = self.comparison, self.comparison.design
        results = found.results.items()
        fidelity = {name: one.fidelity.content() for name, one in results if one.fidelity}
        return {
            "signature": found.signature,
            "short_signature": short_signature(found.signature),
            **pick(found, "metric", "metrics"),
            "test": {"kind": design.test, **pick(design, *design._fields[1:])},
            "resampling": resampling(found.sampling, found.units),
            "effective_units": as_dicts(found.effective),
            "key": _side(found.key),
            "systems": [_system(system) for system in found.systems],
            **({"fidelity": fidelity} if fidelity else {}),
            "pairs": {name: [_pair(one) for one in pairs] for name, pairs in found.pairs.items()},
            "kendall_tau": [
                {"metrics": metrics, "tau": tau} for metrics, tau in found.taus.items()
            ],
            "disagreements": [
                pick(one, "better", "worse", "metric", "against")
                | {"influences": [moved._asdict() for moved in one.influences]}
                for one in found.disagreements
            ],
            **pick(found, "notes", "cautions"),
            "refusal": found.refusal or None,
            "blind": found.blind or None,
        }


def _side(side: Side) -> dict[str, Any]:
    """Write a side without its path, which counts files do not have."""
    return pick(side, *side._fields[1:])


def _system(system: System) -> dict[str, Any]:
    return {
        **pick(system, "name", "label", "rank"),
        "response": _side(system.response),
        "scores": as_dicts(system.scores),
        "intervals": as_dicts(system.intervals),
        "beats": system.beats,
        "runs": [as_dicts(run) for run in system.runs],
        "deviations": as_dicts(system.deviations),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        **pick(pair, "one", "other", "difference", "interval"),
        "simultaneous_interval": pair.simultaneous,
        "p": pair.p,
        "p_adjusted": pair.adjusted,
        **pick(pair, "significant", "exact", "p_equivalent", "equivalent"),
        "units_that_differ": pair.differing,
        "influences": [moved._asdict() for moved in pair.influences],
    }
