"""Tables in Markdown, and numbers in their cells."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

UNDEFINED = "0/0"


def markdown_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()
) -> str:
    """Write a table; `numbers` are the columns that are aligned to the right."""
    rule = ["---:" if at in numbers else "---" for at in range(len(header))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))


def code(text: str) -> str:
    """Write a name of the program."""
    return f"`{text}`"


def write_number(value: Fraction | float | None) -> str:
    """Write a score as a short fraction, or else with three decimals; None is 0/0."""
    if value is None:
        return UNDEFINED
    if isinstance(value, Fraction) and value.denominator < 1000:
        return str(value)
    return f"{float(value):.3f}".replace(".000", "")
