"""ACE-Value: the published cases, a second implementation, and what it needs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.metrics.ace import text_match
from tests.conftest import REPOSITORY
from tests.reference.ace_definition import Entity, Mention, value

CASES = json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))
TYPE_OF = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}
METRIC_OF = {
    "ace2005": "ace",
    "ace2005_mention_weighted": "ace(valuation=mention)",
    "ace2007": "ace(year=2007)",
    "ace2008": "ace(year=2008)",
}


def corpus(side: list[dict[str, Any]]) -> Corpus:
    """Make a corpus of entities as the cases write them; a mention is its head."""
    partition = [[tuple(m["head"]) for m in entity["mentions"]] for entity in side]
    mentions = {
        tuple(m["head"]): {
            "type": TYPE_OF[m["TYPE"]],
            "head": tuple(m["head"]),
            "style": m.get("STYLE"),
        }
        for entity in side
        for m in entity["mentions"]
    }
    entities = [{"type": e["TYPE"], "subtype": e["SUBTYPE"], "class": e["CLASS"]} for e in side]
    return Corpus.from_entities(
        {"d": partition}, mentions={"d": mentions}, entities={"d": entities}
    )


@pytest.mark.parametrize("case", CASES["ace_cases"], ids=lambda case: case["id"])
def test_equals_the_values_of_nists_scorers(case: dict[str, Any]) -> None:
    """Of all three years, and mention-weighted."""
    assert case["expected"].keys() == METRIC_OF.keys()
    result = scoref.score(corpus(case["key"]), corpus(case["response"]), METRIC_OF.values())
    for name, expected in case["expected"].items():
        assert result[METRIC_OF[name]].f1 == pytest.approx(expected, abs=case["tolerance"]), name


def test_recall_and_precision_of_values() -> None:
    """One spurious name beside three right entities costs precision 3 / 3.75 in 2007."""
    (case,) = [case for case in CASES["ace_cases"] if case["id"] == "ace-spurious"]
    key, response = corpus(case["key"]), corpus(case["response"])
    found = scoref.score(key, response, ["ace(year=2007)"])["ace(year=2007)"]
    assert found == pytest.approx([1.0, 3 / 3.75, 0.75])


kinds = st.sampled_from(["name", "nominal", "pronoun"])


@st.composite
def sides(draw: st.DrawFn) -> list[Entity]:
    """Draw up to three entities of up to three mentions, with heads that may overlap."""
    heads = draw(st.lists(st.integers(0, 8), unique=True, max_size=7))
    entities: dict[int, list[Mention]] = {}
    for at in heads:
        length = draw(st.integers(1, 6))
        mention = Mention(draw(kinds), (4 * at, 4 * at + length - 1))
        entities.setdefault(draw(st.integers(0, 2)), []).append(mention)
    return [
        Entity(
            draw(st.sampled_from(["PER", "ORG"])),
            draw(st.sampled_from(["A", "B"])),
            draw(st.sampled_from(["SPC", "SPC", "GEN"])),
            tuple(mentions),
        )
        for mentions in entities.values()
    ]


def as_corpus(side: list[Entity]) -> Corpus:
    """Make a corpus of drawn entities."""
    return Corpus.from_entities(
        {"d": [[m.head for m in entity.mentions] for entity in side]},
        mentions={
            "d": {m.head: {"type": m.type, "head": m.head} for e in side for m in e.mentions}
        },
        entities={"d": [{"type": e.type, "subtype": e.subtype, "class": e.cls} for e in side]},
    )


@settings(max_examples=max(60, settings().max_examples))
@given(key=sides(), response=sides())
def test_equals_the_definition(key: list[Entity], response: list[Entity]) -> None:
    """Tried out over all matchings and mappings; undefined where nothing counts."""
    result = scoref.score(as_corpus(key), as_corpus(response), METRIC_OF.values())
    if not any(entity.cls == "SPC" for entity in key):
        assert all(score.f1 != score.f1 for score in result.scores.values())  # NaN
        return
    assert result["ace"].f1 == pytest.approx(value(key, response, 2005), abs=1e-6)
    by_mentions = value(key, response, 2005, mention=True)
    assert result["ace(valuation=mention)"].f1 == pytest.approx(by_mentions, abs=1e-6)
    # heads of 2007 must also agree in text, which is empty on both sides here
    assert result["ace(year=2007)"].f1 == pytest.approx(value(key, response, 2007), abs=1e-6)


def test_a_key_without_value_is_undefined() -> None:
    """Whatever the policy says of 0/0, and in every output."""
    side = as_corpus([Entity("PER", "A", "GEN", (Mention("name", (0, 3)),))])
    for year in (2005, 2007, 2008):
        for undefined in ("zero", "one", "skip"):
            policy = scoref.Policy(undefined=undefined)
            result = scoref.score(side, side, [f"ace(year={year})"], policy)
            (score,) = result.scores.values()
            assert score.f1 != score.f1  # NaN
            assert "undefined" in result.to_text()
            assert '"f1": null' in result.to_json()


def test_what_is_missing_is_named() -> None:
    """Heads, types of mentions, types of entities, known classes."""
    plain = {"d": [[(0, 1)]]}
    whole = {"mentions": {"d": {(0, 1): {"type": "name", "head": (0, 1)}}}}
    for arguments, missing in (
        ({}, "the type"),
        (whole, "type (PER, ORG, ...) of each entity"),
        (
            {"types": {(0, 1): "name"}, "entities": {"d": [{"type": "PER"}]}},
            "the heads of 1",
        ),
        ({**whole, "entities": {"d": [{"type": "PER", "class": "XYZ"}]}}, "class 'XYZ'"),
    ):
        side = Corpus.from_entities(plain, **arguments)
        with pytest.raises(scoref.ScorefError, match=re.escape(missing)):
            scoref.score(side, side, ["ace"])


@pytest.mark.parametrize(
    "name", ["ace(year=2006)", "ace(overlap=0)", "ace(coreference=much)", "ace(nam=-1)"]
)
def test_parameters_are_checked(name: str) -> None:
    """With a message of ours."""
    with pytest.raises(scoref.ScorefError):
        scoref.score({"d": []}, {"d": []}, [name])


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("Mr. Smith", "mr smith", 1.0), ("Smith", "Smithson", 5 / 8), ("", "x", 0.0), ("", "", 1.0)],
)
def test_text_match(one: str, other: str, share: float) -> None:
    """Case and punctuation do not count."""
    assert text_match(one, other) == pytest.approx(share)


def test_weights_can_be_set() -> None:
    """With pronouns worth as much as names, the level of every entity is one."""
    side = as_corpus([Entity("PER", "A", "SPC", (Mention("pronoun", (0, 3)),))])
    empty = Corpus.from_entities({"d": []})
    for metric, worth in (("ace", 0.1), ("ace(pro=1)", 1.0), ("ace(per=0.5)", 0.05)):
        result = scoref.score(side, empty, [metric])
        assert result.totals(metric)["reference"] == pytest.approx(worth)
        assert result[metric].f1 == 0.0
