"""Errors in every output: tables for people, one record per error for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any

from scoref.analysis.entity_numbers import entity_name
from scoref.analysis.errors import KINDS, TITLES, Error, ErrorMention, Errors
from scoref.analysis.errors.kinds import ALL, CONFLATED, EXTRA_ENTITY, EXTRA_MENTION, Repair
from scoref.analysis.errors.summary import Summary, summarise
from scoref.analysis.mention_classes import Slice
from scoref.base.viewed import MetricName
from scoref.views.formatting import percent, pick, shortened
from scoref.views.model import BaseView, Page, TableView

_WIDEST = 32
_BY = attrgetter("by")
_FIELDS = ("document", "kind", "type", "key_entity", "response_entity")


class ErrorsView(BaseView):
    """A table per question for people; one record per error as csv and jsonl."""

    outputs = ("text", "json", "jsonl", "csv", "latex", "markdown")
    json_default = str  # spans can be any values

    def __init__(self, errors: Errors | Summary) -> None:
        self._shown = errors
        self.errors = errors.errors if isinstance(errors, Summary) else errors

    @cached_property
    def summary(self) -> Summary:
        """Counts, repairs, expensive entities and slices; csv and jsonl do without them."""
        return self._shown if isinstance(self._shown, Summary) else summarise(self._shown)

    def page(self) -> Page:
        """Return a table for each question."""
        summary = self.summary
        tables = [_count_table(self.errors), _repair_table(summary.repairs)]
        if summary.metric is not None and summary.expensive:
            tables.append(_expensive_table(summary))
        tables += [slice_table(by, list(found)) for by, found in groupby(summary.slices, _BY)]
        return Page(tables=tables, signature=f"{self.errors.signature}|errors:{self.errors.mode}")

    def records(self) -> Iterator[Sequence[object]]:
        """Return a row per error."""
        yield [*_FIELDS, "spans", "words", "anchor", "meant"]
        for error in self.errors:
            yield [
                *(getattr(error, field) for field in _FIELDS),
                " ".join(_span(one.span) for one in error.mentions),
                " | ".join(one.words for one in error.mentions if one.words),
                _called(error.anchor),
                _called(error.meant),
            ]

    def content(self) -> dict[str, Any]:
        """Return counts, repairs, prices, slices and all errors."""
        errors, summary = self.errors, self.summary
        return {
            **pick(errors, "signature", "mode", "counts", "operations"),
            "counts_by_type": {name or "unknown": row for name, row in errors.by_type.items()},
            "repairs": {
                one.name: {
                    "errors": one.count,
                    "f1": {name: score.f1 for name, score in one.scores.items()},
                    "gain": one.gains,
                }
                for one in summary.repairs
            },
            "priced_by": summary.metric,
            "expensive": [
                pick(one, "document", "side")
                | {"entity": one.name, "words": one.words or None}
                | pick(one, "span", "mentions")
                | {"verdict": one.verdict or None, "cost": one.cost}
                for one in summary.expensive
            ],
            "slices": [slice_content(one) for one in summary.slices],
            "errors": [record(error) for error in errors],
            "notes": errors.notes,
        }

    def render(self, output: str) -> str:
        """Render as one of `outputs`; jsonl has one error per line."""
        if output != "jsonl":
            return super().render(output)
        import json  # noqa: PLC0415  # the one output that needs it

        records = map(record, self.errors)
        return "\n".join(json.dumps(one, ensure_ascii=False, default=str) for one in records)


def _count_table(errors: Errors) -> TableView:
    counts, by_type = errors.counts, errors.by_type
    types = [name for name in by_type if any(by_type[name].values())]
    totals = [sum(by_type[name].values()) for name in types]
    return TableView(
        ["error", "all", *(name or "unknown" for name in types)],
        [
            [TITLES[kind], f"{counts[kind]:,}", *(f"{by_type[name][kind]:,}" for name in types)]
            for kind in KINDS
        ],
        total=[ALL, f"{len(errors):,}", *(f"{total:,}" for total in totals)],
        title="errors by kind and by type of mentions",
    )


def _repair_table(repairs: Sequence[Repair]) -> TableView:
    return TableView(
        ["repaired", *map(MetricName, repairs[0].gains)],
        [
            [TITLES.get(one.name, one.name), *(percent(g, 2, "+") for g in one.gains.values())]
            for one in repairs
        ],
        title="gain in F1 (points) if errors of one kind were repaired",
    )


def _expensive_table(summary: Summary) -> TableView:
    rows = []
    for one in summary.expensive:
        words = shortened(one.words or _span(one.span), _WIDEST)
        entity = f"{shortened(one.document, _WIDEST)}, {entity_name(one.side, one.number)}: {words}"
        rows.append([entity, f"{one.mentions:,}", one.verdict, f"{100 * one.cost:.2f}"])
    return TableView(
        ["entity", "mentions", "verdict", "points"],
        rows,
        title=f"entities that cost most of the {100 * summary.loss:.2f} points that"
        f" {summary.metric} lacks",
    )


def slice_table(by: str, slices: Sequence[Slice]) -> TableView:
    """Return the slices of one kind as a table."""
    rows = []
    for one in slices:
        row = [one.name, f"{one.key_mentions:,}", f"{one.response_mentions:,}"]
        row += map(_share, (one.found, one.recall, one.precision, one.f1))
        rows.append([*row, f"{one.anaphors:,}", _share(one.resolved)])
    b3 = [MetricName(f"B3 {which}") for which in ("R", "P", "F1")]
    header = ["", "key", "response", "found", *b3, "anaphors", "resolved"]
    return TableView(header, rows, title=f"by {by}")


def slice_content(one: Slice) -> dict[str, Any]:
    """Return a slice for JSON."""
    return (
        pick(one, "by", "name", "key_mentions", "response_mentions", "found")
        | {"b3": pick(one, "recall", "precision", "f1")}
        | pick(one, "anaphors", "resolved")
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _span(span: object) -> str:
    if isinstance(span, tuple) and len(span) == 2:
        start, end = span
        return f"{start}-{end}" if end != start else str(start)
    return str(span)


def _called(mention: ErrorMention | None) -> str:
    return "" if mention is None else mention.words or _span(mention.span)


def _mention(mention: ErrorMention | None) -> dict[str, Any] | None:
    if mention is None:
        return None
    return {"span": mention.span, "words": mention.words or None, "type": mention.type or None}


def record(error: Error) -> dict[str, Any]:
    """Return an error as JSON has it."""
    return {
        **pick(error, *_FIELDS),
        "type": error.type or None,
        "mentions": [_mention(one) for one in error.mentions],
        "anchor": _mention(error.anchor),
        "meant": _mention(error.meant),
        "operations": dict(error.operations),
    }


def describe_error(error: Error) -> str:
    """Say what is wrong: which mentions, and with which they should or should not be."""
    words = ", ".join(_called(one) for one in error.mentions)
    if error.meant is not None:
        return f"{words} -> {_called(error.meant)}"
    if error.anchor is None:
        return words
    wrong = error.kind in (CONFLATED, EXTRA_MENTION, EXTRA_ENTITY)
    return f"{words} ({'not with' if wrong else 'belongs with'} {_called(error.anchor)})"
