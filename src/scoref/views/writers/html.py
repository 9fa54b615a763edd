"""HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.base import html
from scoref.base.html import Markup, join, tag
from scoref.views.model import FormulaView, Page, SectionView, TableCell, TableView


def write_page(page: Page) -> Markup:
    """Write a page: what was read, tables, remarks, and the signature in small letters."""
    return html.block(
        html.heading(page.title),
        *(
            html.note(": ".join([name, ", ".join(filter(None, told))]))
            for name, *told in page.inputs
        ),
        *map(html.note, page.changes),
        *map(write_table, page.tables),
        *map(write_section, page.sections),
        *map(html.note, page.remarks),
        html.code(page.signature),
    )


def write_table(table: TableView) -> Markup:
    """Write a table below its title."""
    left = table.left_columns
    written = html.table(table.header, table.rows, left, table.total, write_cell)
    return join(html.heading(table.title), written)


def write_section(section: SectionView) -> Markup:
    """Write a section that opens with a click, since it can be long."""
    title = tag("summary", section.title)
    content = Markup(section.write(title, html.note, write_table, write_formulas))
    return tag("details", content, open="", style="margin:0.5em 0")


def write_formulas(formulas: Sequence[FormulaView]) -> Markup:
    """Write formulas below each other."""
    return join(
        html.note(" ".join([name, *(f"{sign} {text}" for sign, text, _ in steps)]))
        for name, steps in formulas
    )


def write_cell(cell: str | TableCell) -> Markup:
    """Write a cell with its marks."""
    if isinstance(cell, str):
        return html.escape(cell.strip())
    text = html.escape(cell.text.strip())
    text = tag("b", text) if cell.bold else text
    return join(text, tag("sup", cell.superscript) if cell.superscript else "")
