"""Counting as corefud-scorer 1.2 does: what it does by hand, and what it printed of real files.

Agreement with the program itself, where it is found, is in tests/reference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import scoref
from scoref import Policy
from scoref.analysis.stress import stress
from scoref.exceptions import UsageError
from tests.sampled import sampled

COMPAT = Policy(compat="corefud-1.2")


def score(key: list[list[int]], response: list[list[int]], policy: Policy) -> scoref.Result:
    """Score entities of one-token mentions, named by their tokens."""
    ours, theirs = (
        {"d": [[(token, token) for token in entity] for entity in side]} for side in (key, response)
    )
    return scoref.score(ours, theirs, policy=policy)


KEY = [[0, 1], [2, 3]]
RESPONSE = [[0, 1, 2], [2, 3]]


class TestRepeatedMentions:
    """A mention of two entities is counted in both."""

    def test_recall_finds_the_last_entity_and_precision_counts_all(self) -> None:
        """Mention 2 is found in the second entity only, but divides in both."""
        result = score(KEY, RESPONSE, COMPAT)
        assert result["muc"].recall == 1
        assert result["muc"].precision == pytest.approx(2 / 3)
        assert result["b3"].recall == 1
        assert result["b3"].precision == pytest.approx((4 / 3 + 1 / 3 + 2) / 5)
        assert result["lea"].precision == pytest.approx((3 * 1 / 3 + 2) / 5)

    def test_ceaf_sees_it_in_both(self) -> None:
        """An entity of the key shares it with each."""
        result = score([[0, 2], [3]], [[0, 2], [1, 2]], COMPAT)
        assert result["ceafm"].recall == pytest.approx(2 / 3)
        result = score([[2, 3], [0]], [[2, 3], [0, 2]], COMPAT)
        assert result["ceafm"].recall == pytest.approx(1)
        assert result["ceafm"].precision == pytest.approx(3 / 4)

    def test_links_of_the_key_can_be_found_more_often_than_they_are_there(self) -> None:
        """Precision above 100 % is that scorer's answer to a key that repeats mentions."""
        result = score([[0, 1], [0, 1], [2]], [[0, 1], [2]], COMPAT)
        assert result.totals("blanc")["cc"] == 2
        assert result.totals("blanc")["cr"] == 1

    def test_a_note_says_how_many(self) -> None:
        """It is why scores differ from those without compat, where the first is kept."""
        result = score(KEY, RESPONSE, COMPAT)
        (note,) = [note for note in result.notes if "more than one entity" in note]
        assert "the response has 1 mention in more than one entity" in note
        assert score(KEY, RESPONSE, Policy())["muc"].precision == pytest.approx(1 / 2)
        assert score(KEY, RESPONSE, Policy())["b3"].recall < 1

    def test_twice_in_one_entity_is_once(self) -> None:
        """Also there; and it may so become a singleton."""
        policy = Policy(singletons="drop", compat="corefud-1.2")
        result = score([[0, 0], [1, 2]], [[1, 2]], policy)
        assert result.key.duplicates_dropped == 1
        assert result.key.singletons_dropped == 1
        assert result["b3"].f1 == 1

    def test_without_them_scores_are_the_same(self, example: Path) -> None:
        """And a note says that nothing was found that could change them."""
        files = example / "key.conll", example / "careful.conll"
        with_compat, without = scoref.score(*files, policy=COMPAT), scoref.score(*files)
        assert with_compat.scores["conll"].f1 == without.scores["conll"].f1
        assert any("no mention is in two entities" in note for note in with_compat.notes)


def corefud(folder: Path, name: str, zeros: list[tuple[str, str]]) -> Path:
    """Write a sentence of one word and some empty nodes, the zeros of an entity with the word."""
    lines = [
        "# newdoc id = d",
        "# global.Entity = eid-etype-head-other",
        "# sent_id = s",
        "1\tsaw\t_\t_\t_\t_\t0\troot\t_\t_",
    ]
    for number, (relation, entity) in enumerate(zeros, 1):
        lines.append(f"1.{number}\t_\t_\t_\t_\t_\t_\t_\t1:{relation}\tEntity=({entity}--1-)")
    lines += ["", "# sent_id = t"]
    for word, entity in enumerate("ab", 1):
        lines.append(f"{word}\t{entity}\t_\t_\t_\t_\t0\troot\t_\tEntity=({entity}--1-)")
    path = folder / name
    path.write_text("\n".join([*lines, "", ""]), encoding="utf-8")
    return path


