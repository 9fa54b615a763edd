"""A gate for continuous integration, which tests whether a new system lost more than it may.

The gate tests a margin. Let L be the loss in F1, old minus new, and d the loss that is allowed. The
jackknife gives one-sided bounds of L at the level of the test.

    fail        L is above d even at its lower bound
    pass        L is at most d even at its upper bound, or no document shows a difference
    undecided   otherwise: the documents allow both

With several metrics, any of them can fail the gate, so Holm's correction is applied to the
failures. All of them have to pass, which requires no correction. A loss above a hard limit fails
without a test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scoref.comparison.comparison import Comparison
from scoref.exceptions import UsageError
from scoref.resampling.bootstrap import Interval
from scoref.resampling.jackknife import Spread
from scoref.resampling.sampling_options import TIE
from scoref.resampling.significance import holm

GateOutcome = Literal["passed", "failed", "undecided"]
EXIT_CODES: dict[GateOutcome, int] = {"passed": 0, "failed": 1, "undecided": 3}
"""2 means invalid usage or input, as for all commands."""
DEFAULT_HARD = 0.05
_MOST = 1_000_000  # documents; more is not an answer


class Margin(NamedTuple):
    """The loss that is allowed, the loss that fails without a test, and the level of the test."""

    allowed: float
    hard: float
    level: float

    @classmethod
    def of(cls, allowed: float, hard: float | None, level: float) -> Margin:
        """Return a margin; the hard limit is never below the allowed loss."""
        if hard is None:
            hard = max(DEFAULT_HARD, allowed)
        if hard < allowed:
            raise UsageError(
                f"--max-drop-hard {100 * hard:g} is below --max-drop {100 * allowed:g}",
                "a loss above --max-drop-hard fails without a test, so it must be the larger one",
            )
        return cls(allowed, hard, level)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a new system by one metric; scores are from 0 to 1.

    `interval` are the one-sided bounds of the loss at the level of the test. `p_above` is the
    p-value for the claim that the loss is above the margin, after the correction, and `p_below` the
    one for the claim that it is below. `units_to_decide` is the number of documents of this kind
    that would decide if the loss stayed the same.
    """

    metric: str
    old: float
    new: float
    outcome: GateOutcome
    reason: str
    interval: Interval | None
    p_above: float
    p_below: float
    units_to_decide: int | None = None

    @property
    def change(self) -> float:
        """The gain of the new system."""
        return self.new - self.old

    @property
    def loss(self) -> float:
        """The loss of the new system."""
        return self.old - self.new


def judge(comparison: Comparison, old: str, new: str, margin: Margin) -> list[Verdict]:
    """Judge a new system by every metric of a comparison."""
    if not len(comparison.units):
        raise UsageError("the key has no documents, so there is nothing to judge")
    losses = []
    for metric in comparison.metrics:
        before, after = (comparison[name].scores[metric].f1 for name in (old, new))
        if math.isnan(before) or math.isnan(after):
            which = "old" if math.isnan(before) else "new"
            raise UsageError(
                f"the F1 of {metric} is undefined for the {which} response, so no loss can be"
                " computed",
                "leave out this metric, or score 0/0 as a number with --undefined zero",
            )
        pair = comparison.pair(old, new, metric)
        spread = pair.spread
        if spread is not None and pair.one != old:  # the new system ranks higher
            spread = -spread
        losses.append(_Loss(metric, before, after, spread, pair.run_variance, pair.differing))
    adjusted = _corrected(losses, margin)
    return [_verdict(losses, at, p, comparison, margin) for at, p in enumerate(adjusted)]


def worst(verdicts: Sequence[Verdict]) -> GateOutcome:
    """Return the outcome of several metrics: a failure of any, or else undecided if any is."""
    outcomes = {verdict.outcome for verdict in verdicts}
    ranked: tuple[GateOutcome, ...] = ("failed", "undecided", "passed")
    return next(one for one in ranked if one in outcomes)


