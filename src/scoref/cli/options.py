"""The options that several commands share, each declared once, and the keywords they become.

A command passes them on, as in `scoref.compare(key, systems, **scoring_keywords(arguments))`.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from scoref.base.phrases import split_names
from scoref.cli.command import Arguments, Group, Option, number
from scoref.exceptions import UsageError
from scoref.policy import Policy, read_signature
from scoref.views import OUTPUTS

if TYPE_CHECKING:
    from scoref.result import Result

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
FORMAT = {"--format NAME": "format of the input (default: detected from the content)"}
_READING = {
    "--encoding NAME": "text encoding of the input, such as latin-1 or utf-16 (default: UTF-8)",
    "--no-limits": "read input that would need memory or time out of proportion to its size, such"
    " as a huge position in a small table",
}
_CHECK_WORDS = {
    "--check-words auto|always|note|never = auto": "refuse the input if the words of KEY and"
    " RESPONSE differ. auto compares the words if they are read anyway, and otherwise the first"
    " 5,000 words of each file; always compares all words; note compares all words but only prints"
    " a note; never compares none",
}
_SIDES = {
    "--key-format NAME": "format of KEY, instead of --format",
    "--response-format NAME": "format of RESPONSE, instead of --format",
    "--key-encoding NAME": "text encoding of KEY, instead of --encoding",
    "--response-encoding NAME": "text encoding of RESPONSE, instead of --encoding",
}
_REPAIR = {
    "--repair none|drop-brackets = none": "refuse a file with broken brackets (none), or ignore"
    " brackets that open or close no mention, each with a note (drop-brackets)",
}


def _reading(*parts: dict[str, str]) -> Group:
    return Group("reading", "how the input is read", *parts)


READING = _reading(_READING, _CHECK_WORDS, _SIDES)
COUNTS_READING = _reading(_READING, _SIDES)
ANNOTATORS_READING = _reading(_READING, _CHECK_WORDS)
TABLE_READING = _reading(_READING)
SAMPLE_READING = _reading(
    _READING, {flag: text for flag, text in _SIDES.items() if flag.startswith("--response")}
)
FILE_READING = (FORMAT, _reading(_READING, _REPAIR))
FORCE = {"--force": "replace an existing text file next to OUT (brat writes OUT.ann and OUT.txt)"}


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


def policy(*without: str) -> Group:
    """Declare a flag for each field of Policy; the value is None if the flag is not used."""
    choices = Policy.choices()
    return Group(
        "policies",
        "choices that can change a score; the signature states each of them",
        *(
            Option(
                f"--{field.name.replace('_', '-')} {'|'.join(choices[field.name])}",
                f"{field.metadata['help']} (default: {field.default})",
                action="append" if field.metadata.get("repeats") else "store",
            )
            for field in fields(Policy)
            if field.name not in without
        ),
        {
            "--like SIGNATURE": "use the policies of a published signature; a flag that contradicts"
            " the signature is an error"
        },
    )


POLICY = policy()
SCORING = (METRIC, FORMAT, READING, POLICY)
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
    },
)

# How to show the result
RAW = {
    "--raw": "with --to csv, write texts as they are, for programs (default: control characters"
    " are escaped, and a text that a spreadsheet would execute gets an apostrophe in front)",
}


def output(*formats: str) -> dict[str, str]:
    """Declare where and how a result is written; `scoref.cli.output` does it."""
    return {
        "-o, --out FILE": "file to write (default: standard output)",
        f"--to {'|'.join(formats)}": "format to write (default: by the ending of FILE, or text)",
    }


PAGE = Option("-o, --out FILE", "page to write", required=True)
OUT = Option("-o, --out OUT", "file to write", required=True)
OUTPUT = {**output(*OUTPUTS), **RAW}
DIGITS = Option(
    "--digits N = 2",
    "decimals of percentages; json and csv always have full precision",
    type=number(int, most=15),
)
STYLE = {
    "--style full|conll = full": "with --to latex: everything, or the table of most papers,"
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
ENGINE = Group(
    "engine",
    "where to count; the result is the same (see the page on Spark in the manual)",
    {
        "--engine local|spark = local": "count on this machine, or on Apache Spark (pip install"
        " 'scoref[spark]')",
        "--master URL": "Spark master: local[4], spark://HOST:7077, yarn, or"
        " k8s://https://HOST:PORT (default: this machine)",
        "--memory SIZE": "memory limit for Parquet tables, such as 2GB; larger tables are scored in"
        " parts, with the same scores (default: a quarter of the free memory)",
    },
    Option(
        "--spark-conf NAME=VALUE",
        "Spark setting, such as spark.executor.memory=8g; repeat the flag for several settings",
        action="append",
    ),
)
COUNTING = (JOBS, ENGINE)


def flag_of(name: str) -> str:
    """Return the flag whose value is stored under a name: `--check-words` for `check_words`."""
    return f"--{name.replace('_', '-')}"


def is_given(arguments: Arguments, name: str) -> bool:
    """Return whether an option has another value than its default."""
    return bool(getattr(arguments, name, None) != arguments.parser.get_default(name))


def refuse_together(arguments: Arguments, name: str, *others: str) -> None:
    """Refuse an option together with any of the others."""
    for other in others:
        if is_given(arguments, name) and is_given(arguments, other):
            flags = f"{flag_of(name)} cannot be combined with {flag_of(other)}"
            raise UsageError(flags, "leave out one of the two flags")


def reading_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return `format`, `encoding` and, if the command has it, `check_words`.

    A format or an encoding is a pair if a flag names that of one side.
    """
    found = {name: _one_or_two(arguments, name) for name in ("format", "encoding")}
    return {
        **found,
        **({"check_words": arguments.check_words} if "check_words" in arguments else {}),
    }


