"""Bridging and non-referring mentions: worked examples, what readers keep, and what is refused."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Policy
from scoref.exceptions import ScorefError, UsageError
from tests.conftest import REPOSITORY
from tests.formats.conllu.test_conllua import document
from tests.formats.drawn import read

LEVELS = ("bridging(level=anaphor)", "bridging(level=mention)", "bridging(level=entity)")
Span = tuple[int, int]


def corpus(entities: list[list[Span]], bridging: Any = None, non_referring: Any = None) -> Corpus:
    """Make a corpus of one document."""
    return Corpus.from_entities(
        {"d": entities},
        bridging=None if bridging is None else {"d": bridging},
        non_referring=None if non_referring is None else {"d": non_referring},
    )


def bridging(key: Corpus, response: Corpus, **policy: Any) -> list[tuple[float, float]]:
    """Return recall and precision at the levels of anaphors, mentions and entities."""
    result = scoref.score(key, response, LEVELS, Policy(**policy))
    return [(result[name].recall, result[name].precision) for name in result.scores]


HOUSE, IT, DOOR, ROOF, CAR, WHEEL = ((at, at) for at in range(6))
ENTITIES = [[HOUSE, IT], [DOOR], [ROOF], [CAR], [WHEEL]]
KEY = corpus(ENTITIES, bridging={DOOR: HOUSE, ROOF: IT, WHEEL: CAR})


def test_levels_of_bridging() -> None:
    """The door is right, the roof has another mention of the house, the wheel is of the house."""
    response = corpus(ENTITIES, bridging={DOOR: HOUSE, ROOF: HOUSE, WHEEL: HOUSE, CAR: IT})
    assert bridging(KEY, response) == [(3 / 3, 3 / 4), (1 / 3, 1 / 4), (2 / 3, 2 / 4)]


def test_the_entities_of_the_key_decide() -> None:
    """A response that tears the house apart names the same anchor; one that joins it does not."""
    apart = corpus([[HOUSE], [IT], [DOOR], [ROOF]], bridging={ROOF: HOUSE})
    assert bridging(KEY, apart)[2] == (1 / 3, 1)
    together = corpus([[HOUSE, IT, CAR], [DOOR], [ROOF], [WHEEL]], bridging={WHEEL: HOUSE})
    assert bridging(KEY, together)[2] == (0, 0)


def test_an_anaphor_with_several_anchors() -> None:
    """Links are counted, not anaphors; two mentions of one entity are matched once each."""
    key = corpus(ENTITIES, bridging={ROOF: [HOUSE, CAR]})
    response = corpus(ENTITIES, bridging={ROOF: [HOUSE, IT, IT]})
    assert bridging(key, response) == [(1, 1), (1 / 2, 1 / 2), (1 / 2, 1 / 2)]


def test_mentions_need_not_be_in_an_entity() -> None:
    """Not as anaphors, not as anchors; then spans must be equal."""
    key = corpus([[HOUSE, IT]], bridging={DOOR: HOUSE, WHEEL: CAR})
    response = corpus([[HOUSE, IT], [CAR]], bridging={DOOR: IT, WHEEL: CAR})
    assert bridging(key, response)[1:] == [(1 / 2, 1 / 2), (1, 1)]


def test_dropped_singletons_are_still_anaphors_and_anchors() -> None:
    """Most anaphors are singletons."""
    response = corpus([[HOUSE, IT], [DOOR], [CAR, ROOF], [WHEEL]], bridging={DOOR: IT, WHEEL: CAR})
    kept = bridging(KEY, response)
    assert kept == bridging(KEY, response, singletons="drop")
    assert kept == [(2 / 3, 1), (1 / 3, 1 / 2), (2 / 3, 1)]


def test_the_policy_says_which_mentions_are_the_same() -> None:
    """A response mention that is matched by its head is the key's, as anaphor and as anchor."""
    heads = {"head": (1, 1)}, {"head": (4, 4)}
    key = Corpus.from_entities(
        {"d": [[(0, 1)], [(3, 4)]]},
        mentions={"d": {(0, 1): heads[0], (3, 4): heads[1]}},
        bridging={"d": {(3, 4): (0, 1)}},
    )
    response = Corpus.from_entities(
        {"d": [[(1, 1)], [(4, 4)]]},
        mentions={"d": {(1, 1): heads[0], (4, 4): heads[1]}},
        bridging={"d": {(4, 4): (1, 1)}},
    )
    assert bridging(key, response)[0] == (0, 0)
    assert bridging(key, response, match="head") == [(1, 1)] * 3


