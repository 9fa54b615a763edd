"""The data that the page's program reads: systems, scores, costs, documents and their texts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scoref.analysis.errors import KINDS, TITLES
from scoref.comparison.comparison import System
from scoref.corpus.attributes import MENTION_TYPES
from scoref.corpus.document import Document
from scoref.counts.counts import Counts
from scoref.metrics import find_metrics
from scoref.metrics.base import F1
from scoref.metrics.table import NOWHERE
from scoref.pages.report.content import Content, fields_of, slice_names, slice_numbers
from scoref.pages.report.curves import curve_data
from scoref.pages.report.text_views import text_views
from scoref.pages.toolkit.systems import COLOURS, SHAPES, letter
from scoref.policy.capabilities import EDITING, supports

_DIGITS = 7  # the page rounds to 4, and must not round a rounded number
BUDGET = 8_000_000
"""The number of bytes that documents may take by default."""


def page_data(content: Content, budget: int = BUDGET) -> dict[str, Any]:
    """Return the data of the page; documents beyond the budget, worst first, have no view."""
    comparison, analyses = content.comparison, content.analyses
    metrics = list(comparison.metrics)
    best = comparison.results[comparison.systems[0].name]
    scores = best.counts.unit_scores(best.metric(comparison.metric), best.policy)[:, F1]
    worst_first = np.argsort(np.nan_to_num(scores, nan=2.0), kind="stable").tolist()
    return {
        "systems": [
            {"name": one.name, "letter": letter(one), "hue": at % COLOURS, "mark": at % len(SHAPES)}
            for at, one in enumerate(comparison.systems)
        ],
        "marks": SHAPES,
        "metrics": metrics,
        "metric": metrics.index(comparison.metric),
        "scores": [[_score(one, name) for name in metrics] for one in comparison.systems],
        "costs": [
            [[one.count, _rounded(one.gains[comparison.metric])] for one in a.repairs_of_kinds]
            for a in analyses
        ],
        "kinds": [TITLES[kind] for kind in KINDS],
        "types": list(MENTION_TYPES),
        "slices": _slices(content),
        "documents": _documents(content),
        "curves": curve_data(content),
        "text": content.with_text,
        "totals": _corpus_totals(content),
        "views": text_views(content, worst_first, budget),
    }


def _corpus_totals(content: Content) -> list[dict[str, list[float]]] | None:
    """Return the counts of each system, summed over all documents.

    With them, the what-if editor scores the corpus: it adds the counts of a document after an edit
    and subtracts those before. Under a policy that the page cannot follow, return None.
    """
    results = content.comparison.results.values()
    if not all(supports(result.policy, EDITING) for result in results):
        return None
    counts = [Counts.of(one.mentions.table, find_metrics(None)) for one in content.analyses]
    return [{name: rows.sum(axis=0).tolist() for name, rows in one.rows.items()} for one in counts]


def _score(system: System, metric: str) -> list[float | None]:
    """Return recall, precision, F1, and the ends of the interval of F1."""
    low, high = math.nan, math.nan
    if metric in system.intervals:
        low, high = system.intervals[metric].f1
    return [_rounded(value) for value in (*system.scores[metric], low, high)]


def _slices(content: Content) -> list[dict[str, Any]]:
    """Return the fields by which errors can be filtered: of mentions first, then of documents."""
    return [
        {
            "by": field.name.replace("_", " "),
            "key": field.name,
            "names": slice_names(content, field),
            "of": of,
            "shown": True,
        }
        for of, documents in (("mention", False), ("document", True))
        for field in fields_of(content, documents=documents)
    ]


def _documents(content: Content) -> list[dict[str, Any]]:
    mentions = content.analyses[0].mentions
    scores = [
        [
            one.counts.unit_scores(one.metric(name), one.policy)[:, F1].tolist()
            for name in content.comparison.metrics
        ]
        for one in content.comparison.results.values()
    ]
    sizes = np.bincount(mentions.unit[mentions.key != NOWHERE], minlength=len(mentions.table.units))
    errors = [analysis.errors.count_units().tolist() for analysis in content.analyses]
    unit, first = np.unique(mentions.unit, return_index=True)
    fields = fields_of(content, documents=True)
    classes = np.full((len(sizes), len(fields)), NOWHERE, dtype=np.int64)
    for at, field in enumerate(fields):  # documents without mentions have no class
        classes[unit, at] = slice_numbers(content, field, mentions)[first]
    return [
        {
            "name": document.name,
            **_identity(document),
            "tokens": document.length if document.length >= 0 else None,
            "mentions": int(sizes[at]),
            "f1": [[_rounded(f1[at]) for f1 in system] for system in scores],
            "errors": [system[at] for system in errors],
            "c": classes[at].tolist(),
        }
        for at, document in enumerate(mentions.sides[0].documents)
    ]


def _identity(document: Document) -> dict[str, Any]:
    """Return the name and the part of a document, if it has a part: files are written by these."""
    return {"id": document.id} if isinstance(document.id, tuple) else {}


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, _DIGITS)
