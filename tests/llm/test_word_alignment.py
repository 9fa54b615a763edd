"""Words that were altered, dropped, inserted, moved or repeated, and other tokenisations."""

from __future__ import annotations

import random

import numpy as np
import pytest

from scoref.llm.pieces import cut
from scoref.llm.word_alignment import (
    ALTERED,
    DROPPED,
    KEPT,
    NOWHERE,
    align_words,
    find_runs,
)

SENTENCES = [
    "The old ferry left the harbour early that morning with nine people on board .",
    "Anna , who had never been at sea , held the rail with both hands .",
    "Her brother Tom laughed at her , but he was as pale as she was .",
    '" It is only water , " said the captain , and turned the wheel .',
    "Behind them the lights of the small town became smaller and went out .",
]
TEXT = " ".join(SENTENCES).split()


def tokens(source: str, generated: str) -> list[tuple[int, int]]:
    """Return the first and last token of each generated word."""
    found = align_words(source.split(), generated.split())
    return list(zip(found.first.tolist(), found.last.tolist(), strict=True))


@pytest.mark.parametrize(
    ("source", "generated", "expected"),
    [
        ("is n't it", "isn't it", [(0, 1), (2, 2)]),
        ("isn't it", "is n't it", [(0, 0), (0, 0), (1, 1)]),
        ("can not go", "cannot go", [(0, 1), (2, 2)]),
        ("he does n't", "he does not", [(0, 0), (1, 1), (2, 2)]),
        ("it 's fine", "it is fine", [(0, 0), (1, 1), (2, 2)]),
        ("Ann , Bob", "Ann, Bob", [(0, 1), (2, 2)]),
        ("Ann , Bob", "Ann and Bob", [(0, 0), (1, 1), (2, 2)]),
        ("-LRB- a -RRB-", "( a )", [(0, 0), (1, 1), (2, 2)]),
        ("`` a '' -- b", "\u201ca\u201d \u2014 b", [(0, 2), (3, 3), (4, 4)]),
        ("the big house", "the very big house", [(0, 0), (-1, -1), (1, 1), (2, 2)]),
        ("the very big house", "the big house", [(0, 0), (2, 2), (3, 3)]),
        ("the colour of it", "the color of it", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("the house burned", "the building burned", [(0, 0), (1, 1), (2, 2)]),
        ("at 3,000 men", "at 3000 men", [(0, 0), (1, 1), (2, 2)]),
        ("caf\u00e9 x", "cafe\u0301 X", [(0, 0), (1, 1)]),
        ("stra\u00dfe x", "STRASSE x", [(0, 0), (1, 1)]),
        ("well-known man", "well known man", [(0, 0), (0, 0), (1, 1)]),
        ("\u6211 \u5f88 \u559c\u6b22 \u4f60", "\u6211\u5f88\u559c\u6b22\u4f60", [(0, 3)]),
        ("a", "", []),
        ("", "a b", [(-1, -1), (-1, -1)]),
    ],
)
def test_words_in_other_forms(source: str, generated: str, expected: list[tuple[int, int]]) -> None:
    """One word for several, several for one, and changes of every kind."""
    assert tokens(source, generated) == expected


def test_a_text_without_spaces_is_aligned_by_characters() -> None:
    """As in scripts without spaces, or where a model lost them."""
    parts = ["".join(TEXT[:9]), "".join(TEXT[9:30]), "".join(TEXT[30:])]
    found = align_words(TEXT, parts)
    assert found.first.tolist() == [0, 9, 30]
    assert found.last.tolist() == [8, 29, len(TEXT) - 1]
    assert (found.tokens == KEPT).all()


def test_sentences_that_were_swapped_keep_their_tokens() -> None:
    """The moved sentence is a block of its own."""
    order = [0, 2, 1, 3, 4]
    generated = " ".join(SENTENCES[at] for at in order).split()
    found = align_words(TEXT, generated)
    starts = np.cumsum([0, *(len(sentence.split()) for sentence in SENTENCES)])
    expected = [t for at in order for t in range(starts[at], starts[at + 1])]
    assert found.first.tolist() == expected
    assert (found.block > 0).sum() in (len(SENTENCES[1].split()), len(SENTENCES[2].split()))
    assert (found.tokens == KEPT).all()


def test_a_repeated_sentence_counts_once() -> None:
    """The first copy is aligned, the others are repetitions."""
    generated = [*TEXT, *(SENTENCES[-1].split() * 40)]
    found = align_words(TEXT, generated)
    assert found.first[: len(TEXT)].tolist() == list(range(len(TEXT)))
    assert found.is_repeated[len(TEXT) :].all()


def test_a_truncated_text_ends_where_it_ends() -> None:
    """All tokens after the end are dropped."""
    found = align_words(TEXT, TEXT[:40])
    assert (found.tokens[:40] == KEPT).all()
    assert (found.tokens[40:] == DROPPED).all()


def test_a_skipped_sentence_is_dropped_and_nothing_else() -> None:
    """Its neighbours are aligned."""
    generated = " ".join([*SENTENCES[:2], *SENTENCES[3:]]).split()
    found = align_words(TEXT, generated)
    low = len(" ".join(SENTENCES[:2]).split())
    high = low + len(SENTENCES[2].split())
    assert np.flatnonzero(found.tokens == DROPPED).tolist() == list(range(low, high))


def test_states_of_tokens() -> None:
    """Kept in another form, altered, dropped."""
    found = align_words(["The", "old", "colour", "of", "it"], ["THE", "color", "of"])
    assert found.tokens.tolist() == [KEPT, DROPPED, ALTERED, KEPT, DROPPED]
    assert found.block.tolist() == [0, 0, 0]
    assert NOWHERE not in found.first


def test_a_text_of_one_repeated_word() -> None:
    """No n-gram identifies a place; time stays bounded, and the order is kept."""
    found = align_words(["a"] * 3000, ["a"] * 2900)
    placed = found.first[found.first >= 0]
    assert (np.diff(placed) > 0).all()
    assert len(placed) == 2900


def test_unrelated_texts_do_not_take_long() -> None:
    """A hundred million pairs of words are not compared."""
    rng = random.Random(1)  # noqa: S311
    one, other = (
        [f"{rng.choice('abcdefgh')}{rng.randrange(9)}" for _ in range(10_000)] for _ in range(2)
    )
    found = align_words(one, other)
    placed = found.first[(found.first >= 0) & (found.block == 0)]
    assert (np.diff(placed) >= 0).all()


def test_runs_do_not_overlap_and_are_equal() -> None:
    """On both sides, in order, in random texts."""
    rng = random.Random(2)  # noqa: S311
    for _ in range(300):
        one = np.array(rng.choices(range(4), k=rng.randrange(1, 40)))
        other = np.array(rng.choices(range(4), k=rng.randrange(1, 40)))
        for size in (1, 2, 3):
            chain, _ = find_runs(one, other, size)
            at = to = 0
            for run in chain:
                assert run.source >= at
                assert run.generated >= to
                at, to = run.source + run.length, run.generated + run.length
                assert (one[run.source : at] == other[run.generated : to]).all()


@pytest.mark.parametrize("word", ["", "\u00ad", "\u200b", "\x00", "a\x00b", "\ud800", "\U0010ffff"])
def test_any_word_has_a_piece(word: str) -> None:
    """Even one without a visible character."""
    assert len(cut(word)) >= 1
    align_words([word, "a"], ["a", word])
