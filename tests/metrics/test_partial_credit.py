"""Lenient matching of mentions, and CEAF with partial credit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.base.arrays import Floats
from scoref.metrics.ceaf import ceaf
from tests.strategies import Pair, named, pairs

Span = tuple[int, int]


def detection(key: list[tuple[Span, Span]], response: list[Span], metric: str) -> scoref.Score:
    """Score response spans, whose heads are unknown, against key spans with their heads."""
    reference = Corpus.from_entities(
        {"d": [[span] for span, _ in key]},
        mentions={"d": {span: {"head": head} for span, head in key}},
    )
    (score,) = scoref.score(reference, {"d": [[span] for span in response]}, [metric]).values()
    return score


@pytest.mark.parametrize(
    ("span", "matches"),
    [((1, 2), 1), ((2, 2), 1), ((0, 4), 1), ((2, 4), 1), ((2, 6), 0), ((0, 1), 0)],
)
def test_a_lenient_match_has_the_head_and_nothing_outside(span: Span, matches: int) -> None:
    """METRICS 5.1: a key mention of tokens 0-4 whose head is token 2."""
    found = detection([((0, 4), (2, 2))], [span], "mentions(match=lenient)")
    assert list(found) == [matches] * 3
    half = matches if span == (0, 4) else matches / 2
    assert detection([((0, 4), (2, 2))], [span], "mentions(match=lenient,credit=half)").f1 == half


def test_lenient_matches_are_one_to_one() -> None:
    """Equal spans first; then the earlier and longer mention takes what it overlaps most."""
    key = [((0, 5), (3, 3)), ((2, 4), (3, 3))]
    assert detection(key, [(2, 4), (3, 3)], "mentions(match=lenient)").recall == 1.0
    assert detection(key, [(3, 4), (3, 3), (2, 3)], "mentions(match=lenient)").precision == 2 / 3


def test_lenient_matching_refuses_without_heads() -> None:
    """And says what is missing."""
    with pytest.raises(scoref.ScorefError, match="heads of 1 mention of the key are unknown"):
        scoref.score({"d": [[(0, 2)]]}, {"d": [[(0, 1)]]}, ["mentions(match=lenient)"])


KEY = Corpus.from_entities(
    {"d": [[(0, 2), (10, 10)], [(5, 7)]]},
    {(0, 2): "name", (10, 10): "pronoun", (5, 7): "nominal"},
)
RESPONSE = Corpus.from_entities(
    {"d": [[(0, 1), (10, 10), (20, 20)], [(6, 7)]]},
    {(0, 1): "nominal", (10, 10): "pronoun", (20, 20): "nominal", (6, 7): "nominal"},
)
CONFUSED = "nam_nom=0.5,nam_pro=0,nom_pro=0"
CLASSES = "nam=1,nom=0.5,pro=0.1"


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("phi=3", "1/3 1/4 2/7"),
        ("phi=4", "1/5 1/5 1/5"),
        ("phi=3,overlap=dice", "13/15 13/20 26/35"),
        ("phi=4,overlap=dice", "19/25 19/25 19/25"),
        (f"phi=3,overlap=dice,{CONFUSED}", "11/15 11/20 22/35"),
        (f"phi=4,overlap=dice,{CONFUSED}", "17/25 17/25 17/25"),
        (f"phi=3,overlap=dice,{CONFUSED},{CLASSES}", "11/25 11/20 22/45"),
        (f"phi=4,overlap=dice,{CONFUSED},{CLASSES}", "34/75 17/25 68/125"),
    ],
)
def test_the_worked_example(parameters: str, expected: str) -> None:
    """METRICS 5.2."""
    (found,) = scoref.score(KEY, RESPONSE, [f"ceaf({parameters})"]).scores.values()
    assert found == pytest.approx([float(Fraction(text)) for text in expected.split()])


@given(documents=pairs())
@pytest.mark.parametrize("phi", [3, 4])
def test_exact_overlap_is_ceaf(phi: int, documents: Pair) -> None:
    """With mentions that do not touch each other, any overlap is that of equal mentions."""
    key, response = named(
        [tuple([[(3 * ord(m), 3 * ord(m) + 1) for m in e] for e in side] for side in documents)]  # type: ignore[list-item]
    )
    names = [f"ceaf(phi={phi})", *(f"ceaf(phi={phi},overlap={o})" for o in ("dice", "jaccard"))]
    exact, *others = scoref.score(key, response, names).scores.values()
    for other in others:
        assert other == pytest.approx(exact)


spans = st.tuples(st.integers(0, 9), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1]))
sides = st.lists(spans, unique=True, max_size=6).flatmap(
    lambda drawn: st.tuples(*(st.tuples(st.just(s), st.integers(0, 2)) for s in drawn))
)


def entities(side: tuple[tuple[Span, int], ...]) -> list[list[Span]]:
    """Group drawn spans by their entities."""
    return [[s for s, at in side if at == e] for e in sorted({at for _, at in side})]


@given(key=sides, response=sides)
def test_equals_the_definition(
    key: tuple[tuple[Span, int], ...], response: tuple[tuple[Span, int], ...]
) -> None:
    """All alignments of entities, and all of the mentions in each pair, are tried."""
    ours, theirs = entities(key), entities(response)
    result = scoref.score({"d": ours}, {"d": theirs}, ["ceaf(overlap=dice)"])
    best = best_total(len(ours), len(theirs), lambda i, j: likeness(ours[i], theirs[j]))
    assert result.totals("ceaf(overlap=dice)")["recall_num"] == pytest.approx(best)


def likeness(one: list[Span], other: list[Span]) -> float:
    """Return the best one-to-one Dice total of two entities."""

    def dice(i: int, j: int) -> float:
        (a, b), (c, d) = one[i], other[j]
        return 2 * max(0, 1 + min(b, d) - max(a, c)) / (b - a + 1 + d - c + 1)

    return best_total(len(one), len(other), dice)


def best_total(rows: int, columns: int, worth: Callable[[int, int], float]) -> float:
    """Try every one-to-one alignment."""
    if rows > columns:
        return best_total(columns, rows, lambda i, j: worth(j, i))
    return max(
        sum(worth(i, j) for i, j in enumerate(order))
        for order in permutations(range(columns), rows)
    )


def test_a_similarity_of_ones_own() -> None:
    """Luo's phi 4 written by hand is CEAFe; a bad one is refused."""

    def dice(shared: Floats, key: Floats, response: Floats) -> Floats:
        return 2 * shared / (key + response)

    key, response = {"d": [list("abc"), list("de")]}, {"d": [list("ab"), list("cde")]}
    result = scoref.score(key, response, ["ceafe", ceaf(dice)])
    assert result["ceaf"] == pytest.approx(result["ceafe"])
    with pytest.raises(scoref.ScorefError, match="one number >= 0 for each pair"):
        scoref.score(key, response, [ceaf(lambda shared, *_: -shared)])
    with pytest.raises(scoref.ScorefError, match="one number >= 0 for each pair"):
        scoref.score(key, response, [ceaf(lambda *_: np.zeros(1))])


