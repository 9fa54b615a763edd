"""Viewed: what objects with a view have in common in Python and in notebooks.

An object does not know its view: views import objects, and `scoref/__init__.py` binds the room of
views, which names the view of each class (`scoref.views.VIEWS`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from scoref.exceptions import UsageError

_rooms: list[str] = []


def bind_views(room: str) -> None:
    """Name the package whose `VIEWS` has the view of each class, and the figures of some."""
    _rooms[:] = [room]


def find_view(name: str) -> Any:
    """Return a view or a figure by its name in `VIEWS`: `Result`, or `Comparison.draw`."""
    room = _rooms[0]
    module, attribute = import_module(room).VIEWS[name].split(":")
    return getattr(import_module(f"{room}.{module}"), attribute)


class MetricName(str):
    """The name of a metric, and perhaps one of its scores, in a cell: LaTeX typesets it."""

    __slots__ = ()


class Viewed:
    """An object whose view shows it to people, in tables and to programs.

    Two objects are equal if they are of the same kind and have the same content (`to_dict`). The
    `to_*` methods take the options of `view`.
    """

    __slots__ = ()

    def view(self, **options: Any) -> Any:
        """Return the view (`scoref.views.model.BaseView`)."""
        return find_view(type(self).__name__)(self, **options)

    def render(self, output: str, **options: Any) -> str:
        """Render as `text`, `json`, `csv`, `latex` or `markdown`."""
        shown: str = self.view(**options).render(output)
        return shown

    def __str__(self) -> str:
        return self.render("text")

    def to_text(self, **options: Any) -> str:
        """Render as aligned text, scores in percent."""
        return self.render("text", **options)

    def to_json(self, **options: Any) -> str:
        """Render everything as JSON, scores from 0 to 1 at full precision."""
        return self.render("json", **options)

    def to_csv(self, **options: Any) -> str:
        """Render as comma-separated values, scores from 0 to 1 at full precision."""
        return self.render("csv", **options)

    def to_latex(self, **options: Any) -> str:
        """Render as LaTeX for the booktabs package, scores in percent."""
        return self.render("latex", **options)

    def to_markdown(self, **options: Any) -> str:
        """Render as Markdown, scores in percent."""
        return self.render("markdown", **options)

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the JSON output as a dict."""
        import json  # noqa: PLC0415  # costs as much as scoring a small corpus

        content: dict[str, Any] = json.loads(self.to_json())
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
    return _import_package("pandas").DataFrame(_columns(records))


def polars_table(records: Iterable[Sequence[object]]) -> Any:
    """Return records, the header first, as a DataFrame of polars."""
    return _import_package("polars").DataFrame(_columns(records), strict=False)


def _import_package(name: str) -> Any:
    """Import pandas or polars, or say how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"to_{name} requires {name}, which is not installed",
            f"pip install 'scoref[{name}]', or pip install {name}",
        ) from None


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
