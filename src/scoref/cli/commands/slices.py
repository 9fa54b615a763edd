"""Score slices of the mentions, with tests: by type, by gender, by genre, by a table of your own.

Each value of a field is a slice. A row per slice shows its mentions, entities and documents, every
metric with its interval, and the difference to the rest of the mentions. Differences are tested
over documents, and p-values are corrected for all that is shown.

Two meanings of a score are available. `alone` scores the mentions of the slice as if the others did
not exist, like --where. `share` divides the score of the whole among its mentions, so that slices
add up to the total.

Example commands:
  scoref slices key.conll response.conll --by type
  scoref slices key.conll base.conll ours.conll --by entity_size --by genre -m conll
  scoref slices key.conll response.conll --by gender --attributes people.csv --meaning share
  scoref slices key.conllu response.conllu --by pronoun --figure pronouns.svg
  scoref slices gap-test.tsv answers.tsv --preset gap
"""

from __future__ import annotations

from scoref.cli import options, presets
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.options import resampling_keywords, scoring_keywords
from scoref.cli.output import print_result
from scoref.cli.systems import split_key
from scoref.exceptions import UsageError

COMMAND = Command(
    __doc__,
    options.SYSTEMS,
    Option(
        "--by FIELD",
        "field whose values are the slices, such as type, entity_size, gender, pronoun or genre"
        " (the manual lists all fields); repeat the flag for several fields",
        action="append",
    ),
    {
        "--attributes TABLE": "table with fields of your own: a CSV or JSON file with a column"
        " `document`, and for entities or mentions `entity` or `start` and `end`",
        "--meaning alone|share = alone": "score the mentions of a slice as if the others did not"
        " exist, or their share in the score of the whole",
        "--correction holm|none = holm": "correct p-values for the number of all tests that are"
        " shown, or not",
        "--details": "also show differences by every metric, if there are more than two",
        **presets.OPTIONS,
        "--figure FILE": "draw the scores of all slices with intervals, as .svg or .png",
    },
    options.OUTPUT,
    options.DIGITS,
    *options.SCORING,
    options.JOBS,
    options.RESAMPLING,
)


def run(arguments: Arguments) -> int:
    """Print the slices, and draw them."""
    by = [*(arguments.by or ())]
    if arguments.preset == presets.CHAINS:
        by.append("chain")
    elif arguments.preset:
        return presets.print_preset(arguments)
    if arguments.entities is not None:
        raise UsageError("--entities is an option of --preset mei", "add --preset mei")
    import scoref

    key, systems = split_key(arguments.files)
    if key is None:
        raise UsageError(
            "slices require single mentions, which counts files do not have",
            "name the reference and the responses that were counted",
        )
    names = ("attributes", "meaning", "correction")
    keywords = {name: getattr(arguments, name) for name in names}
    keywords |= scoring_keywords(arguments) | resampling_keywords(arguments)
    result = scoref.slices(key, systems, by, **keywords)
    shown = {"details": arguments.details, "digits": arguments.digits}
    text = result.render(arguments.to, **shown)
    if arguments.figure:
        result.draw(arguments.figure)
    return print_result(arguments, result, text)
