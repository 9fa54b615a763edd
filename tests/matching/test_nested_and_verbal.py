"""Nested mentions and verb phrases are dropped as coval drops them, and the counts say so."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Policy
from scoref.cli import main
from scoref.exceptions import UsageError

KEY = [[(0, 5), (1, 1), (8, 8)], [(10, 14), (12, 14)], [(20, 29), (21, 25), (22, 22)], [(13, 13)]]
"""One nested mention of three; one of two; one inside another; a singleton in another entity."""


@pytest.mark.parametrize(
    ("singletons", "kept"),
    [
        ("keep", [[(0, 5), (8, 8)], [(10, 14), (12, 14)], [(20, 29)], [(13, 13)]]),
        ("drop", [[(0, 5), (8, 8)], [(20, 29)]]),
    ],
)
def test_nested_mentions(
    singletons: Literal["keep", "drop"], kept: list[list[tuple[int, int]]]
) -> None:
    """An entity that would keep one mention stays whole, or goes with the singletons.

    The third entity is coval's exception: its innermost mention counts twice, so that coval
    expects none to remain, and one does.
    """
    policy = Policy(nested="drop", singletons=singletons)
    result = scoref.score({"d": kept}, {"d": KEY}, policy=Policy(singletons="keep"))
    dropped = scoref.score({"d": KEY}, {"d": KEY}, policy=policy)
    assert dropped.totals("mentions")["recall_den"] == result.totals("mentions")["recall_den"]
    assert dropped.totals("ceafe")["recall_den"] == len(kept)
    assert dropped.key.others_dropped == 8 + (singletons == "keep") - sum(map(len, kept))
    assert "|nested:drop|" in dropped.signature


Span = tuple[int, int]
spans = st.tuples(st.integers(0, 9), st.integers(0, 6)).map(lambda one: (one[0], sum(one)))


def slowly_without_nested(entities: list[list[Span]], *, keep: bool) -> list[list[Span]]:
    """Apply the rule as the manual has it, pair by pair."""
    found = []
    for entity in entities if keep else [one for one in entities if len(one) > 1]:
        inside = [
            one
            for one, other in permutations(entity, 2)
            if other[0] <= one[0] and one[1] <= other[1]
        ]
        if len(entity) > 1 and len(entity) - len(inside) == 1:
            found += [entity] if keep else []
        else:
            found.append([one for one in entity if one not in inside])
    return found


@given(st.lists(spans, unique=True, max_size=12), st.data(), st.sampled_from(["keep", "drop"]))
def test_the_rule_of_nested_mentions(
    mentions: list[Span], data: st.DataObject, singletons: Literal["keep", "drop"]
) -> None:
    """Each side separately, whatever is inside what."""
    labels = data.draw(st.lists(st.integers(0, 3), min_size=12, max_size=12))
    labelled = list(zip(mentions, labels, strict=False))
    entities = [[m for m, one in labelled if one == label] for label in {*labels}]
    key = [one for one in entities if one]
    policy = Policy(nested="drop", singletons=singletons)
    counted = scoref.score({"d": key}, {"d": key}, ["mentions", "b3", "lea"], policy)
    kept = slowly_without_nested(key, keep=singletons == "keep")
    expected = scoref.score({"d": kept}, {"d": kept}, ["mentions", "b3", "lea"])
    for metric in counted:
        assert counted.totals(metric) == expected.totals(metric)


def test_units_must_be_documents() -> None:
    """The documents of a corpus have no common positions."""
    with pytest.raises(UsageError, match="nested drop cannot be combined with unit corpus"):
        Policy(nested="drop", unit="corpus")


def test_slices_by_nesting() -> None:
    """A condition looks at the key, or at the response if the key lacks the mention."""
    response = [[(0, 5), (1, 1)], [(30, 39), (31, 31)]]
    found = scoref.score({"d": KEY}, {"d": response}, ["mentions"], Policy(where="nested=yes"))
    assert tuple(found.totals("mentions").values()) == (1, 4, 1, 2)
    with pytest.raises(UsageError, match="'maybe' is not yes or no"):
        scoref.score({"d": KEY}, {"d": response}, policy=Policy(where="nested=maybe"))


def test_mentions_must_be_spans() -> None:
    """Labels have no inside."""
    with pytest.raises(UsageError, match="nested mentions require mentions that are token spans"):
        scoref.score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, policy=Policy(nested="drop"))


LINES = """\
#begin document (d); part 000
d 0 0 Sales NNS (TOP(S(NP*) - - - - * (1)
d 0 1 grew VBD (VP* - - - - * (2)
d 0 2 . . *))) - - - - * -

d 0 0 The DT (TOP(S(NP* - - - - * (2
d 0 1 growth NN *) - - - - * 2)
d 0 2 slowed VBD (VP*) - - - - * (3)
d 0 3 it PRP (NP*))) - - - - * (1)
#end document
"""


@pytest.fixture
def parsed(tmp_path: Path) -> str:
    """A key with events, in CoNLL columns with parses."""
    path = tmp_path / "key.conll"
    path.write_text(LINES, encoding="utf-8")
    return str(path)


def test_verb_phrases(parsed: str) -> None:
    """The verb goes, and with it the entity that has one more mention; so does its singleton."""
    result = scoref.score(parsed, parsed, policy=Policy(verb_phrases="drop"))
    assert result.key.others_dropped == 3
    assert result.totals("ceafe")["recall_den"] == 1


def test_verb_phrases_require_parses(parsed: str) -> None:
    """Nothing is dropped silently where they are not known."""
    key = {"d": [[(0, 0), (1, 1)]]}
    with pytest.raises(UsageError, match="the files have no words with parses"):
        scoref.score(key, key, policy=Policy(verb_phrases="drop"))
    with pytest.raises(UsageError, match="verb_phrases drop is not available here"):
        scoref.agreement({"a": parsed, "b": parsed}, policy=Policy(verb_phrases="drop"))


def test_counts_files_state_what_was_dropped(
    parsed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are read back, and compared with the key."""
    path = str(tmp_path / "x.counts.json")
    assert main(["count", parsed, parsed, "--verb-phrases", "drop", "-o", path]) == 0
    assert main(["score", parsed, path, "--verb-phrases", "drop"]) == 0
    shown = capsys.readouterr().out
    assert "nested mentions and verb phrases dropped: 3 from the key, 3 from the response" in shown
