"""corefud-scorer 1.2: its join, document by document, and its metrics.

The formulas are those of `scoref.metrics`. The differences are the table that each side is counted
from, and BLANC's rule for a kind of link that is absent: it counts unless both sides lack it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.matching.aligned_rows import look_up
from scoref.matching.compat.alignment import (
    TwoWayAlignment,
    alignment_of,
    count_both_ways,
    mean_of,
    recall_table,
)
from scoref.matching.compat.corefud_mentions import (
    Clusters,
    Match,
    Value,
    clusters_of,
    dictionary,
    match,
)
from scoref.matching.document_pairing import PairedCorpora
from scoref.metrics import DEFAULT, Metric, find_metrics
from scoref.metrics.blanc import BLANC, score_if_either_has
from scoref.metrics.table import NOWHERE, Table
from scoref.metrics.zero import classify_matches, count_anaphors
from scoref.policy import Policy

_NAMES = (*DEFAULT, "mor", "zero")


def join_as_corefud(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy
) -> TwoWayAlignment:
    """Join two corpora in which a mention is at most once in an entity, but may be in several."""
    _, response, document = PairedCorpora.of(key, response, key_document)
    documents, by_head = len(key.documents), policy.match == "head"
    keys = clusters_of(key, key.document, documents, by_head=by_head)
    responses = clusters_of(response, document, documents, by_head=by_head)
    joined = _JoinedRows()
    for unit, (one, other) in enumerate(zip(keys, responses, strict=True)):
        joined.add(unit, _ClusterIndex(one), _ClusterIndex(other), match(one, other, policy))
    rows, pairs = _columns(joined.rows, 6), _columns(joined.shared, 2)
    unit, key_row, res_row, found, partner, value = rows
    return TwoWayAlignment(
        units=tuple(d.name for d in key.documents),
        unit=unit,
        key=look_up(key.entity, key_row),
        res=look_up(response.entity, res_row),
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        found=found,
        partner=partner,
        value=value,
        shared=(pairs[0], pairs[1]),
        notes=tuple(joined.notes()),
    )


def _columns(rows: Sequence[tuple[int, ...]], columns: int) -> Ints:
    return np.ascontiguousarray(np.array(rows, dtype=np.int64).reshape(-1, columns).T)


class _ClusterIndex:
    """The mentions of one side of a document, and the positions of each value among them."""

    def __init__(self, clusters: Clusters) -> None:
        self.mentions = [mention for cluster in clusters for mention in cluster]
        self.places: dict[Value, list[int]] = {}
        for place, mention in enumerate(self.mentions):
            self.places.setdefault(mention.value, []).append(place)

    @property
    def repeated(self) -> int:
        """The number of mentions that another entity has already."""
        return len(self.mentions) - len({mention.value.tokens for mention in self.mentions})


@dataclass
class _JoinedRows:
    """The rows of all documents so far: for each document the key rows, then the response rows.

    A row is the unit, the rows in the key and in the response, `found`, `partner` and `value`.
    """

    rows: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    shared: list[tuple[int, int]] = field(default_factory=list)
    values: int = 0
    repeated: Counter[str] = field(default_factory=Counter)
    astray: int = 0
    apart: int = 0

    def add(
        self, unit: int, keys: _ClusterIndex, responses: _ClusterIndex, matches: list[Match]
    ) -> None:
        """Add the rows of a document, with the row that each of them finds."""
        first_key = len(self.rows)
        first_response = first_key + len(keys.mentions)
        every_value = {**keys.places, **responses.places}
        number = {value: at for at, value in enumerate(every_value, self.values)}
        self.values += len(number)
        leads_to = dictionary(matches)

        def last(side: _ClusterIndex, value: Value, first: int) -> int:
            return first + side.places[value][-1] if value in side.places else NOWHERE

        for row, value, *_ in keys.mentions:
            led = leads_to.get(value, value)
            same = value if value in responses.places else led
            self.apart += same != led
            at = responses.places.get(led, ())
            self.shared += [(len(self.rows), first_response + place) for place in at]
            found, partner = (last(responses, one, first_response) for one in (led, same))
            self.rows.append((unit, row, NOWHERE, found, partner, number[value]))
        for row, value, *_ in responses.mentions:
            found = last(keys, leads_to.get(value, value), first_key)
            self.rows.append((unit, NOWHERE, row, found, NOWHERE, number[value]))
        self.repeated.update(key=keys.repeated, response=responses.repeated)
        self.astray += _astray(matches, leads_to, keys, responses)

    def notes(self) -> list[str]:
        """Explain how scores may differ from scores without compat."""
        notes = [
            f"the {side} has {counted(many, 'mention')} in more than one entity, counted in each"
            " as in corefud-scorer"
            for side, many in self.repeated.items()
            if many
        ]
        if self.astray:
            notes.append(
                "matches overwrite each other, as in corefud-scorer:"
                f" {counted(self.astray, 'mention')} of both sides"
                f" {'leads' if self.astray == 1 else 'lead'} to a mention other than the match"
            )
        if self.apart:
            notes.append(
                f"`zero` compares {counted(self.apart, 'key mention')} with the response mention of"
                " the same position and not with the match, as in corefud-scorer"
            )
        nothing = (
            "no mention is in two entities and no match overwrites another: only ties between"
            " matches and BLANC's rule for absent links can change scores"
        )
        return notes or [nothing]


def _astray(
    matches: list[Match],
    leads_to: Mapping[Value, Value],
    keys: _ClusterIndex,
    responses: _ClusterIndex,
) -> int:
    """Count the mentions that do not lead to their match."""
    there = {one.value: other.value for one, other in matches}
    back = {other.value: one.value for one, other in matches}

    def wrong(side: _ClusterIndex, others: _ClusterIndex, matched: Mapping[Value, Value]) -> int:
        led = ((value, leads_to.get(value, value)) for value in side.places)
        return sum((to if to in others.places else None) != matched.get(one) for one, to in led)

    return wrong(keys, responses, there) + wrong(responses, keys, back)


def as_corefud_counts(metrics: Iterable[Metric], compat: str) -> tuple[Metric, ...]:
    """Return metrics of the same names that count as the scorer does; others are refused."""
    here, there = _metrics()
    chosen = tuple(metrics)
    for name, count in ((metric.name, metric.count) for metric in chosen):
        if name not in there or count not in (here[name].count, there[name].count):
            raise UsageError(
                f"compat {compat} cannot count {name}: the scorer does not have this metric",
                f"use metrics that it has: {', '.join(there)}",
            )
    return tuple(there[metric.name] for metric in chosen)


@cache
def _metrics() -> tuple[dict[str, Metric], dict[str, Metric]]:
    """Return the metrics of the scorer as scoref counts them, and as the scorer does."""
    here = {metric.name: metric for metric in find_metrics(_NAMES)}
    counts = {name: count_both_ways(here[name].count) for name in ("mentions", "muc", "b3", "lea")}
    counts |= {"blanc": _count_blanc, "zero": _count_zeros}
    there = here | {name: replace(here[name], count=count) for name, count in counts.items()}
    there["blanc"] = replace(there["blanc"], score=score_if_either_has)
    there["conll"] = mean_of(here["conll"], there)
    return here, there


def _count_blanc(table: Table) -> Floats:
    return BLANC.count(recall_table(table))


def _count_zeros(table: Table) -> Floats:
    """Classify zeros by the partners that the scorer gives them."""
    found = alignment_of(table)
    return count_anaphors(table, classify_matches(table.mentions, found.partner, found.value))
