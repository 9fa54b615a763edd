"""Slices: some mentions scored as if the others had never been there."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import Corpus, Policy
from scoref.cli import main
from tests.conftest import REPOSITORY

KEY = {
    "nw/a": [[(0, 1), (3, 3), (9, 9)], [(5, 5)]],
    "nw/b": [[(0, 0), (2, 2)]],
    "bc/c": [[(1, 1)]],
    "bc/d": [],
}
RESPONSE = {
    "nw/a": [[(0, 1), (3, 3)], [(5, 5), (9, 9), (7, 7)]],
    "nw/b": [[(0, 0)]],
    "bc/c": [],
    "bc/d": [],
}
NAMES = {(0, 1), (0, 0)}


def corpus(side: dict[str, list[list[tuple[int, int]]]]) -> Corpus:
    """Make a corpus in which some spans are names and all others pronouns."""
    spans = {span for entities in side.values() for entity in entities for span in entity}
    types = {span: "name" if span in NAMES else "pronoun" for span in spans}
    return Corpus.from_entities(side, types)


def left(where: str) -> tuple[float, float]:
    """Count the key and response mentions of a slice."""
    policy = Policy(where=where)
    totals = scoref.score(corpus(KEY), corpus(RESPONSE), ["mentions"], policy).totals("mentions")
    return totals["recall_den"], totals["precision_den"]


@pytest.mark.parametrize(
    ("where", "mentions"),
    [
        ("all", (7, 6)),
        ("type=name", (2, 2)),
        ("type!=name", (5, 4)),
        ("length=2", (1, 1)),
        ("length<2", (6, 5)),
        ("entity_size=1", (2, 1)),  # (5, 5) and (1, 1) of the key; (5, 5) found
        ("entity_size>=3", (3, 4)),  # the key's first entity, and (7, 7), which it lacks
        ("distance=1", (2, 2)),  # (3, 3) and (2, 2) of the key; (3, 3) found; (7, 7) after (5, 5)
        ("distance>1", (1, 1)),  # (9, 9) comes two mentions after (3, 3)
        ("nested=no", (7, 6)),
        ("genre=nw", (6, 6)),
        ("document=bc/c", (1, 0)),
        ("type=pronoun&length=1&genre=nw", (4, 4)),
    ],
)
def test_what_is_left(where: str, mentions: tuple[int, int]) -> None:
    """On each side."""
    assert left(where) == mentions


def test_a_slice_is_a_corpus_of_its_own() -> None:
    """Pronouns alone: what is left of entities is scored, and the signature says so."""
    result = scoref.score(corpus(KEY), corpus(RESPONSE), policy=Policy(where="type=pronoun"))
    alone_key = {
        "nw/a": [[(3, 3), (9, 9)], [(5, 5)]],
        "nw/b": [[(2, 2)]],
        "bc/c": [[(1, 1)]],
        "bc/d": [],
    }
    alone = {"nw/a": [[(3, 3)], [(5, 5), (9, 9), (7, 7)]], "nw/b": [], "bc/c": [], "bc/d": []}
    expected = scoref.score(alone_key, alone)
    assert result.counts.rows["b3"].tolist() == expected.counts.rows["b3"].tolist()
    assert "|where:type=pronoun|" in result.signature
    assert Policy.like(result.signature).where == "type=pronoun"


def test_results_can_be_sliced() -> None:
    """As often as one likes; the same as by a policy."""
    whole = scoref.score(corpus(KEY), corpus(RESPONSE), ["b3", "lmuc"])
    once = whole.where("type=pronoun")
    twice = once.where("genre=nw")
    policy = Policy(where="type=pronoun&genre=nw")
    at_once = scoref.score(corpus(KEY), corpus(RESPONSE), ["b3", "lmuc"], policy)
    assert twice.signature == at_once.signature
    assert twice.to_csv() == at_once.to_csv()
    assert whole.where().to_csv() == whole.to_csv()


def test_types_that_were_not_read() -> None:
    """The hint helps: the files are scored again, with types."""
    ferry = REPOSITORY / "examples" / "ferry"
    key, response = ferry / "key.conll", ferry / "careful.conll"
    with pytest.raises(scoref.ScorefError) as error:
        scoref.score(key, response, ["b3"]).where("type=pronoun")
    assert 'where="type=pronoun"' in error.value.hint
    assert scoref.score(key, response, ["b3"], where="type=pronoun")["b3"].f1 > 0


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("type", "must be one of: all, FIELD=VALUE"),
        ("mood=good", "unknown field 'mood'"),
        ("type>name", "can only be compared with"),
        ("type=noun", "unknown mention type 'noun'"),
        ("length=long", "'long' is not a number"),
        ("document_length>3", "the lengths of documents are not known"),
    ],
)
def test_what_is_refused(where: str, message: str) -> None:
    """With what can be asked for."""
    with pytest.raises(scoref.ScorefError, match=message):
        left(where)


def test_the_command_line_repeats_conditions(
    capsys: pytest.CaptureFixture[str], example: Path
) -> None:
    """And tells how many mentions they hold for."""
    files = [str(example / "key.conll"), str(example / "careful.conll")]
    where = ["--where", "type=pronoun", "--where", "entity_size>2"]
    assert main(["score", *files, *where, "-m", "b3"]) == 0
    out, err = capsys.readouterr()
    assert "|where:type=pronoun&entity_size>2|" in out
    assert "mentions of either side where type=pronoun&entity_size>2" in err
