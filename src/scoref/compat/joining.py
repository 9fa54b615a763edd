"""The join of corefud-scorer 1.2, document by document: what each mention of an entity leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from scoref.alignment.document_pairing import ABSENT
from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.compat.matching import Match, dictionary, match
from scoref.compat.memberships import CorefUDAlignment
from scoref.compat.mentions import Clusters, Value, clusters_of
from scoref.corpus.corpus import Corpus
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy


def join_as_corefud(
    key: Corpus, response: Corpus, key_document: Ints, policy: Policy
) -> CorefUDAlignment:
    """Join two corpora in which a mention stands once in an entity, but maybe in several."""
    document = key_document[response.document] if len(response) else response.document
    if np.any(document == ABSENT):
        response = response.where(document != ABSENT)
        document = document[document != ABSENT]
    documents, by_head = len(key.documents), policy.match == "head"
    joined = _Joined()
    for unit, (ours, theirs) in enumerate(
        zip(
            clusters_of(key, key.document, documents, by_head=by_head),
            clusters_of(response, document, documents, by_head=by_head),
            strict=True,
        )
    ):
        joined.add(unit, _Side(ours), _Side(theirs), match(ours, theirs, policy))
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


class _Side:
    """The mentions of one side of a document, and for each value its places among them."""

    def __init__(self, clusters: Clusters) -> None:
        self.mentions = [mention for cluster in clusters for mention in cluster]
        self.places: dict[Value, list[int]] = {}
        for place, mention in enumerate(self.mentions):
            self.places.setdefault(mention.value, []).append(place)

    @property
    def repeated(self) -> int:
        """How often tokens that are a mention of some entity are one of another, too."""
        return len(self.mentions) - len({mention.value.tokens for mention in self.mentions})


@dataclass
class _Joined:
    """The rows of all documents so far: of each document first the key's, then the response's."""

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

    def add(self, unit: int, ours: _Side, theirs: _Side, matches: list[Match]) -> None:
        """Add the rows of a document, with what each of them leads to."""
        first_key = len(self.unit)
        first_response = first_key + len(ours.mentions)
        number = {value: at for at, value in enumerate({**ours.places, **theirs.places})}
        self.unit += [unit] * (len(ours.mentions) + len(theirs.mentions))
        self.key_row += [m.row for m in ours.mentions] + [NOWHERE] * len(theirs.mentions)
        self.res_row += [NOWHERE] * len(ours.mentions) + [m.row for m in theirs.mentions]
        self.value += [self.values + number[m.value] for m in (*ours.mentions, *theirs.mentions)]
        self.values += len(number)
        leads_to = dictionary(matches)

        def last(side: _Side, value: Value, first: int) -> int:
            return first + side.places[value][-1] if value in side.places else NOWHERE

        for row, value in enumerate(mention.value for mention in ours.mentions):
            led = leads_to.get(value, value)
            same = value if value in theirs.places else led
            self.found.append(last(theirs, led, first_response))
            self.partner.append(last(theirs, same, first_response))
            pairs = ((first_key + row, first_response + at) for at in theirs.places.get(led, ()))
            self.shared.extend(pairs)
        for mention in theirs.mentions:
            self.found.append(last(ours, leads_to.get(mention.value, mention.value), first_key))
            self.partner.append(NOWHERE)
        self.repeated.update(key=ours.repeated, response=theirs.repeated)
        self.astray += _astray(matches, leads_to, ours, theirs)

    def notes(self) -> list[str]:
        """Say why scores are not those without compat, or that these two causes are absent."""
        notes = [
            f"the {side} has {counted(many, 'mention')} in a further entity, counted in each as"
            " corefud-scorer does"
            for side, many in self.repeated.items()
            if many
        ]
        if self.astray:
            notes.append(
                "matches overwrite each other, as in corefud-scorer: this leads"
                f" {counted(self.astray, 'mention')} of either side to another than the matched one"
            )
        nothing = (
            "no mention is in two entities and no match overwrites another: only ties between"
            " matches and BLANC's rule for absent links can differ from scores without compat"
        )
        return notes or [nothing]


def _astray(
    matches: list[Match], leads_to: Mapping[Value, Value], ours: _Side, theirs: _Side
) -> int:
    """Count the mentions that do not lead to what they were matched with."""
    there = {one.value: other.value for one, other in matches}
    back = {other.value: one.value for one, other in matches}

    def wrong(side: _Side, others: _Side, matched: Mapping[Value, Value]) -> int:
        led = {value: leads_to.get(value, value) for value in side.places}
        return sum(
            (other if other in others.places else None) != matched.get(value)
            for value, other in led.items()
        )

    return wrong(ours, theirs, there) + wrong(theirs, ours, back)
