"""HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from scoref.base import html
from scoref.render.model import FormulaView, Page, SectionView, TableCell, TableView


def write_page(page: Page) -> str:
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


def write_table(table: TableView) -> str:
    """Write a table below its title."""
    left = table.left_columns
    return html.heading(table.title) + html.table(
        table.header, table.rows, left, table.total, write_cell
    )


def write_section(section: SectionView) -> str:
    """Write a section that opens with a click, since it can be long."""
    title = f"<summary>{html.escape(section.title)}</summary>"
    content = section.write(title, html.note, write_table, write_formulas)
    return f'<details open style="margin:0.5em 0">{content}</details>'


def write_formulas(formulas: Sequence[FormulaView]) -> str:
    """Write formulas below each other."""
    return "".join(
        html.note(" ".join([name, *(f"{sign} {text}" for sign, text, _ in steps)]))
        for name, steps in formulas
    )


def write_cell(cell: str | TableCell) -> str:
    """Write a cell with its marks."""
    if isinstance(cell, str):
        return html.escape(cell.strip())
    text = html.escape(cell.text.strip())
    text = f"<b>{text}</b>" if cell.bold else text
    return f"{text}<sup>{html.escape(cell.superscript)}</sup>" if cell.superscript else text
