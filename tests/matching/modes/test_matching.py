"""Which response mention is which key mention, in every mode."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Policy
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.modes import match

Span = tuple[int, int]
Mention = tuple[Span, int]
"""A span and its head."""


def corpus(mentions: list[Mention], least: dict[Span, Span] | None = None) -> Corpus:
    """Make a corpus of mentions, each its own entity."""
    about = {
        span: {"head": (head, head), **({"min": least[span]} if least and span in least else {})}
        for span, head in mentions
    }
    return Corpus.from_entities({"d": [[span] for span, _ in mentions]}, mentions={"d": about})


def matches(
    key: list[Mention], response: list[Mention], mode: str, least: dict[Span, Span] | None = None
) -> dict[Span, Span]:
    """Return which key span is matched by which response span."""
    ours, theirs = corpus(key, least), corpus(response)
    partner = match(
        PairedCorpora(ours, theirs, np.zeros(len(theirs), np.int64)), Policy(match=mode)
    )
    return {key[at][0]: response[to][0] for at, to in enumerate(partner.tolist()) if to >= 0}


def test_exact_wants_the_same_span() -> None:
    """Whatever the head."""
    assert matches([((1, 3), 2)], [((1, 3), 3)], "exact") == {(1, 3): (1, 3)}
    assert matches([((1, 3), 2)], [((2, 3), 2)], "exact") == {}


def test_head_wants_the_same_head() -> None:
    """The same span with another head does not match, as in CorefUD's scorer."""
    assert matches([((1, 3), 2)], [((1, 3), 3)], "head") == {}
    assert matches([((1, 3), 2)], [((2, 6), 2)], "head") == {(1, 3): (2, 6)}


def test_ties_go_to_the_earlier_mention() -> None:
    """Too long a response is not punished: 1-6 and 2-5 both have all of 3-4."""
    key = [((3, 4), 4)]
    assert matches(key, [((1, 6), 4), ((2, 5), 4)], "head") == {(3, 4): (1, 6)}
    assert matches(key, [((1, 6), 4), ((4, 4), 4)], "head") == {(3, 4): (1, 6)}


def test_partial_lies_inside_and_has_the_head() -> None:
    """The head of the response does not count."""
    key = [((0, 4), 2)]
    for span, fits in (((1, 2), 1), ((2, 2), 1), ((2, 4), 1), ((2, 6), 0), ((0, 1), 0)):
        assert len(matches(key, [(span, span[0])], "partial")) == fits


def test_min_has_the_minimal_span() -> None:
    """Where the key has one, else the head."""
    key, least = [((0, 4), 2), ((6, 9), 9)], {(0, 4): (1, 2)}
    assert matches(key, [((1, 3), 3), ((8, 9), 8)], "min", least) == {
        (0, 4): (1, 3),
        (6, 9): (8, 9),
    }
    assert matches(key, [((2, 3), 3), ((6, 8), 8)], "min", least) == {}


def test_one_mention_of_min_means_the_same_to_every_measure() -> None:
    """A peer's MIN made CEAFe 1, B3 0.25 and MUC 0 of this."""
    key = Corpus.from_entities(
        {"d": [[(0, 2), (5, 5)]]},
        mentions={"d": {(0, 2): {"head": (2, 2)}, (5, 5): {"head": (5, 5)}}},
    )
    response = Corpus.from_entities(
        {"d": [[(1, 2), (5, 5)]]},
        mentions={"d": {(1, 2): {"head": (2, 2)}, (5, 5): {"head": (5, 5)}}},
    )
    for mode in ("min", "partial", "head", "overlap=0.5"):
        result = scoref.score(key, response, policy=Policy(match=mode))
        assert all(score.f1 == 1.0 for name, score in result.scores.items() if name != "blanc")


@pytest.mark.parametrize(("threshold", "matched"), [("0.5", 1), ("0.6", 1), ("0.61", 0)])
def test_overlap_has_a_threshold(threshold: str, matched: int) -> None:
    """Three of five tokens."""
    found = matches([((0, 3), 0)], [((1, 4), 1)], f"overlap={threshold}")
    assert len(found) == matched


