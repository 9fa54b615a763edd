"""Views: what a feature shows, as a page of tables and remarks, as rows and as JSON.

A view describes itself, and a module per output writes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

from scoref.exceptions import UsageError
from scoref.render import OUTPUTS


class TableCell(NamedTuple):
    """A cell with marks: a superscript after it, and bold if it is the best of its column."""

    text: str
    superscript: str = ""
    bold: bool = False


TableRow = Sequence[str | TableCell]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: a header, rows, and perhaps a row of totals.

    left: the number of columns that are aligned to the left
    title: a line above the table
    caption: sentences for the caption of a LaTeX float; without them, LaTeX gets no float
    """

    header: Sequence[str]
    rows: Sequence[TableRow]
    total: TableRow = ()
    left: int = 1
    title: str = ""
    caption: Sequence[str] = ()

    @property
    def body(self) -> list[TableRow]:
        """Return all rows, the totals last."""
        return [*self.rows, self.total] if self.total else list(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Everything that one view shows.

    inputs: a row per input: its name, its path or nothing, and counts
    changes: what the policy did to the inputs
    """

    tables: Sequence[TableView]
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
        """Return the content of the json output, numbers at full precision."""

    def render(self, output: str) -> str:
        """Render as one of `outputs`."""
        if output not in self.outputs:
            raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(self.outputs)}")
        # The csv and json modules alone cost as much as scoring a small corpus.
        writer: Any = import_module(f"scoref.render.{output}")
        if output == "json":
            shown: str = writer.write_content(self.content(), self.json_default)
        elif output == "csv":
            shown = writer.write_records(self.records())
        else:
            shown = writer.write_page(self.page())
        return shown
