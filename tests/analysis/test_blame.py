"""Blame sums to the loss; slices and verdicts say what definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref.analysis.aligned_mentions import align_mentions
from scoref.analysis.blame import blame
from scoref.analysis.contrast import VERDICTS, contrast, key_entities, only_right
from scoref.analysis.decomposition import decomposes
from scoref.analysis.entity_numbers import STATUSES, EntityNumbers, entity_label
from scoref.analysis.slices import Slice, slices
from scoref.corpus.genres import genres
from scoref.metrics import FAMILIES, find_metrics
from scoref.policy import Policy
from tests.strategies import MENTIONS, Pair, corpora, named, pairs

DECOMPOSE = [
    "mentions", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise", "lmuc", "lb3", "lceafm",
    "lceafe", "conll",
]  # fmt: skip


def sides(documents: list[Pair], pronouns: set[str]) -> tuple[scoref.Corpus, scoref.Corpus]:
    """Make two corpora whose mentions have types."""
    types = {m: "pronoun" if m in pronouns else "name" for m in MENTIONS}
    key, response = (scoref.Corpus.from_entities(side, types=types) for side in named(documents))
    return key, response


@pytest.mark.parametrize("metric", DECOMPOSE)
@pytest.mark.parametrize("average", ["micro", "macro"])
@given(documents=corpora(), pronouns=st.sets(st.sampled_from(MENTIONS)))
def test_the_sum_of_blame_is_the_loss(
    metric: str, average: str, documents: list[Pair], pronouns: set[str]
) -> None:
    """Over entities, and over mentions; wherever the measure says anything of a document."""
    key, response = sides(documents, pronouns)
    policy = Policy(average=average, undefined="skip")  # type: ignore[arg-type]  # parametrized
    score = scoref.score(key, response, [metric], policy)
    parts = find_metrics([metric])[0].parts or find_metrics([metric])
    results = scoref.score(key, response, parts, policy)
    for part in results:
        f1s = [one[part].f1 for one in results.documents.values()]
        assume(not np.isnan(f1s).any())  # a document without links has no MUC to lose
    shares = blame(align_mentions(key, response, policy), metric)
    assert shares.loss == pytest.approx(1 - score[metric].f1)
    assert shares.key.sum() + shares.response.sum() == pytest.approx(shares.loss)
    assert shares.mention.sum() == pytest.approx(shares.loss)
    assert (shares.mention >= -1e-12).all()
    assert (shares.key >= -1e-12).all()
    assert (shares.response >= -1e-12).all()


def test_measures_that_do_not_decompose_say_so() -> None:
    """And name those that do."""
    mentions = align_mentions({"d": [["a", "b"]]}, {"d": [["a", "c"]]})
    with pytest.raises(scoref.ScorefError, match="not a sum over entities"):
        blame(mentions, "blanc")
    for name in FAMILIES:
        metric = find_metrics([name])[0]
        assert decomposes(metric) == (metric.name in DECOMPOSE)


@given(pairs())
def test_b_cubed_blame_is_its_definition(pair: Pair) -> None:
    """What each key mention does not see of its entity, over all key mentions."""
    key, response = pair
    mentions = align_mentions({"d": key}, {"d": response})
    score = scoref.score({"d": key}, {"d": response}, ["b3"])["b3"]
    assume(score.f1 > 0)
    shares = blame(mentions, "b3").key_mention
    total = sum(map(len, key))
    weight = score.precision / (score.recall + score.precision)
    for row in range(len(shares)):
        mention = mentions.mention(row)
        entity = next((set(e) for e in key if mention in e), set())
        other = next((set(e) for e in response if mention in e), set())
        if entity:
            missed = 1 - len(entity & other) / len(entity)
            assert shares[row] == pytest.approx(weight * missed / total)


@given(corpora(), st.sets(st.sampled_from(MENTIONS)))
def test_slices_make_up_the_whole(documents: list[Pair], pronouns: set[str]) -> None:
    """The classes of a slice share out all mentions, and B³ is their mean."""
    key, response = sides(documents, pronouns)
    b3 = scoref.score(key, response, ["b3"])["b3"]
    by: dict[str, list[Slice]] = {}
    for one in slices(align_mentions(key, response)):
        by.setdefault(one.by, []).append(one)
    for name in ("type", "size"):
        rows = by.get(name, [])
        assert sum(r.key_mentions for r in rows) == len(key)
        assert sum(r.response_mentions for r in rows) == len(response)
        recall = sum((r.recall or 0) * r.key_mentions for r in rows) / max(len(key), 1)
        precision = sum((r.precision or 0) * r.response_mentions for r in rows) / max(
            len(response), 1
        )
        assert recall == pytest.approx(b3.recall)
        assert precision == pytest.approx(b3.precision)


@given(pairs())
def test_resolution_accuracy_is_its_definition(pair: Pair) -> None:
    """An anaphor is resolved if an earlier mention of its entity is in its response entity."""
    key, response = pair
    anaphors = resolved = 0
    for entity in key:
        for mention in sorted(entity)[1:]:
            anaphors += 1
            other = next((set(e) for e in response if mention in e), set())
            resolved += any(m in other for m in entity if m < mention)
    mentions = align_mentions({"d": key}, {"d": response})
    rows = [one for one in slices(mentions) if one.by == "size"]
    assert sum(one.anaphors for one in rows) == anaphors
    assert sum(round((one.resolved or 0) * one.anaphors) for one in rows) == resolved


def test_genres_are_told_by_names() -> None:
    """As OntoNotes and GUM name their documents; names that tell nothing give none."""
    assert genres(["nw/wsj/1", "nw/wsj/2", "bc/cnn/1", "bc/cnn/2"]) == ["nw", "nw", "bc", "bc"]
    gum = ["GUM_news_one", "GUM_news_two", "GUM_fiction_one", "GUM_fiction_two"]
    assert genres(gum) == ["news", "news", "fiction", "fiction"]
    assert genres(["12_emma", "13_ulysses", "14_dracula"]) == []
    assert genres(["a", "b"]) == []


def test_verdicts() -> None:
    """Each of them once."""
    key = {"d": [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"], ["i", "j"]]}
    response = {"d": [["a", "b"], ["e"], ["f"], ["g", "h", "x"], ["i", "y"]]}
    entities = key_entities(align_mentions(key, response))
    assert [VERDICTS[v] for v in entities.verdict] == [
        "right",
        "missed",
        "split",
        "merged",
        "scattered",
    ]


def test_what_one_system_gets_right_and_another_does_not() -> None:
    """Counted by kind of entity, and listed."""
    key = {"d": [["a", "b"], ["c", "d", "e"]]}
    one = key_entities(align_mentions(key, {"d": [["a", "b"], ["c", "d"]]}))
    other = key_entities(align_mentions(key, {"d": [["a"], ["c", "d", "e"]]}))
    everything, *by_size = contrast({"one": one, "other": other})
    assert everything.right == {"one": 1, "other": 1}
    assert everything.alone == {"one": 1, "other": 1}
    assert [(row.name, row.alone) for row in by_size] == [
        ("2", {"one": 1, "other": 0}),
        ("3", {"one": 0, "other": 1}),
    ]
    assert only_right(one, other) == [0]


def test_numbers_of_entities() -> None:
    """A response entity has the number of the key entity that it is most like, or a letter."""
    key = {"d": [["a", "b"], ["c", "d", "e"]]}
    response = {"d": [["c", "d"], ["a", "e"], ["x", "y"]]}
    mentions = align_mentions(key, response)
    numbers = EntityNumbers(mentions)
    shown = {
        str(mentions.mention(row)): (
            entity_label(int(numbers.res_number[mentions.res[row]]))
            if mentions.res[row] >= 0
            else "",
            STATUSES[numbers.status[row]],
        )
        for row in range(len(mentions.unit))
    }
    assert shown == {
        "a": ("1", "right"),
        "b": ("", "missing"),
        "c": ("2", "right"),
        "d": ("2", "right"),
        "e": ("1", "misplaced"),
        "x": ("a", "extra"),
        "y": ("a", "extra"),
    }
