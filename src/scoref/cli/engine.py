"""Score KEY and RESPONSE on the engine that `--engine` names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoref.cli.command import Arguments
from scoref.cli.keywords import SIDES, flag_of, is_given, scoring_keywords
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.result import Result

# The flags that an engine does not have, and what to do instead.
_UNSUPPORTED = {
    "local": {"master": "add --engine spark", "spark_conf": "add --engine spark"},
    "spark": {
        "ceaf_time_limit": "leave out --ceaf-time-limit, or use --engine local",
        "jobs": "set the number of threads with --master, such as 'local[4]'",
        "memory": "use --spark-conf, such as spark.executor.memory=4g",
        **{
            f"{side}_{name}": f"use --{name}, or --engine local"
            for side in SIDES
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
    from scoref.engines.processes.workers import prefetched

    with prefetched(arguments.key, arguments.response, arguments.jobs) as (key, response):
        from scoref.scoring import score  # while the processes start

        keywords = {**scoring_keywords(arguments), "memory": arguments.memory}
        limit = getattr(arguments, "ceaf_time_limit", None)
        return score(key, response, ceaf_time_limit=limit, **keywords)


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
