"""What stands below a table or figure: reasons for marks, choices, notes, claims."""

from __future__ import annotations

from typing import NamedTuple

from scoref.papers.exhibits import Figure, Table


class Remark(NamedTuple):
    """A sentence, and what kind it is: a mark such as `[1]`, or a word."""

    kind: str
    text: str


def remarks(content: Table | Figure) -> list[Remark]:
    """List all that is to be said of an exhibit, what differs first."""
    reasons = content.reasons() if isinstance(content, Table) else []
    legend = content.legend if isinstance(content, Figure) else ""
    return [
        *(Remark(f"[{at}]", reason) for at, reason in enumerate(reasons, 1)),
        *(Remark("our choice:", choice) for choice in content.choices),
        *(
            Remark(
                "holds:" if claim.holds else "does not hold:",
                f"{claim.text}{f'; {claim.comment}' if claim.comment else ''}",
            )
            for claim in content.claims
        ),
        *(Remark("note:", note) for note in (legend, *content.notes) if note),
    ]


def unit(content: Table | Figure) -> str:
    """Say in which unit values are."""
    return content.unit if isinstance(content, Table) else "percent"


def has_print(content: Table | Figure) -> bool:
    """Whether anything printed is shown."""
    return isinstance(content, Table) and any(cell.printed for _, _, cell in content.cells())
