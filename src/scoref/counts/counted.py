"""What was counted, by which functions and from which two sides: all that a counts file has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike

import numpy as np

from scoref.base.arrays import Bools
from scoref.counts.counts import Counts
from scoref.formats.io.sources import STANDARD_INPUT, checked_path, head_of, sources
from scoref.matching.summary import Side
from scoref.metrics import Metric
from scoref.policy import E2E, Policy

_HEAD = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"scoref counts"')


def as_counted(metrics: Iterable[Metric], policy: Policy) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as the policy says.

    What few policies need is imported on demand, so that the command line starts sooner.
    """
    if policy.split_antecedents != "ignore":
        from scoref.metrics.split_antecedents import with_split_antecedents  # noqa: PLC0415

        return with_split_antecedents(metrics, policy.split_antecedents)
    if policy.compat == E2E:
        from scoref.matching.compat.e2e import as_e2e_counts  # noqa: PLC0415

        return as_e2e_counts(metrics)
    if policy.compat != "none":
        from scoref.matching.compat.corefud import as_corefud_counts  # noqa: PLC0415

        return as_corefud_counts(metrics, policy.compat)
    return tuple(metrics)


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


def is_counts_file(path: object) -> bool:
    """Whether a path is a file, or standard input, that begins like a counts file."""
    if not isinstance(path, str | PathLike):
        return False
    if str(path) != STANDARD_INPUT and not checked_path(path).is_file():
        return False
    return _HEAD.match(head_of(sources(path)[0])) is not None
