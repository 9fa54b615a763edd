"""List the metrics, describe some, or show how to cite them.

Metrics of other installed packages are listed too. The description of a metric has its formula,
its paper, what it rewards and what it ignores.

With --cite, the references are those of scoref and of the metrics; without NAME, of the metrics
that `scoref score` computes by default. Print the signature with every score, too: it states how
the score was computed.

Example commands:
  scoref metrics
  scoref metrics 'blanc(alpha=0.2)'
  scoref metrics --cite lea
  scoref metrics --cite muc b3 ceafe conll -o paper.bib
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from scoref.cli import options
from scoref.cli.command import Arguments, Command, Option
from scoref.cli.output import print_message
from scoref.exceptions import UsageError
from scoref.version import __version__

if TYPE_CHECKING:
    from scoref.metrics import Metric

_WIDTH = 88

_SELF = f"The scoref developers. scoref: scoring coreference resolution, version {__version__}."
_SELF_BIBTEX = f"""\
@software{{scoref,
  author = {{{{The scoref developers}}}},
  title = {{{{scoref}}: Scoring Coreference Resolution}},
  version = {{{__version__}}},
}}"""

COMMAND = Command(
    __doc__,
    Option("[NAME...]", "a metric, such as b3 or 'blanc(alpha=0.2)'"),
    {
        "--cite": "print the references of scoref and of the metrics",
        **options.output("text", "bibtex"),
    },
)


def run(arguments: Arguments) -> int:
    """Print one line per metric, a paragraph on each of some metrics, or references."""
    from scoref.metrics import find_metric

    if arguments.to == "bibtex" and not arguments.cite:
        raise UsageError("bibtex is a format of references", "add --cite")
    if arguments.cite:
        _cite(arguments)
    elif not arguments.name:
        _print_all()
    for at, name in enumerate(() if arguments.cite else arguments.name):
        print(end="\n" if at else "")
        _describe(find_metric(name))
    return 0


def _cite(arguments: Arguments) -> None:
    from scoref.metrics import find_metrics
    from scoref.metrics.bibliography import references_of

    metrics = [metric.name for metric in find_metrics(arguments.name or None)]
    found = references_of(metrics)
    if arguments.to == "bibtex":
        print("\n\n".join([_SELF_BIBTEX, *(one.bibtex for one in found)]))
    else:
        print("\n".join(map(_fill, [_SELF, *map(str, found)])))
    for name in metrics:
        if not references_of([name]):
            print_message("note", f"no publication is known for the metric {name!r}")


def _fill(entry: str) -> str:
    """Return an entry in lines, none of which ends within a link."""
    return textwrap.fill(
        entry, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _print_all() -> None:
    from scoref.metrics import DEFAULT, FAMILIES, Family
    from scoref.metrics.names import format_parameter
    from scoref.metrics.registry import plugin_families

    plugins = list(plugin_families())
    found = [family for family in plugins if isinstance(family, Family)]
    width = max(len(family.name) for family in (*FAMILIES.values(), *found))
    for family in (*FAMILIES.values(), *found):
        about = family.metric({}).about
        mark = "*" if family.name in DEFAULT else "+" if family in found else " "
        title, parameters = about.title if about else "", family.parameters.items()
        if defaults := ", ".join(f"{name}={format_parameter(value)}" for name, value in parameters):
            title += f"  [{defaults}]"
        print(f"{mark} {family.name:<{width}} {title}".rstrip())
    print("\n* scored by default; [parameters and their defaults]")
    if found:
        print("+ from another installed package")
    print("`scoref metrics NAME` describes a metric; write parameters as in 'blanc(alpha=0.2)'")
    for error in plugins:
        if not isinstance(error, Family):
            print_message("warning", error.message, error.hint)


def _describe(metric: Metric) -> None:
    rows = [("counts", ", ".join(metric.columns))]
    if metric.needs:
        rows.append(("requires", ", ".join(sorted(metric.needs))))
    if about := metric.about:
        print(f"{metric.name}: {about.title}\n")
        names = ("formula", "paper", "rewards", "ignores")
        rows = [*((name, getattr(about, name)) for name in names), *rows]
    for name, text in rows:
        print(textwrap.fill(text, _WIDTH, initial_indent=f"{name:<9}", subsequent_indent=" " * 9))
