"""Metrics of other packages, found by their entry points in the group `scoref.metrics`.

    [project.entry-points."scoref.metrics"]
    exact = "exact_entities:EXACT"

The name of the entry point is the name of the metric. The object is a `Metric`, a function that
counts a table or, for a metric with parameters, a `Family`. Entry points are looked up only when
a name is not built in, and a package is imported only when its metric is used.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.metrics.names import Family, fixed, of_function

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "scoref.metrics"


def plugin_names() -> list[str]:
    """Return the names of the metrics that installed packages declare."""
    return list(_entry_points())


def find_plugin(name: str) -> Family | None:
    """Import the metric that a package declares under a name, or return None."""
    entries = _entry_points().get(name)
    return _load(name, entries) if entries else None


def list_plugins(built_in: Collection[str]) -> Iterator[Family | UsageError]:
    """Import the metric of every package; yield an error for each that cannot be used."""
    for name, entries in _entry_points().items():
        if name in built_in:
            yield UsageError(
                f"{_package(entries[0])} declares a metric {name!r}, which is ignored: scoref has a"
                " built-in metric of that name",
                "rename the entry point",
            )
            continue
        try:
            yield _load(name, entries)
        except UsageError as error:
            yield error


def _entry_points() -> dict[str, list[EntryPoint]]:
    """Return the entry points of all installed packages, by lower-case name."""
    return _look_up(tuple(sys.path))


@cache
def _look_up(_path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # only plugins need it

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name.lower(), []).append(entry)
    return dict(sorted(found.items()))


def _load(name: str, entries: list[EntryPoint]) -> Family:
    if len(entries) > 1:
        packages = " and ".join(map(_package, entries))
        raise UsageError(
            f"the metric {name!r} is declared by {packages}", "uninstall all but one of them"
        )
    (entry,) = entries
    package = _package(entry)
    try:
        found = entry.load()
    except Exception as error:  # a package may fail in any way
        raise UsageError(
            f"cannot import the metric {name!r} from {entry.value!r} of {package}:"
            f" {type(error).__name__}: {error}",
            "reinstall the package with what it requires, or leave the metric out",
        ) from error
    if isinstance(found, Family):
        return replace(found, name=name, aliases=())
    if isinstance(found, Metric):
        return fixed(replace(found, name=name))
    if callable(found):
        return fixed(replace(of_function(found), name=name))
    raise UsageError(
        f"{entry.value!r} of {package} has the type {type(found).__name__}, expected a metric, a"
        " metric family or a function that counts a table",
        "report this to the authors of the package, or leave the metric out",
    )


def _package(entry: EntryPoint) -> str:
    dist = entry.dist
    return f"the package {dist.name} {dist.version}" if dist else "an unknown package"
