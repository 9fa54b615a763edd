"""`--duplicates keep` and extended B³: mentions that are in several entities."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.analysis.stress import stress
from scoref.exceptions import ScorefError, UsageError
from scoref.metrics import FAMILIES, extended_bcubed, find_metric
from scoref.policy import Policy
from tests.reference import clustering_definitions as slow
from tests.strategies import MENTIONS, Pair, Partition, pairs

KEEP = Policy(duplicates="keep")
Sides = dict[str, set[str]]
sides = st.dictionaries(
    st.sampled_from(MENTIONS[:8]), st.sets(st.sampled_from("ABCD"), min_size=1), max_size=8
)


def entities(side: Sides) -> dict[str, Partition]:
    """List the mentions of each entity."""
    names = sorted(set().union(*side.values()))
    return {"d": [[m for m in side if name in side[m]] for name in names]}


def test_the_numbers_of_bcubed() -> None:
    """The package `bcubed` 1.5: equal sides, and a response that doubles an entity."""
    key: Sides = {m: {"g"} for m in "123"} | {m: {"b"} for m in "45"}
    doubled: Sides = {"1": {"A", "B"}, "2": {"A", "B"}, "3": {"A"}, "4": {"B"}, "5": {"B"}}
    found = scoref.score(entities(key), entities(doubled), ["b3(extended)"], KEEP)
    assert found["b3(extended)"] == pytest.approx((1.0, 0.56, 0.7179487179487178))
    same = scoref.score(entities(doubled), entities(doubled), ["b3(extended)"], KEEP)
    assert same["b3(extended)"] == (1.0, 1.0, 1.0)
    assert same.notes == (
        "the key repeats 2 mentions in other entities; all are kept",
        "the response repeats 2 mentions in other entities; all are kept",
    )


@given(sides, sides)
def test_the_definition(key: Sides, response: Sides) -> None:
    """Mention by mention; mentions that only one side has earn nothing."""
    result = scoref.score(
        entities(key),
        entities(response),
        ["b3(extended)", "mentions"],
        {"duplicates": "keep", "undefined": "skip"},
    )
    expected = [math.nan if x is None else x for x in slow.extended_b3(key, response)]
    assert list(result["b3(extended)"]) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    counts = result.totals("mentions")
    assert list(counts.values())[:2] == [len(key.keys() & response.keys()), len(key)]
    assert counts["precision_den"] == len(response)


@given(st.lists(st.tuples(sides, sides), min_size=2, max_size=4))
def test_documents_are_apart(documents: list[tuple[Sides, Sides]]) -> None:
    """The counts of a document do not depend on others."""
    key = {f"d{at}": entities(one)["d"] for at, (one, _) in enumerate(documents)}
    response = {f"d{at}": entities(other)["d"] for at, (_, other) in enumerate(documents)}
    together = scoref.score(key, response, ["b3(extended)"], KEEP).counts
    for at, (one, other) in enumerate(documents):
        alone = scoref.score(entities(one), entities(other), ["b3(extended)"], KEEP).counts
        found = together.rows["b3(extended)"][at]
        assert found == pytest.approx(alone.rows["b3(extended)"][0], rel=1e-12)


@given(pairs())
def test_it_is_b3_if_mentions_have_one_entity(pair: Pair) -> None:
    """To the last bit, whatever the policy."""
    usual = scoref.score({"d": pair[0]}, {"d": pair[1]}, ["b3"])["b3"]
    for policy in (KEEP, Policy()):
        result = scoref.score({"d": pair[0]}, {"d": pair[1]}, ["b3(extended)"], policy)
        assert result["b3(extended)"] == usual


def test_a_mention_twice_in_one_entity_counts_once() -> None:
    """With a note."""
    key = {"d": [["a", "a", "b"], ["a", "c"]]}
    result = scoref.score(key, {"d": [["a", "b"], ["a", "c"]]}, ["b3(extended)"], KEEP)
    assert result["b3(extended)"].f1 == 1.0
    assert result.notes[0].startswith("the key repeats 1 mention in the same entity; the first one")
    assert result.key.duplicates_dropped == 1


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - {"mentions"}))
def test_other_metrics_are_refused(name: str) -> None:
    """With the reason, and with what is defined."""
    with pytest.raises(UsageError, match="is defined for mentions in one entity") as error:
        scoref.score({"d": [["a"]]}, {"d": [["a"]]}, [name], KEEP)
    assert "-m 'b3(extended)'" in error.value.hint


@pytest.mark.parametrize(
    "choices",
    [
        {"compat": "e2e"},
        {"window": "10"},
        {"where": "type=name"},
        {"split_antecedents": "score"},
        {"nested": "drop"},
    ],
)
def test_choices_that_cannot_be_combined(choices: dict[str, str]) -> None:
    """Each names a flag."""
    with pytest.raises(UsageError, match="cannot be combined") as error:
        Policy.of({"duplicates": "keep", **choices})
    assert "--" in error.value.hint


@pytest.mark.parametrize("function", [scoref.explain, scoref.errors, stress])
def test_analyses_refuse_it(function: object) -> None:
    """They follow single mentions from entity to entity."""
    with pytest.raises(ScorefError, match="not available with --duplicates keep"):
        function({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, policy=KEEP)  # type: ignore[operator]


def test_matching_and_singletons() -> None:
    """Spans match as the policy says, and an entity of one mention can be dropped."""
    key = {"d": [[(0, 1), (3, 4)], [(0, 1), (6, 9)], [(12, 13)]]}
    response = {"d": [[(0, 1), (3, 4)], [(0, 1), (6, 8)]]}
    policy = {"duplicates": "keep", "match": "overlap=0.5", "singletons": "drop"}
    result = scoref.score(key, response, ["b3(extended)", "mentions"], policy)
    assert result["mentions"].f1 == 1.0
    assert result["b3(extended)"].f1 == 1.0


def test_the_name() -> None:
    """A switch is named alone, and other parameters are not."""
    assert find_metric("b3(extended)").name == "b3(extended)"
    assert find_metric("bcub( extended )").name == "b3(extended)"
    assert find_metric("b3(extended=no)").name == "b3"
    for wrong in ("b3(extended=2)", "b3(twinless)", "blanc(alpha)", "b3(extended,twinless=rn)"):
        with pytest.raises(UsageError):
            find_metric(wrong)


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_the_work_grows_with_the_mentions(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entities of ten mentions, of which a share is also in another entity."""
    looked_at: list[int] = []

    def pairs_of(n: int) -> int:
        draw = random.Random(1)  # noqa: S311  # no secrets
        sides = []
        for _ in range(2):
            found: Partition = [[] for _ in range(n // 10)]
            for at in range(n):
                near = at // 10 if draw.random() < 0.8 else draw.randrange(n // 10)
                also = {near, draw.randrange(n // 10)} if draw.random() < share else {near}
                for entity in also:
                    found[entity].append(f"m{at}")
            sides.append({"d": found})
        looked_at.clear()
        scoref.score(sides[0], sides[1], ["b3(extended)"], KEEP)
        return sum(looked_at)

    monkeypatch.setattr(
        extended_bcubed, "check_number_of_pairs", lambda pairs, _: looked_at.append(pairs)
    )
    small, large = pairs_of(2_000), pairs_of(8_000)
    assert 0 < large < 5 * small
