"""What a test set can show: a row per metric."""

from __future__ import annotations

import math

from scoref.base.phrases import counted
from scoref.comparison.power import MetricPower, Power
from scoref.render.csv import exact
from scoref.render.json import number
from scoref.render.layout import percent
from scoref.render.tables import Row, render_rows
from scoref.render.text import wrapped


def render(power: Power, output: str, *, digits: int) -> str:
    """Render differences in points; csv and json exactly."""
    if output == "json":
        return _json(power)
    kind = power.units.kind
    if output == "csv":
        header = ["metric", "difference", "standard_error", "detectable", "target", "needed"]
        return render_rows(header, [_exact(one) for one in power.metrics], "csv")
    header = [
        "F1 in points",
        *(["difference"] if power.paired else []),
        "standard error",
        "smallest detectable",
        *(["to detect", f"{kind}s needed"] if _has_target(power) else []),
    ]
    rows = [_row(one, power, digits) for one in power.metrics]
    tail = "\n".join([*map(wrapped, _remarks(power)), "", power.signature])
    if output == "latex":  # LaTeX would take the remarks for part of the text
        tail = "\n".join(f"% {line}".rstrip() for line in tail.splitlines())
    return f"{render_rows(header, rows, output)}\n\n{tail}"


def _row(one: MetricPower, power: Power, digits: int) -> Row:
    observed = [percent(one.difference, digits, "+")] if power.paired else []
    needed = f"{one.needed:,}" if one.needed is not None else ""
    return [
        one.metric,
        *observed,
        percent(one.error, digits),
        percent(one.detectable, digits),
        *([percent(one.target, digits), needed] if _has_target(power) else []),
    ]


def _has_target(power: Power) -> bool:
    return not all(math.isnan(one.target) for one in power.metrics)


def _exact(one: MetricPower) -> Row:
    values = (one.difference, one.error, one.detectable, one.target)
    return [one.metric, *map(exact, values), "" if one.needed is None else str(one.needed)]


def _remarks(power: Power) -> list[str]:
    level = f"{power.sampling.level:g}"
    units = counted(len(power.units), power.units.kind)
    if power.paired:
        lines = [f"difference: {power.systems[0]} minus {power.systems[1]}, on {units}"]
    else:
        alone = f"from {power.systems[0]} alone, on {units}: as if another system erred"
        lines = [
            f"{alone} independently of it; real systems err alike, and smaller differences show"
        ]
    lines.append(f"found with a probability of {power.power:g} by a two-sided test at {level}")
    if not _has_target(power):
        lines.append(
            f"--difference POINTS tells how many {power.units.kind}s such a difference needs"
        )
    return [*lines, *(f"caution: {caution}" for caution in power.cautions)]


def _json(power: Power) -> str:
    import json  # noqa: PLC0415  # the one output that needs it

    content = {
        "signature": power.signature,
        "systems": list(power.systems),
        "level": power.sampling.level,
        "power": power.power,
        "unit": power.units.kind,
        "units": len(power.units),
        "metrics": {
            one.metric: {
                "difference": number(one.difference),
                "standard_error": number(one.error),
                "detectable": number(one.detectable),
                "target": number(one.target),
                "needed": one.needed,
            }
            for one in power.metrics
        },
        "cautions": list(power.cautions),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
