"""Compute the agreement of annotators.

The result is the F1 of each pair of annotators, and Krippendorff's alpha of all of them, with
Passonneau's distance and with the MASI distance. No annotator is the key. Documents that an
annotator lacks are ignored, with a note. An annotator is named after the file, or by NAME=FILE.

Example commands:
  scoref agreement ann.conll ben.conll
  scoref agreement Ann=round1/a.conll Ben=round1/b.conll Cem=round1/c.conll -m muc -m lea
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import resampling_keywords, scoring_keywords
from scoref.cli.output import print_result
from scoref.cli.systems import name_systems

COMMAND = Command(
    __doc__,
    options.FILES,
    options.metric(default="mentions muc b3 ceafm ceafe blanc(boundary=luo2014) lea conll"),
    options.OUTPUT,
    options.DIGITS,
    options.FORMAT,
    options.JOBS,
    options.ANNOTATORS_READING,
    options.POLICY,
    options.RESAMPLING,
)


def run(arguments: Arguments) -> int:
    """Print notes, and the agreement."""
    import scoref

    keywords = {**scoring_keywords(arguments), **resampling_keywords(arguments)}
    found = scoref.agreement(name_systems(arguments.files), **keywords)
    return print_result(arguments, found, found.render(arguments.to, digits=arguments.digits))
