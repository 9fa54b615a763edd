"""Markdown for pull requests and notes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoref.views.model import FormulaView, Page, SectionView, TableCell, TableView


def write_page(page: Page) -> str:
    """Write a page: tables between lists, the signature as code."""
    parts = [
        f"## {escape(page.title)}" if page.title else "",
        write_inputs(page.inputs, page.changes),
        *map(write_table, page.tables),
        *map(write_section, page.sections),
        "\n".join(f"- {escape(line)}" for line in page.remarks),
        f"`{page.signature}`" if page.signature else "",
    ]
    return "\n\n".join(filter(None, parts))


def write_inputs(inputs: Sequence[Sequence[str]], changes: Sequence[str]) -> str:
    """Write a list of what was read, and of what the policy did to it."""
    read = [
        f"{name}: {', '.join(filter(None, [f'`{source}`' if source else '', *counts]))}"
        for name, source, *counts in inputs
    ]
    return "\n".join(f"- {line}" for line in (*read, *changes))


def write_table(table: TableView) -> str:
    """Write a table: its first columns to the left, numbers to the right."""
    title = f"**{escape(table.title)}**\n\n" if table.title else ""
    rule = ["---" if at in table.left_columns else "---:" for at in range(len(table.header))]
    rows = [list(map(_cell, row)) for row in (table.header, *table.body)]
    return title + "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def write_section(section: SectionView) -> str:
    """Write a section: formulas as lists."""
    return section.write(f"## {escape(section.title)}", escape, write_table, write_formulas)


def write_formulas(formulas: Sequence[FormulaView]) -> str:
    """Write a list of formulas."""
    return "\n".join(
        f"- {escape(' '.join([name, *(f'{sign} {text}' for sign, text, _ in steps)]))}"
        for name, steps in formulas
    )


def _cell(cell: str | TableCell) -> str:
    if isinstance(cell, str):
        return escape(cell.strip())
    value = f"**{escape(cell.text.strip())}**" if cell.bold else escape(cell.text.strip())
    return f"{value}<sup>{escape(cell.superscript)}</sup>" if cell.superscript else value


def escape(text: str) -> str:
    """Keep bars, asterisks and the like of document names from meaning anything."""
    return re.sub(r"([\\|`*_<>\[\]])", r"\\\1", text)
