"""place_quotes(): all quotes of a document, placed together.

Quotes of a group are in the order of the text, and no two quotes are the same tokens. Going through
the text from left to right, each place that a quote could be at is taken by the next quote of one
group, or by none. The state is how many quotes of each group are done, so dynamic programming finds
the placement with the least cost:

* OUT_OF_ORDER for a quote that is not placed in the order of its group,
* what the sentence, the context and the form of a place differ from what the quote says,
* the distance between the first and the last mention of an entity, which only decides between
  placements of the same cost otherwise; then the first place is taken.

Groups without common words do not influence each other and are placed one by one. The search keeps
the best MOST_STATES states, so the result is exact if there were never more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import accumulate, takewhile
from typing import Any, NamedTuple

from scoref.base.union_find import groups
from scoref.llm.marked_text import Quote
from scoref.llm.pieces import cut
from scoref.llm.source_index import Occurrence, SourceIndex

OUT_OF_ORDER = 1_000_000
OTHER_SENTENCE = 200_000
OTHER_CONTEXT = 100_000
OTHER_FORM = 10_000
MOST_STATES = 4_000
_LEAST_STATES = 20
_MOST_WORK = 2_000_000
_MOST_SKIPPED = 2
_MOSTLY = 0.8
_MOST_PLACES = 300_000
_FEW_PLACES = 50

Span = tuple[int, int]


@dataclass(slots=True)
class PlacedQuotes:
    """The tokens of each quote, or None; and which quotes could as well be elsewhere.

    `is_exact` is False if there were too many combinations to try all of them.
    """

    spans: list[Span | None]
    ambiguous: set[int] = field(default_factory=set)
    out_of_order: set[int] = field(default_factory=set)
    altered: set[int] = field(default_factory=set)
    is_exact: bool = True


class _Choice(NamedTuple):
    """A state of the search: its cost, and the step that led to it."""

    cost: int
    step: tuple[object, ...] | None  # (quote, span, earlier step)


def place_quotes(
    quotes: Sequence[Quote], index: SourceIndex, sentence_of: Sequence[int]
) -> PlacedQuotes:
    """Place the quotes of a document; `sentence_of` is the sentence of each token, from 1."""
    starts = _stated_starts(quotes, index)
    placed = PlacedQuotes([None] * len(quotes))
    candidates = _limited(quotes, index, placed, sentence_of, starts)
    for lists in _independent_groups(quotes, candidates):
        _place_groups(lists, quotes, candidates, placed)
    _place_others(quotes, candidates, placed)
    _count_ambiguous(quotes, candidates, placed)
    for number, span in enumerate(placed.spans):
        found = index.occurrences(quotes[number].text)
        if min((one.distance for one in found if one[:2] == span), default=0) > 1:
            placed.altered.add(number)
    return placed


def _limited(
    quotes: Sequence[Quote],
    index: SourceIndex,
    placed: PlacedQuotes,
    sentence_of: Sequence[int],
    starts: dict[int, int],
) -> list[dict[Span, int]]:
    """Return the places of each quote; if there are millions, only the next ones in the order.

    The next ones are those after the latest quote of the group that occurs only once.
    """
    total = sum(len(index.occurrences(quote.text)) for quote in quotes)
    latest: dict[str, int] = {}
    candidates = []
    for quote in quotes:
        found = _costs(quote, index, sentence_of, starts)
        if total > _MOST_PLACES and len(found) > _FEW_PLACES:
            low = latest.get(quote.group, 0)
            order = sorted(found, key=lambda span: (span[0] < low, span))
            found = {span: found[span] for span in order[:_FEW_PLACES]}
            placed.is_exact = False
        elif len(found) == 1:
            latest[quote.group] = next(iter(found))[0]
        candidates.append(found)
    return candidates


def _stated_starts(quotes: Sequence[Quote], index: SourceIndex) -> dict[int, int]:
    """Return the token of each stated start, if the starts count tokens or characters.

    Language models count badly: starts are used only if most of them are places of their quotes.
    """
    stated = [quote for quote in quotes if quote.start >= 0]
    lengths = [len(token) + 1 for token in index.tokens]
    of_characters = {start: at for at, start in enumerate(accumulate(lengths, initial=0))}
    for token_of in ({at: at for at in range(len(index.tokens))}, of_characters):
        right = sum(
            token_of.get(quote.start, -1) in {one.start for one in index.occurrences(quote.text)}
            for quote in stated
        )
        if stated and right > _MOSTLY * len(stated):
            return token_of
    return {}


def _costs(
    quote: Quote, index: SourceIndex, sentence_of: Sequence[int], starts: dict[int, int]
) -> dict[Span, int]:
    """Return the cost of each place of a quote."""
    found = index.occurrences(quote.text)
    if stated := [one for one in found if one.start == starts.get(quote.start, -1)]:
        found = stated
    if len(found) == 1:
        return {(found[0].start, found[0].end): 0}
    return {
        (one.start, one.end): _sentence_cost(quote, one, sentence_of)
        + _context_cost(quote, one, index)
        + OTHER_FORM * one.distance
        for one in found
    }


def _sentence_cost(quote: Quote, one: Occurrence, sentence_of: Sequence[int]) -> int:
    """Return what it costs that a mention is in another sentence than stated, up to three away."""
    if not quote.sentence:
        return 0
    away = abs(sentence_of[one.start] - quote.sentence)
    return OTHER_SENTENCE * min(away, 3)


def _context_cost(quote: Quote, one: Occurrence, index: SourceIndex) -> int:
    """Return what it costs that the context of a quote is not around a place.

    The words before the quote in its context are compared with the tokens before the place,
    outwards, and so are those after it.
    """
    if not quote.context:
        return 0
    context = [key for word in quote.context.split() for key in cut(word)]
    inner = [key for word in quote.text.split() for key in cut(word)]
    before = [
        key for token in index.tokens[max(one.start - 12, 0) : one.start] for key in cut(token)
    ]
    after = [key for token in index.tokens[one.end + 1 : one.end + 13] for key in cut(token)]
    best = 0
    for at in range(len(context) - len(inner) + 1):
        if context[at : at + len(inner)] == inner:
            left = _same(context[:at][::-1], before[::-1])
            best = max(best, left + _same(context[at + len(inner) :], after))
    most = max(len(context) - len(inner), 1)
    return OTHER_CONTEXT * (most - min(best, most)) // most


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many elements are equal from the start."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _independent_groups(
    quotes: Sequence[Quote], candidates: Sequence[dict[Span, int]]
) -> list[list[list[int]]]:
    """Return the groups of quotes, in sets that share places."""
    members: dict[str, list[int]] = defaultdict(list)
    for number, quote in enumerate(quotes):
        if candidates[number]:
            members[quote.group].append(number)
    lists = list(members.values())
    first: dict[Span, int] = {}
    links = (
        (first.setdefault(span, at), at)
        for at, numbers in enumerate(lists)
        for number in numbers
        for span in candidates[number]
    )
    return [[lists[at] for at in together] for together in groups(len(lists), links)]


def _place_groups(
    lists: Sequence[Sequence[int]],
    quotes: Sequence[Quote],
    candidates: Sequence[dict[Span, int]],
    placed: PlacedQuotes,
) -> None:
    """Place the quotes of groups that share places, from left to right through the text."""
    wanting: dict[Span, list[tuple[int, int]]] = defaultdict(list)
    for group, numbers in enumerate(lists):
        for place, number in enumerate(numbers):
            for span in candidates[number]:
                wanting[span].append((group, place))
    sizes = [len(numbers) for numbers in lists]
    # The distance between first and last mention says something about entities only.
    near = [int(len({quotes[at].entity for at in numbers}) == 1) for numbers in lists]
    last = max(span[1] for span in wanting) + 1
    work = sum(map(len, wanting.values()))
    most = max(min(MOST_STATES, _MOST_WORK // max(work, 1)), _LEAST_STATES)
    states: dict[tuple[int, ...], _Choice] = {(0,) * len(lists): _Choice(0, None)}
    for span in sorted(wanting, key=lambda span: (span[0], -span[1])):
        fresh: dict[tuple[int, ...], _Choice] = {}
        for state, group, place in _transitions(states, wanting[span]):
            choice, done = states[state], state[group]
            number = lists[group][place]
            cost = choice.cost + candidates[number][span] + OUT_OF_ORDER * (place - done)
            cost -= near[group] * span[0] if done == 0 else 0
            cost += near[group] * span[0] if place + 1 == sizes[group] else 0
            new = (*state[:group], place + 1, *state[group + 1 :])
            if cost < _cost(states, new) and cost < _cost(fresh, new):
                fresh[new] = _Choice(cost, (number, span, choice.step))
        states |= fresh
        if len(states) > most:
            placed.is_exact = False
            states = dict(
                nsmallest(
                    most,
                    states.items(),
                    key=lambda one: _rank(one[0], one[1].cost, sizes, near, span),
                )
            )

    def final_cost(one: tuple[tuple[int, ...], _Choice]) -> int:
        undone = sum(sizes) - sum(one[0])
        return one[1].cost + OUT_OF_ORDER * undone + last * _running(one[0], sizes, near)

    step: Any = min(states.items(), key=final_cost)[1].step
    while step is not None:
        number, span, step = step
        placed.spans[number] = span


def _transitions(
    states: dict[tuple[int, ...], _Choice], wanting: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield the states in which a place can be taken, the group, and its quote that takes it."""
    for group, place in wanting:
        for skipped in range(min(_MOST_SKIPPED, place) + 1):
            done = place - skipped
            if states and len(next(iter(states))) == 1:
                if (done,) in states:
                    yield (done,), group, place
            else:
                for state in states:
                    if state[group] == done:
                        yield state, group, place