def test_documents_are_paired_by_name() -> None:
    """Those of the response stand in another order, and one is ignored."""
    entities = {"a": [[HOUSE], [DOOR]], "b": [[CAR], [WHEEL]]}
    key = Corpus.from_entities(
        entities, bridging={"b": {WHEEL: CAR}}, non_referring={"a": [IT], "b": [ROOF]}
    )
    response = Corpus.from_entities(
        {"x": [[CAR]], "b": entities["b"], "a": entities["a"]},
        bridging={"x": {DOOR: CAR}, "b": {WHEEL: CAR}},
        non_referring={"x": [IT], "b": [ROOF, IT]},
    )
    policy = Policy(extra_documents="ignore")
    result = scoref.score(key, response, ["bridging", "nonreferring"], policy)
    assert result["bridging"].f1 == 1
    assert result.documents["b"]["nonreferring"].precision == 1 / 2
    assert result["nonreferring"].recall == 1 / 2


def test_non_referring_mentions() -> None:
    """Each once, however often it is named."""
    key = corpus([[HOUSE]], non_referring=[IT, DOOR, ROOF])
    response = corpus([[HOUSE]], non_referring=[DOOR, DOOR, CAR, HOUSE])
    score = scoref.score(key, response, ["nonreferring"])["nonreferring"]
    assert (score.recall, score.precision) == (1 / 3, 1 / 3)


spans = st.tuples(st.integers(0, 5), st.integers(0, 2)).map(lambda s: (s[0], s[0] + s[1]))


@st.composite
def sides(draw: st.DrawFn) -> Corpus:
    """Draw entities, links between any mentions, and non-referring mentions."""
    home = draw(st.dictionaries(spans, st.integers(0, 3), max_size=8))
    entities = [[m for m, at in home.items() if at == one] for one in sorted(set(home.values()))]
    anchors = st.lists(spans, max_size=3)
    return corpus(
        entities,
        bridging=draw(st.dictionaries(spans, anchors, max_size=5)),
        non_referring=draw(st.lists(spans, max_size=5)),
    )


def by_hand(key: Corpus, response: Corpus) -> list[list[int]]:
    """Count bridging link by link: right, key links, response links at each level."""
    entity = {span: at for at, found in enumerate(key.entities().get("d", [])) for span in found}
    links = [
        {
            ((int(d.start[i]), int(d.end[i])), (int(a.start[i]), int(a.end[i])))
            for i in range(len(d.start))
        }
        for side in (key, response)
        if side.bridging is not None
        for d, a in [side.bridging]
    ]
    anaphors = [{anaphor for anaphor, _ in side} for side in links]
    rest, right = set(links[1]), 0
    for anaphor, anchor in links[0]:
        # Of several that would do, an equal one is no better: they are all of one entity.
        fits = [
            (a, other)
            for a, other in rest
            if a == anaphor and (other == anchor or entity.get(other, other) == entity.get(anchor))
        ]
        if fits:
            rest.remove(fits[0])
            right += 1
    many = [len(side) for side in links]
    shared = len(links[0] & links[1])
    return [[len(anaphors[0] & anaphors[1]), *map(len, anaphors)], [shared, *many], [right, *many]]


