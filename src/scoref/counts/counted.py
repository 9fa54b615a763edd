"""Counted: the counts of one response, with the policy and the signature that they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Bools
from scoref.base.phrases import listed
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.policy import Policy


class Side(NamedTuple):
    """The numbers of one side, and what the policy removed from it.

    `others_dropped` are mentions that the policies `nested` and `verb_phrases` removed.
    """

    source: str
    documents: int
    mentions: int
    entities: int
    duplicates_dropped: int
    singletons_dropped: int
    others_dropped: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The content of a counts file. A Result adds scores, views and single mentions."""

    key: Side
    response: Side
    counts: Counts
    policy: Policy
    signature: str
    notes: tuple[str, ...] = ()

    def has_counts(self) -> Bools:
        """Return in which units any metric counted anything."""
        found = np.zeros(len(self.counts.units), dtype=bool)
        for metric in self.counts.metrics:
            found |= self.counts.statistic(metric, self.policy).rows.any(axis=1)
        return found

    def check_exact(self, what: str) -> None:
        """Refuse results whose scores are bounds; `what` requires exact scores."""
        if self.counts.most:
            raise UsageError(
                f"{what} require exact scores, but the time limit ran out for"
                f" {listed(list(self.counts.most))}",
                "score without a time limit for CEAF",
            )