class TestZeros:
    """One spurious zero before two right ones: their matches overwrite each other there."""

    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[Path, Path]:
        """Zeros 1.1 and 1.2 of the key are 1.2 and 1.3 of the response."""
        key = corefud(tmp_path, "key.conllu", [("nsubj", "a"), ("obj", "b")])
        zeros = [("iobj", "c"), ("nsubj", "a"), ("obj", "b")]
        return key, corefud(tmp_path, "response.conllu", zeros)

    def test_each_match_stays_what_it_is(self, files: tuple[Path, Path]) -> None:
        """By default."""
        result = scoref.score(*files, ["muc", "b3"], Policy(match="head"))
        assert result["muc"].recall == result["b3"].recall == 1
        assert result["b3"].precision == pytest.approx(4 / 5)

    def test_they_overwrite_each_other(self, files: tuple[Path, Path]) -> None:
        """With compat, and a note says so.

        Of 1.1 -> 1.2, 1.2 -> 1.3, 1.2 -> 1.1 and 1.3 -> 1.2 the third replaces the second: the
        key's 1.2 leads to the response's 1.1, which is spurious.
        """
        policy = Policy(match="head", compat="corefud-1.2")
        result = scoref.score(*files, ["muc", "b3", "zero"], policy)
        assert result["muc"].recall == pytest.approx(1 / 2)
        assert result["b3"].recall == pytest.approx((2 + 1) / 4)
        assert any("overwrite each other" in note for note in result.notes)

    def test_zeros_that_change_places_are_noted(self, tmp_path: Path) -> None:
        """Each of two zeros matches the other: nothing is overwritten, but `zero` compares places.

        So its score is another one, which the note must not rule out.
        """
        key = corefud(tmp_path, "key.conllu", [("nsubj", "a"), ("iobj", "a")])
        response = corefud(tmp_path, "response.conllu", [("iobj", "a"), ("nsubj", "a")])
        there, here = (
            scoref.score(key, response, ["muc", "zero"], Policy(match="head", compat=name))
            for name in ("corefud-1.2", "none")
        )
        assert here["muc"] == there["muc"]
        assert (here["zero"].f1, there["zero"].f1) == (0, 1)
        assert any("`zero` compares" in note for note in there.notes)
        assert not any("no match overwrites" in note for note in there.notes)

    def test_by_their_places_nothing_is_overwritten(self, files: tuple[Path, Path]) -> None:
        """They are then matched like other mentions."""
        policy = Policy(match="head", zeros="linear", compat="corefud-1.2")
        ours = Policy(match="head", zeros="linear")
        for metric in ("muc", "b3", "zero"):
            assert scoref.score(*files, [metric], policy)[metric] == pytest.approx(
                tuple(scoref.score(*files, [metric], ours)[metric])
            )


def test_a_zero_without_a_stated_head_is_a_zero(tmp_path: Path) -> None:
    """The only token of a mention is its head."""
    path = corefud(tmp_path, "key.conllu", [("nsubj", "a")])
    path.write_text(path.read_text("utf-8").replace("--1-)", ")"), encoding="utf-8")
    assert scoref.read(path).attributes["zero"].tolist() == ["0.1", "", ""]


def test_a_mention_without_a_head_has_its_first_token() -> None:
    """As udapi reads it; others here would ask for dependencies."""
    key = {"d": [[(0, 2), (5, 5)]]}
    response = {"d": [[(0, 1), (5, 5)]]}
    policy = Policy(match="head", compat="corefud-1.2")
    result = scoref.score(key, response, ["muc"], policy)
    assert result["muc"].f1 == 1
    assert any("2 mentions of the key without a head" in note for note in result.notes)


def test_mentions_must_be_spans() -> None:
    """There are no tokens to compare otherwise."""
    with pytest.raises(UsageError, match="the mentions of the key are not spans"):
        scoref.score({"d": [["a", "b"]]}, {"d": [["a", "b"]]}, policy=COMPAT)


def test_an_empty_response_scores_zero() -> None:
    """With heads or without."""
    for match in ("exact", "head", "partial"):
        policy = Policy(match=match, compat="corefud-1.2")
        assert scoref.score({"d": [[(0, 0), (1, 1)]]}, {"d": []}, policy=policy)["conll"].f1 == 0


def test_blanc_counts_what_either_side_has() -> None:
    """A key of one entity has no links between entities, but a response that has some loses."""
    assert score([[0, 1, 2]], [[0, 1], [2]], Policy())["blanc"].f1 == pytest.approx(1 / 2)
    assert score([[0, 1, 2]], [[0, 1], [2]], COMPAT)["blanc"].f1 == pytest.approx(1 / 4)


