"""What is said below the tables of a comparison: how they were made, and how to read them."""

from __future__ import annotations

from scoref.comparison.comparison import Comparison, Disagreement
from scoref.resampling.significance import ENUMERATED
from scoref.views.comparison.tables import system_title
from scoref.views.formatting import effective_line, interval_line


def remarks(comparison: Comparison) -> list[str]:
    """Say how to read the tables, how they were made, and how far to trust them."""
    if comparison.refusal:
        lines = [comparison.refusal, f"to get them, {comparison.units.remedy()}"]
    else:
        lines = [interval_line(comparison.sampling, comparison.units), *_together(comparison)]
        if len(comparison.systems) > 1:
            lines += [test_line(comparison), _legend(comparison), *_equivalence(comparison)]
        lines += runs_line(comparison)
        lines.append(_effective(comparison))
    lines += _fidelity(comparison)
    cautions = filter(None, (*comparison.cautions, comparison.blind))
    return [*lines, *(f"caution: {one}" for one in cautions), *_disagreements(comparison)]


def _fidelity(comparison: Comparison) -> list[str]:
    """Say how well each response that a language model wrote keeps the source."""
    return [
        f"{system_title(system)}: {'; '.join(fidelity.lines())}"
        for system in comparison.systems
        if (fidelity := comparison.results[system.name].fidelity) is not None
    ]


def _together(comparison: Comparison) -> list[str]:
    """Say for what the intervals of differences hold."""
    pairs, design = comparison.pairs[comparison.metric], comparison.design
    if len(pairs) < 2:
        return []
    if design.correction == "none":
        return ["intervals of differences: each holds for its own pair"]
    of = f"{len(pairs)} pairs per metric"
    if design.family == "all":
        of = f"{len(pairs)} pairs by {len(comparison.metrics)} metrics"
    return [f"intervals of differences hold for all {of} together (max-t)"]


def _equivalence(comparison: Comparison) -> list[str]:
    """Say what the test of equivalence found."""
    limit = comparison.design.equivalent
    if limit is None:
        return []
    same = [
        f"{comparison[pair.one].label} and {comparison[pair.other].label}"
        for pair in comparison.pairs[comparison.metric]
        if pair.equivalent
    ]
    found = ", ".join(same) or "no pair"
    tests = f"two one-sided tests for a difference of less than {100 * limit:g} points"
    return [f"p, same: {tests}; equivalent by {comparison.metric}: {found}"]


def runs_line(comparison: Comparison) -> list[str]:
    """Say how many runs a score is the mean of."""
    runs = [len(system.runs) for system in comparison.systems]
    if max(runs) < 2:
        return []
    number = f"{runs[0]}" if len(set(runs)) == 1 else f"{min(runs)} to {max(runs)}"
    return [
        f"scores: mean ± sd of {number} runs; intervals and tests include the variance between runs"
    ]


def _effective(comparison: Comparison) -> str:
    """Say how many documents of equal size the documents count as."""
    return effective_line(comparison.effective, comparison.metric, comparison.units)


def _disagreements(comparison: Comparison) -> list[str]:
    """Say which metrics disagree on which systems, and which documents contribute most."""
    found: dict[tuple[str, str, str], list[Disagreement]] = {}
    for one in comparison.disagreements:
        found.setdefault((one.metric, one.better, one.worse), []).append(one)
    lines = []
    for (metric, better, worse), others in found.items():
        against = ", ".join(one.against for one in others)
        documents = ", ".join(document for document, _ in others[0].influences[:3])
        prefer = "prefer" if len(others) > 1 else "prefers"
        lines.append(
            f"{metric} prefers {system_title(comparison[better])} to"
            f" {system_title(comparison[worse])}, but {against} {prefer} the reverse,"
            f" each significantly; see {documents}"
        )
    return lines


def _legend(comparison: Comparison) -> str:
    """Say what letters and ranks mean."""
    text = f"letters after a score: systems it beats at p < {comparison.sampling.level:g}"
    if comparison.systems[0].rank is not None:
        text += "; same rank: not significantly different from the first of the group"
    return text


def level_legend(comparison: Comparison) -> str:
    """Say in a caption what letters and bold mean."""
    level = f"{comparison.sampling.level:g}"
    return f"Letters: the systems that a system beats at p < {level}. Bold: the best"


def test_line(comparison: Comparison) -> str:
    """Say which test was made."""
    design, sampling, units = comparison.design, comparison.sampling, comparison.units
    tests = comparison.pairs[comparison.metric]
    trials, seed = f"{sampling.trials:,}", f", seed {sampling.seed}"
    if design.test == "bootstrap":
        text = f"shifted paired bootstrap with Student's t, {trials} draws"
    elif all(pair.exact for pair in tests):
        text, seed = f"randomisation over {units.kind}s, all exchanges", ""
    else:
        text = f"approximate randomisation over {units.kind}s, {trials} exchanges"
        if len(units) <= ENUMERATED or any(pair.exact for pair in tests):
            text += f", or all where at most {ENUMERATED} {units.kind}s differ"
    names = {"holm": "Holm's correction", "maxt": "step-down max-t correction"}
    over = f"{len(tests)} pairs per metric"
    if design.family == "all":
        over = f"{len(tests)} pairs by {len(comparison.metrics)} metrics"
    corrected = "no correction"
    if design.correction in names:
        corrected = f"{names[design.correction]} over {over}"
    return f"tests: {text}{seed}, two-sided" + (f"; {corrected}" if len(tests) > 1 else "")
