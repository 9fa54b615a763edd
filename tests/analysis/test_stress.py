"""Changes that certainly make a response better or worse."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

import scoref
from scoref.analysis.stress import CHANGES, stress
from scoref.cli import main
from scoref.matching.pipeline import prepare
from scoref.matching.requirements import Requirements
from scoref.policy import Policy
from tests.conftest import REPOSITORY
from tests.strategies import Pair, Partition, pairs

CASES = {
    case["id"]: case
    for case in json.loads((REPOSITORY / "tests" / "cases" / "seed_cases.json").read_text("utf-8"))[
        "cases"
    ]
    if case["id"].startswith("transform-")
}
CHANGE_OF = {
    "transform-base": "response",
    "transform-more_precise": "more precise",
    "transform-less_precise_a": "less precise a",
    "transform-less_precise_b_literal": "less precise b, literal",
    "transform-less_precise_b_strict": "less precise b, strict",
}


def changed(key: Partition, response: Partition, change: str) -> set[frozenset[str]]:
    """Return the entities of a changed response."""
    alignment = prepare({"d": key}, {"d": response}, Requirements(Policy())).alignment
    after = replace(alignment, res=CHANGES[change][1](alignment))
    assert after.key_corpus is not None
    assert after.res_corpus is not None
    entities: dict[int, set[str]] = {}
    for key_row, res_row, res in zip(after.key_row, after.res_row, after.res, strict=True):
        corpus, row = (after.key_corpus, key_row) if key_row >= 0 else (after.res_corpus, res_row)
        if res >= 0:
            entities.setdefault(int(res), set()).add(str(corpus.mention(int(row))))
    return {frozenset(entity) for entity in entities.values()}


@pytest.mark.parametrize("case", CASES.values(), ids=lambda case: case["id"])
def test_the_worked_example(case: dict[str, object]) -> None:
    """METRICS 7: the changed responses, and with them the scores of `test_published_cases`."""
    base = CASES["transform-base"]
    found = changed(base["key"], base["response"], CHANGE_OF[str(case["id"])])
    assert found == {frozenset(entity) for entity in case["response"]}  # type: ignore[attr-defined]


def slow_pairs(missing: list[str], entity: dict[str, int]) -> set[frozenset[str]]:
    """Pair each mention with the first later unused one of another entity, as the paper says."""
    used: set[str] = set()
    found = set()
    for at, one in enumerate(missing):
        others = (m for m in missing[at + 1 :] if m not in used and entity[m] != entity[one])
        other = None if one in used else next(others, None)
        if other is not None:
            used |= {one, other}
            found.add(frozenset({one, other}))
    return found


def slow_entities(
    missing: list[str], entity: dict[str, int], *, strict: bool
) -> set[frozenset[str]]:
    """Take the first mention and others that do not corefer with it, again and again."""
    found = set()
    left = list(missing)
    while left:
        first = left[0]
        together, seen = [first], {entity[first]}
        for mention in left[1:]:
            if entity[mention] != entity[first] and (not strict or entity[mention] not in seen):
                together.append(mention)
                seen.add(entity[mention])
        if len(together) > 1:
            found.add(frozenset(together))
            left = [m for m in left if m not in together]
        else:
            left = left[1:]
    return found


@given(pairs())
def test_what_is_added_is_what_the_paper_describes(pair: Pair) -> None:
    """In the alphabetical order of mentions."""
    key, response = pair
    entity = {mention: at for at, mentions in enumerate(key) for mention in mentions}
    there = {mention for mentions in response for mention in mentions}
    missing = sorted(entity.keys() - there)
    before = {frozenset(mentions) for mentions in response}
    for change, added in (
        ("less precise a", slow_pairs(missing, entity)),
        ("less precise b, literal", slow_entities(missing, entity, strict=False)),
        ("less precise b, strict", slow_entities(missing, entity, strict=True)),
    ):
        assert changed(key, response, change) == before | added, change


@given(pairs())
def test_more_precise_takes_out_wrong_mentions_only(pair: Pair) -> None:
    """Those that share their response entity with no other mention of their key entity."""
    key, response = pair
    entity = {mention: frozenset(mentions) for mentions in key for mention in mentions}
    expected = set()
    for mentions in response:
        kept = frozenset(
            m
            for m in mentions
            if m not in entity or len(mentions) == 1 or len(entity[m] & set(mentions)) > 1
        )
        expected |= {kept} if kept else set()
    assert changed(key, response, "more precise") == expected


@given(pairs())
def test_recall_of_links_stays(pair: Pair) -> None:
    """No right link goes with `more precise`, and none comes with `a` and strict `b`."""
    result = stress({"d": pair[0]}, {"d": pair[1]}, ["muc", "lea"])
    base = result.reactions[0].scores
    singletons = any(len(entity) == 1 for side in pair for entity in side)
    for reaction in result.reactions:
        if reaction.better is not None:
            assert reaction.scores["muc"].recall == pytest.approx(base["muc"].recall)
            if not singletons:  # a right mention left alone can equal a key singleton
                assert reaction.scores["lea"].recall == pytest.approx(base["lea"].recall)


def test_verdicts() -> None:
    """Moosavi & Strube 2016: B3, CEAFe and BLANC reward mentions that are linked wrongly."""
    base = CASES["transform-base"]
    verdicts = stress({"d": base["key"]}, {"d": base["response"]}).verdicts()
    wrong = {metric for change, metric, _ in verdicts if change == "less precise a"}
    assert wrong == {"b3", "ceafm", "ceafe", "blanc", "conll"}
    assert not {"muc", "lea", "mentions"} & {metric for _, metric, _ in verdicts}


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "csv", "json"])
def test_the_command(example: Path, capsys: pytest.CaptureFixture[str], output: str) -> None:
    """In every output, with the signature where there is room for one."""
    files = [str(example / "key.conll"), str(example / "baseline.conll")]
    assert main(["stress", *files, "--to", output]) == 0
    shown = capsys.readouterr().out
    assert "less precise b, strict" in shown
    if output == "json":
        content = json.loads(shown)
        assert content["f1"]["the key"]["lea"] == 1
        assert content["signature"] == scoref.score(*files).signature  # type: ignore[arg-type]
    elif output == "text":
        assert "! b3 changes by +3.15 for 'less precise a'" in shown
