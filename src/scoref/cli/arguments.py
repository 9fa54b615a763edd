"""Arguments that several commands take, said once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from scoref.exceptions import UsageError
from scoref.render import OUTPUTS


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Add KEY and RESPONSE."""
    parser.add_argument("key", metavar="KEY", help="the reference annotation")
    parser.add_argument("response", metavar="RESPONSE", help="what a system found")


def check_sides(arguments: argparse.Namespace) -> None:
    """Refuse to read both sides from one standard input."""
    if arguments.key == arguments.response == "-":
        raise UsageError("KEY and RESPONSE cannot both be standard input", "name a file for one")


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add FILE..."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a directory, or -")


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Add -m."""
    parser.add_argument(
        "-m",
        "--metric",
        action="append",
        dest="metrics",
        metavar="NAME",
        help="a measure, as `scoref metrics` lists them, or module:function for one of your own;"
        " repeat for several (default: mentions muc b3 ceafm ceafe blanc lea conll)",
    )


def metrics_of(arguments: argparse.Namespace) -> list[str] | None:
    """Return the measures asked for; one of the user's own is found where the user is."""
    metrics: list[str] | None = arguments.metrics
    if metrics and any(":" in metric for metric in metrics):
        sys.path.insert(0, "")
    return metrics


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add --output."""
    parser.add_argument(
        "--output", choices=OUTPUTS, default="text", help="how to show the result (default: text)"
    )


def add_digits(parser: argparse.ArgumentParser) -> None:
    """Add --digits."""
    parser.add_argument(
        "--digits",
        type=_digits,
        default=2,
        metavar="N",
        help="decimals of percentages (default: 2); json and csv are always exact",
    )


def _digits(text: str) -> int:
    if not text.isdecimal() or int(text) > 15:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 15")
    return int(text)


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add --format."""
    parser.add_argument(
        "--format", metavar="NAME", help="the files' format (default: told from their content)"
    )
    parser.add_argument(
        "--encoding", metavar="NAME", help="their encoding, if it is not UTF-8: latin-1, utf-16"
    )


def add_check_words(parser: argparse.ArgumentParser) -> None:
    """Add --check-words."""
    parser.add_argument(
        "--check-words",
        choices=("auto", "always", "note", "never"),
        default="auto",
        help="refuse sides whose words differ: where words are read anyway and in the first 5,000"
        " of other files (auto, the default), or in all (always); note says so and goes on, never"
        " does not look",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add --jobs."""
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=1,
        metavar="N",
        help="how many processes read and count, where there is enough to do for several; 0 or"
        " `auto` for all processors. The result is the same for any number (default: 1)",
    )


def _jobs(text: str) -> int:
    if text == "auto":
        return 0
    if not text.isdecimal() or int(text) > 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0, nor `auto`")
    return int(text)


def jobs_of(arguments: argparse.Namespace) -> int:
    """Return how many processes to work with."""
    from scoref.base.process_pool import cores

    jobs: int = getattr(arguments, "jobs", 1)
    return jobs or cores()


def add_memory(parser: argparse.ArgumentParser) -> None:
    """Add --memory."""
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help="what Parquet tables may take, such as 2GB; larger ones are scored piece by piece,"
        " with the same scores (default: a quarter of what is free)",
    )


def print_notes(notes: Iterable[str]) -> None:
    """Print notes to standard error, where they do not disturb a result."""
    for note in notes:
        print(f"scoref: note: {note}", file=sys.stderr)
