"""A gate for continuous integration: a new system may not lose too much, significantly."""

from __future__ import annotations

from dataclasses import dataclass

from scoref.comparison.comparison import Comparison
from scoref.resampling.resampling import TIE


@dataclass(frozen=True, slots=True)
class Verdict:
    """One metric of an old and a new system; scores from 0 to 1."""

    metric: str
    old: float
    new: float
    p: float
    failed: bool
    reason: str

    @property
    def change(self) -> float:
        """How much the new system gained."""
        return self.new - self.old


def judge(
    comparison: Comparison, old: str, new: str, *, metric: str, allowed: float, level: float
) -> Verdict:
    """Judge the new system by a metric: it fails if its loss is too large and significant.

    A loss that no test can find passes, and the reason says so. At a level of 1 every loss
    counts as significant, and nothing needs to be tested.
    """
    before, after = (comparison[name].scores[metric].f1 for name in (old, new))
    p = comparison.pair(old, new, metric).p
    loss = before - after
    limit = f"the {100 * allowed:g} allowed"
    failed = False
    if loss <= TIE:
        reason = "no loss"
    elif loss <= allowed + TIE:
        reason = f"no more than {limit}"
    elif level >= 1:
        failed, reason = True, f"more than {limit}"
    elif why := comparison.refusal or comparison.blind:
        reason = f"more than {limit}, but not tested: {why} (--level 1 fails without a test)"
    else:
        failed = p < level
        reason = f"more than {limit}, {'' if failed else 'but not '}significant (p = {p:.4f})"
    return Verdict(metric, before, after, p, failed, reason)
