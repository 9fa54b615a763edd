"""What is said below the tables of a comparison: how they were made, and how to read them."""

from __future__ import annotations

from scoref.comparison.comparison import Comparison, Disagreement
from scoref.comparison.views.tables import system_title
from scoref.render.formatting import interval_line
from scoref.resampling.significance import ENUMERATED


def remarks(comparison: Comparison) -> list[str]:
    """Say how to read the tables, how they were made, and how far to trust them."""
    if comparison.refusal:
        lines = [comparison.refusal, f"to get them, {comparison.units.remedy()}"]
    else:
        lines = [interval_line(comparison.sampling, comparison.units)]
        if len(comparison.systems) > 1:
            lines += [test_line(comparison), _legend(comparison)]
    cautions = filter(None, (*comparison.cautions, comparison.blind))
    return [*lines, *(f"caution: {one}" for one in cautions), *_disagreements(comparison)]


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
        text = f"shifted paired bootstrap, {trials} draws"
    elif all(pair.exact for pair in tests):
        text, seed = f"randomisation over {units.kind}s, all exchanges", ""
    else:
        text = f"approximate randomisation over {units.kind}s, {trials} exchanges"
        if len(units) <= ENUMERATED or any(pair.exact for pair in tests):
            text += f", or all where at most {ENUMERATED} {units.kind}s differ"
    holm = f"Holm's correction over {len(tests)} pairs per metric"
    corrected = holm if design.correction == "holm" else "no correction"
    return f"tests: {text}{seed}, two-sided" + (f"; {corrected}" if len(tests) > 1 else "")