def _cost(states: dict[tuple[int, ...], _Choice], state: tuple[int, ...]) -> float:
    return states[state].cost if state in states else math.inf


def _running(state: Sequence[int], sizes: Sequence[int], near: Sequence[int]) -> int:
    """Return how many entities have begun but are not complete."""
    return sum(one for done, size, one in zip(state, sizes, near, strict=True) if 0 < done < size)


def _rank(
    state: tuple[int, ...], cost: int, sizes: Sequence[int], near: Sequence[int], span: Span
) -> float:
    """Rank a state of a crowded search by its cost, and by how much of each group is done."""
    running = _running(state, sizes, near)
    return cost + span[0] * running - OUT_OF_ORDER * sum(state) / (1 + max(sizes))


def _place_others(
    quotes: Sequence[Quote], candidates: Sequence[dict[Span, int]], placed: PlacedQuotes
) -> None:
    """Place the quotes that are out of order at the cheapest free place near their neighbours.

    A list that names a mention more often than it occurs states it twice.
    """
    taken = {span for span in placed.spans if span is not None}
    latest: dict[str, int] = {}
    for number, quote in enumerate(quotes):
        span = placed.spans[number]
        if span is None:
            near = latest.get(quote.group, 0)
            if not candidates[number]:
                continue
            # A place that another quote has taken is the last resort.
            span = min(
                (one in taken, cost, abs(one[0] - near), one)
                for one, cost in candidates[number].items()
            )[3]
            placed.spans[number] = span
            placed.out_of_order.add(number)
            taken.add(span)
        latest[quote.group] = span[0]


