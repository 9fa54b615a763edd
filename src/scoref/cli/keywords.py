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

SIDES = ("key", "response")


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
    of_key, of_response = (getattr(arguments, f"{side}_{name}", None) for side in SIDES)
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
    refuse_together(arguments, "bca", "interval_method")
    method = "bca" if arguments.bca else arguments.interval_method
    return {"method": method, **{name: getattr(arguments, name) for name in names}}


def _policy(arguments: Arguments) -> Policy | None:
    """Return the policy of the flags or of `--like`, or None if none of them is used.

    None means the default policy, or the policy that counts files state.
    """
    given: dict[str, Any] = {
        field.name: "&".join(value) if isinstance(value, list) else value
        for field in fields(Policy)
        if (value := getattr(arguments, field.name)) is not None
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