class _Loss(NamedTuple):
    """The loss by one metric, and its spread if a test is possible."""

    metric: str
    old: float
    new: float
    spread: Spread | None
    run_variance: float
    differing: int

    def is_equal(self) -> bool:
        """Whether the scores are equal, and no document shows a difference."""
        without_variance = self.spread is None or self.spread.without_variance
        return abs(self.old - self.new) <= TIE and without_variance

    def bounds(self, level: float) -> Interval | None:
        """Return the one-sided bounds of the loss, each at this level."""
        if self.spread is None:
            return None
        if self.spread.without_variance:
            return self.spread.bound(level)
        return self.spread.interval(2 * level)

    def p_above(self, margin: Margin) -> float:
        return self.spread.p_above(margin.allowed) if self.spread else math.nan

    def p_below(self, margin: Margin) -> float:
        if self.spread is None:
            return math.nan
        return (-self.spread).p_above(-margin.allowed - 2 * TIE)

    def on(self, more: float) -> _Loss:
        """Return the same loss on some times as many units.

        More units do not change the variance between runs. Degrees of freedom grow with the units.
        """
        if self.spread is None:
            return self
        documents = max(0.0, self.spread.error**2 - self.run_variance)
        error = math.sqrt(documents / more + self.run_variance)
        freedom = self.spread.freedom * more
        return self._replace(spread=self.spread._replace(error=error, freedom=freedom))


def _corrected(losses: Sequence[_Loss], margin: Margin) -> list[float]:
    """Return the p-value for the claim that each loss is above the margin, after the correction."""
    tested = [one.p_above(margin) for one in losses]
    return tested if any(map(math.isnan, tested)) else holm(tested)


def _units_to_decide(losses: Sequence[_Loss], at: int, margin: Margin, units: int) -> int | None:
    """Return how many units would decide on a metric if losses and variances stayed the same.

    The rule of the gate is applied to all metrics on more and more units, so the number includes
    the correction. The gate has not decided on the units at hand.
    """

    def is_decided(number: int) -> bool:
        grown = [one.on(number / units) for one in losses]
        return (
            _corrected(grown, margin)[at] < margin.level or grown[at].p_below(margin) < margin.level
        )

    low, high = units, 2 * units
    while not is_decided(high):
        low, high = high, 2 * high
        if low > _MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_decided(middle) else (middle, high)
    return high if high <= _MOST else None


def _verdict(
    losses: Sequence[_Loss], at: int, p_above: float, comparison: Comparison, margin: Margin
) -> Verdict:
    """Decide on a metric by the hard limit, then by the bounds."""
    one = losses[at]
    loss, p_below = one.old - one.new, one.p_below(margin)
    allowed = f"the limit of {100 * margin.allowed:g}"
    interval = one.bounds(margin.level)
    units = None
    outcome: GateOutcome = "undecided"
    if loss > margin.hard + TIE:
        outcome = "failed"
        reason = f"a loss of more than {100 * margin.hard:g} fails without a test"
    elif one.is_equal():
        outcome, reason = "passed", _why_equal(one, margin, comparison.units.kind)
    elif one.spread is None:
        reason = comparison.refusal
    elif p_above < margin.level:
        outcome = "failed"
        reason = f"the loss is more than {allowed} ({_shown(p_above)})"
    elif p_below < margin.level:
        outcome = "passed"
        reason = f"the loss is at most {allowed} ({_shown(p_below)})"
    else:
        units = _units_to_decide(losses, at, margin, len(comparison.units))
        kinds = f"{comparison.units.kind}s"
        needed = f"no number of {kinds}" if units is None else f"about {units:,} {kinds}"
        corrected = ""
        if one.p_above(margin) < margin.level:  # the interval would say otherwise
            corrected = f" after Holm's correction for {len(losses)} metrics"
        reason = f"the loss may be above or below {allowed}{corrected}; {needed} would decide"
    return Verdict(one.metric, one.old, one.new, outcome, reason, interval, p_above, p_below, units)


def _why_equal(equal: _Loss, margin: Margin, kind: str) -> str:
    """Say that no unit shows a loss, and how large the loss over other units can still be."""
    bounds = equal.bounds(margin.level)
    if bounds is None:
        return "no difference"
    reason = f"no {kind} {'shows a loss' if equal.differing else 'differs'}"
    if math.isnan(bounds.high):
        return reason
    confidence = f"{100 * (1 - margin.level):.10g} % confidence"
    return (
        f"{reason}; with {confidence}, the loss on all {kind}s is at most {100 * bounds.high:.2f}"
    )


def _shown(p: float) -> str:
    return "p < 0.0001" if p < 0.00005 else f"p = {p:.4f}"