@given(key=sides(), response=sides())
def test_counts_are_those_made_link_by_link(key: Corpus, response: Corpus) -> None:
    """Whatever the links are between."""
    result = scoref.score(key, response, LEVELS)
    for name, (right, ours, theirs) in zip(LEVELS, by_hand(key, response), strict=True):
        counted = result.counts.rows[result.counts.metrics[LEVELS.index(name)].name]
        assert counted.tolist() == [[right, ours, right, theirs]]


@given(key=sides(), response=sides())
def test_laws(key: Corpus, response: Corpus) -> None:
    """Swapping sides swaps recall and precision; a coarser level is never lower."""
    names = [*LEVELS, "nonreferring"]
    there, back = (scoref.score(*pair, names).scores for pair in ((key, response), (response, key)))
    for name in (*LEVELS[:2], "nonreferring"):
        assert (there[name].recall, there[name].precision) == (
            back[name].precision,
            back[name].recall,
        )
    scores = [there[name] for name in there][:3]
    assert scores[2].recall >= scores[1].recall
    itself = scoref.score(key, key, names, Policy(undefined="skip"))
    assert all(score.f1 == 1 or math.isnan(score.f1) for score in itself.scores.values())


def test_conllua_keeps_links_of_mentions_that_refer_to_nothing() -> None:
    """As anaphor and as anchor; one that is no markable is counted in a note."""
    text = document(
        "(EntityID=1|MarkableID=m1)",
        "(EntityID=2-Pseudo|MarkableID=m2)",
        "(EntityID=3|MarkableID=m3)",
        "(EntityID=3|MarkableID=m4)",
    )
    lines = text.split("\n")
    bridges = {
        1: "(MarkableID=m2|MentionAnchor=m1)",
        2: "(MarkableID=m3|MentionAnchor=m2)(MarkableID=m3|Rel=x|MentionAnchor=m1)",
        3: "(MarkableID=m4|EntityAnchor=1)(MarkableID=m9|MentionAnchor=m1)",
        0: "(MarkableID=m1|MentionAnchor=m8)",
    }
    for row, cell in bridges.items():
        lines[2 + row] = lines[2 + row].replace(" _ _ _ _", f" {cell} _ _ _")
    corpus, problems = read("conllua", "\n".join(lines))
    assert not problems
    assert corpus.bridging is not None
    assert [part.start.tolist() for part in corpus.bridging] == [[1, 2, 2, 3], [0, 1, 0, 0]]
    assert corpus.non_referring is not None
    assert corpus.non_referring.start.tolist() == [1]
    assert corpus.entities() == {"d": [[(0, 0)], [(2, 2), (3, 3)]]}
    assert "ignored 2 bridging markables without a mention" in corpus.notes[1]


def test_files_of_a_directory_keep_their_documents(tmp_path: Path) -> None:
    """What is said besides entities is put together too."""
    for name in ("one", "two"):
        text = document(
            "(EntityID=1|MarkableID=m1)", "(EntityID=2-Pseudo|MarkableID=m2)", name=name
        )
        bridge = "(MarkableID=m2|MentionAnchor=m1)"
        text = text.replace("m2) _ _ _ _", f"m2) {bridge} _ _ _")
        (tmp_path / f"{name}.CONLLUA").write_text(text, "utf-8")
    corpus = scoref.read(tmp_path)
    assert corpus.bridging is not None
    assert corpus.non_referring is not None
    assert corpus.bridging.anaphor.document.tolist() == [0, 1]
    assert corpus.non_referring.document.tolist() == [0, 1]
    result = scoref.score(tmp_path, tmp_path, ["bridging", "nonreferring"])
    assert [score.f1 for score in result.scores.values()] == [1, 1]


