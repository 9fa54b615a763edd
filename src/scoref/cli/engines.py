"""Where a command counts: here, or on Spark."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.policy import Policy
    from scoref.result import Result


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add --engine and what goes with it."""
    group = parser.add_argument_group(
        "engine", "where to count; the result is the same (the manual has a page on Spark)"
    )
    group.add_argument(
        "--engine",
        choices=("local", "spark"),
        default="local",
        help="count here, or on Apache Spark: pip install 'scoref[spark]' (default: local)",
    )
    group.add_argument(
        "--master",
        metavar="URL",
        help="the master of Spark: local[4], spark://HOST:7077, yarn, k8s://https://HOST:PORT"
        " (default: this machine)",
    )
    group.add_argument(
        "--spark-conf",
        action="append",
        metavar="NAME=VALUE",
        help="a setting of Spark, such as spark.executor.memory=8g; repeat for several",
    )


def scored(arguments: argparse.Namespace, metrics: list[str] | None, policy: Policy) -> Result:
    """Score KEY and RESPONSE on the engine that is asked for."""
    if arguments.engine == "local":
        for name in ("master", "spark_conf"):
            if getattr(arguments, name):
                flag = f"--{name.replace('_', '-')}"
                raise UsageError(f"{flag} is for Spark alone", "add --engine spark")
        from scoref.cli.arguments import jobs_of
        from scoref.engines.processes.workers import prefetched

        with prefetched(arguments.key, arguments.response, jobs_of(arguments)) as (key, response):
            from scoref.scoring import score

            return score(
                key,
                response,
                metrics,
                policy,
                format=arguments.format,
                encoding=arguments.encoding,
                check_words=arguments.check_words,
                ceaf_time_limit=getattr(arguments, "ceaf_time_limit", None),
                memory=arguments.memory,
            )
    if getattr(arguments, "ceaf_time_limit", None) is not None:
        raise UsageError("--ceaf-time-limit is not for Spark", "leave it out, or count here")
    if arguments.jobs != 1:
        raise UsageError("--jobs is not for Spark", "--master 'local[4]' has four threads")
    if arguments.memory:
        raise UsageError("--memory is not for Spark", "--spark-conf spark.executor.memory=4g")
    from scoref.engines.spark.session import session
    from scoref.spark import score_files

    if "-" in (arguments.key, arguments.response):
        raise UsageError("Spark reads no standard input", "name two files")
    with session(arguments.master, _settings(arguments.spark_conf or [])) as spark:
        return score_files(
            spark,
            arguments.key,
            arguments.response,
            metrics,
            policy,
            format=arguments.format,
            encoding=arguments.encoding,
            check_words=arguments.check_words,
        )


def _settings(given: list[str]) -> dict[str, str]:
    pairs = [one.partition("=") for one in given]
    if wrong := [name for name, equals, _ in pairs if not (name and equals)]:
        raise UsageError(
            f"--spark-conf {wrong[0]} is no setting", "spark.executor.memory=8g is one"
        )
    return {name: value for name, _, value in pairs}
