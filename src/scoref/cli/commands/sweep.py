"""Score outputs under all practices of cross-document coreference.

The same output scores differently by what links may cross (documents, subtopics, topics or the
corpus), with and without singletons, and on all or only on shared mentions. The table has a row for
each practice and their range at the end, and a sentence for the paper states the practice that was
chosen (*). Two more tables show links inside and across documents, and what their repair would
gain.

Levels are found in KEY: the columns 1 to 3 of CoNLL files with topic, subtopic and document, the
names of documents of ECB+, or the topics that a mention list states.

Example commands:
  scoref sweep key.conll response.conll
  scoref sweep key.conll base.conll ours=new/out.conll --practice corpus/keep
  scoref sweep key.conll response.conll -m conll,lea
  scoref sweep key.json response.json -o sweep.csv
"""

from __future__ import annotations

from scoref.cli import options
from scoref.cli.command import Arguments, Command
from scoref.cli.options import scoring_keywords
from scoref.cli.output import print_result
from scoref.cli.systems import split_key
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    options.SYSTEMS,
    {
        "--practice NAME": "practice of the sentence for the paper: a level, keep or drop for"
        " singletons, and all or shared mentions, such as corpus/keep or topic/drop/shared"
        " (default: topic/drop/all, or the corpus without topics)",
    },
    options.OUTPUT,
    options.metric("muc b3 ceafe lea conll"),
    options.FORMAT,
    options.READING,
    options.policy("unit", "singletons"),
)


def run(arguments: Arguments) -> int:
    """Print the tables."""
    from scoref.analysis.sweep import sweep
    from scoref.views.sweep import SweepView

    key, systems = split_key(arguments.files)
    if key is None:
        raise UsageError("a sweep requires mentions, and counts files have none", "name the files")
    keywords = scoring_keywords(arguments)
    result = sweep(key, systems, practice=arguments.practice, **keywords)
    return print_result(arguments, result, SweepView(result).render(arguments.to))
