"""List the metrics, or describe one.

The description of a metric has its formula, its paper, what it rewards and what it ignores.

Example commands:
  scoref metrics
  scoref metrics 'blanc(alpha=0.2)'
"""

from __future__ import annotations

import textwrap

from scoref.cli.command import Arguments, Command, Option

COMMAND = Command(__doc__, Option("[NAME]", "a metric, such as b3 or 'blanc(alpha=0.2)'"))


def run(arguments: Arguments) -> int:
    """Print a line per metric, or a paragraph on one."""
    if arguments.name is None:
        _print_list()
    else:
        _print_description(arguments.name)
    return 0


def _print_list() -> None:
    from scoref.metrics import DEFAULT, FAMILIES
    from scoref.metrics.names import write

    width = max(map(len, FAMILIES))
    for family in FAMILIES.values():
        about = family.metric({}).about
        mark = "*" if family.name in DEFAULT else " "
        defaults = ", ".join(f"{name}={write(value)}" for name, value in family.parameters.items())
        parameters = f"  [{defaults}]" if defaults else ""
        print(f"{mark} {family.name:<{width}} {about.title if about else ''}{parameters}")
    print("\n* scored by default; [parameters and their defaults]")
    print("`scoref metrics NAME` describes a metric; write parameters as in 'blanc(alpha=0.2)'")


def _print_description(name: str) -> None:
    from scoref.metrics import FAMILIES
    from scoref.metrics.names import find

    metric = find(name, FAMILIES)
    rows = {}
    if about := metric.about:
        print(f"{metric.name}: {about.title}\n")
        rows = {row: getattr(about, row) for row in ("formula", "paper", "rewards", "ignores")}
    rows["counts"] = ", ".join(metric.columns)
    if metric.needs:
        rows["requires"] = ", ".join(sorted(metric.needs))
    for title, text in rows.items():
        print(textwrap.fill(text, 88, initial_indent=f"{title:<9}", subsequent_indent=" " * 9))
