"""Statistics of corpora, a column each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoref.analysis.statistics import Statistics
from scoref.views.model import BaseView, Page, TableView

_NUMBERS = {
    **{name: name for name in ("documents", "tokens", "mentions", "entities", "singletons")},
    "mentions_per_entity": "mentions per entity",
    "largest_entity": "mentions of the largest entity",
}
_SPANS = {
    "nested_mentions": "mentions inside another",
    "crossing_mentions": "mentions that cross another",
    "deepest_nesting": "most mentions over one token",
}


@dataclass(frozen=True, slots=True)
class StatisticsView(BaseView):
    """A table with a column per corpus."""

    corpora: Sequence[Statistics]

    def page(self) -> Page:
        """Return the table."""
        header, *rows = self.records()
        return Page(tables=[TableView(header, rows)])

    def records(self) -> list[list[str]]:
        """Return the table without rows that are empty for every corpus."""
        rows = [
            *self._numbers(_NUMBERS),
            *self._bins("entities_by_size", "entities"),
            *self._bins("mentions_by_length", "mentions"),
            *self._numbers(_SPANS),
            *self._bins("mentions_by_type", "mentions"),
        ]
        header = ["", *(corpus.source for corpus in self.corpora)]
        return [header, *(row for row in rows if any(row[1:]))]

    def content(self) -> list[dict[str, Any]]:
        """Return everything that is known of each corpus."""
        return [asdict(corpus) for corpus in self.corpora]

    def _numbers(self, names: dict[str, str]) -> list[list[str]]:
        return [
            [label, *(_number(getattr(corpus, name)) for corpus in self.corpora)]
            for name, label in names.items()
        ]

    def _bins(self, field: str, noun: str) -> list[list[str]]:
        """Make a row of each bin; a corpus can lack some."""
        columns = [
            {one.name: f"{one.count:,} ({100 * one.share:.1f} %)" for one in getattr(corpus, field)}
            for corpus in self.corpora
        ]
        names = dict.fromkeys(name for column in columns for name in column)
        return [[f"{name} {noun}", *(one.get(name, "") for one in columns)] for name in names]


def _number(value: int | float | None) -> str:  # noqa: PYI041  # they are shown apart
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"
