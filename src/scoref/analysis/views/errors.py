"""Errors in every output: tables for people, one record an error for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoref.analysis.errors import KINDS, TITLES, Error, ErrorMention, Errors
from scoref.analysis.errors.kinds import CONFLATED, EXTRA_ENTITY, EXTRA_MENTION
from scoref.analysis.errors.records import ALL, Repair
from scoref.analysis.errors.summary import Expensive, Summary, summarise
from scoref.analysis.slices import Slice
from scoref.exceptions import UsageError
from scoref.render.tables import render_rows

OUTPUTS = ("text", "json", "jsonl", "csv", "latex", "markdown")
_WIDEST = 32


def render(errors: Errors | Summary, output: str = "text") -> str:
    """Render errors, or a summary of them."""
    if output not in OUTPUTS:
        raise UsageError(f"unknown output {output!r}", f"one of: {', '.join(OUTPUTS)}")
    if output in ("jsonl", "csv"):
        listed = errors.errors if isinstance(errors, Summary) else errors
        return _jsonl(listed) if output == "jsonl" else _csv(listed)
    summary = errors if isinstance(errors, Summary) else summarise(errors)
    return _json(summary) if output == "json" else _tables(summary, output)


def _tables(summary: Summary, output: str) -> str:
    """Render what people read: a heading and a table for each question."""
    parts = [
        ("errors by kind and by type of mentions", _count_table(summary.errors)),
        ("gain in F1 (points) if errors of one kind were repaired", _repair_table(summary.repairs)),
    ]
    if summary.metric is not None and summary.expensive:
        title = f"entities that cost most of the {100 * summary.loss:.2f} points that"
        parts.append((f"{title} {summary.metric} lacks", _expensive_table(summary.expensive)))
    for by in dict.fromkeys(one.by for one in summary.slices):
        rows = [one for one in summary.slices if one.by == by]
        parts.append((f"by {by}", _slice_table(rows)))
    lines = []
    for title, (header, cells) in parts:
        lines += [_heading(title, output), render_rows(header, cells, output), ""]
    signature = f"{summary.errors.signature}|errors:{summary.errors.mode}"
    return "\n".join([*lines, f"% {signature}" if output == "latex" else signature])


def _heading(title: str, output: str) -> str:
    return {"latex": f"% {title}", "markdown": f"**{title}**\n"}.get(output, title)


Shown = tuple[list[str], list[list[str]]]


def _count_table(errors: Errors) -> Shown:
    counts, by_type = errors.counts, errors.by_type
    types = [name for name in by_type if any(by_type[name].values())]
    header = ["error", "all", *(name or "unknown" for name in types)]
    rows = [
        [TITLES[kind], f"{counts[kind]:,}", *(f"{by_type[name][kind]:,}" for name in types)]
        for kind in KINDS
    ]
    totals = [sum(by_type[name].values()) for name in types]
    return header, [*rows, [ALL, f"{len(errors):,}", *(f"{total:,}" for total in totals)]]


def _repair_table(repairs: Sequence[Repair]) -> Shown:
    header = ["repaired", *repairs[0].gains]
    return header, [
        [TITLES.get(one.name, one.name), *(_points(gain) for gain in one.gains.values())]
        for one in repairs
    ]


def _points(gain: float) -> str:
    if math.isnan(gain):
        return ""
    return "0.00" if abs(gain) < 5e-5 else f"{100 * gain:+.2f}"


def _expensive_table(entities: Iterable[Expensive]) -> Shown:
    header = ["entity", "mentions", "verdict", "points"]
    rows = [
        [
            _entity(one),
            f"{one.mentions:,}",
            one.verdict,
            f"{100 * one.cost:.2f}",
        ]
        for one in entities
    ]
    return header, rows


def _entity(one: Expensive) -> str:
    words = _short(one.words or _span(one.span))
    return f"{_short(one.document)}, {one.side} {one.name}: {words}"


def _slice_table(slices: Sequence[Slice]) -> Shown:
    header = ["", "key", "response", "found", "B3 R", "B3 P", "B3 F1", "anaphors", "resolved"]
    rows = [
        [
            one.name,
            f"{one.key_mentions:,}",
            f"{one.response_mentions:,}",
            *(_share(value) for value in (one.found, one.recall, one.precision, one.f1)),
            f"{one.anaphors:,}",
            _share(one.resolved),
        ]
        for one in slices
    ]
    return header, rows


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 3]}..."


def _span(span: object) -> str:
    if isinstance(span, tuple) and len(span) == 2:
        start, end = span
        return f"{start}-{end}" if end != start else str(start)
    return str(span)


def _mention(mention: ErrorMention | None) -> dict[str, Any] | None:
    if mention is None:
        return None
    return {
        "span": mention.span,
        "words": mention.words or None,
        "type": mention.type or None,
    }


def record(error: Error) -> dict[str, Any]:
    """Return an error as JSON has it."""
    return {
        "document": error.document,
        "kind": error.kind,
        "type": error.type or None,
        "key_entity": error.key_entity,
        "response_entity": error.response_entity,
        "mentions": [_mention(one) for one in error.mentions],
        "anchor": _mention(error.anchor),
        "meant": _mention(error.meant),
        "operations": dict(error.operations),
    }


def _jsonl(errors: Errors) -> str:
    import json  # noqa: PLC0415  # the outputs that need it

    return "\n".join(json.dumps(record(error), ensure_ascii=False, default=str) for error in errors)


def _csv(errors: Errors) -> str:
    header = (
        "document",
        "kind",
        "type",
        "key_entity",
        "response_entity",
        "spans",
        "words",
        "anchor",
        "meant",
    )
    rows = [
        [
            error.document,
            error.kind,
            error.type,
            error.key_entity or "",
            error.response_entity or "",
            " ".join(_span(one.span) for one in error.mentions),
            " | ".join(one.words for one in error.mentions if one.words),
            _called(error.anchor),
            _called(error.meant),
        ]
        for error in errors
    ]
    return render_rows(header, rows, "csv")


def _called(mention: ErrorMention | None) -> str:
    return "" if mention is None else mention.words or _span(mention.span)


def _json(summary: Summary) -> str:
    import json  # noqa: PLC0415  # the outputs that need it

    errors = summary.errors
    content = {
        "signature": errors.signature,
        "mode": errors.mode,
        "counts": errors.counts,
        "operations": errors.operations,
        "counts_by_type": {name or "unknown": row for name, row in errors.by_type.items()},
        "repairs": {
            one.name: {
                "errors": one.count,
                "f1": _finite({name: score.f1 for name, score in one.scores.items()}),
                "gain": _finite(one.gains),
            }
            for one in summary.repairs
        },
        "priced_by": summary.metric,
        "expensive": [
            {
                "document": one.document,
                "side": one.side,
                "entity": one.name,
                "words": one.words or None,
                "span": one.span,
                "mentions": one.mentions,
                "verdict": one.verdict or None,
                "cost": one.cost,
            }
            for one in summary.expensive
        ],
        "slices": [
            {
                "by": one.by,
                "name": one.name,
                "key_mentions": one.key_mentions,
                "response_mentions": one.response_mentions,
                "found": one.found,
                "b3": {"recall": one.recall, "precision": one.precision, "f1": one.f1},
                "anaphors": one.anaphors,
                "resolved": one.resolved,
            }
            for one in summary.slices
        ],
        "errors": [record(error) for error in errors],
        "notes": list(errors.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, default=str)


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def say(error: Error) -> str:
    """Say in words what is wrong: which mentions, and with what they should or should not be."""
    words = ", ".join(_called(one) for one in error.mentions)
    if error.meant is not None:
        return f"{words} -> {_called(error.meant)}"
    if error.anchor is None:
        return words
    wrong = error.kind in (CONFLATED, EXTRA_MENTION, EXTRA_ENTITY)
    return f"{words} ({'not with' if wrong else 'belongs with'} {_called(error.anchor)})"
