"""Minimal spans by MINA: what a parse says, and how mentions match by it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import scoref
from scoref import Corpus, Policy
from scoref.linguistics.minimal import minimal_span
from scoref.linguistics.trees import Node, read_tree
from tests.reference.parses import Grammar, Sentence


def tree_of(parse: str) -> tuple[Node, list[str], list[str]]:
    """Read `(NP the/DT man/NN)`: a tree, its words and its tags."""
    pairs = [word.partition("/") for word in re.findall(r"[^\s()]+/[^\s()]+", parse)]
    cells = re.sub(r"[^\s()]+/[^\s()]+", "*", parse).replace(" ", "")
    tree = read_tree(re.findall(r"[^*]*?\*\)*", cells))
    assert tree is not None
    return tree, [word for word, _, _ in pairs], [tag for *_, tag in pairs]


def minimal(parse: str, start: int = 0, end: int | None = None) -> str:
    """Return the words of a minimal span; by default, of all words."""
    tree, words, tags = tree_of(parse)
    found = minimal_span(tree, words, tags, start, len(words) - 1 if end is None else end)
    return " ".join(words[token] for token in found)


@pytest.mark.parametrize(
    ("parse", "expected"),
    [
        ("(NP the/DT old/JJ man/NN)", "the old man"),
        ("(NP (NP the/DT old/JJ man/NN) (PP of/IN (NP Rome/NNP)))", "the old man"),
        ("(NP the/DT (ADJP very/RB old/JJ) man/NN)", "man"),
        ("(NP (NP Ann/NNP) and/CC (NP Bob/NNP))", "Ann Bob"),
        ("(NP (NP Ann/NNP) and/CC (NP (NP Bob/NNP) (PP of/IN (NP Rome/NNP))))", "Ann Bob"),
        ("(NP (NP (NP Ann/NNP) ,/, (NP a/DT child/NN) ,/,) (SBAR who/WP left/VBD))", "Ann a child"),
        ("(NP (QP about/IN 5/CD million/CD) dollars/NNS)", "dollars"),
        ("(NP (QP about/IN 5/CD million/CD))", "about 5 million"),
        ("(NP that/DT)", "that"),
        ("(NP (ADJP that/DT))", "that"),
        ("(NP (SBAR (WHNP what/WP) (S he/PRP saw/VBD)))", "what he saw"),
        ("(NP ,/, %/NN)", ", %"),
        ("(VP has/VBZ (VP gone/VBN (ADVP home/RB)))", "has"),
        ("(S (NP Ann/NNP) (VP left/VBD))", "Ann"),
        ("(S (VP to/TO (VP leave/VB)))", "to"),
        ("(TOP (S (PP in/IN (NP Rome/NNP)) (VP left/VBD)))", "left"),
        ("(TOP (S (ADVP now/RB) (NP (NP one/CD) (PP of/IN (NP them/PRP)))))", "one"),
        ("(PP of/IN (NP Rome/NNP))", "Rome"),
    ],
)
def test_of_a_constituent(parse: str, expected: str) -> None:
    """The words on the highest level of each part of a coordination."""
    assert minimal(parse) == expected


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ((0, 6), "the old captain"),
        ((0, 2), "the old captain"),
        ((0, 5), "the old captain"),
        ((1, 6), "old captain"),
        ((2, 2), "captain"),
        ((0, 0), "the"),
        ((3, 6), "the good Ann"),
        ((4, 6), "the good Ann"),
        ((2, 4), "captain"),
        ((0, 7), "the old captain"),
        ((6, 7), "Ann"),
    ],
)
def test_of_a_part_of_a_sentence(span: tuple[int, int], expected: str) -> None:
    """The tree is cut to the mention, whether it is a constituent or not."""
    parse = (
        "(TOP (S (NP (NP the/DT old/JJ captain/NN) (PP of/IN (NP the/DT good/JJ Ann/NNP)))"
        " (VP slept/VBD)))"
    )
    assert minimal(parse, *span) == expected


def test_the_place_in_a_sentence_does_not_matter() -> None:
    """In coval it does: brackets that open with a mention count, though they go on behind it."""
    both = "(NP (NP Ann/NNP) and/CC (NP (NP Bob/NNP) (PP of/IN (NP Rome/NNP))))"
    assert minimal(f"(TOP (S {both} (VP left/VBD)))", 0, 4) == "Ann Bob"
    assert minimal(f"(TOP (S (VP left/VBD) {both}))", 1, 5) == "Ann Bob"


def sentences(number: int) -> list[Sentence]:
    """Draw sentences with parses."""
    grammar = Grammar(Random(number))  # noqa: S311  # not a secret
    return [grammar.sentence() for _ in range(60)]


@pytest.mark.parametrize("seed", range(5))
def test_is_a_part_of_the_mention(seed: int) -> None:
    """Of any span, constituent or not."""
    for sentence in sentences(seed):
        words, tags = zip(*sentence.words, strict=True)
        tree = read_tree(sentence.cells)
        assert tree is not None
        for start in range(len(words)):
            for end in range(start, len(words)):
                found = minimal_span(tree, words, tags, start, end)
                assert found == sorted(set(found))
                assert start <= found[0] <= found[-1] <= end


def write(folder: Path, name: str, cells: str) -> Path:
    """Write a sentence with entities."""
    parse = "(TOP(S(NP(NP* * *) (PP* (NP* *))) (VP* (NP*))))"
    parses = re.findall(r"[^*]*?\*\)*", parse.replace(" ", ""))
    words = ["the/DT", "old/JJ", "captain/NN", "of/IN", "the/DT", "ship/NN", "saw/VBD", "her/PRP"]
    lines = [
        f"d 0 {at} {word.partition('/')[0]} {word.partition('/')[2]} {tree} - - - - * {cell}"
        for at, (word, tree, cell) in enumerate(zip(words, parses, cells.split(), strict=True))
    ]
    path = folder / name
    path.write_text("\n".join(["#begin document (d)", *lines, "#end document", ""]), "utf-8")
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """The captain of the ship, and her."""
    return write(tmp_path, "key.conll", "(1 - - - (2 2)|1) - (1)")


def test_min_means_mina_if_the_key_has_parses(key: Path, tmp_path: Path) -> None:
    """A note says so, and the signature, which replays without asking what the key has."""
    response = write(tmp_path, "response.conll", "(1 - 1) - (2 2) - (1)")
    assert scoref.score(key, response)["mentions"].f1 == pytest.approx(2 / 3)
    result = scoref.score(key, response, policy=Policy(match="min"))
    assert all(score.f1 == 1.0 for score in result.scores.values())
    assert result.policy.match == "mina"
    assert "|match:mina|" in result.signature
    assert "the key states no minimal spans: they were computed from parses (mina)" in result.notes
    again = scoref.score(key, response, policy=Policy.like(result.signature))
    assert again.signature == result.signature
    assert not again.notes
    compared = scoref.compare(key, {"r": response}, policy=Policy(match="min"))
    assert compared.results["r"].signature == result.signature


def test_the_parse_of_one_side_serves_both(key: Path, tmp_path: Path) -> None:
    """Here of the response, since the key is a plain Python object."""
    response = write(tmp_path, "response.conll", "(1 - 1) - (2 2) - (1)")
    plain = {"d": [[(0, 5), (7, 7)], [(4, 5)]]}
    for one, other in ((plain, response), (key, plain)):
        result = scoref.score(one, other, policy=Policy(match="mina"))
        assert all(score.f1 == 1.0 for score in result.scores.values())


def test_of_mentions_with_one_minimal_span_the_same_match_first(key: Path, tmp_path: Path) -> None:
    """Then the longest common part; none is matched twice."""
    response = write(tmp_path, "both.conll", "(3|(1 - 3) - (2 2)|1) - (1)")
    result = scoref.score(key, response, policy=Policy(match="mina"))
    assert result["mentions"].recall == 1.0
    assert result["mentions"].precision == 0.75
    assert result["muc"].f1 == 1.0


def test_stated_minimal_spans_come_first(key: Path, tmp_path: Path) -> None:
    """They are what `min` is for; then the response must lie in the key mention."""
    spans: dict[str, list[list[tuple[int, int]]]] = {"d": [[(0, 5), (7, 7)], [(4, 5)]]}
    about = {(0, 5): {"min": (2, 2)}, (7, 7): {"min": (7, 7)}, (4, 5): {"min": (5, 5)}}
    stated = Corpus.from_entities(spans, mentions={"d": about})
    response = write(tmp_path, "response.conll", "- (1 1) - (2 2) - (1)")
    result = scoref.score(stated, response, policy=Policy(match="min"))
    assert result.policy.match == "min"
    assert all(score.f1 == 1.0 for score in result.scores.values())
    computed = scoref.score(key, response, policy=Policy(match="min"))
    assert computed["mentions"].f1 == pytest.approx(2 / 3)  # `old captain` lacks `the`


def test_heads_take_their_place() -> None:
    """Without a parse; a note says so, because `min` is then the same as `partial`."""
    about = {(0, 5): {"head": (2, 2)}, (7, 7): {"head": (7, 7)}}
    plain = Corpus.from_entities({"d": [[(0, 5), (7, 7)]]}, mentions={"d": about})
    result = scoref.score(plain, {"d": [[(1, 2), (7, 7)]]}, policy=Policy(match="min"))
    assert result["muc"].f1 == 1.0
    assert result.policy.match == "min"
    assert "the key states no minimal spans: heads were used instead" in result.notes


def test_a_broken_parse_is_noted(key: Path, tmp_path: Path) -> None:
    """Mentions of that sentence are their own minimal spans."""
    broken = tmp_path / "broken.conll"
    broken.write_text(key.read_text("utf-8").replace("(TOP(S", "(TOP(S("), "utf-8")
    result = scoref.score(broken, broken, policy=Policy(match="mina"))
    assert result["conll"].f1 == 1.0
    assert any("do not match in 1 sentence" in note for note in result.notes)


def test_a_mention_across_sentences_is_its_own_minimal_span(tmp_path: Path) -> None:
    """No tree has all of it."""
    path = tmp_path / "across.conll"
    lines = [f"d 0 {at} w{at} NN (NP*) - - - - * {{}}" for at in range(3)]
    text = "\n".join(["#begin document (d)", lines[0], "", *lines[1:], "#end document", ""])
    path.write_text(text.format("(1", "1)", "(1)"), "utf-8")
    other = tmp_path / "other.conll"
    other.write_text(text.format("(1)", "-", "(1)"), "utf-8")
    assert scoref.score(path, other, ["mentions"], Policy(match="mina"))["mentions"].f1 == 0.5
    assert scoref.score(path, path, ["mentions"], Policy(match="mina"))["mentions"].f1 == 1.0
