"""Write a counts file, for later comparisons.

A counts file contains what each metric counts in each document, the policy, and the fingerprint
of the key. It contains no text and no spans. `scoref score`, `compare`, `gate` and `power` accept
it as a RESPONSE. If you publish it, others can test their system against yours without your
output.

Example commands:
  scoref count key.conll ours.conll -o ours.counts.json
  scoref count key.conll ours.conll -m lea -m conll -o ours.counts.json.gz
"""

from __future__ import annotations

import sys

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import score_pair
from scoref.cli.output import print_result

COMMAND = Command(
    __doc__,
    {
        "-o, --out FILE": "file to write, such as ours.counts.json or ours.counts.json.gz"
        " (default: standard output)",
    },
    *options.PAIR,
    *options.COUNTING,
)


def run(arguments: Arguments) -> int:
    """Score, print notes, write the counts."""
    from scoref.counts.counts_file import dump

    result = score_pair(arguments)
    print_result(arguments, result)
    if arguments.out:
        result.save_counts(arguments.out)
    else:
        sys.stdout.write(dump(result))
    return 0
