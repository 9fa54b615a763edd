"""Checks of the parameters that a user gives a metric."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.exceptions import UsageError


def one_of(metric: str, parameter: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a value that is not one of the choices."""
    if value not in choices:
        raise UsageError(
            f"{metric} has no {parameter}={value}", f"use one of: {', '.join(choices)}"
        )


def not_negative(metric: str, **weights: float) -> None:
    """Refuse weights below zero."""
    for name, weight in weights.items():
        if not weight >= 0:
            raise UsageError(f"{metric} has no {name}={weight:g}: a weight must be 0 or more")
