"""Mentions as corefud-scorer 1.2 sees them, objects in lists of lists, and how it matches them.

Its entities are in the order of their first mentions, which decides what a dictionary keeps
for a mention that several entities have. A mention without a stated head takes its first token.

The steps of matching are those of `scoref.matching.modes`: zeros by what they depend on, then equal
mentions, then similar mentions. The choice among several best matchings may differ: the scorer
builds the full matrix of a document and takes the matching that SciPy's solver finds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Spans, place_of
from scoref.exceptions import UsageError
from scoref.matching.modes.zeros import Zero, zeros_of
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy

Place = tuple[int, int]
"""A word of the document, and the number of an empty node after it, or 0."""


class Value(NamedTuple):
    """What makes two mentions equal: their tokens, and their heads if heads are matched."""

    tokens: frozenset[Place]
    head: Place | None


class CorefUDMention(NamedTuple):
    """A mention in an entity: its row in the corpus, and what it is compared by."""

    row: int
    value: Value
    head: Place
    is_zero: bool
    zero: Zero
    first: Place
    last: Place

    @property
    def in_text(self) -> tuple[Place, Place, int]:
        """Its position when mentions are sorted."""
        return self.first, self.last, len(self.value.tokens)

    @property
    def in_file(self) -> tuple[Place, int, Place]:
        """Its position when the file is read: of mentions with one start, longer ones first."""
        return self.first, -len(self.value.tokens), self.last


Clusters = list[list[CorefUDMention]]

_NO_ZERO = Zero(NOWHERE, (NOWHERE, ""), frozenset(), frozenset())


def with_heads(corpus: Corpus, policy: Policy, side: str) -> tuple[Corpus, list[str]]:
    """Set missing heads to the first token of the mention, with a note if heads matter."""
    spans = corpus.as_spans()
    if spans is None:
        raise UsageError(
            f"corefud-scorer requires token spans, but the mentions of the {side} are not spans",
            "pass mentions as (start, end), or leave compat out",
        )
    stated, nothing = spans.attributes, np.full(len(spans), NOWHERE, dtype=np.int64)
    head = stated.get("head_start", nothing)
    missing = head == NOWHERE
    if not missing.any():
        return spans, []
    nodes = stated.get("nodes", np.full(len(spans), ""))
    for row in np.flatnonzero(missing & (nodes != "")).tolist():
        if min(map(place_of, str(nodes[row]).split()))[1]:
            line = f" (line {spans.line[row]})" if spans.line[row] else ""
            raise UsageError(
                f"a mention of the {side}{line} begins with an empty node and has no head",
                "corefud-scorer would count it as a zero: state its head, or leave compat out",
            )
    head = np.where(missing, spans.start, head)
    spans = replace(spans, attributes={**stated, "head_start": head, "head_end": head})
    if policy.match == "exact":
        return spans, []
    note = f"{counted(int(missing.sum()), 'mention')} of the {side} without a head take their first"
    return spans, [f"{note} token, as in corefud-scorer"]


def clusters_of(corpus: Corpus, document: Ints, documents: int, *, by_head: bool) -> list[Clusters]:
    """Return the entities of each document in the order of the scorer."""
    entities: list[dict[int, list[CorefUDMention]]] = [{} for _ in range(documents)]
    for mention in _mentions(corpus, document, by_head=by_head):
        at, entity = document[mention.row], int(corpus.entity[mention.row])
        entities[at].setdefault(entity, []).append(mention)
    return [_in_order(found, corpus.entity_names) for found in entities]


def _in_order(entities: dict[int, list[CorefUDMention]], names: Sequence[str]) -> Clusters:
    for mentions in entities.values():
        mentions.sort(key=lambda mention: mention.in_file)
    order = sorted(entities, key=lambda number: (entities[number][0].in_file, names[number]))
    return [entities[number] for number in order]


def _mentions(corpus: Corpus, document: Ints, *, by_head: bool) -> list[CorefUDMention]:
    stated = corpus.attributes
    empty = np.full(len(corpus), "")
    heads = stated.get("head_start", corpus.start).tolist()
    zero_heads = stated.get("zero", empty).tolist()
    spans = Spans(document, corpus.start, corpus.end, stated.get("nodes"))
    zeros = {zero.row: zero for zero in zeros_of(corpus, document)}
    mentions = []
    for row in range(len(corpus)):
        tokens = frozenset(map(place_of, spans.tokens(row)))
        head = place_of(zero_heads[row]) if zero_heads[row] else (heads[row], 0)
        value = Value(tokens, head if by_head else None)
        zero = zeros.get(row, _NO_ZERO)
        is_zero = zero_heads[row] != ""
        mentions.append(CorefUDMention(row, value, head, is_zero, zero, min(tokens), max(tokens)))
    return mentions


Match = tuple[CorefUDMention, CorefUDMention]


class Criterion(NamedTuple):
    """How similar two mentions are.

    Only response mentions that have the `place` of a key mention among their `places` can be
    similar to it; the others are skipped.
    """

    similarity: Callable[[CorefUDMention, CorefUDMention], float]
    place: Callable[[CorefUDMention], object]
    places: Callable[[CorefUDMention], Iterable[object]]


def match(key: Clusters, response: Clusters, policy: Policy) -> list[Match]:
    """Match the mentions of a document, each value once."""
    keys, responses = _by_value(key), _by_value(response)
    zeros: list[Match] = []
    if policy.zeros == "dependent":
        of_key, of_response = (
            [mention for mention in side.values() if mention.is_zero] for side in (keys, responses)
        )
        zeros = _best(of_key, of_response, _CRITERIA["zero"])
    _remove(zeros, keys, responses)
    equal = [(mention, responses[value]) for value, mention in keys.items() if value in responses]
    _remove(equal, keys, responses)
    similar: list[Match] = []
    if policy.match != "exact":
        similar = _best(keys.values(), responses.values(), _CRITERIA[policy.match])
    return [*equal, *similar, *zeros]


def dictionary(matches: list[Match]) -> dict[Value, Value]:
    """Put matches of different mentions into one dictionary, in which they may collide."""
    different = [(one.value, other.value) for one, other in matches if one.value != other.value]
    return {**dict(different), **{other: one for one, other in different}}


def _by_value(clusters: Clusters) -> dict[Value, CorefUDMention]:
    """Return each mention once; of equal mentions, the first."""
    found: dict[Value, CorefUDMention] = {}
    for cluster in clusters:
        for mention in cluster:
            found.setdefault(mention.value, mention)
    return found


def _remove(
    matches: list[Match], keys: dict[Value, CorefUDMention], responses: dict[Value, CorefUDMention]
) -> None:
    for one, other in matches:
        del keys[one.value], responses[other.value]


def _best(
    key: Iterable[CorefUDMention], response: Iterable[CorefUDMention], criterion: Criterion
) -> list[Match]:
    """Return the best one-to-one matches of similar mentions."""
    keys = sorted(key, key=lambda mention: mention.in_text)
    responses = sorted(response, key=lambda mention: mention.in_text)
    at_place: defaultdict[object, list[int]] = defaultdict(list)
    for at, mention in enumerate(responses):
        for place in criterion.places(mention):
            at_place[place].append(at)
    similarity = np.zeros((len(keys), len(responses)))
    for at, one in enumerate(keys):
        for other in at_place[criterion.place(one)]:
            similarity[at, other] = criterion.similarity(one, responses[other])
    if not similarity.any():
        return []
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  # half a second to import

    chosen = zip(*linear_sum_assignment(-similarity), strict=True)
    return [(keys[one], responses[other]) for one, other in chosen if similarity[one, other] > 0]


def _same_head(one: CorefUDMention, other: CorefUDMention) -> float:
    """Return the share of the key mention's tokens that a response mention has."""
    return len(one.value.tokens & other.value.tokens) / len(one.value.tokens)


def _inside(one: CorefUDMention, other: CorefUDMention) -> float:
    """Return the same share; 0 for a response mention with tokens outside the key mention."""
    if not other.value.tokens <= one.value.tokens:
        return 0.0
    return _same_head(one, other)


def _zero_similarity(one: CorefUDMention, other: CorefUDMention) -> float:
    """Weigh parents with relations ten times, in the order of operations of the scorer."""
    both = _f1(one.zero.relations, other.zero.relations)
    return 10 * both + _f1(one.zero.parents, other.zero.parents)


def _f1(one: frozenset[object], other: frozenset[object]) -> float:
    common = len(one & other)
    if not common:
        return 0.0
    precision, recall = common / len(one), common / len(other)
    return 2 * precision * recall / (precision + recall)


_CRITERIA = {
    "head": Criterion(_same_head, lambda one: one.head, lambda other: [other.head]),
    "partial": Criterion(_inside, lambda one: one.head, lambda other: other.value.tokens),
    "zero": Criterion(
        _zero_similarity, lambda one: one.zero.place, lambda other: [other.zero.place]
    ),
}
