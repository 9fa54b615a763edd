"""Rank systems, with confidence intervals and significance tests.

All systems are scored on one key. Every score gets a confidence interval, and every pair of
systems a paired test.

Each RESPONSE is a file, a directory, or a counts file that `scoref count` wrote. A system is
named after its file; NAME=FILE gives it another name. If all responses are counts files, KEY can
be left out. NAME=FILE,FILE,... are several runs of one system: its scores are means over the runs,
and intervals and tests include the variance between runs.

With --datasets, the systems are compared on several datasets, and the output says on how many of
them each system is better.

Example commands:
  scoref compare key.conll base.conll ours.conll
  scoref compare key.conll base=old/out.conll ours=new/out.conll --baseline base
  scoref compare base.counts.json ours.counts.json -o table.tex
  scoref compare key.conll base=b1.conll,b2.conll,b3.conll ours=o1.conll,o2.conll,o3.conll
  scoref compare key.conll systems/*.conll -m muc -m b3 -m lea --by lea --details
  scoref compare --datasets datasets.toml
  scoref compare key.conll a.conll b.conll --strata '^[^/]+' --figure systems.svg
"""

from __future__ import annotations

from typing import Any

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Group, Option
from scoref.cli.options import refuse_together, resampling_keywords, scoring_keywords
from scoref.cli.output import note_left_out, print_notes, print_result
from scoref.cli.systems import read_datasets, split_key, split_systems
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    Option(
        "KEY RESPONSE...",
        "the reference, then the output of each system as FILE or NAME=FILE, or NAME=FILE,FILE,..."
        " for several runs",
        dest="files",
        nargs="*",
    ),
    {
        "--datasets TOML": "compare on several datasets instead: a TOML file with a table for each"
        " dataset, which has a `key` (not required for counts files) and a table `systems` with a"
        " file or a list of runs for each system",
        "--by NAME": "metric that ranks the systems (default: conll, or the last metric if conll"
        " is not computed)",
        "--details": "also show the test of every pair, and Kendall's tau between the rankings by"
        " different metrics",
        "--figure FILE": "draw the scores of all systems with intervals, as .svg or .png",
        "--scatter FILE": "draw the F1 of each document under the two best systems, or under the"
        " baseline and the best other system, as .svg or .png",
        "--baseline NAME": "test every system against this system (default: test all pairs)",
    },
    options.OUTPUT,
    options.DIGITS,
    options.STYLE,
    *options.SCORING,
    options.JOBS,
    Group(
        "tests",
        "how systems are tested against each other",
        {
            "--test randomisation|bootstrap = randomisation": "paired test: swap the documents of"
            " the two systems at random, or resample documents",
            "--correction holm|maxt|none = holm": "correct p-values for the number of pairs: Holm's"
            " correction, or the step-down max-t correction, which knows how pairs are correlated",
            "--family metric|all = metric": "correct over the pairs of each metric, or over the"
            " pairs of all metrics together",
            "--equivalent POINTS": "also test whether systems differ by less than POINTS of F1",
        },
    ),
    options.RESAMPLING,
)


def run(arguments: Arguments) -> int:
    """Compare, print notes, print the table, draw."""
    import scoref

    names = ("by", "baseline", "test", "correction", "family")
    design = {name: getattr(arguments, name) for name in names}
    if arguments.equivalent is not None:
        design["equivalent"] = arguments.equivalent / 100
    keywords = {**design, **scoring_keywords(arguments), **resampling_keywords(arguments)}
    refuse_together(arguments, "style", "details")
    if arguments.datasets:
        return _compare_datasets(arguments, keywords)
    if not arguments.files:
        raise UsageError(
            "expected KEY RESPONSE..., found no files",
            "name the reference and the output of each system, or use --datasets",
        )
    key, systems = split_key(arguments.files)
    comparison = scoref.compare(key, split_systems(systems), **keywords)
    if arguments.to == "csv":  # csv has no column for warnings
        print_notes(filter(None, [comparison.refusal, *comparison.cautions, comparison.blind]))
    shown = {"details": arguments.details, "digits": arguments.digits}
    text = comparison.render(arguments.to, style=arguments.style, **shown)
    note_left_out(arguments, comparison.metrics)
    print_result(arguments, comparison, text)
    if arguments.figure:
        comparison.draw(arguments.figure)
    if arguments.scatter:
        comparison.draw_documents(arguments.scatter)
    return 0


def _compare_datasets(arguments: Arguments, keywords: dict[str, Any]) -> int:
    """Compare on several datasets, print notes, print the tables."""
    from scoref.comparison.datasets import compare_datasets

    for name in ("details", "figure", "scatter", "style"):
        refuse_together(arguments, name, "datasets")
    if arguments.files:
        raise UsageError(
            f"found {arguments.files[0]} beside --datasets", "name all files in the datasets"
        )
    found = compare_datasets(read_datasets(arguments.datasets), **keywords)
    return print_result(arguments, found, found.render(arguments.to, digits=arguments.digits))