def test_heads_are_needed() -> None:
    """And the message says where they could come from."""
    plain = {"d": [[(0, 1)]]}
    wanted = "heads of 1 mention of the key"
    nothing = "no minimal spans, and the files have no parses or heads"
    for mode, message in (("head", wanted), ("partial", wanted), ("min", nothing)):
        with pytest.raises(scoref.ScorefError, match=message) as error:
            scoref.score(plain, {"d": [[(1, 1)]]}, policy=Policy(match=mode))
        assert "dependencies" in error.value.hint
    with pytest.raises(scoref.ScorefError, match="minimal spans cannot be computed"):
        scoref.score(plain, {"d": [[(1, 1)]]}, policy=Policy(match="mina"))
    with pytest.raises(scoref.ScorefError, match="not spans can only be matched exactly"):
        scoref.score({"d": [["a"]]}, {"d": [["b"]]}, policy=Policy(match="overlap=0.5"))


def test_only_what_is_looked_at_is_needed() -> None:
    """The key's heads for `partial`, a minimal span or a head for `min`; none of the response."""
    spans, response = {"d": [[(0, 3)], [(5, 8)]]}, {"d": [[(1, 2)], [(5, 6)]]}
    headed = {(0, 3): {"head": (2, 2)}, (5, 8): {"head": (5, 5)}}
    mixed = {(0, 3): {"min": (1, 2)}, (5, 8): {"head": (5, 5)}}
    bare = {(0, 3): {"min": (1, 2)}, (5, 8): {"min": (5, 6)}}
    for mode, attributes in (("partial", headed), ("min", headed), ("min", mixed), ("min", bare)):
        key = Corpus.from_entities(spans, mentions={"d": attributes})
        result = scoref.score(key, response, ["mentions"], Policy(match=mode))
        assert result["mentions"].f1 == 1.0
    with_heads = Corpus.from_entities(spans, mentions={"d": headed})
    with pytest.raises(scoref.ScorefError, match="heads of 2 mentions of the response"):
        scoref.score(with_heads, response, policy=Policy(match="head"))
    half = Corpus.from_entities(spans, mentions={"d": {(0, 3): {"min": (1, 2)}}})
    with pytest.raises(scoref.ScorefError, match="heads of 1 mention of the key"):
        scoref.score(half, response, policy=Policy(match="min"))


@pytest.mark.parametrize("mode", ["exact", "head", "partial", "min", "mina", "overlap=0.5"])
def test_sides_without_mentions(mode: str) -> None:
    """Nothing to match, whatever the way."""
    empty = Corpus.from_entities({"d": []})
    assert scoref.score(empty, empty, ["mentions"], Policy(match=mode))["mentions"].f1 == 0.0


spans = st.tuples(st.integers(0, 8), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1]))
mentions = st.lists(spans, unique=True, max_size=5).flatmap(
    lambda drawn: st.tuples(*(st.tuples(st.just(s), st.integers(*s)) for s in drawn)).map(list)
)


def likeness(key: Mention, response: Mention, mode: str) -> float:
    """Return how alike two mentions are, from the definitions."""
    (a, b), head = key
    (c, d), other = response
    shared = max(0, 1 + min(b, d) - max(a, c))
    if mode == "head":
        return shared / (b - a + 1) if head == other else 0.0
    if mode == "partial":
        return shared / (b - a + 1) if a <= c <= head <= d <= b else 0.0
    union = (b - a + 1) + (d - c + 1) - shared
    return shared / union if shared / union >= 0.4 else 0.0


@given(key=mentions, response=mentions)
@pytest.mark.parametrize("mode", ["head", "partial", "overlap=0.4"])
def test_equals_the_definition(mode: str, key: list[Mention], response: list[Mention]) -> None:
    """What is the same first, then the best total of likeness over all one-to-one matchings."""

    def same(one: Mention, other: Mention) -> bool:
        return one == other if mode == "head" else one[0] == other[0]

    found = matches(key, response, mode)
    equal = {one[0]: one[0] for one in key for other in response if same(one, other)}
    assert equal.items() <= found.items()
    ours = [one for one in key if one[0] not in equal]
    theirs = [one for one in response if one[0] not in equal]
    places: list[Mention | None] = [*theirs, *(None for _ in ours)]
    best = max(
        sum(likeness(one, other, mode) for one, other in zip(ours, order, strict=True) if other)
        for order in permutations(places, len(ours))
    )
    heads = dict(response)
    total = sum(
        likeness(one, (found[one[0]], heads[found[one[0]]]), mode)
        for one in ours
        if one[0] in found
    )
    assert total == pytest.approx(best)
    assert len(set(found.values())) == len(found)
