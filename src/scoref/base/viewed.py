"""Viewed: what objects with a view have in common in Python and in notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from scoref.base.extras import import_extra


class Viewed:
    """An object whose view shows it to people, in tables and to programs.

    Two objects are equal if they are of the same kind and have the same content (`to_dict`).
    """

    __slots__ = ()

    def view(self, **options: Any) -> Any:
        """Return the view (`scoref.render.model.BaseView`)."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the JSON output as a dict."""
        import json  # noqa: PLC0415  # costs as much as scoring a small corpus

        content: dict[str, Any] = json.loads(self.view().render("json"))
        return content

    def _repr_html_(self) -> str:
        """Show the object in a notebook."""
        html: str = self.view().render_html()
        return html

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self is other or self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self).__name__, getattr(self, "signature", "")))


class Tabular(Viewed):
    """A viewed object that is also a table. The options are those of `to_csv`."""

    __slots__ = ()

    def to_pandas(self, **options: Any) -> Any:
        """Return the rows of the CSV output as a DataFrame of pandas."""
        return pandas_table(self.view(**options).records())

    def to_polars(self, **options: Any) -> Any:
        """Return the rows of the CSV output as a DataFrame of polars."""
        return polars_table(self.view(**options).records())


def pandas_table(records: Iterable[Sequence[object]]) -> Any:
    """Return records, the header first, as a DataFrame of pandas."""
    return import_extra("pandas", "to_pandas").DataFrame(_columns(records))


def polars_table(records: Iterable[Sequence[object]]) -> Any:
    """Return records, the header first, as a DataFrame of polars."""
    return import_extra("polars", "to_polars").DataFrame(_columns(records), strict=False)


def _columns(records: Iterable[Sequence[object]]) -> dict[str, list[object]]:
    """Return records as columns; what a column of numbers does not have is None."""
    header, *rows = records
    columns = {str(name): [row[at] for row in rows] for at, name in enumerate(header)}
    return {name: _with_gaps(values) for name, values in columns.items()}


def _with_gaps(values: list[object]) -> list[object]:
    if not any(isinstance(value, int | float) and not _is_nan(value) for value in values):
        return values  # texts, or a column of numbers without any
    return [None if value == "" or _is_nan(value) else value for value in values]


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
