"""The join of corefud-scorer 1.2, document by document: what each mention of an entity finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from scoref.alignment.document_pairing import PairedCorpora
from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.compat.corefud.alignment import CorefUDAlignment
from scoref.compat.corefud.matching import Match, dictionary, match
from scoref.compat.corefud.mentions import Clusters, Value, clusters_of
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import NOWHERE
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
    key_row, res_row = _ints(joined.key_row), _ints(joined.res_row)
    pairs = np.array(joined.shared, dtype=np.int64).reshape(-1, 2)
    return CorefUDAlignment(
        units=tuple(d.name for d in key.documents),
        unit=_ints(joined.unit),
        key=np.append(key.entity, NOWHERE)[key_row],
        res=np.append(response.entity, NOWHERE)[res_row],
        key_row=key_row,
        res_row=res_row,
        key_corpus=key,
        res_corpus=response,
        found=_ints(joined.found),
        partner=_ints(joined.partner),
        value=_ints(joined.value),
        shared=(pairs[:, 0], pairs[:, 1]),
        notes=tuple(joined.notes()),
    )


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int64)


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
    """The rows of all documents so far: for each document the key rows, then the response rows."""

    unit: list[int] = field(default_factory=list)
    key_row: list[int] = field(default_factory=list)
    res_row: list[int] = field(default_factory=list)
    found: list[int] = field(default_factory=list)
    partner: list[int] = field(default_factory=list)
    value: list[int] = field(default_factory=list)
    shared: list[tuple[int, int]] = field(default_factory=list)
    values: int = 0
    repeated: Counter[str] = field(default_factory=Counter)
    astray: int = 0

    def add(
        self, unit: int, keys: _ClusterIndex, responses: _ClusterIndex, matches: list[Match]
    ) -> None:
        """Add the rows of a document, with the row that each of them finds."""
        first_key = len(self.unit)
        first_response = first_key + len(keys.mentions)
        number = {value: at for at, value in enumerate({**keys.places, **responses.places})}
        self.unit += [unit] * (len(keys.mentions) + len(responses.mentions))
        self.key_row += [m.row for m in keys.mentions] + [NOWHERE] * len(responses.mentions)
        self.res_row += [NOWHERE] * len(keys.mentions) + [m.row for m in responses.mentions]
        self.value += [self.values + number[m.value] for m in (*keys.mentions, *responses.mentions)]
        self.values += len(number)
        leads_to = dictionary(matches)

        def last(side: _ClusterIndex, value: Value, first: int) -> int:
            return first + side.places[value][-1] if value in side.places else NOWHERE

        for row, value in enumerate(mention.value for mention in keys.mentions):
            led = leads_to.get(value, value)
            same = value if value in responses.places else led
            self.found.append(last(responses, led, first_response))
            self.partner.append(last(responses, same, first_response))
            pairs = ((first_key + row, first_response + at) for at in responses.places.get(led, ()))
            self.shared.extend(pairs)
        for mention in responses.mentions:
            self.found.append(last(keys, leads_to.get(mention.value, mention.value), first_key))
            self.partner.append(NOWHERE)
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
        led = {value: leads_to.get(value, value) for value in side.places}
        return sum(
            (other if other in others.places else None) != matched.get(value)
            for value, other in led.items()
        )

    return wrong(keys, responses, there) + wrong(responses, keys, back)
