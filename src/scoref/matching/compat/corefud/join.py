"""The join of corefud-scorer 1.2, document by document: what each mention of an entity finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.matching.compat.corefud.alignment import CorefUDAlignment
from scoref.matching.compat.corefud.matching import Match, dictionary, match
from scoref.matching.compat.corefud.mentions import Clusters, Value, clusters_of
from scoref.matching.document_pairing import PairedCorpora
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy


def join_as_corefud(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy
) -> CorefUDAlignment:
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
    return CorefUDAlignment(
        units=tuple(d.name for d in key.documents),
        unit=unit,
        key=np.append(key.entity, NOWHERE)[key_row],
        res=np.append(response.entity, NOWHERE)[res_row],
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
