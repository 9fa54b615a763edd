"""The facts of metrics: their names, parameters with defaults, requirements and counts."""

from __future__ import annotations

from collections.abc import Sequence

from metric_pages.tables import code, markdown_table
from scoref.metrics import DEFAULT, FAMILIES
from scoref.metrics.names import Family, format_parameter
from scoref.views.writers.markdown import escape


def facts(names: Sequence[str]) -> str:
    """Return a table of facts, a column per metric."""
    families = [FAMILIES[name] for name in names]
    columns = [_facts(family) for family in families]
    header = ["", *(code(family.name) for family in families)]
    rows = [[f"**{name}**", *(column[name] for column in columns)] for name in columns[0]]
    return markdown_table(header, rows)


def _facts(family: Family) -> dict[str, str]:
    metric = family.metric({})
    title = metric.about.title if metric.about else family.name
    values = [
        code(f"{name}={format_parameter(value)}") for name, value in family.parameters.items()
    ]
    further = [*values, *(["a weight per entity type"] if family.open else [])]
    sides = metric.has_sides and not metric.parts
    return {
        "Full name": escape(title),
        "Other names": ", ".join(map(code, family.aliases)) or "none",
        "Scored by default": "yes" if family.name in DEFAULT else "no",
        "Result": "recall, precision, F1" if sides else "one number, in the F1 column",
        "Symmetric": "yes" if metric.symmetric else "no",
        "Requires": escape(", ".join(["entities", *sorted(metric.needs)])),
        "Parameters and defaults": ", ".join(further) or "none",
        "Counts per document": ", ".join(map(code, metric.columns)),
    }