@pytest.mark.parametrize("metric", ["ceaf(phi=1)", "lea(importance=uniform)"])
def test_other_metrics_are_refused(metric: str) -> None:
    """With those that there are."""
    side = {"d": [[(0, 0), (1, 1)]]}
    with pytest.raises(UsageError, match="the scorer does not have this metric") as error:
        scoref.score(side, side, [metric], COMPAT)
    assert "muc" in error.value.hint


def test_the_scores_survive_a_counts_file_and_an_accumulator(tmp_path: Path) -> None:
    """BLANC's rule for absent links goes with them."""
    key, response = {"d": [[(0, 0), (1, 1), (2, 2)]]}, {"d": [[(0, 0), (1, 1)], [(2, 2)]]}
    result = scoref.score(key, response, policy=COMPAT)
    result.save_counts(tmp_path / "x.counts.json")
    again = scoref.score(key, tmp_path / "x.counts.json", policy=COMPAT)
    assert again["blanc"] == result["blanc"]
    accumulator = scoref.Accumulator(["blanc", "conll"], COMPAT)
    accumulator.add(key["d"], response["d"])
    assert accumulator["blanc"] == result["blanc"]
    assert accumulator["conll"].f1 == result["conll"].f1


def test_what_looks_closer_refuses(example: Path) -> None:
    """An error analysis of other counts than the score's would mislead."""
    files = str(example / "key.conll"), str(example / "careful.conll")
    for look in (scoref.explain, scoref.errors, stress):
        with pytest.raises(UsageError, match=r"with compat corefud-1\.2"):
            look(*files, policy=COMPAT)
    with pytest.raises(UsageError, match="cannot be combined with where"):
        scoref.score(*files, policy=COMPAT).where("length=1")


def test_documents_are_paired_by_name() -> None:
    """Whatever their order; one that the response lacks is empty."""
    key = {"a": [[(0, 0), (1, 1)]], "b": [[(5, 5), (6, 6)]], "c": [[(0, 0), (1, 1)]]}
    response = {"b": [[(5, 5), (6, 6)]], "a": [[(0, 0), (1, 1)]]}
    result = scoref.score(key, response, policy=COMPAT)
    assert tuple(result["muc"]) == pytest.approx((2 / 3, 1, 0.8))
    assert result.documents["c"]["muc"].recall == 0


# What corefud-scorer 1.2 prints of a pair whose response has 27 mentions in two entities: recall
# and precision of muc, b3, ceafe, ceafm, blanc, lea and mor.
PRINTED = {
    ("head", "drop"): "47.25 71.17 35.14 64.77 38.56 48.35 42.45 60.89 37.24 66.47 30.43 57.93",
    ("head", "keep"): "47.13 70.99 25.73 69.81 12.72 62.14 27.09 66.12 27.77 76.55 17.80 57.66",
    ("partial", "drop"): "45.44 68.45 33.56 61.61 37.01 46.41 41.17 59.05 35.41 63.13 28.85 54.56",
    ("partial", "keep"): "45.40 68.40 24.33 66.24 12.15 59.37 26.24 64.06 26.62 72.02 16.91 54.47",
    ("exact", "drop"): "44.31 66.75 32.58 59.71 35.87 44.97 40.41 57.96 34.54 61.52 27.86 52.60",
    ("exact", "keep"): "44.31 66.75 23.49 64.13 11.75 57.44 25.73 62.82 26.11 69.81 16.37 52.60",
}
OVERLAP = {"drop": "45.86 69.22", "keep": "28.20 88.21"}


@pytest.mark.parametrize("choices", sampled(PRINTED, every=3))
def test_gum(data: Path, choices: tuple[str, str]) -> None:
    """To all digits that it prints."""
    match, singletons = choices
    files = data / "gum" / "gum.key.conllu", data / "gum" / "xrenner.response.conllu"
    policy = Policy(match=match, singletons=singletons, compat="corefud-1.2")  # type: ignore[arg-type]
    names = ["muc", "b3", "ceafe", "ceafm", "blanc", "lea", "mor"]
    result = scoref.score(*files, names, policy)
    ours = [f"{100 * side:.2f}" for name in names for side in result[name][:2]]
    assert " ".join(ours) == f"{PRINTED[match, singletons]} {OVERLAP[singletons]}"
    assert any("the response has 27 mentions in more than one entity" in n for n in result.notes)
