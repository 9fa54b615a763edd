"""The options that several commands share, each declared once."""

from __future__ import annotations

from dataclasses import fields

from scoref.base.names import split_names
from scoref.cli.command import Group, Option, number
from scoref.policy import Policy
from scoref.render import OUTPUTS

# Files
KEY = Option("KEY", "reference annotation: a file, a directory, or -")
RESPONSE = Option("RESPONSE", "system output: a file, a directory, or -")
SYSTEMS = Option(
    "KEY RESPONSE...",
    "the reference, then the output of each system as FILE or NAME=FILE",
    dest="files",
)
FILES = Option("FILE...", "a file, a directory, or -", dest="files")

# How to read them
READING = {
    "--format NAME": "format of the input (default: detected from the content)",
    "--encoding NAME": "text encoding of the input, such as latin-1 or utf-16 (default: UTF-8)",
    "--no-limits": "read input that would need memory or time out of proportion to its size, such"
    " as a huge position in a small table",
}
FILE_READING = {
    **READING,
    "--repair none|drop-brackets = none": "refuse a file with broken brackets (none), or ignore"
    " brackets that open or close no mention, each with a note (drop-brackets)",
}
INPUT = {
    **READING,
    "--check-words auto|always|note|never = auto": "refuse the input if the words of KEY and"
    " RESPONSE differ. auto compares the words if they are read anyway, and otherwise the first"
    " 5,000 words of each file; always compares all words; note compares all words but only prints"
    " a note; never compares none",
}


SIDES = {
    "--key-format NAME": "format of KEY, instead of --format",
    "--response-format NAME": "format of RESPONSE, instead of --format",
    "--key-encoding NAME": "text encoding of KEY, instead of --encoding",
    "--response-encoding NAME": "text encoding of RESPONSE, instead of --encoding",
}
FORCE = {"--force": "replace an existing text file next to OUT (brat writes OUT.ann and OUT.txt)"}
VERIFY = {
    "--verify KEYFILE": "refuse counts files that were not signed with this file, by `scoref count"
    " --sign KEYFILE`",
}


# What to compute
def metric(default: str = "mentions muc b3 ceafm ceafe blanc lea conll") -> Option:
    """Declare -m; the default is that of the command."""
    return Option(
        "-m, --metric NAME",
        "metric from the list that `scoref metrics` prints, or module:function for a metric of your"
        " own; repeat the flag or write muc,b3 for several metrics, or all for every metric that"
        f" requires only entities (default: {default})",
        action="extend",
        type=split_names,
        dest="metrics",
    )


METRIC = metric()
PAIRED_TEST = {
    "--test randomisation|bootstrap = randomisation": "paired test: swap the documents of the two"
    " systems at random, or resample documents",
}


def _policy_options() -> list[Option]:
    """Make a flag from each field of Policy; the value is None if the flag is not used."""
    choices = Policy.choices()
    options = []
    for field in fields(Policy):
        values = choices[field.name]
        is_open = any("=" in value for value in values)  # Policy checks values like overlap=0.5
        option = Option(
            f"--{field.name.replace('_', '-')} VALUE",
            f"{field.metadata['help']} (default: {field.default})",
            action="append" if field.metadata.get("repeats") else "store",
            choices=None if is_open else values,
            metavar=f"{{{','.join(values)}}}" if is_open else None,
        )
        options.append(option)
    return options


POLICY = Group(
    "policies",
    "choices that can change a score; the signature states each of them",
    *_policy_options(),
    {
        "--like SIGNATURE": "use the policies of a published signature; a flag that contradicts"
        " the signature is an error"
    },
)
SCORING = (METRIC, INPUT, SIDES, POLICY)
PAIR = (KEY, RESPONSE, *SCORING)

SAMPLING = {
    "--level P = 0.05": "significance level; confidence intervals cover 1 - P",
    "--blocks REGEX": "resample whole blocks: documents whose names have the same match of REGEX"
    " (of its first group, if it has one), such as topics or books",
    "--strata REGEX": "resample within strata: documents whose names have the same match of REGEX,"
    " such as genres with '^[^/]+'",
}
RESAMPLING = Group(
    "resampling",
    "how confidence intervals and tests are computed",
    SAMPLING,
    {
        "--trials N = 10000": "number of resamples",
        "--seed N = 0": "seed of the random number generator",
        "--interval-method jackknife|percentile|bca = jackknife": "kind of interval: Student's t"
        " with the jackknife's standard error, or the percentile or BCa bootstrap",
        "--bca": "short for --interval-method bca",
    },
)

# How to show the result
RAW = {
    "--raw": "with --output csv, write texts as they are, for programs (default: control characters"
    " are escaped, and a text that a spreadsheet would execute gets an apostrophe in front)",
}
OUTPUT = {f"--output {'|'.join(OUTPUTS)} = text": "output format", **RAW}
DIGITS = Option(
    "--digits N = 2",
    "decimals of percentages; json and csv always have full precision",
    type=number(int, most=15),
)
TABLE = (OUTPUT, DIGITS)
STYLE = {
    "--style full|conll = full": "with --output latex: everything, or the table of most papers,"
    " with recall, precision and F1 of MUC, B³ and CEAF_e and the average F1 in a row per"
    " system",
}


# Where to compute
def _jobs(text: str) -> int:
    from scoref.base.process_pool import cores

    jobs = 0 if text == "auto" else number(int, most=1024)(text)
    return jobs or cores()


JOBS = Option(
    "--jobs N = 1",
    "number of processes that read and count; 0 or `auto` uses all processors. Small input is"
    " always processed by one process. The result does not depend on N",
    type=_jobs,
)
MEMORY = {
    "--memory SIZE": "memory limit for Parquet tables, such as 2GB; larger tables are scored in"
    " parts, with the same scores (default: a quarter of the free memory)",
}
ENGINE = Group(
    "engine",
    "where to count; the result is the same (see the page on Spark in the manual)",
    {
        "--engine local|spark = local": "count on this machine, or on Apache Spark (pip install"
        " 'scoref[spark]')",
        "--master URL": "Spark master: local[4], spark://HOST:7077, yarn, or"
        " k8s://https://HOST:PORT (default: this machine)",
    },
    Option(
        "--spark-conf NAME=VALUE",
        "Spark setting, such as spark.executor.memory=8g; repeat the flag for several settings",
        action="append",
    ),
)
COUNTING = (JOBS, MEMORY, ENGINE)
TESTING = (INPUT, JOBS, RESAMPLING, POLICY)
