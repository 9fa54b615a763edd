"""Views: what a feature shows, as a page of tables, sections and remarks, as rows and as JSON.

A view describes itself, and a module of `writers` writes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import zip_longest
from typing import Any, ClassVar, NamedTuple

from scoref.base.viewed import MetricName
from scoref.base.visible import visible
from scoref.exceptions import UsageError
from scoref.views import OUTPUTS


class TableCell(NamedTuple):
    """A cell with marks: a superscript after it, and bold if it is the best of its column.

    short: the text of a cell in a table that would be too wide
    math: what LaTeX writes between dollar signs instead of the text
    """

    text: str
    superscript: str = ""
    bold: bool = False
    short: str = ""
    math: str = ""


TableRow = Sequence[str | TableCell]


def best_in_bold(
    values: Sequence[str], superscripts: Sequence[str], spreads: Sequence[str] = ()
) -> list[TableCell]:
    """Return a column of numbers, the best in bold unless all are equal.

    `superscripts` and `spreads`, such as ` ± 0.5`, come after the numbers.
    """
    known = set(filter(None, values))
    best = max(known, key=float) if len(known) > 1 else None
    return [
        TableCell(f"{value}{spread}", superscript, bold=value == best)
        for value, superscript, spread in zip_longest(values, superscripts, spreads, fillvalue="")
    ]


class TableView(NamedTuple):
    """A table: a header, rows, and perhaps a row of totals.

    left: the columns that are aligned to the left: how many, or which
    title: a line above the table
    caption: sentences for the caption of a LaTeX float; without them, LaTeX gets no float
    """

    header: Sequence[str]
    rows: Sequence[TableRow]
    total: TableRow = ()
    left: int | Container[int] = 1
    title: str = ""
    caption: Sequence[str] = ()

    @property
    def body(self) -> list[TableRow]:
        """Return all rows, the totals last."""
        return [*self.rows, self.total] if self.total else list(self.rows)

    @property
    def left_columns(self) -> Container[int]:
        """Return the places of the columns that are aligned to the left."""
        return range(self.left) if isinstance(self.left, int) else self.left


def is_too_wide(widths: Sequence[int], most: int) -> bool:
    """Return whether columns that are two characters apart take more than a line."""
    return sum(widths) + 2 * len(widths) > most


def narrowed(widths: Sequence[int], left: Container[int], most: int, least: int) -> list[int]:
    """Narrow the widest columns of texts, down to some width, until a table fits on a line."""
    widths = [*widths]
    texts = [at for at in range(len(widths)) if at in left]
    while texts and is_too_wide(widths, most):
        widest = max(texts, key=lambda at: widths[at])
        if widths[widest] <= least:
            break
        widths[widest] -= 1
    return widths


class FormulaStep(NamedTuple):
    """A sign of equality, and what is after it as plain text and as LaTeX's mathematics."""

    sign: str
    text: str
    math: str


class FormulaView(NamedTuple):
    """A name, and the steps that lead to its value."""

    name: str
    steps: Sequence[FormulaStep]


class SectionView(NamedTuple):
    """A title, and below it paragraphs, tables that are made to fit, and groups of formulas."""

    title: str
    blocks: Iterable[str | TableView | Sequence[FormulaView]]

    def write(
        self,
        title: str,
        text: Callable[[str], str],
        table: Callable[[TableView], str],
        formulas: Callable[[Sequence[FormulaView]], str],
    ) -> str:
        """Write the blocks below a title that is written already."""
        parts = [title]
        for block in self.blocks:
            if isinstance(block, str):
                parts.append(text(block))
            else:
                parts.append(table(block) if isinstance(block, TableView) else formulas(block))
        return "\n\n".join(parts)


class Page(NamedTuple):
    """Everything that one view shows.

    inputs: a row per input: its name, its path or nothing, and counts
    changes: what the policy did to the inputs
    """

    tables: Sequence[TableView] = ()
    sections: Sequence[SectionView] = ()
    title: str = ""
    inputs: Sequence[Sequence[str]] = ()
    changes: Sequence[str] = ()
    remarks: Sequence[str] = ()
    signature: str = ""


class BaseView(ABC):
    """What a feature has to say, for people, for spreadsheets and for programs."""

    outputs: ClassVar[Sequence[str]] = OUTPUTS
    json_default: ClassVar[Callable[[Any], Any] | None] = None
    """Converts values that JSON does not have."""

    @abstractmethod
    def page(self) -> Page:
        """Return what people read."""

    @abstractmethod
    def records(self) -> Iterable[Sequence[object]]:
        """Return the rows of the csv output, the header first, numbers at full precision."""

    @abstractmethod
    def content(self) -> Any:
        """Return the content of the json output, numbers at full precision; NaN becomes null."""

    def to_dict(self) -> Any:
        """Return the content, with None for what does not exist."""
        return _without_nan(self.content())

    def render(self, output: str) -> str:
        """Render as one of `outputs`."""
        if output not in self.outputs:
            raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(self.outputs)}")
        if output == "json":
            return write_json(self.content(), self.json_default)
        # The csv and json modules alone cost as much as scoring a small corpus.
        writer: Any = import_module(f"scoref.views.writers.{output}")
        if output == "csv":
            shown: str = writer.write_records(self.records())
        else:
            shown = writer.write_page(_visible(self.page()))
        return shown

    def render_html(self) -> str:
        """Render for notebooks; the command line has reports instead."""
        writer: Any = import_module("scoref.views.writers.html")
        shown: str = writer.write_page(_visible(self.page()))
        return shown


def write_json(content: Any, default: Any = None) -> str:
    """Write content. Keys may be added in later versions; those that exist stay."""
    import json  # noqa: PLC0415  # most outputs do not need it

    content = _without_nan(content)
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False, default=default)


def _without_nan(part: Any) -> Any:
    """Replace NaN, which JSON does not have, by None in a part of the content."""
    if isinstance(part, float):
        return None if part != part else part  # noqa: PLR0124  # NaN
    if isinstance(part, Mapping):
        return {name: _without_nan(value) for name, value in part.items()}
    return [*map(_without_nan, part)] if isinstance(part, list | tuple) else part


def _visible(part: Any) -> Any:
    """Escape control characters in all texts of a part of a page."""
    if isinstance(part, str):
        return MetricName(visible(part)) if isinstance(part, MetricName) else visible(part)
    if isinstance(part, Page | TableView):
        texts = (name for name in part._fields if name != "left")
        return part._replace(**{name: _visible(getattr(part, name)) for name in texts})
    if not isinstance(part, Iterable):  # bold or not
        return part
    parts = map(_visible, part)
    return type(part)(*parts) if hasattr(part, "_fields") else list(parts)
