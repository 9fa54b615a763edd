"""CorefEvaluator of e2e-coref, which most neural resolvers contain a copy of: join and metrics.

The evaluator has a mapping from each mention to its entity on the other side. If several entities
have the mention, the last one is in the mapping. An entity is a list, so a mention that is in it
twice counts twice: in its size, and in what it shares. CEAF_e compares all mentions of two
entities, and counts those of the key entity that the response entity has.

It was written for OntoNotes, which has no singletons, and treats them in its own way:

    b3     the singletons of either side are skipped, in the sums and in the denominators
    lea    as b3; a singleton that both sides have adds nothing
    ceafe  the singletons of the response are skipped, and those of the key are not
    muc    as always: a singleton has no links

The difference is large where a corpus has singletons. Metrics that the evaluator does not have
count as always: the first of repeated mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from scoref.base.arrays import Floats, Ints, expand_ranges, first_of_run
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.identity import shared_codes
from scoref.matching.aligned_rows import look_up
from scoref.matching.alignment import Alignment, join
from scoref.matching.compat.alignment import (
    TwoWayAlignment,
    alignment_of,
    count_both_ways,
    mean_of,
)
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.duplicates_and_singletons import clean
from scoref.metrics import Metric, find_metrics
from scoref.metrics.base import Count, links, ratio_counts
from scoref.metrics.ceaf import CEAF_E
from scoref.metrics.derived_tables import cached_per_table, keep_responses
from scoref.metrics.table import NOWHERE, Table
from scoref.policy import Policy


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class E2EAlignment(TwoWayAlignment):
    """Rows as CorefEvaluator joins them; `usual` joins the two sides as scoref does by default."""

    usual: Callable[[], Alignment]


def join_as_e2e(
    key: Corpus,
    response: Corpus,
    key_document: Ints,
    policy: Policy,
) -> TwoWayAlignment:
    """Join two corpora in which a mention may be in several entities, or several times in one."""
    usual = partial(_join_as_usual, key, response, key_document, policy)
    sides = PairedCorpora.of(key, response, key_document)
    response = sides.response
    codes = shared_codes({"key": key, "response": response}, [key.document, sides.document])
    of_key, of_response = len(key), len(response)
    nowhere = (np.full(of_response, NOWHERE), np.full(of_key, NOWHERE))
    key_row = np.concatenate([np.arange(of_key), nowhere[0]])
    res_row = np.concatenate([nowhere[1], np.arange(of_response)])
    in_response = _last(codes[0], codes[1], response.entity)
    in_key = _last(codes[1], codes[0], key.entity)
    found = np.concatenate(
        [np.where(in_response == NOWHERE, NOWHERE, in_response + of_key), in_key]
    )
    repeats = {
        side: len(own) - len(np.unique(own))
        for side, own in zip(("key", "response"), codes, strict=True)
    }
    return E2EAlignment(
        units=tuple(document.name for document in key.documents),
        unit=np.concatenate([key.document, sides.document]),
        key=look_up(key.entity, key_row),
        res=look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        key_document=key_document,
        found=found,
        partner=found,
        value=np.concatenate(codes),
        shared=_equal_pairs(codes[0], codes[1], response.entity, of_key),
        notes=tuple(_note_repeats(side, times) for side, times in repeats.items() if times),
        usual=usual,
    )


def _note_repeats(side: str, times: int) -> str:
    return (
        f"the {side} repeats {counted(times, 'mention')}: muc, b3, ceafe, lea and conll count a"
        " mention each time, as CorefEvaluator does; other metrics count the first"
    )


def _last(wanted: Ints, codes: Ints, entity: Ints) -> Ints:
    """Return, for each code, the row with this code whose entity comes last, or NOWHERE."""
    order = np.lexsort((entity, codes))
    at = np.searchsorted(codes[order], wanted, side="right") - 1
    row = look_up(order, np.where(at < 0, NOWHERE, at))
    return np.where((row >= 0) & (look_up(codes, row) == wanted), row, NOWHERE)


def _equal_pairs(key: Ints, response: Ints, entity: Ints, first: int) -> tuple[Ints, Ints]:
    """Return each key row with each response entity that has its code, as a row of the entity.

    The rows of the response start at `first`.
    """
    order = np.lexsort((entity, response))
    order = order[first_of_run(response[order]) | first_of_run(entity[order])]
    low, high = (np.searchsorted(response[order], key, side=side) for side in ("left", "right"))
    rows, place = expand_ranges(low, high)
    return rows, order[place] + first


@cached_per_table
def _usual_table(table: Table) -> Table:
    """Return the table that scoref counts by default, with the first of repeated mentions."""
    rows = alignment_of(table)
    if not isinstance(rows, E2EAlignment):
        raise TypeError("expected the table of an E2EAlignment")
    return rows.usual().table()


def _join_as_usual(key: Corpus, response: Corpus, key_document: Ints, policy: Policy) -> Alignment:
    policy = replace(policy, compat="none")
    return join(clean(key, policy).corpus, clean(response, policy).corpus, key_document, policy)


@dataclass(frozen=True, slots=True)
class CountAsUsual:
    """Counts with a metric that CorefEvaluator does not have."""

    count: Count

    def __call__(self, table: Table) -> Floats:
        """Count the table that scoref counts by default."""
        return self.count(_usual_table(table))


def as_e2e_counts(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as CorefEvaluator; others count as usual."""
    return tuple(map(_as_e2e, metrics))


def _as_e2e(metric: Metric) -> Metric:
    here, there = _metrics()
    if isinstance(metric.count, CountAsUsual):
        return metric
    if metric.name in here:
        if metric.count == here[metric.name].count:
            return there[metric.name]
        if metric.count == there[metric.name].count:
            return metric
    return replace(metric, count=CountAsUsual(metric.count), by_sums=False)


@cache
def _metrics() -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Return the metrics of CorefEvaluator as scoref counts them, and as it does."""
    here = {metric.name: metric for metric in find_metrics(["muc", "b3", "lea", "ceafe", "conll"])}
    counts = {"muc": here["muc"].count, "b3": _count_b3, "lea": _count_lea}
    counts = {name: count_both_ways(count) for name, count in counts.items()}
    there = {
        name: replace(here[name], count=count, by_sums=False) for name, count in counts.items()
    }
    there["ceafe"] = replace(CEAF_E, count=_count_ceafe, by_sums=False, symmetric=False)
    there["conll"] = mean_of(here["conll"], there)
    return here, there


def _count_b3(table: Table) -> Floats:
    """Count without singletons."""
    key, response = table.cell_key_size, table.cell_res_size
    squares = np.where((key > 1) & (response > 1), table.count**2, 0)
    recall, precision = table.sum_cells(squares / key), table.sum_cells(squares / response)
    return _without_singletons(table, recall, precision)


def _count_lea(table: Table) -> Floats:
    shared = links(table.count)
    recall, precision = (
        table.sum_cells(size * shared / np.maximum(links(size), 1))
        for size in (table.cell_key_size, table.cell_res_size)
    )
    return _without_singletons(table, recall, precision)


def _without_singletons(table: Table, recall: Floats, precision: Floats) -> Floats:
    """Count over the mentions of entities of several mentions."""
    keys, responses = (np.where(size > 1, size, 0) for size in (table.key_size, table.res_size))
    return ratio_counts(table, recall, keys, precision, responses)


def _count_ceafe(table: Table) -> Floats:
    return CEAF_E.count(keep_responses(table, table.res_size > 1))
