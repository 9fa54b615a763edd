"""How systems rank: groups by significance, where metrics disagree, and when to doubt a rank."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from scoref.base.arrays import Floats
from scoref.base.phrases import counted, listed
from scoref.comparison.pairwise_tests import MetricComparison
from scoref.resampling.resampled_scores import Influence, most_moved
from scoref.resampling.sampling_options import TIE
from scoref.resampling.significance import ENUMERATED, smallest_p, stretch
from scoref.result import Result


def rank_groups(systems: int, differ: Callable[[int, int], bool]) -> list[int]:
    """Rank systems, which are sorted best first, as in Moosavi & Strube (2016, Table 5).

    A system joins the group above it unless it differs from the first system of that group. The
    rank of a group is the position of its first system.
    """
    ranks: list[int] = []
    first = 0
    for at in range(systems):
        if at and differ(first, at):
            first = at
        ranks.append(first + 1)
    return ranks


def kendall_tau(one: Floats, other: Floats) -> float:
    """Return Kendall's tau-b, the agreement of two scores on the order of systems, -1 to 1."""
    above = np.triu_indices(len(one), k=1)
    signs = []
    for values in (one, other):
        differences = (values[:, None] - values[None, :])[above]
        signs.append(np.where(np.abs(differences) > TIE, np.sign(differences), 0.0))
    untied = float((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    return float((signs[0] * signs[1]).sum()) / math.sqrt(untied) if untied else math.nan


def rank_correlations(by_metric: Mapping[str, MetricComparison]) -> dict[tuple[str, str], float]:
    """Return Kendall's tau between the rankings by each two metrics."""
    return {
        (one, other): kendall_tau(by_metric[one].f1, by_metric[other].f1)
        for one, other in combinations(by_metric, 2)
    }


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two metrics that disagree significantly on two systems, and the documents that cause it."""

    better: str
    worse: str
    metric: str
    against: str
    influences: tuple[Influence, ...]


def find_disagreements(by_metric: Mapping[str, MetricComparison]) -> Iterator[Disagreement]:
    """List the pairs of systems on which two metrics disagree, both significantly."""
    for one, other in combinations(by_metric.values(), 2):
        for pair in permutations(range(len(one.names)), 2):
            better, worse = (one.names[at] for at in pair)
            if (better, worse) in one.winners and (worse, better) in other.winners:
                moved = one.resampled.contributions(*pair) - other.resampled.contributions(*pair)
                influences = most_moved(one.resampled.units.documents, moved)
                yield Disagreement(better, worse, one.metric, other.metric, influences)


def few_differences(ranking: MetricComparison) -> list[str]:
    """Return a warning for each pair that differs in too few units to be significant."""
    level, units = ranking.resampled.sampling.level, ranking.resampled.units
    kind = units.kind
    return [
        f"{pair.one} and {pair.other} differ in only {counted(pair.differing, kind)}, so p cannot"
        f" be below {smallest_p(pair.differing):.2g}, however large the difference is"
        for pair in ranking.pairs
        if pair.exact and 0 < pair.differing < len(units) and smallest_p(pair.differing) >= level
    ]


def uneven_runs(systems: Mapping[str, Sequence[Result]]) -> list[str]:
    """Return a warning if some systems have several runs and others have one."""
    single = [name for name, runs in systems.items() if len(runs) == 1]
    if not single or len(single) == len(systems):
        return []
    which, whose = ("each ", "their") if len(single) > 1 else ("", "its")
    unknown = "variance between runs is not known, and tests assume that of the other system"
    return [f"one run {which}of {listed(single)}: {whose} {unknown}"]


def never_significant(ranking: MetricComparison, metrics: int) -> str:
    """Return the reason why no difference can be significant, or an empty string."""
    if not ranking.tested or not ranking.pairs:
        return ""
    design, sampling, units = ranking.design, ranking.resampled.sampling, ranking.resampled.units
    smallest, remedy = 1 / (1 + sampling.trials), "more --trials"
    if design.test == "randomisation" and len(units) <= ENUMERATED:
        smallest, remedy = smallest_p(len(units)), f"more {units.kind}s"
    elif design.test == "bootstrap":
        freedom = max(1.0, *(spread.freedom for spread in ranking.spreads))
        stretched = stretch(smallest, math.sqrt(1 - 1 / len(units)), freedom)
        if stretched >= sampling.level > smallest:
            remedy = f"more {units.kind}s"
        smallest = stretched
    tests = len(ranking.pairs) * (metrics if design.family == "all" else 1)
    tests = tests if design.correction == "holm" else 1
    if tests * smallest < sampling.level:
        return ""
    corrected = f" ({min(1.0, tests * smallest):.2g} after Holm's correction)" if tests > 1 else ""
    return (
        f"no difference can be significant: the smallest possible p is {smallest:.2g}{corrected};"
        f" use {remedy}"
    )