def _count_ambiguous(
    quotes: Sequence[Quote], candidates: Sequence[dict[Span, int]], placed: PlacedQuotes
) -> None:
    """Find the quotes that could be elsewhere at the same cost, alone or by changing with another.

    A quote stays between its neighbours in its group.
    """
    owner = {span: number for number, span in enumerate(placed.spans) if span is not None}
    before, after = _neighbours(quotes, placed)

    def fits(number: int, span: Span) -> bool:
        low, high = before[number], after[number]
        own = candidates[number][placed.spans[number]]  # type: ignore[index]
        cost = candidates[number].get(span)
        return cost is not None and cost <= own and low <= span[0] <= high

    for number, span in enumerate(placed.spans):
        if span is None or len(candidates[number]) < 2:
            continue
        if number in placed.out_of_order:
            placed.ambiguous.add(number)
            continue
        for other in candidates[number]:
            holder = owner.get(other)
            if other == span or holder == number or not fits(number, other):
                continue
            if holder is None or (
                quotes[holder].entity != quotes[number].entity and fits(holder, span)
            ):
                placed.ambiguous.add(number)
                break


def _neighbours(quotes: Sequence[Quote], placed: PlacedQuotes) -> tuple[list[int], list[int]]:
    """Return between which tokens the neighbours of each quote in its group let it be."""
    low = [0] * len(quotes)
    high = [1 << 60] * len(quotes)
    for bounds, order in ((low, range(len(quotes))), (high, range(len(quotes) - 1, -1, -1))):
        latest: dict[str, int] = {}
        for number in order:
            group, span = quotes[number].group, placed.spans[number]
            bounds[number] = latest.get(group, bounds[number])
            if span is not None and number not in placed.out_of_order:
                latest[group] = span[0]
    return low, high