def test_corefud_names_the_entity_of_an_anchor(tmp_path: Path) -> None:
    """The nearest mention before the anaphor stands for it, else the first behind."""
    rows = [
        "a\tEntity=(e1--1-)",
        "b\tEntity=(e2--1-)",
        "c\tEntity=(e1--1-)",
        "d\tBridge=e1<e3:part,e4<e3|Entity=(e3--1-)",
        "e\tEntity=(e1--1-)",
        "f\tEntity=(e4--1-)",
        "g\tBridge=e1<e2",
    ]
    lines = [
        f"{at}\t{word}" + "\t_" * 7 + f"\t{misc}"
        for at, (word, misc) in enumerate((row.split("\t") for row in rows), 1)
    ]
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "\n".join(lines) + "\n\n"
    path = tmp_path / "x.conllu"
    path.write_text(text, "utf-8")
    corpus = scoref.read(path)
    assert corpus.bridging is not None
    assert [part.start.tolist() for part in corpus.bridging] == [[3, 3], [2, 5]]
    note = f"{path}: ignored 1 bridging link without a mention of the anaphor or of the anchor"
    assert corpus.notes == (note,)


REFUSED: dict[str, tuple[str, Policy, str]] = {
    "no place for bridging": (
        "bridging",
        Policy(),
        "the format of the key does not support bridging",
    ),
    "no support of the others": ("nonreferring", Policy(), "not support non-referring mentions"),
}


@pytest.mark.parametrize(("metric", "policy", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses_what_cannot_be_known(metric: str, policy: Policy, message: str) -> None:
    """Zero is never a fallback."""
    with pytest.raises(UsageError, match=message):
        scoref.score({"d": [[(0, 0)]]}, {"d": [[(0, 0)]]}, [metric], policy)


@pytest.mark.parametrize("policy", [Policy(unit="corpus"), Policy(where="length=1")])
@pytest.mark.parametrize("metric", ["bridging", "nonreferring"])
def test_whole_documents_alone(metric: str, policy: Policy) -> None:
    """Mentions that are in no entity have no unit but their document, and cannot be chosen."""
    key = corpus(ENTITIES, bridging={DOOR: HOUSE}, non_referring=[IT])
    with pytest.raises(UsageError, match="can only be scored in whole documents"):
        scoref.score(key, key, [metric], policy)


def test_a_side_that_says_nothing_is_noted() -> None:
    """Its zero may come from a wrong file."""
    key = corpus(ENTITIES, bridging={DOOR: HOUSE}, non_referring=[])
    result = scoref.score(
        key, corpus(ENTITIES, bridging={}, non_referring=[IT]), ["bridging", "nonreferring"]
    )
    assert "the response has no bridging links" in result.notes
    assert "the key has no non-referring mentions" in result.notes


def test_what_is_given_in_python_must_be_spans() -> None:
    """And of documents that there are."""
    with pytest.raises(UsageError, match="'a' is not a token span"):
        corpus([[HOUSE]], non_referring=["a"])
    with pytest.raises(UsageError, match="unknown document 'x'"):
        Corpus.from_entities({"d": []}, bridging={"x": {}})


EXAMPLE = REPOSITORY / "examples" / "anaphora" / "key.CONLLUA"
CELLS = [
    "(",
    ")",
    "|",
    "=",
    "-Pseudo",
    "MarkableID=",
    "ElementOf=3",
    "m1",
    ",",
    "_",
    "\t",
    "\n",
    "1",
]


@given(data=st.data())
def test_damage_gives_a_message_or_a_score(data: st.DataObject) -> None:
    """Whatever is lost or added anywhere, nothing is worse than a file that is refused."""
    text = EXAMPLE.read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        rubbish = "".join(data.draw(st.lists(st.sampled_from(CELLS), max_size=3)))
        text = text[:at] + rubbish + text[at + data.draw(st.integers(0, 12)) :]
    damaged, problems = read("conllua", text)
    if not problems:
        for policy in (Policy(), Policy(split_antecedents="score")):
            with suppress(ScorefError):
                metrics = ["bridging", "nonreferring", "conll", "blanc"]
                result = scoref.score(scoref.read(EXAMPLE), damaged, metrics, policy)
                assert all(0 <= score.f1 <= 1 for score in result.scores.values())
