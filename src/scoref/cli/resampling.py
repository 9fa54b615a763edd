"""How intervals and tests are made, as flags, for every command that makes them."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import Any

from scoref.cli.arguments import jobs_of

_FLAGS: dict[str, dict[str, Any]] = {
    "level": {
        "type": float,
        "default": 0.05,
        "metavar": "P",
        "help": "significance level; intervals hold 1 - P (default: 0.05, 95 %% intervals)",
    },
    "trials": {"type": int, "default": 10_000, "metavar": "N", "help": "draws (default: 10000)"},
    "seed": {
        "type": int,
        "default": 0,
        "metavar": "N",
        "help": "fixes all that is random (default: 0)",
    },
    "bca": {
        "action": "store_true",
        "help": "bias-corrected and accelerated intervals instead of percentile intervals",
    },
    "blocks": {
        "metavar": "REGEX",
        "help": "draw and exchange documents together whose names have the same match (its"
        " first group, if it has one): topics, books",
    },
    "strata": {
        "metavar": "REGEX",
        "help": "draw as many documents of each match as there are: genres, as in '^[^/]+'",
    },
}


def add_resampling(
    parser: argparse.ArgumentParser, *, only: Collection[str] = tuple(_FLAGS), level: str = ""
) -> None:
    """Add the flags of resampling, or some of them; a command may explain its level."""
    group = parser.add_argument_group("resampling", "how intervals and tests are made")
    for name in only:
        flag = dict(_FLAGS[name])
        if name == "level" and level:
            flag["help"] = level
        group.add_argument(f"--{name}", **flag)


def resampling_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the flags as the arguments of `Result.intervals` and `compare`."""
    return {
        "level": arguments.level,
        "method": "bca" if arguments.bca else "percentile",
        "trials": arguments.trials,
        "seed": arguments.seed,
        "jobs": jobs_of(arguments),
        "blocks": arguments.blocks,
        "strata": arguments.strata,
    }
