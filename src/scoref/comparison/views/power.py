"""What a test set can show: a row per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoref.base.phrases import counted
from scoref.comparison.power import Power
from scoref.render.content import pick
from scoref.render.formatting import percent
from scoref.render.model import BaseView, Page, TableView

_FIELDS = ("difference", "error", "detectable", "target", "needed")
_COLUMNS = ("difference", "standard_error", *_FIELDS[2:])
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
        header = [
            "F1 in points",
            *(["difference"] if power.paired else []),
            "standard error",
            "smallest detectable",
            *(["to detect", f"{power.units.kind}s needed"] if self._has_target else []),
        ]
        rows = []
        for one in power.metrics:
            row = [one.metric, *([percent(one.difference, digits, "+")] if power.paired else [])]
            row += [percent(one.error, digits), percent(one.detectable, digits)]
            needed = f"{one.needed:,}" if one.needed is not None else ""
            rows.append(
                [*row, *([percent(one.target, digits), needed] if self._has_target else [])]
            )
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
        lines.append(
            f"found with a probability of {power.power:g} by a two-sided test at the level"
            f" {power.sampling.level:g}"
        )
        if not self._has_target:
            lines.append(f"--difference POINTS shows how many {kind}s a difference requires")
        return [*lines, *(f"caution: {caution}" for caution in power.cautions)]

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per metric."""
        yield ["metric", *_COLUMNS]
        for one in self.power.metrics:
            yield [one.metric, *(getattr(one, field) for field in _FIELDS)]

    def content(self) -> dict[str, Any]:
        """Return everything that an estimate of power has."""
        power = self.power
        return {
            **pick(power, "signature", "systems"),
            "level": power.sampling.level,
            "power": power.power,
            "unit": power.units.kind,
            "units": len(power.units),
            "metrics": {
                one.metric: dict(zip(_COLUMNS, pick(one, *_FIELDS).values(), strict=True))
                for one in power.metrics
            },
            "cautions": list(power.cautions),
        }
