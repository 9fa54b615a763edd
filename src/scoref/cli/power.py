"""Compute the smallest difference that a test set can detect.

The difference is in F1, for a test set of this size. The output also has the number of similar
documents that a given difference requires.

With two responses, the computation uses how their difference varies from document to document.
With one response, it assumes a second system whose errors are independent. Counts files are
accepted as in `scoref compare`.

Example commands:
  scoref power key.conll base.conll ours.conll
  scoref power ours.counts.json -m conll --difference 0.5
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.keywords import reading_keywords, scoring_keywords
from scoref.cli.output import print_notes
from scoref.cli.systems import split_key

COMMAND = Command(
    __doc__,
    options.SYSTEMS,
    {
        "--difference POINTS": "difference in F1 to compute the number of documents for, in points"
        " (default: the observed difference)",
        "--power P = 0.8": "probability that the test detects the difference",
    },
    *options.TABLE,
    options.METRIC,
    options.READING,
    options.SAMPLING,
    options.VERIFY,
    options.POLICY,
)


def run(arguments: Arguments) -> int:
    """Print notes, and a row per metric."""
    from scoref.comparison.power import power
    from scoref.comparison.systems import score_systems, shared_notes
    from scoref.comparison.views.power import PowerView
    from scoref.preparation.inputs import ReadOptions
    from scoref.resampling.intervals import Sampling

    keywords = scoring_keywords(arguments)
    reading = ReadOptions.under(keywords["policy"], **reading_keywords(arguments))
    key, systems = split_key(arguments.files)
    results = score_systems(key, systems, keywords["metrics"], keywords["policy"], reading)
    sampling = Sampling(level=arguments.level, blocks=arguments.blocks, strata=arguments.strata)
    difference = None if arguments.difference is None else arguments.difference / 100
    found = power(results, sampling, wanted=arguments.power, difference=difference)
    print_notes(shared_notes(results), arguments.like, found.signature)
    print(PowerView(found, arguments.digits).render(arguments.output))
    return 0