def _one_or_two(arguments: Arguments, name: str) -> str | tuple[str | None, str | None] | None:
    both: str | None = getattr(arguments, name)
    of_key, of_response = (
        getattr(arguments, f"{side}_{name}", None) for side in ("key", "response")
    )
    if of_key is None and of_response is None:
        return both
    return of_key or both, of_response or both


def file_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return the reading keywords and `repair`, for commands that read files without a policy."""
    return {**reading_keywords(arguments), "repair": arguments.repair}


def scoring_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return `metrics`, `policy` and the reading keywords."""
    metrics: list[str] | None = arguments.metrics
    if metrics and any(":" in metric for metric in metrics):
        sys.path.insert(0, "")  # module:function can be in the current directory
    return {"metrics": metrics, "policy": _policy(arguments), **reading_keywords(arguments)}


def resampling_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return `level`, `method` and the other arguments of `Result.intervals` and `compare`."""
    names = ("level", "trials", "seed", "blocks", "strata", "jobs")
    found = {name: getattr(arguments, name) for name in names}
    return {"method": arguments.interval_method, **found}


def _policy(arguments: Arguments) -> Policy | None:
    """Return the policy of the flags or of `--like`, or None if none of them is used.

    None means the default policy, or the policy that counts files state.
    """
    given: dict[str, Any] = {
        field.name: "&".join(value) if isinstance(value, list) else value
        for field in fields(Policy)
        if (value := getattr(arguments, field.name, None)) is not None
    }
    if arguments.like is None:
        return Policy(**given) if given else None
    stated = read_signature(arguments.like).policy
    if stated.markup.startswith("function=") and "markup" not in given:
        stated = Policy.like(arguments.like)  # refuses to run what only a signature names
    for name, value in given.items():
        if value != getattr(stated, name):
            raise UsageError(
                f"{flag_of(name)} {value} contradicts the signature, which states"
                f" {name}:{getattr(stated, name)}",
                f"leave out {flag_of(name)} or --like",
            )
    return stated


# The flags that an engine does not have, and what to do instead.
_UNSUPPORTED = {
    "local": {"master": "add --engine spark", "spark_conf": "add --engine spark"},
    "spark": {
        "jobs": "set the number of threads with --master, such as 'local[4]'",
        "memory": "use --spark-conf, such as spark.executor.memory=4g",
        **{
            f"{side}_{name}": f"use --{name}, or --engine local"
            for side in ("key", "response")
            for name in ("format", "encoding")
        },
    },
}


def score_pair(arguments: Arguments) -> Result:
    """Score KEY and RESPONSE with the options of the command."""
    for name, hint in _UNSUPPORTED[arguments.engine].items():
        if is_given(arguments, name):
            unavailable = f"{flag_of(name)} is not available with --engine {arguments.engine}"
            raise UsageError(unavailable, hint)
    return _score_on_spark(arguments) if arguments.engine == "spark" else _score_here(arguments)


def _score_here(arguments: Arguments) -> Result:
    from scoref.engines.workers import prefetched

    with prefetched(arguments.key, arguments.response, arguments.jobs) as (key, response):
        from scoref.scoring import score  # while the processes start

        keywords = {**scoring_keywords(arguments), "memory": arguments.memory}
        return score(key, response, **keywords)


def _score_on_spark(arguments: Arguments) -> Result:
    from scoref.engines.spark.session import session
    from scoref.spark import score_files

    if "-" in (arguments.key, arguments.response):
        raise UsageError("Spark cannot read standard input", "name two files")
    pairs = [setting.partition("=") for setting in arguments.spark_conf or []]
    for name, equals, value in pairs:
        if not (name and equals):
            raise UsageError(
                f"found --spark-conf {name}{equals}{value}, expected NAME=VALUE",
                "write, for example, --spark-conf spark.executor.memory=8g",
            )
    with session(arguments.master, {name: value for name, _, value in pairs}) as spark:
        return score_files(spark, arguments.key, arguments.response, **scoring_keywords(arguments))
