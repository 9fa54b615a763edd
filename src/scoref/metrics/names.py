"""Metric names: `blanc(alpha=0.2)` becomes a metric, and a metric prints its name back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module

from scoref.base.arrays import Floats
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.overlap.table import Table

Parameter = float | int | str
Count = Callable[[Table], Floats]
MetricLike = str | Metric | Count

_NAME = re.compile(r"\s*(?P<name>[a-z][\w-]*)\s*(?:\((?P<inside>[^()]*)\))?\s*", re.IGNORECASE)


def write(value: Parameter) -> str:
    """Write a parameter so that it reads back as the very same number: 0.2, 1, 1e-20."""
    return str(value).removesuffix(".0")


@dataclass(frozen=True, slots=True)
class Family:
    """Metrics of one name that differ in their parameters, whose defaults are given.

    An `open` family takes further parameters, numbers by any name.
    """

    name: str
    build: Callable[..., Metric]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    open: bool = False

    def metric(self, given: Mapping[str, str]) -> Metric:
        """Build the metric of the given parameters; its name states those that are not default."""
        values = {name: self._value(name, text) for name, text in given.items()}
        names = [*self.parameters, *sorted(values.keys() - self.parameters.keys())]
        values = {name: values[name] for name in names if name in values}
        stated = [
            f"{name}={write(value)}"
            for name, value in values.items()
            if value != self.parameters.get(name)
        ]
        full = f"{self.name}({','.join(stated)})" if stated else self.name
        return replace(self.build(**values), name=full)

    def _value(self, name: str, text: str) -> Parameter:
        if name not in self.parameters and not self.open:
            known = ", ".join(self.parameters)
            hint = f"it takes: {known}" if known else "it takes none"
            raise UsageError(f"{self.name} has no parameter {name!r}", hint)
        kind = type(self.parameters.get(name, 1.0))
        try:
            return kind(text)
        except ValueError:
            wanted = {int: "a whole number", float: "a number"}[kind]
            message = f"{name}={text} of {self.name} is not {wanted}"
            raise UsageError(message) from None


def fixed(metric: Metric, *aliases: str) -> Family:
    """Make the family of a metric without parameters."""
    return Family(metric.name, lambda: metric, aliases=aliases)


def find(metric: MetricLike, families: Mapping[str, Family]) -> Metric:
    """Return the metric of a name, a metric as it is, or a function that counts as a metric."""
    if isinstance(metric, Metric):
        return metric
    if callable(metric):
        return Metric(name=getattr(metric, "__name__", "metric").strip("<>"), count=metric)
    if ":" in metric:
        return find(_import(metric), families)
    parsed = _NAME.fullmatch(metric)
    names = {alias: f for f in families.values() for alias in (f.name, *f.aliases)}
    family = names.get(parsed["name"].lower()) if parsed else None
    if parsed is None or family is None:
        raise UsageError(f"unknown metric {metric!r}", _suggest(metric, names))
    return family.metric(_arguments(parsed["inside"] or "", metric))


def _arguments(inside: str, metric: str) -> dict[str, str]:
    arguments: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value or name in arguments:
            raise UsageError(
                f"cannot read {part!r} in the metric {metric!r}", "write blanc(alpha=0.2)"
            )
        arguments[name] = value
    return arguments


def _import(path: str) -> Metric | Count:
    """Import a metric of the user's own, named as `module:function`."""
    module, _, attribute = path.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"cannot import the metric {path!r}: {error}") from None
    if not isinstance(found, Metric) and not callable(found):
        raise UsageError(f"{path!r} is neither a metric nor a function that counts a table")
    return found  # type: ignore[no-any-return]  # as far as one can see


def _suggest(metric: str, names: Mapping[str, Family]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # only a mistake needs it

    close = get_close_matches(metric.lower().split("(")[0], names, n=1)
    known = ", ".join(sorted({family.name for family in names.values()}))
    return f"did you mean {close[0]!r}?" if close else f"known metrics: {known}"
