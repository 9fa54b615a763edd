"""What a test set can show: a row per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.base.phrases import counted
from scoref.base.viewed import MetricName
from scoref.comparison.power import MetricPower, Power
from scoref.views.formatting import percent, pick
from scoref.views.model import BaseView, Page, TableView

_COLUMNS = (
    *("difference", "standard_error", "run_error", "degrees_of_freedom", "detectable", "target"),
    *("needed", "needed_low", "needed_high"),
)
_ALONE = (
    "as if another system erred independently of it; real systems make similar errors, and"
    " smaller differences can be found"
)


@dataclass(frozen=True, slots=True)
class PowerView(BaseView):
    """Differences in points, and how many units it takes to find them."""

    power: Power
    digits: int = 2

    def page(self) -> Page:
        """Return a row per metric."""
        power, digits = self.power, self.digits
        header = ["F1 in points", *(["difference"] if power.paired else [])]
        header += ["standard error", "smallest detectable"]
        if self._has_target:
            header += ["to detect", f"{power.units.kind}s needed", power.sampling.confidence]
        rows = []
        for one in power.metrics:
            row: list[str] = [MetricName(one.metric)]
            row += [percent(one.difference, digits, "+")] if power.paired else []
            row += [percent(one.error, digits), percent(one.detectable, digits)]
            if self._has_target:
                row += [percent(one.target, digits), *_needed(one)]
            rows.append(row)
        tables = [TableView(header, rows)]
        return Page(tables=tables, remarks=self._remarks(), signature=power.signature)

    @property
    def _has_target(self) -> bool:
        return not all(math.isnan(one.target) for one in self.power.metrics)

    def _remarks(self) -> list[str]:
        power, systems, kind = self.power, self.power.systems, self.power.units.kind
        units = counted(len(power.units), kind)
        if power.paired:
            lines = [f"difference: {systems[0]} minus {systems[1]}, on {units}"]
        else:
            lines = [f"from {systems[0]} alone, on {units}, {_ALONE}"]
        several = f", corrected for {power.tests} tests" if power.tests > 1 else ""
        lines.append(
            f"found with a probability of {power.power:g} by a two-sided test at the level"
            f" {power.sampling.level:g}{several}"
        )
        if power.post_hoc:
            lines.append(
                "the difference to detect is the observed one, which is post hoc: state the"
                " difference that matters with --difference POINTS"
            )
        if self._has_target:
            lines.append(
                f"{power.sampling.confidence}: interval of the {kind}s needed, since the standard"
                f" error is an estimate from {units}"
            )
        else:
            lines.append(f"--difference POINTS shows how many {kind}s a difference requires")
        return [*lines, *(f"caution: {caution}" for caution in power.cautions)]

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric."""
        yield ["metric", *_COLUMNS]
        for one in self.power.metrics:
            yield [one.metric, *_values(one)]

    def content(self) -> dict[str, Any]:
        """Return everything that an estimate of power has."""
        power = self.power
        return {
            **pick(power, "signature", "systems"),
            "level": power.sampling.level,
            **pick(power, "power", "tests", "post_hoc"),
            "unit": power.units.kind,
            "units": len(power.units),
            "fewest_units": power.fewest,
            "metrics": {
                one.metric: dict(zip(_COLUMNS, _values(one), strict=True)) for one in power.metrics
            },
            "cautions": power.cautions,
        }


def _values(one: MetricPower) -> list[float | None]:
    """Return the values of the columns."""
    errors = [one.difference, one.error, one.run_error, one.freedom]
    return [*errors, one.detectable, one.target, *one.needed]


def _needed(one: MetricPower) -> list[str]:
    """Show a number of units and its interval, or why there are none."""
    needed = one.needed
    if needed.number is None:
        return ["unreachable" if one.unreachable else "unknown", ""]
    return [f"{needed.number:,}", f"[{needed.low:,}, {needed.high:,}]"]
