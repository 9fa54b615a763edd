"""The brackets that writers put into the cells of tokens."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass(slots=True)
class BracketCells:
    """The brackets of each token of a document: openings, whole mentions and closings.

    Mentions are added in the order in which they open, longer ones first. So of mentions that
    start or end together, the longer one opens first and closes last.
    """

    openings: dict[Hashable, list[str]] = field(default_factory=dict)
    whole: dict[Hashable, list[str]] = field(default_factory=dict)
    closings: dict[Hashable, list[str]] = field(default_factory=dict)

    def add(self, first: Hashable, last: Hashable, opening: str, closing: str) -> None:
        """Add a mention from its first to its last token; one of a single token ends with `)`."""
        if first == last:
            self.whole.setdefault(first, []).append(f"{opening})")
        else:
            self.openings.setdefault(first, []).append(opening)
            self.closings.setdefault(last, []).insert(0, closing)

    def at(self, token: Hashable, *, closings_first: bool = True) -> list[str]:
        """Return the brackets of a token in the order of writing."""
        opened = [*self.openings.get(token, ()), *self.whole.get(token, ())]
        closed = self.closings.get(token, [])
        return [*closed, *opened] if closings_first else [*opened, *closed]
