"""Metrics of types, of order and of equal mentions, against a slow second implementation."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Result
from scoref.exceptions import UsageError
from tests.reference import definitions as slow
from tests.reference import more_definitions as more
from tests.strategies import MENTIONS, Pair, Partition, pairs

SHORT = {"name": "NAM", "nominal": "NOM", "pronoun": "PRO"}
types = st.fixed_dictionaries({mention: st.sampled_from(list(SHORT)) for mention in MENTIONS})
WEIGHTS = {"NAM": Fraction(1), "NOM": Fraction(3, 4), "PRO": Fraction(1, 2), "sing": Fraction(1)}


def check(result: Result, counts: dict[str, slow.Counts]) -> None:
    """Compare all that was counted."""
    for name, expected in counts.items():
        found = list(result.totals(name).values())[: len(expected)]
        np.testing.assert_allclose(found, [float(x) for x in expected], rtol=1e-9, err_msg=name)


@given(pairs())
def test_practices_with_twinless_mentions(pair: Pair) -> None:
    """Recall and precision on what each practice makes of the two sides."""
    result = scoref.score({"d": pair[0]}, {"d": pair[1]}, list(more.TWINLESS))
    key, response = map(slow.entities, pair)
    check(result, {name: count(key, response) for name, count in more.TWINLESS.items()})


@given(pairs(), types)
def test_metrics_that_look_at_types(pair: Pair, kinds: dict[str, str]) -> None:
    """Chen & Ng, Tuggener, and named entities."""

    def type_of(mention: str) -> str:
        return SHORT[kinds[mention]]

    key, response = map(slow.entities, pair)
    counting: dict[str, Callable[..., slow.Counts]] = {
        "arcs": more.arcs("immediate", type_of),
        "arcs(kind=inferred)": more.arcs("inferred", type_of),
        "arcs(kind=anchor)": more.arcs_anchor(type_of),
    }
    for name in ("lmuc", "lb3", "lceafm", "lceafe"):
        counting[name] = more.linguistic(name, WEIGHTS, type_of)
    sides = [Corpus.from_entities({"d": side}, kinds) for side in pair]
    check(
        scoref.score(sides[0], sides[1], list(counting)),
        {name: count(key, response) for name, count in counting.items()},
    )


@pytest.mark.parametrize("weights", ["nom=2", "pro=0.8", "sing=0", "nam=-1", "pro=nan"])
def test_weights_that_make_no_sense(weights: str) -> None:
    """A name tells at least as much as a nominal, this as a pronoun, and each something."""
    with pytest.raises(UsageError, match="lmuc has no "):
        scoref.score({"d": []}, {"d": []}, [f"lmuc({weights})"])


def everything(labels: dict[str, int]) -> Partition:
    """Turn a label for each mention into a partition."""
    return [[m for m, at in labels.items() if at == one] for one in sorted(set(labels.values()))]


labelled = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12).map(
    lambda rows: tuple(
        everything(dict(zip(MENTIONS, column, strict=False)))
        for column in ([row[0] for row in rows], [row[1] for row in rows])
    )
)


@given(labelled)
def test_metrics_of_clustering(pair: Pair) -> None:
    """Rand, adjusted Rand and mutual information of two partitions of the same mentions."""
    key, response = map(slow.entities, pair)
    result = scoref.score({"d": pair[0]}, {"d": pair[1]}, ["rand", "ari", "nmi"])
    check(result, {"rand": more.rand(key, response), "ari": more.ari(key, response)})
    assert result["nmi"] == pytest.approx(more.nmi(key, response), abs=1e-9)


@given(pairs())
def test_shared_mentions_are_all_that_is_left(pair: Pair) -> None:
    """`mentions=shared` is the metric of the sides without what only one of them has."""
    key, response = map(slow.entities, pair)
    both = slow.mention_set(key) & slow.mention_set(response)
    restricted = [
        [[m for m in entity if m in both] for entity in side if set(entity) & both] for side in pair
    ]
    names = ["blanc", "rand", "ari", "nmi"]
    left = scoref.score({"d": restricted[0]}, {"d": restricted[1]}, names)
    shared = scoref.score(
        {"d": pair[0]}, {"d": pair[1]}, [f"{name}(mentions=shared)" for name in names]
    )
    for name in names:
        assert left[name] == pytest.approx(shared[f"{name}(mentions=shared)"], nan_ok=True)


def test_different_mentions_are_refused() -> None:
    """With what differs, and what to do."""
    with pytest.raises(UsageError, match="the response lacks 1 mention and adds 2") as error:
        scoref.score({"d": [["a", "b"]]}, {"d": [["a", "x", "y"]]}, ["nmi"])
    assert "nmi(mentions=shared)" in str(error.value)
    with pytest.raises(UsageError, match=r"blanc\(boundary=rh2011,mentions=shared\) to ignore"):
        scoref.score({"d": [["a", "b"]]}, {"d": [["a"]]}, ["blanc(boundary=rh2011)"])


def test_missing_types_are_named() -> None:
    """A metric that needs them refuses, and says how to give them."""
    with pytest.raises(UsageError, match=r"the type .* of 2 mentions of the key is unknown"):
        scoref.score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, ["lmuc"])


def test_mentions_that_cannot_be_sorted() -> None:
    """ARCS needs the order of the text."""
    sides = Corpus.from_entities({"d": [["a", 1]]}, {"a": "name", 1: "pronoun"})
    with pytest.raises(UsageError, match="they cannot be sorted"):
        scoref.score(sides, sides, ["arcs"])


@given(pairs(), types, st.sampled_from([1e-20, 0.5, 1.0, 7.0]))
def test_two_metrics_do_not_depend_on_the_weight_of_singletons(
    pair: Pair, kinds: dict[str, str], sing: float
) -> None:
    """Chen & Ng, section 4.2: LB3 and LCEAFe are the same for W1 to W3."""
    sides = [Corpus.from_entities({"d": side}, kinds) for side in pair]
    for name in ("lb3", "lceafe"):
        other = f"{name}(sing={sing!r})" if sing != 1 else name
        result = scoref.score(sides[0], sides[1], [name, other])
        one, two = result[name], list(result.scores.values())[-1]
        assert one == pytest.approx(two)


@given(pairs(), types)
def test_linguistic_muc_tends_to_muc(pair: Pair, kinds: dict[str, str]) -> None:
    """Chen & Ng: with equal weights and singletons that weigh nearly nothing."""
    key, response = ([*side, ["x", "y"]] for side in pair)
    kinds = {**kinds, "x": "name", "y": "pronoun"}
    sides = [Corpus.from_entities({"d": side}, kinds) for side in (key, response)]
    result = scoref.score(sides[0], sides[1], ["muc", "lmuc(nom=1,pro=1,sing=1e-20)"])
    muc, tending = result.scores.values()
    assert muc == pytest.approx(tending)


@given(pairs())
def test_lea_by_links_is_pairwise_without_singletons(pair: Pair) -> None:
    """Moosavi & Strube: importance by links makes LEA count links."""
    key, response = ([entity for entity in side if len(entity) > 1] for side in pair)
    result = scoref.score({"d": key}, {"d": response}, ["lea(importance=links)", "pairwise"])
    by_links, pairwise = result.scores.values()
    assert by_links == pytest.approx(pairwise)
