"""Parsed arguments as the keyword arguments of scoref's functions.

A command passes them on, as in `scoref.compare(key, systems, **scoring_keywords(arguments))`.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Any

from scoref.cli.command import Arguments
from scoref.exceptions import UsageError
from scoref.policy import Policy, read_signature


def flag_of(name: str) -> str:
    """Return the flag whose value is stored under a name: `--check-words` for `check_words`."""
    return f"--{name.replace('_', '-')}"


def reading_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return `format`, `encoding` and, if the command has it, `check_words`."""
    names = ("format", "encoding", "check_words")
    return {name: getattr(arguments, name) for name in names if name in arguments}


def scoring_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return `metrics`, `policy` and the reading keywords."""
    metrics: list[str] | None = arguments.metrics
    if metrics and any(":" in metric for metric in metrics):
        sys.path.insert(0, "")  # module:function can be in the current directory
    return {"metrics": metrics, "policy": _policy(arguments), **reading_keywords(arguments)}


def resampling_keywords(arguments: Arguments) -> dict[str, Any]:
    """Return `level`, `method` and the other arguments of `Result.intervals` and `compare`."""
    names = ("level", "trials", "seed", "blocks", "strata")
    return {
        **{name: getattr(arguments, name) for name in names},
        "method": "bca" if arguments.bca else "percentile",
        "jobs": number_of_jobs(arguments),
    }


def number_of_jobs(arguments: Arguments) -> int:
    """Return how many processes to use; `--jobs 0` means one per processor."""
    from scoref.base.process_pool import cores

    jobs: int = arguments.jobs
    return jobs or cores()


def _policy(arguments: Arguments) -> Policy | None:
    """Return the policy of the flags or of `--like`, or None if none of them is used.

    None means the default policy, or the policy that counts files state.
    """
    given = {
        field.name: "&".join(value) if isinstance(value, list) else value
        for field in fields(Policy)
        if (value := getattr(arguments, field.name)) is not None
    }
    if arguments.like is None:
        return Policy(**given) if given else None
    stated = read_signature(arguments.like).policy
    for name, value in given.items():
        if value != getattr(stated, name):
            raise UsageError(
                f"{flag_of(name)} {value} contradicts the signature, which states"
                f" {name}:{getattr(stated, name)}",
                f"leave out {flag_of(name)} or --like",
            )
    return stated