@pytest.mark.parametrize(
    "name",
    ["ceaf(phi=1,overlap=dice)", "ceaf(overlap=some)", "ceaf(nam_nom=2)", "ceaf(nam=-1)",
     "mentions(match=loose)", "mentions(credit=2)"],
)  # fmt: skip
def test_parameters_are_checked(name: str) -> None:
    """With a message of ours."""
    with pytest.raises(scoref.ScorefError):
        scoref.score({"d": []}, {"d": []}, [name])


def test_the_overlap_ratio_of_the_manual() -> None:
    """Key 1-4 and 6, response 2-5 and 6-8: four of five, and four of seven tokens."""
    result = scoref.score({"d": [[(1, 4), (6, 6)]]}, {"d": [[(2, 5), (6, 8)]]}, ["mor"])
    assert result["mor"][:2] == pytest.approx((4 / 5, 4 / 7))


@given(key=sides, response=sides)
def test_the_overlap_ratio_equals_its_definition(
    key: tuple[tuple[Span, int], ...], response: tuple[tuple[Span, int], ...]
) -> None:
    """Every alignment of mentions is tried."""
    ours, theirs = [span for span, _ in key], [span for span, _ in response]

    def shared(i: int, j: int) -> float:
        (a, b), (c, d) = ours[i], theirs[j]
        return max(0, 1 + min(b, d) - max(a, c))

    result = scoref.score({"d": entities(key)}, {"d": entities(response)}, ["mor"])
    found = result.totals("mor")
    assert found["recall_num"] == best_total(len(ours), len(theirs), shared)
    assert found["recall_den"] == sum(b - a + 1 for a, b in ours)
    assert found["precision_den"] == sum(b - a + 1 for a, b in theirs)


def discontinuous(nodes: dict[Span, str], heads: dict[Span, int]) -> Corpus:
    """Make a corpus of one entity whose mentions have some of the tokens of their spans."""
    about = {
        span: {"nodes": text, "head": (heads[span], heads[span])} for span, text in nodes.items()
    }
    return Corpus.from_entities({"d": [list(nodes)]}, mentions={"d": about})


def test_a_discontinuous_mention_has_the_tokens_that_it_has() -> None:
    """Not all from its first to its last: 0 and 4 share nothing with 1-3."""
    key = discontinuous({(0, 4): "0 4", (6, 8): ""}, {(0, 4): 0, (6, 8): 8})
    response = discontinuous({(1, 3): "", (6, 7): ""}, {(1, 3): 2, (6, 7): 6})
    result = scoref.score(key, response, ["mor", "ceaf(overlap=dice)", "mentions(match=lenient)"])
    assert result.totals("mor")["recall_num"] == 2
    assert result.totals("mor")["recall_den"] == 5
    assert result.totals("ceaf(overlap=dice)")["recall_num"] == pytest.approx(4 / 5)
    assert result.totals("mentions(match=lenient)")["recall_num"] == 0
    part = discontinuous({(0, 0): "", (0, 3): ""}, {(0, 0): 0, (0, 3): 0})
    lenient = scoref.score(key, part, ["mentions(match=lenient)"]).totals("mentions(match=lenient)")
    assert lenient["recall_num"] == 1  # 0 lies in {0, 4} and is its head; 0-3 has tokens outside
    for metric in ("mor", "ceaf(overlap=jaccard)", "mentions(match=lenient)"):
        scoref.explain(key, part, [metric])  # which compares with the metric
    matched = scoref.score(key, part, ["mentions"], scoref.Policy(match="partial"))
    assert matched.totals("mentions")["recall_num"] == 1
    assert key.where(np.array([True, False])).attributes["nodes"].tolist() == ["0 4"]
    sliced = scoref.score(key, key, ["mentions"], scoref.Policy(where="length=2"))
    assert sliced.totals("mentions")["recall_den"] == 1
