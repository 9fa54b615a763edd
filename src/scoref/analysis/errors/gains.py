"""The gain of each single repair: what a metric gains if one error is repaired and no other.

As in `Errors.repairs`, span errors are repaired in the response as it is, and other errors in the
response with corrected spans.
"""

from __future__ import annotations

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.decomposition import decomposes
from scoref.analysis.errors import kinds as k
from scoref.analysis.errors.collection import Errors
from scoref.analysis.errors.repair_tables import (
    NEW,
    ConnectedEntities,
    SingleRepairs,
    repair_tables,
    without_empty,
)
from scoref.base.arrays import Bools, Floats, Ints
from scoref.counts.counts import Counts, exact_sum
from scoref.metrics import Metric
from scoref.metrics.base import F1, count_units
from scoref.overlap.table import NOWHERE

MOST_CELLS = 40_000_000
"""The number of cells that the tables of all repairs together may have."""


def gains(errors: Errors, metric: Metric) -> Floats:
    """Return the gain in F1 of each single repair, or NaN where it takes too long to compute.

    The gain is NaN as well for metrics that count more than entities, such as mention types.
    """
    found = np.full(len(errors), np.nan)
    if errors.mode != k.STRICT or metric.needs or any(part.needs for part in metric.parts):
        return found
    is_span = errors.listing.kind == k.KINDS.index(k.SPAN)
    left = MOST_CELLS
    for mentions, rows in ((errors.original, is_span), (errors.corrected, ~is_span)):
        if not rows.any():
            continue
        at = np.flatnonzero(rows)
        repairs = _single_repairs(errors, mentions, at)
        connected = ConnectedEntities(mentions.table, local=decomposes(metric))
        for some in connected.batches(repairs, left):
            found[at[some]] = _gains(mentions, connected, repairs.take(some), metric)
        left -= int(connected.cells_of(repairs).sum())
    return found


def _single_repairs(errors: Errors, mentions: AlignedMentions, at: Ints) -> SingleRepairs:
    """Return what the repair of each error does to the table."""
    listing, kinds = errors.listing, errors.listing.kind[at]
    first = listing.first_row[at]
    key, res = mentions.key[first], mentions.res[first]
    joins = np.full(len(at), NOWHERE, dtype=np.int64)

    def of(*names: str) -> Bools:
        return np.isin(kinds, [k.KINDS.index(name) for name in names])

    joins[of(k.CONFLATED, k.MISSING_ENTITY)] = NEW
    spans = of(k.SPAN)  # the response mention stays in its entity, which the key mention joins
    key = np.where(spans, np.append(mentions.key, NOWHERE)[listing.meant[first]], key)
    joins[spans] = res[spans]
    anchored = of(k.DIVIDED, k.MISSING_MENTION)
    target = errors.found.key_anchor
    lost = (target == NOWHERE) | (mentions.res[target] == NOWHERE)
    present = mentions.first_rows(mentions.key, mentions.res != NOWHERE, len(target))
    target = np.append(np.where(lost, present, target), NOWHERE)[key]
    joins[anchored] = np.where(target == NOWHERE, NEW, mentions.res[target])[anchored]
    return SingleRepairs(key, res, joins, np.diff(listing.first)[at], bool(spans.all()))


def _gains(
    mentions: AlignedMentions, connected: ConnectedEntities, repairs: SingleRepairs, metric: Metric
) -> Floats:
    """Count the tables of some repairs before and after, and score the corpus with each change."""
    drop = mentions.policy.singletons == "drop"
    tables = repair_tables(connected, repairs)
    before, after = (count_units(metric, without_empty(one, drop=drop)) for one in tables)
    base = without_empty(mentions.table, drop=drop)
    counts = Counts.of(base, [metric])
    rows, score = counts.statistic(metric, mentions.policy)
    total = exact_sum(rows)
    if mentions.policy.average == "micro":
        changed = score(total + (after - before))
    else:
        of_key, of_res = (np.append(u, 0) for u in (base.key_unit, mentions.table.res_unit))
        unit = np.where(repairs.key == NOWHERE, of_res[repairs.leaves], of_key[repairs.key])
        of_units = counts.rows[metric.name][unit] + (after - before)
        scores = metric.scores(of_units, mentions.policy.undefined)
        new = np.concatenate([np.nan_to_num(scores), ~np.isnan(scores)], axis=1)
        changed = score(total + new - rows[unit])
    gain: Floats = changed[:, F1] - score(total)[F1]
    return gain
