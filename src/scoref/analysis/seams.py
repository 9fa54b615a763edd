"""seams(): where the score of long texts is lost: in detection, inside windows, or across windows.

Each loss has a repair, which leaves the others as they are. In each window, the parts of key and
response entities are paired one-to-one by the number of mentions that they share:

    detection              spurious mentions are removed; a missing mention is added to the entity
                           of the response part that is paired with its key part, or else to the
                           entity that is paired with its key entity in the document
    links inside windows   the mentions of a key part get the entity of the response part that is
                           paired with it, or else an entity of their own
    links across windows   response parts are joined if their key parts are of one entity, and
                           separated if not; parts without a pair stay together
    all                    the response becomes the key

The price of a loss is the gain of its repair in the score of whole documents. Prices do not add up
to the price of all, because losses depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Unpack

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.mention_classes import MentionShares, Slice
from scoref.base.arrays import Ints
from scoref.base.viewed import Tabular
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.fields import Field, by_side, since_antecedent
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.pipeline import Prepared, prepare
from scoref.matching.requirements import Requirements
from scoref.matching.same_text import AUTO, Checks
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.assignment.solver import best_alignment
from scoref.metrics.table import NOWHERE, Table
from scoref.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.capabilities import SEAMS, require
from scoref.result import Score

DETECTION, INSIDE, ACROSS, ALL = (
    "detection",
    "links inside windows",
    "links across windows",
    "all",
)
DISTANCES = (0, 10, 30, 100, 300, 1000, 3000, 10_000)
SPANS = (0, 100, 300, 1000, 3000, 10_000, 30_000)
"""Distances and the spans of entities are counted in tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class Seams(Tabular):
    """What each loss costs, and how well links are resolved by distance and by span.

    `scores` are those of whole documents, and `gains` what each repair adds to F1 by metric.
    """

    window: str
    scores: dict[str, Score]
    gains: dict[str, dict[str, float]]
    slices: tuple[Slice, ...]
    signature: str
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Seams: windows of {self.window}, {len(self.scores)} metrics>"


def seams(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> Seams:
    """Return what detection, links inside windows and links across windows cost.

    The parameters are those of `score`. The policy has a `window`, such as `window=2000`.
    """
    chosen, policy = find_metrics(metrics, SEAMS), Policy.of(policy, **choices)
    require(policy, SEAMS)
    if policy.window == "none" or ":" in policy.window:
        raise UsageError(
            f"seams are those of windows that do not overlap, found window {policy.window}",
            "choose windows, such as --window 2000 or --window 100s",
        )
    options = ReadOptions.under(policy, format, encoding, check_words)
    prepared = prepare(key, response, Requirements.of(chosen, policy, options))
    cut, whole = prepared.alignment, prepared.alignment.before_cut()[0]
    scores = scores_of(whole, chosen, policy)
    gains = gains_of_repairs(whole, cut, scores, chosen, policy)
    slices = tuple(_slices(prepared._replace(alignment=whole)))
    return Seams(policy.window, scores, gains, slices, prepared.signature, prepared.notes)


def gains_of_repairs(
    whole: Alignment,
    cut: Alignment,
    scores: Mapping[str, Score],
    metrics: Iterable[Metric],
    policy: Policy,
) -> dict[str, dict[str, float]]:
    """Return what each repair adds to F1; `cut` has the same rows with entities cut into parts."""
    chosen, gains = tuple(metrics), {}
    for name, res in _repairs(whole, cut).items():
        after = scores_of(replace(whole, res=res), chosen, policy)
        gains[name] = {metric: after[metric].f1 - score.f1 for metric, score in scores.items()}
    return gains


def scores_of(alignment: Alignment, metrics: Iterable[Metric], policy: Policy) -> dict[str, Score]:
    """Score an alignment with some metrics."""
    chosen = tuple(metrics)
    counts = Counts.of(alignment.table(), chosen)
    return {one.name: Score(*counts.scores(one, policy).tolist()) for one in chosen}


def _repairs(whole: Alignment, cut: Alignment) -> dict[str, Ints]:
    """Return the response entity of each row after each repair."""
    key, res = whole.key, whole.res
    parts, table = cut.table().mentions, cut.table()
    to_key, to_res = _pairs(table)
    of_part = _entity_of_part(parts.res, res, len(table.res_size))
    key_of_part = _entity_of_part(parts.key, key, len(table.key_size))
    new = int(res.max(initial=NOWHERE)) + 1
    in_key, in_res = key != NOWHERE, res != NOWHERE
    # The response entity that is paired with the part, or with the entity in the document.
    near = np.append(of_part, NOWHERE)[np.append(to_res, NOWHERE)[parts.key]]
    documents = whole.table()
    rows, best = documents.mentions, _pairs(documents)[1]
    original = np.append(_entity_of_part(rows.res, res, len(documents.res_size)), NOWHERE)
    far = original[np.append(best, NOWHERE)[rows.key]]
    added = np.where(near != NOWHERE, near, np.where(far != NOWHERE, far, new + key))
    joined = np.append(key_of_part, NOWHERE)[np.append(to_key, NOWHERE)[parts.res]]
    keys = int(key.max(initial=NOWHERE)) + 1
    return {
        DETECTION: np.where(in_key, np.where(in_res, res, added), NOWHERE),
        INSIDE: np.where(in_key & in_res, np.where(near != NOWHERE, near, new + parts.key), res),
        ACROSS: np.where(in_res, np.where(joined != NOWHERE, joined, keys + res), NOWHERE),
        ALL: key,
    }


def _pairs(table: Table) -> tuple[Ints, Ints]:
    """Return the best key entity of each response entity and the reverse, or NOWHERE."""
    chosen = best_alignment(table.cell_key, table.cell_res, table.count.astype(np.float64))
    to_key = np.full(len(table.res_size), NOWHERE, dtype=np.int64)
    to_res = np.full(len(table.key_size), NOWHERE, dtype=np.int64)
    to_key[table.cell_res[chosen]] = table.cell_key[chosen]
    to_res[table.cell_key[chosen]] = table.cell_res[chosen]
    return to_key, to_res


def _entity_of_part(part: Ints, entity: Ints, parts: int) -> Ints:
    """Return the entity that each part belongs to."""
    found = np.full(parts, NOWHERE, dtype=np.int64)
    found[part[part != NOWHERE]] = entity[part != NOWHERE]
    return found


def _slices(prepared: Prepared) -> Iterator[Slice]:
    """Return slices by the distance of the closest antecedent, and by the span of an entity."""
    mentions = AlignedMentions.of(prepared, words=False)
    if mentions.spans is None:
        return
    start, end = mentions.spans
    shares, order = MentionShares(mentions), mentions.order
    for name, edges, find in (
        ("distance in tokens", DISTANCES, lambda side: since_antecedent(side.entity, order, start)),
        ("span of the entity in tokens", SPANS, lambda side: _span(side.entity, start, end)),
    ):
        yield from shares.slices(Field(name, partial(by_side, find), edges, without="first"))


def _span(entity: Ints, start: Ints, end: Ints) -> Ints:
    """Return the number of tokens from the first to the last mention of the entity of each row."""
    rows, entities = entity != NOWHERE, int(entity.max(initial=NOWHERE)) + 1
    first = np.full(entities + 1, np.iinfo(np.int64).max, dtype=np.int64)
    last = np.zeros(entities + 1, dtype=np.int64)
    np.minimum.at(first, entity[rows], start[rows])
    np.maximum.at(last, entity[rows], end[rows])
    return np.where(rows, last[entity] - first[entity] + 1, NOWHERE)
