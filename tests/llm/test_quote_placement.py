"""Quotes are placed at the least cost: compared with all placements there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from scoref.llm import quote_placement
from scoref.llm.marked_text import Quote
from scoref.llm.quote_placement import OUT_OF_ORDER, PlacedQuotes, place_quotes
from scoref.llm.source_index import SourceIndex
from tests.sampled import sampled

Span = tuple[int, int]


def quotes_of(*lists: str) -> list[Quote]:
    """Make the quotes of some entities, separated by commas."""
    return [
        Quote(str(number), text.strip(), str(number))
        for number, texts in enumerate(lists)
        for text in texts.split(",")
    ]


def place(text: str, *lists: str) -> PlacedQuotes:
    """Place the quotes of some entities in a text of one sentence."""
    words = text.split()
    return place_quotes(quotes_of(*lists), SourceIndex(words), [1] * len(words))


def placements(
    quotes: Sequence[Quote], places: Sequence[Sequence[Span]]
) -> Iterator[list[Span | None]]:
    """Yield all placements in which groups are in order and no place is taken twice."""

    def rest(number: int, chosen: list[Span | None]) -> Iterator[list[Span | None]]:
        if number == len(quotes):
            yield list(chosen)
            return
        before = [
            (at, chosen[at])
            for at in range(number)
            if quotes[at].group == quotes[number].group and chosen[at] is not None
        ]
        own = [at for at in range(number) if quotes[at].group == quotes[number].group]
        last, after = before[-1] if before else (None, None)
        skipped = sum(1 for at in own if last is None or at > last)
        for span in places[number]:
            if span in chosen or skipped > quote_placement._MOST_SKIPPED:
                continue
            if after is None or (after[0], -after[1]) < (span[0], -span[1]):
                yield from rest(number + 1, [*chosen, span])
        yield from rest(number + 1, [*chosen, None])

    yield from rest(0, [])


def cost_of(quotes: Sequence[Quote], spans: Sequence[Span | None], last: int) -> int:
    """Return what a placement costs, if all places are equally good."""
    cost = OUT_OF_ORDER * sum(span is None for span in spans)
    for group in {quote.group for quote in quotes}:
        own = [at for at, quote in enumerate(quotes) if quote.group == group]
        starts = [span[0] for at in own if (span := spans[at]) is not None]
        if starts:
            end = last if spans[own[-1]] is None else starts[-1]
            cost += end - starts[0]
    return cost


@pytest.mark.parametrize("seed", sampled(range(20), every=5))
def test_no_placement_costs_less(seed: int) -> None:
    """A thousand small lists per seed, of up to three entities that share words."""
    rng = random.Random(seed)  # noqa: S311
    for _ in range(1000):
        words = rng.choices("abc", k=rng.randrange(1, 7))
        lists = [
            ",".join(rng.choices(["a", "b", "c", "a b"], k=rng.randrange(1, 4)))
            for _ in range(rng.randrange(1, 4))
        ]
        quotes = quotes_of(*lists)[:5]
        index = SourceIndex(words)
        places = [[(one.start, one.end) for one in index.occurrences(q.text)] for q in quotes]
        quotes = [quote for quote, found in zip(quotes, places, strict=True) if found]
        places = [found for found in places if found]
        if not quotes:
            continue
        candidates = [dict.fromkeys(found, 0) for found in places]
        placed = PlacedQuotes([None] * len(quotes))
        for together in quote_placement._independent_groups(quotes, candidates):
            quote_placement._place_groups(together, quotes, candidates, placed)
            members = [number for numbers in together for number in numbers]
            own = [quotes[at] for at in members]
            last = max(span[1] for at in members for span in places[at]) + 1
            least = min(
                cost_of(own, spans, last)
                for spans in placements(own, [places[at] for at in members])
            )
            found = cost_of(own, [placed.spans[at] for at in members], last)
            assert found == least, (words, lists, placed)
        assert placed.is_exact


def test_repeated_words_are_different_mentions() -> None:
    """Where `str.find` gives the first occurrence three times."""
    placed = place("Ann said she knew she would if she could", "Ann, she, she, she")
    assert placed.spans == [(0, 0), (2, 2), (4, 4), (7, 7)]
    assert not placed.ambiguous


def test_an_entity_takes_what_another_one_cannot_take() -> None:
    """`he` is between `Tom` and `Ann` in one list, and after `Jim` in the other."""
    placed = place("Tom said he knew . Ann saw Jim . he slept", "Tom, he, Ann", "Jim, he")
    assert placed.spans == [(0, 0), (2, 2), (5, 5), (7, 7), (9, 9)]
    assert not placed.ambiguous


def test_a_choice_without_a_reason_is_ambiguous() -> None:
    """Nothing says which of two pronouns belongs to whom."""
    placed = place("Tom met Jim . he ran . he slept", "Tom, he", "Jim, he")
    assert {placed.spans[1], placed.spans[3]} == {(4, 4), (7, 7)}
    assert placed.ambiguous == {1, 3}


def test_sentence_and_context_decide() -> None:
    """As a list states them."""
    words = ["he", "ran", ".", "he", "slept", ".", "he", "ate", "."]
    sentences = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    index = SourceIndex(words)
    quotes = [Quote("0", "he", "0", sentence=2), Quote("0", "he", "0", context="then he ate .")]
    assert place_quotes(quotes, index, sentences).spans == [(3, 3), (6, 6)]
    quotes = [Quote("0", "he", "0", context="he slept"), Quote("1", "he", "1", context="he ran .")]
    placed = place_quotes(quotes, index, sentences)
    assert placed.spans == [(3, 3), (0, 0)]
    assert not placed.ambiguous


@pytest.mark.parametrize("unit", ["token", "character"])
def test_stated_starts_decide_if_they_are_right(unit: str) -> None:
    """Whether they count tokens or characters; starts that are invented are ignored."""
    words = ["he", "ran", ".", "he", "slept", ".", "he", "ate", "."]
    starts = {"token": [3, 6], "character": [9, 20]}[unit]
    quotes = [Quote("0", "he", "0", start=start) for start in starts]
    assert place_quotes(quotes, SourceIndex(words), [1] * 9).spans == [(3, 3), (6, 6)]
    quotes = [Quote("0", "he", "0", start=start) for start in (77, 78)]
    assert place_quotes(quotes, SourceIndex(words), [1] * 9).spans[0] == (0, 0)


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("the old man", (1, 3)),
        ("The Old Man", (1, 3)),
        ("the old man's hat", (1, 5)),
        ("the old man ... hat", (1, 5)),
        ("\u201cthe old man\u201d", (1, 3)),
        ("the very old man 's hat", (1, 5)),
        ("man's", (3, 4)),
        ("a big dog", None),
        ("", None),
        ("...", None),
    ],
)
def test_quotes_are_found_in_other_forms(quote: str, span: Span | None) -> None:
    """Case, quotation marks, another tokenisation, words left out or inserted."""
    words = ["saw", "the", "old", "man", "'s", "hat", "fall"]
    placed = place_quotes([Quote("0", quote, "0")], SourceIndex(words), [1] * 7)
    assert placed.spans == [span]


def test_a_quote_that_is_listed_too_often_is_a_repetition() -> None:
    """Both name the same place."""
    assert place("Ann slept", "Ann, Ann").spans == [(0, 0), (0, 0)]


@pytest.mark.long
def test_many_entities_that_share_a_pronoun_take_bounded_time() -> None:
    """Not all combinations can be tried, and the result says so."""
    lists = [f"name{number}, he, he, he" for number in range(40)]
    text = " ".join(f"name{number} he he he" for number in range(40))
    placed = place(text, *lists)
    right = sum(span == (number, number) for number, span in enumerate(placed.spans))
    assert right > 100
    assert not placed.is_exact
