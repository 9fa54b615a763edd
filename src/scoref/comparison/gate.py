"""A gate for continuous integration: it fails if a new system is significantly worse."""

from __future__ import annotations

from dataclasses import dataclass

from scoref.comparison.comparison import Comparison
from scoref.resampling.draws import TIE


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a new system by one metric; scores are from 0 to 1."""

    metric: str
    old: float
    new: float
    p: float
    failed: bool
    reason: str

    @property
    def change(self) -> float:
        """The gain of the new system."""
        return self.new - self.old


def check_loss(
    comparison: Comparison, old: str, new: str, *, metric: str, allowed: float, level: float
) -> Verdict:
    """Compare a new system with an old one; it fails if its loss is too large and significant.

    A loss passes if no test is possible, and the reason says so. At level 1, every loss counts as
    significant and no test is made.
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
