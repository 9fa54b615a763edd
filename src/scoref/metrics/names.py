"""Metric names: `blanc(alpha=0.2)` becomes a metric, and the metric has its name back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

from scoref.exceptions import UsageError
from scoref.metrics.base import Count, Metric

Parameter = float | int | str
MetricLike = str | Metric | Count

_NAME = re.compile(r"\s*(?P<name>[a-z][\w-]*)\s*(?:\((?P<inside>[^()]*)\))?\s*", re.IGNORECASE)


NO, YES = "no", "yes"
"""The values of a switch, a parameter that is named alone: `b3(extended)`."""


def format_parameter(value: Parameter) -> str:
    """Write a parameter so that it reads back as the same number: 0.2, 1, 1e-20."""
    return str(value).removesuffix(".0")


class Family(NamedTuple):
    """Metrics of one name that differ in their parameters.

    * `name`: The name before the bracket, as in `blanc(alpha=0.2)`.
    * `build`: Takes the parameters by name, and returns a `Metric`.
    * `parameters`: The parameters with their defaults.
    * `aliases`: Other names.
    * `open`: Whether the family takes further parameters: numbers with any name.
    """

    name: str
    build: Callable[..., Metric]
    parameters: Mapping[str, Parameter] = MappingProxyType({})
    aliases: tuple[str, ...] = ()
    open: bool = False

    def metric(self, arguments: Mapping[str, str]) -> Metric:
        """Build a metric; its name states the parameters that differ from the defaults."""
        values = {name: self._parse(name, text) for name, text in arguments.items()}
        names = [*self.parameters, *sorted(values.keys() - self.parameters.keys())]
        values = {name: values[name] for name in names if name in values}
        stated = [
            name if value == YES else f"{name}={format_parameter(value)}"
            for name, value in values.items()
            if value != self.parameters.get(name)
        ]
        full = f"{self.name}({','.join(stated)})" if stated else self.name
        return replace(self.build(**values), name=full)

    def _parse(self, name: str, text: str) -> Parameter:
        if name not in self.parameters and not self.open:
            known = ", ".join(self.parameters)
            hint = f"its parameters are: {known}" if known else "it has no parameters"
            raise UsageError(f"{self.name} has no parameter {name!r}", hint)
        if self.parameters.get(name) == NO:
            one_of(self.name, name, text, (YES, NO))
        elif text == YES:
            message = f"found {name!r} in the metric '{self.name}({name})', expected"
            hint = "write parameters as in blanc(alpha=0.2)"
            raise UsageError(f"{message} one value per parameter", hint)
        kind = type(self.parameters.get(name, 1.0))
        try:
            return kind(text)
        except ValueError:
            expected = {int: "a whole number", float: "a number"}[kind]
            message = f"{self.name} has {name}={text}, expected {expected}"
            raise UsageError(message) from None


def fixed(metric: Metric) -> Family:
    """Return the family of a metric without parameters."""
    return Family(metric.name, lambda: metric)


def parse_name(text: str) -> tuple[str, dict[str, str]] | None:
    """Split a metric name into family and arguments; None if the text is not a name."""
    parsed = _NAME.fullmatch(text)
    if parsed is None:
        return None
    arguments: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (parsed["inside"] or "").split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        value = value if equals else YES
        if not name.isidentifier() or not value or name in arguments:
            raise UsageError(
                f"found {part!r} in the metric {text!r}, expected one value per parameter",
                "write parameters as in blanc(alpha=0.2)",
            )
        arguments[name] = value
    return parsed["name"].lower(), arguments


def import_metric(path: str) -> Metric | Count:
    """Import a metric of the user's own, named as `module:attribute`."""
    module, _, attribute = path.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"cannot import the metric {path!r}: {error}") from None
    if not isinstance(found, Metric) and not callable(found):
        raise UsageError(f"{path!r} is neither a metric nor a function that counts a table")
    return found  # type: ignore[no-any-return]  # no more is known about a callable


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
