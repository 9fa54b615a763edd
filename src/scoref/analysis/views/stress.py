"""How measures react to changes of a response: a row per change, F1 per measure."""

from __future__ import annotations

import math

from scoref.analysis.stress import Stress
from scoref.render.layout import percent
from scoref.render.tables import render_rows

_MARK = "!"


def render(stress: Stress, output: str) -> str:
    """Render a table of F1 in percent with a mark at each wrong reward; csv and json exactly."""
    if output == "json":
        return _json(stress)
    exact = output == "csv"
    wrong = {(change, metric) for change, metric, _ in stress.verdicts()}

    def cell(change: str, metric: str, f1: float) -> str:
        if exact:
            return "" if math.isnan(f1) else repr(f1)
        return percent(f1, 2) + (_MARK if (change, metric) in wrong else "")

    rows = [
        [one.name, *(cell(one.name, metric, score.f1) for metric, score in one.scores.items())]
        for one in stress.reactions
    ]
    table = render_rows(["F1", *stress.reactions[0].scores], rows, output)
    if exact:
        return table
    remarks = "\n\n".join([*_remarks(stress), stress.signature])
    if output == "latex":  # LaTeX would take the remarks for part of the text
        remarks = "\n".join(f"% {line}".rstrip() for line in remarks.splitlines())
    return f"{table}\n\n{remarks}"


def _remarks(stress: Stress) -> list[str]:
    verdicts = stress.verdicts()
    if not verdicts:
        return ["no measure rewards what is wrong for certain"]
    lines = [
        f"{_MARK} {metric} changes by {100 * difference:+.2f} for {change!r}"
        for change, metric, difference in verdicts
    ]
    return ["\n".join(["a measure rewards what is wrong for certain:", *lines])]


def _json(stress: Stress) -> str:
    import json  # noqa: PLC0415  # the one output that needs it

    content = {
        "signature": stress.signature,
        "f1": {
            reaction.name: {
                name: None if score.f1 != score.f1 else score.f1  # NaN
                for name, score in reaction.scores.items()
            }
            for reaction in stress.reactions
        },
        "rewards_what_is_wrong": [
            {"change": change, "metric": metric, "difference": difference}
            for change, metric, difference in stress.verdicts()
        ],
        "notes": list(stress.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
