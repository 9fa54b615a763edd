"""Compute the smallest difference that a test set can detect.

The difference is in F1, for a test set of this size. The output also has the number of similar
documents that a given difference requires.

With two responses, the computation uses how their difference varies from document to document.
With one response, it assumes a second system whose errors are independent. Counts files and
several runs, NAME=FILE,FILE,..., are accepted as in `scoref compare`.

Example commands:
  scoref power key.conll base.conll ours.conll
  scoref power ours.counts.json -m conll --difference 0.5
  scoref power base.counts.json ours.counts.json --difference 1 --systems 5 --figure power.svg
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Group
from scoref.cli.options import reading_keywords, scoring_keywords
from scoref.cli.output import print_notes
from scoref.cli.systems import split_key, split_systems

COMMAND = Command(
    __doc__,
    options.SYSTEMS,
    {
        "--difference POINTS": "difference in F1 to compute the number of documents for, in points"
        " (default: the observed difference, which says little about the true one)",
        "--power P = 0.8": "probability that the test detects the difference",
        "--systems N = 2": "number of systems to compare; p-values are corrected for all pairs",
        "--figure FILE": "draw the probability by the number of documents, as .svg or .png",
    },
    options.OUTPUT,
    options.DIGITS,
    options.METRIC,
    options.FORMAT,
    options.COUNTS_READING,
    options.POLICY,
    Group("resampling", "how the variance is computed", options.SAMPLING),
)


def run(arguments: Arguments) -> int:
    """Print notes, and a row per metric."""
    from scoref.comparison.power import power
    from scoref.comparison.systems import score_runs, shared_notes
    from scoref.matching.inputs import ReadOptions
    from scoref.resampling.sampling_options import Sampling
    from scoref.views.power import PowerView

    keywords = scoring_keywords(arguments)
    reading = ReadOptions.under(keywords["policy"], **reading_keywords(arguments))
    key, systems = split_key(arguments.files)
    runs = split_systems(systems)
    results = score_runs(key, runs, keywords["metrics"], keywords["policy"], reading)
    sampling = Sampling(level=arguments.level, blocks=arguments.blocks, strata=arguments.strata)
    difference = None if arguments.difference is None else arguments.difference / 100
    asked = {"wanted": arguments.power, "difference": difference, "compared": arguments.systems}
    found = power(results, sampling, **asked)
    print_notes(shared_notes(results), arguments.like, found.signature)
    print(PowerView(found, arguments.digits).render(arguments.to))
    if arguments.figure:
        found.draw(arguments.figure)
    return 0
