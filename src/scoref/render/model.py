"""What people read, before an output format lays it out: pages of tables and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


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
