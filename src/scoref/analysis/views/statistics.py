"""Statistics of corpora, a column each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from scoref.analysis.statistics import Bin, Statistics
from scoref.render.tables import Row, render_rows

_NUMBERS = (
    ("documents", "documents"),
    ("tokens", "tokens"),
    ("mentions", "mentions"),
    ("entities", "entities"),
    ("singletons", "singletons"),
    ("mentions per entity", "mentions_per_entity"),
    ("mentions of the largest entity", "largest_entity"),
)
_SPANS = (
    ("mentions inside another", "nested_mentions"),
    ("mentions that cross another", "crossing_mentions"),
    ("most mentions over one token", "deepest_nesting"),
)


def render(corpora: Sequence[Statistics], output: str) -> str:
    """Render a table with a column per corpus, or everything as JSON."""
    if output == "json":
        import json  # noqa: PLC0415  # the one output that needs it

        return json.dumps([asdict(corpus) for corpus in corpora], indent=2, ensure_ascii=False)
    rows = [
        *(_numbers(corpora, label, name) for label, name in _NUMBERS),
        *_bins([corpus.entities_by_size for corpus in corpora], " entities"),
        *_bins([corpus.mentions_by_length for corpus in corpora], " mentions"),
        *(_numbers(corpora, label, name) for label, name in _SPANS),
        *_bins([corpus.mentions_by_type for corpus in corpora], " mentions"),
    ]
    header = ["", *(corpus.source for corpus in corpora)]
    return render_rows(header, [row for row in rows if any(row[1:])], output)


def _numbers(corpora: Sequence[Statistics], label: str, name: str) -> Row:
    return [label, *(_shown(getattr(corpus, name)) for corpus in corpora)]


def _shown(value: int | float | None) -> str:  # noqa: PYI041  # they are shown apart
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"


def _bins(columns: Sequence[tuple[Bin, ...]], what: str) -> list[Row]:
    """Make a row of each bin, which corpora may lack."""
    names = list(dict.fromkeys(bin_.name for column in columns for bin_ in column))
    by_name = [{bin_.name: bin_ for bin_ in column} for column in columns]
    return [[name + what, *(_share(bins.get(name)) for bins in by_name)] for name in names]


def _share(found: Bin | None) -> str:
    return f"{found.count:,} ({100 * found.share:.1f} %)" if found is not None else ""
