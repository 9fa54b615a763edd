"""Counted: the counts of one response, and all that makes them comparable and citable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scoref.base.phrases import listed
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.policy import Policy


class Side(NamedTuple):
    """What one side had, and what the policy did to it."""

    source: str
    documents: int
    mentions: int
    entities: int
    duplicates_dropped: int
    singletons_dropped: int


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What a counts file holds; a Result is this with scores, views and single mentions."""

    key: Side
    response: Side
    counts: Counts
    policy: Policy
    signature: str
    notes: tuple[str, ...] = ()

    def check_exact(self, what: str) -> None:
        """Refuse to base something on scores that are bounds."""
        if self.counts.most:
            raise UsageError(
                f"{what} need exact scores, but time ran out for {listed(list(self.counts.most))}",
                "score without a time limit for CEAF",
            )
