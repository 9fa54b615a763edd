"""Split antecedents: published worked numbers, a second definition, laws, and what is refused."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Policy
from scoref.exceptions import UsageError
from tests.formats.conllu.test_conllua import document
from tests.formats.drawn import read
from tests.reference.split_definition import METRICS, Annotation, alignments, only, sets_of, whole

SCORE, ONLY = Policy(split_antecedents="score"), Policy(split_antecedents="only")


def span(letter: str) -> tuple[int, int]:
    """Return the span that stands for a letter."""
    return ord(letter), ord(letter)


def corpus(*sides: Annotation) -> Corpus:
    """Make a corpus, a document of each annotation."""
    documents = {
        f"d{at}": {name: [span(m) for m in sorted(mentions)] for name, mentions in one[0].items()}
        for at, one in enumerate(sides)
    }
    about = {
        f"d{at}": {
            name: {"split_antecedents": sorted(members)} for name, members in one.members.items()
        }
        for at, one in enumerate(sides)
    }
    return Corpus.from_entities(documents, entities=about)


def parse(text: str) -> Annotation:
    """Read `ab cd {ac}fg`: what is in braces has a mention of each member."""
    found = [re.fullmatch(r"(?:\{(\w+)\})?(\w+)", word) for word in text.split()]
    named = {str(at): one for at, one in enumerate(found) if one is not None}
    mentions = {name: frozenset(one[2]) for name, one in named.items()}
    members = {
        name: frozenset(n for n, held in mentions.items() if held & set(one[1]))
        for name, one in named.items()
        if one[1]
    }
    return Annotation(mentions, members)


PA, PB = "ab cd e {ac}fg", "ab cd e {ac}fg {ae}h"
PERFECT = dict.fromkeys(METRICS, (1.0, 1.0))
PUBLISHED: dict[str, tuple[str, str, dict[str, tuple[float, float]]]] = {
    "PA-1 perfect": (PA, PA, PERFECT),
    "PA-2 equivalent": (PA, "ab cd e {ad}fg", PERFECT),
    "PA-3 equivalent": (PA, "ab cd e {bd}fg", PERFECT),
    "PA-4 missing": (PA, "ab cd e fg", {
        "muc": (3 / 4, 1), "b3": (19 / 24, 1), "ceafm": (7 / 8, 1), "ceafe": (3.8 / 4, 3.8 / 4),
        "lea": (6 / 8, 1)}),
    "PA-5 extra": (PA, "ab cd e {ace}fg", {
        "muc": (1, 11 / 12), "b3": (1, 0.95167), "ceafm": (0.98611, 0.98611),
        "ceafe": (0.98333, 0.98333), "lea": (1, 7.6 / 8)}),
    "PA-6 partly right": (PA, "ab cd e {ae}fg", {
        "muc": (7 / 8, 7 / 8), "b3": (0.88542, 0.92130), "ceafm": (0.94643, 0.94643),
        "ceafe": (0.95833, 0.95833), "lea": (7 / 8, 11 / 12)}),
    "PA-7 a member lacks a mention": (PA, "ab c e {ac}fg", {
        "muc": (5 / 8, 5 / 6), "b3": (0.72461, 1), "ceafm": (0.85714, 0.97959),
        "ceafe": (0.90278, 0.90278), "lea": (5 / 8, 16 / 21)}),
    "PA-8 merged": (PA, "ab cd e {ac}f {bc}g", PERFECT),
    "PA-9 merged members": (PA, "ab cde {ac}fg", {
        "muc": (1, 11 / 15), "b3": (1, 0.75463), "ceafm": (0.86111, 0.86111),
        "ceafe": (0.69167, 0.92222), "lea": (7 / 8, 5.2 / 8)}),
    "PA-10 aligned": (PA, "ab cd e {ac}f {bce}g", {
        "muc": (3 / 4, 3 / 4), "b3": (0.83333, 0.83333), "ceafm": (7 / 8, 7 / 9),
        "ceafe": (3.8 / 4, 3.8 / 5), "lea": (6 / 8, 7 / 9)}),
    "PA-11 one member": (PA, "ab cd e {ab}fg", {
        "muc": (7 / 8, 1), "b3": (0.88542, 1), "ceafm": (0.95833, 0.95833),
        "ceafe": (0.97222, 0.97222), "lea": (7 / 8, 1)}),
    "PB-1 perfect": (PB, PB, PERFECT),
    "PB-2 equivalent": (PB, "ab cd e {ad}fg {be}h", PERFECT),
    "PB-3 aligned": (PB, "ab cd e {ac}fg {ace}h", {
        "muc": (1, 14 / 15), "b3": (1, 0.928), "ceafm": (0.975, 0.975), "ceafe": (0.98, 0.98),
        "lea": (1, 0.92)}),
    "PB-4 merged": (PB, "ab cd e {ac}fgh", {
        "muc": (0.8, 0.8), "b3": (0.85, 7.5 / 9), "ceafm": (0.8, 8 / 9),
        "ceafe": (0.77143, 0.96429), "lea": (0.8, 7 / 9)}),
}  # fmt: skip


@pytest.mark.parametrize(("key", "response", "expected"), PUBLISHED.values(), ids=PUBLISHED)
def test_published_numbers(
    key: str, response: str, expected: dict[str, tuple[float, float]]
) -> None:
    """The test cases of the Universal Anaphora scorer, which print five decimals."""
    result = scoref.score(corpus(parse(key)), corpus(parse(response)), [*expected], SCORE)
    for name, (recall, precision) in expected.items():
        assert result[name].recall == pytest.approx(recall, abs=6e-6), name
        assert result[name].precision == pytest.approx(precision, abs=6e-6), name


def test_the_members_of_a_published_case() -> None:
    """{ab} {cd} against {ab} {cd} {e}: what each metric makes of the sets alone."""
    expected = {"muc": (1, 2 / 3), "b3": (1, 4 / 5), "ceafm": (1, 4 / 5), "ceafe": (1, 2 / 3),
                "lea": (1, 4 / 5)}  # fmt: skip
    sides = corpus(parse(PA)), corpus(parse("ab cd e {ace}fg"))
    result = scoref.score(*sides, [*expected], ONLY)
    for name, scores in expected.items():
        assert (result[name].recall, result[name].precision) == pytest.approx(scores), name


@st.composite
def drawn(draw: st.DrawFn) -> Annotation:
    """Draw a partition of some letters, and members of some entities, of which any may be one."""
    home = draw(st.dictionaries(st.sampled_from("abcdefghi"), st.sampled_from("12345"), max_size=9))
    mentions = {
        name: frozenset(m for m, at in home.items() if at == name) for name in set(home.values())
    }
    names = sorted(mentions)
    members: dict[str, frozenset[str]] = {}
    for name in names:
        if draw(st.booleans()):
            members[name] = frozenset(draw(st.lists(st.sampled_from([*names, "x"]), max_size=3)))
    return Annotation(mentions, {name: found for name, found in members.items() if found})


def counts_of(key: list[Annotation], response: list[Annotation], policy: Policy) -> dict[str, Any]:
    """Return what metrics count in each document."""
    result = scoref.score(corpus(*key), corpus(*response), METRICS, policy)
    return {name: result.counts.rows[name].tolist() for name in METRICS}


@pytest.mark.parametrize("policy", [SCORE, ONLY], ids=["score", "only"])
@given(pairs=st.lists(st.tuples(drawn(), drawn()), min_size=1, max_size=3))
def test_counts_are_those_made_mention_by_mention(
    policy: Policy, pairs: list[tuple[Annotation, Annotation]]
) -> None:
    """With one of the best alignments of antecedents, in each document."""
    ours = counts_of([key for key, _ in pairs], [response for _, response in pairs], policy)
    define = whole if policy is SCORE else only
    for name in METRICS:
        for (key, response), counted in zip(pairs, ours[name], strict=True):
            possible = np.array(define(name, key, response), dtype=np.float64)
            assert np.isclose(possible, counted, rtol=1e-12, atol=1e-12).all(axis=1).any(), name


@given(annotation=drawn())
def test_a_perfect_response_scores_one(annotation: Annotation) -> None:
    """With links of both kinds for metrics to see."""
    more = {"p": frozenset("x"), "q": frozenset("yz"), "r": frozenset("w")}
    members = {**annotation.members, "p": frozenset("qr")}
    side = corpus(Annotation({**annotation.mentions, **more}, members))
    for policy in (SCORE, ONLY):
        result = scoref.score(side, side, METRICS, policy)
        for name in METRICS:
            assert result[name].f1 == pytest.approx(1.0), (name, policy)


@given(key=drawn(), response=drawn())
def test_swapping_sides_swaps_recall_and_precision(key: Annotation, response: Annotation) -> None:
    """Unless several alignments are equally good."""
    sets = sets_of(key.clusters()), sets_of(response.clusters())
    assume(all(len(alignments(name, *sets)) == 1 for name in METRICS))
    there, back = (
        scoref.score(corpus(one), corpus(other), METRICS, SCORE)
        for one, other in ((key, response), (response, key))
    )
    for name in METRICS[:-1]:  # BLANC has a rule that looks at the key
        recall, precision, _ = there[name]
        assert (precision, recall) == pytest.approx(tuple(back[name])[:2], rel=1e-12), name


@given(key=drawn(), response=drawn())
def test_without_split_antecedents_nothing_changes(key: Annotation, response: Annotation) -> None:
    """The same counts, and a signature that says what was asked for."""
    ours, theirs = (corpus(Annotation(side.mentions, {})) for side in (key, response))
    plain, split = (scoref.score(ours, theirs, policy=policy) for policy in (Policy(), SCORE))
    for name in plain.scores:
        np.testing.assert_allclose(plain.counts.rows[name], split.counts.rows[name], rtol=1e-15)
    assert "split_antecedents" not in plain.signature
    assert "|split_antecedents:score|" in split.signature
    assert Policy.like(split.signature) == SCORE
    assert "neither side has split antecedents" in split.notes


def test_the_conll_average_is_that_of_its_parts() -> None:
    """As they are counted with split antecedents."""
    sides = corpus(parse(PA)), corpus(parse("ab cd e {ae}fg"))
    result = scoref.score(*sides, ["conll", "muc", "b3", "ceafe"], SCORE)
    parts = [result[name].f1 for name in ("muc", "b3", "ceafe")]
    assert result["conll"].f1 == pytest.approx(sum(parts) / 3)


def test_reads_members_from_files(tmp_path: Path) -> None:
    """CoNLL-UA says of a mention which entities it is an element of, CorefUD lists members."""
    conllua = document(
        "(EntityID=1|MarkableID=a|ElementOf=4)",
        "(EntityID=2|MarkableID=b|ElementOf=4)",
        "(EntityID=3|MarkableID=c)",
        "(EntityID=4|MarkableID=d)",
    )
    corefud = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "".join(
        f"{at}\tw{at}" + "\t_" * 7 + f"\tEntity=(e{at}--1-){more}\n"
        for at, more in ((1, ""), (2, ""), (3, ""), (4, "|SplitAnte=e1<e4,e3<e4"))
    )
    paths = tmp_path / "key.CONLLUA", tmp_path / "response.conllu"
    for path, text in zip(paths, (conllua, f"{corefud}\n"), strict=True):
        path.write_text(text, "utf-8")
    result = scoref.score(*paths, ["b3", "muc"], ONLY)
    assert result["b3"].recall == 1 / 2
    assert result["b3"].precision == 1 / 2
    assert scoref.score(*paths, ["muc"], SCORE)["muc"].recall == Fraction(1, 2)


def test_members_that_lead_back_or_are_unknown() -> None:
    """What leads to itself alone is no antecedent; what is no entity is noted."""
    text = document("(EntityID=1|ElementOf=2,2,7)", "(EntityID=2|ElementOf=1)")
    side, problems = read("conllua", text)
    assert not problems
    result = scoref.score(side, side, ["b3"], SCORE)
    assert result.counts.rows["b3"].tolist() == [[2, 2, 2, 2]]
    plural = Annotation({"a": frozenset("ab"), "b": frozenset("c")}, {"b": frozenset("ax")})
    result = scoref.score(corpus(plural), corpus(plural), ["b3"], SCORE)
    assert result.counts.rows["b3"].tolist() == [[4, 4, 4, 4]]
    told = "{}: ignored 1 member of split antecedents that name no entity"
    assert result.notes == (told.format("key"), told.format("response"))


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"singletons": "drop"}, "cannot be combined with singletons drop"),
        ({"unit": "corpus"}, "cannot be combined with unit corpus"),
        ({"where": "length=1"}, "cannot be combined with where length=1"),
        ({"compat": "corefud-1.2"}, "cannot be combined with compat corefud-1.2"),
    ],
)
def test_refuses_other_policies(policy: dict[str, str], message: str) -> None:
    """They would take mentions away from members."""
    with pytest.raises(UsageError, match=message):
        Policy(split_antecedents="score", **policy)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "metric", ["pairwise", "nmi", "b3(twinless=all)", "blanc(boundary=luo2014)"]
)
def test_refuses_other_measures(metric: str) -> None:
    """Nobody has said what a split antecedent is worth to them."""
    side = corpus(parse(PA))
    with pytest.raises(UsageError, match="does not count split antecedents"):
        scoref.score(side, side, [metric], SCORE)


def test_refuses_closer_looks() -> None:
    """They would show other numbers."""
    side = corpus(parse(PA))
    with pytest.raises(UsageError, match="with split_antecedents score"):
        scoref.explain(side, side, ["b3"], SCORE)
    with pytest.raises(UsageError, match="cannot be combined with where"):
        scoref.score(side, side, ["b3"], SCORE).where("length=1")


def test_accumulators_count_them_too() -> None:
    """Their metrics are counted as the policy says, however often it is asked."""
    accumulator = scoref.Accumulator(["b3", "conll"], SCORE)
    accumulator.update(corpus(parse(PA)), corpus(parse("ab cd e fg")))
    assert accumulator["b3"].recall == pytest.approx(19 / 24)


def test_ties_between_antecedents_are_noted() -> None:
    """A key set is as much like one response set as like another, which has other mentions."""
    key = scoref.Corpus.from_entities(
        {"d": {"a": ["a1", "a2"], "b": ["b1", "b2"], "they": ["t1", "t2"]}},
        entities={"d": {"they": {"split_antecedents": ["a", "b"]}}},
    )
    response = scoref.Corpus.from_entities(
        {"d": {"a": ["a1", "a2"], "b": ["b1", "b2"], "they": ["t1", "t2"], "these": ["x1", "x2"]}},
        entities={
            "d": {"these": {"split_antecedents": ["a"]}, "they": {"split_antecedents": ["b"]}}
        },
    )
    for how in ("score", "only"):
        policy = scoref.Policy(split_antecedents=how)
        notes = " ".join(scoref.score(key, response, ["b3", "muc"], policy).notes)
        assert ("b3 (1 document)" in notes) is (how == "score")
        assert "equally good" not in " ".join(scoref.score(key, key, policy=policy).notes)
