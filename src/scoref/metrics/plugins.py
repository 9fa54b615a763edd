"""Metrics of other packages, found by their entry points in the group `scoref.metrics`.

    [project.entry-points."scoref.metrics"]
    exact = "exact_entities:EXACT"

The name of the entry point is the name of the metric. The object is a `Metric`, a function that
counts a table or, for a metric with parameters, a `Family`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from scoref.base import plugins
from scoref.exceptions import UsageError
from scoref.metrics.base import Metric
from scoref.metrics.names import Family, fixed, of_function

GROUP = "scoref.metrics"


def plugin_names() -> list[str]:
    """Return the names of the metrics that installed packages declare."""
    return plugins.plugin_names(GROUP)


def find_plugin(name: str) -> Family | None:
    """Import the metric that a package declares under a name, or return None."""
    if name not in plugin_names():
        return None
    found = plugins.load_plugin(GROUP, name, (Metric, Family, Callable), "metric")
    if isinstance(found, Family):
        return replace(found, name=name, aliases=())
    return fixed(replace(found if isinstance(found, Metric) else of_function(found), name=name))


def list_plugins(built_in: Collection[str]) -> Iterator[Family | UsageError]:
    """Import the metric of every package; yield an error for each that cannot be used."""
    for name in plugin_names():
        if name in built_in:
            yield plugins.name_conflict(GROUP, name, "metric")
            continue
        try:
            family = find_plugin(name)
        except UsageError as error:
            yield error
        else:
            yield from [family] if family else []
