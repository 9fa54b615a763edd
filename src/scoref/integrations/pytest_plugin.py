"""A pytest plugin with the fixture `scoref_gate`: a test fails if a resolver lost too much.

    def test_no_regression(scoref_gate):
        scoref_gate("dev.conll", old="main.counts.json", new=resolve("dev.txt"), max_drop=0.5)

It is the command `scoref gate` as an assertion. Every pytest session loads this module, so it
imports what it needs when the fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from scoref.comparison.gate import Verdict


class ScorefGate:
    """Compares an old and a new response, and fails the test if the new one lost too much."""

    def __init__(self, record: Callable[[str, object], None]) -> None:
        self._record = record

    def __call__(
        self,
        key: Any,
        old: Any,
        new: Any,
        metrics: Sequence[str] = ("conll",),
        *,
        max_drop: float = 1.0,
        max_drop_hard: float | None = None,
        level: float = 0.05,
        undecided: Literal["fail", "pass", "skip"] = "fail",
        **keywords: Any,
    ) -> list[Verdict]:
        """Return a verdict for each metric, or fail the test.

        * `key`, `old`, `new`: Any inputs of `scoref.score`; `old` and `new` can be counts files.
        * `max_drop`, `max_drop_hard`: The loss of F1 that is allowed, and the loss that fails
          without a test (by default 5, or `max_drop` if that is more), in points.
        * `level`: The level of the test.
        * `undecided`: What to do if there are too few documents to decide.
        * `keywords`: Those of `scoref.compare`, such as `policy` and `trials`.
        """
        from scoref.comparison.comparison import compare  # noqa: PLC0415
        from scoref.comparison.gate import Margin, judge, worst  # noqa: PLC0415
        from scoref.comparison.views.gate import render_line  # noqa: PLC0415

        if undecided not in ("fail", "pass", "skip"):
            raise ValueError(f"undecided is {undecided!r}, but must be one of: fail, pass, skip")
        hard = None if max_drop_hard is None else max_drop_hard / 100
        margin = Margin.of(max_drop / 100, hard, level)
        systems = {"old": old, "new": new}
        comparison = compare(
            key, systems, metrics=list(metrics), correction="none", level=level, **keywords
        )
        verdicts = judge(comparison, "old", "new", margin)
        for verdict in verdicts:  # JUnit reports and other plugins show them
            self._record(f"scoref {verdict.metric}", render_line(verdict, margin))
        text = "\n".join(render_line(verdict, margin) for verdict in verdicts)
        outcome = worst(verdicts)
        if outcome == "failed" or (outcome == "undecided" and undecided == "fail"):
            pytest.fail(text, pytrace=False)
        if outcome == "undecided" and undecided == "skip":
            pytest.skip(text)
        return verdicts


@pytest.fixture
def scoref_gate(record_property: Callable[[str, object], None]) -> ScorefGate:
    """Fail the test if a new response lost more than it may: `scoref_gate(key, old, new)`."""
    return ScorefGate(record_property)
