"""A pytest plugin with the fixture `scoref_gate`: a test fails if a resolver lost too much.

    def test_no_regression(scoref_gate):
        scoref_gate("dev.conll", old="main.counts.json", new=resolve("dev.txt"), max_drop=0.5)

It is the command `scoref gate` as an assertion. Every pytest session loads this module, so it
imports what it needs when the fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from scoref.comparison.gate import Verdict

_PARAMETERS = ("max_drop", "max_drop_hard", "undecided")


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
        from scoref.base.viewed import find_view  # noqa: PLC0415
        from scoref.comparison.comparison import compare  # noqa: PLC0415
        from scoref.comparison.gate import Margin, judge, worst  # noqa: PLC0415
        from scoref.exceptions import ScorefError  # noqa: PLC0415

        if undecided not in ("fail", "pass", "skip"):
            raise ValueError(f"undecided is {undecided!r}, but must be one of: fail, pass, skip")
        _check_keywords(keywords)
        hard = None if max_drop_hard is None else max_drop_hard / 100
        systems = {"old": old, "new": new}
        try:
            margin = Margin.of(max_drop / 100, hard, level)
            comparison = compare(
                key, systems, metrics=list(metrics), correction="none", level=level, **keywords
            )
            verdicts = judge(comparison, "old", "new", margin)
        except ScorefError as error:  # the message says it all, the traceback nothing
            pytest.fail(f"scoref: error: {error}", pytrace=False)
        render_line = find_view("Verdict.line")
        for verdict in verdicts:  # JUnit reports and other plugins show them
            self._record(f"scoref {verdict.metric}", render_line(verdict, margin))
        text = "\n".join(render_line(verdict, margin) for verdict in verdicts)
        outcome = worst(verdicts)
        if outcome == "failed" or (outcome == "undecided" and undecided == "fail"):
            pytest.fail(text, pytrace=False)
        if outcome == "undecided" and undecided == "skip":
            pytest.skip(text)
        return verdicts


def _check_keywords(keywords: Mapping[str, Any]) -> None:
    """Refuse a parameter of the gate that is mistyped; `compare` would suggest one of its own."""
    for name in keywords:
        if close := get_close_matches(name, _PARAMETERS, n=1, cutoff=0.8):
            raise TypeError(f"scoref_gate has no parameter {name!r}: did you mean {close[0]}?")


@pytest.fixture
def scoref_gate(record_property: Callable[[str, object], None]) -> ScorefGate:
    """Fail the test if a new response lost more than it may: `scoref_gate(key, old, new)`."""
    return ScorefGate(record_property)
