"""Chunks whose words differ from their text: placed word by word, or refused with the place."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import scoref
from scoref import Corpus
from scoref.exceptions import TextError
from tests.analysis.test_stitching import SENTENCES, as_corpora, chunk, chunks_of, whole


def test_another_tokenisation() -> None:
    """A token in two parts, two tokens in one, and a word that is another."""
    sentences = [["We", "don't", "know", "Ada", "."], ["She", "can", "not", "see", "us", "."]]
    text = {"doc_key": "b", "sentences": sentences, "clusters": []}
    words = [["We", "do", "n't", "know", "Ada", "."], ["She", "cannot", "see", "them", "."]]
    clusters = [[[0, 0], [9, 9]], [[4, 4], [6, 6]], [[1, 2], [7, 8]]]
    found = scoref.stitch([text], [chunk("b/1", words, clusters)])
    assert found.entities()["b"] == [[(0, 0), (9, 9)], [(1, 1), (6, 8)], [(3, 3), (5, 5)]]
    assert "aligned 1 chunk, of which 1 word differs from key, such as `them` in b/1" in (
        found.notes
    )


def test_a_mention_without_words_in_the_text_is_left_out() -> None:
    """With a note."""
    words = [*SENTENCES[0], "Indeed", *SENTENCES[1], *SENTENCES[2]]
    rows = [chunk("keeper", [words], [[[0, 0], [5, 5]], [[5, 6]]])]
    found = scoref.stitch(whole(), rows)
    assert found.entities()["keeper"] == [[(0, 0)], [(5, 5)]]
    assert any("left out 1 mention whose words are not in" in note for note in found.notes)


def test_a_named_sentence_is_where_the_chunk_begins() -> None:
    """Words may differ, but the chunk cannot begin elsewhere."""
    words = [[*SENTENCES[1][:2], "that", "."], SENTENCES[2], SENTENCES[3]]
    found = scoref.stitch(whole(), [chunk("keeper_S1", words, [[[0, 0], [2, 2]]])])
    assert found.entities()["keeper"] == [[(5, 5), (7, 7)]]
    assert (
        found.notes[0] == "placed 1 chunk in 1 text: 1 by the sentence in their names, 0 by words"
    )
    with pytest.raises(TextError, match="found `She` as token 0, expected `Rook` as token 9"):
        scoref.stitch(whole(), [chunk("keeper_S2", words, [[[0, 0]]])])


def test_words_of_another_text_are_refused() -> None:
    """At the first word that is not there."""
    words = ["Ada", "kept", "a", "boat", ",", "and", "he", "hated", "it"]
    with pytest.raises(TextError, match="found `a` as token 2 after `Ada kept`"):
        scoref.stitch(whole(), [chunk("keeper", [words], [[[0, 0]]])])
    books = scoref.read(
        [{"doc_key": name, "sentences": SENTENCES, "clusters": [[[0, 0]]]} for name in "ab"],
        words=True,
    )
    with pytest.raises(TextError, match="80 % of its words must be in the text of its name"):
        scoref.stitch(books, [chunk("c", [[*SENTENCES[0], "x"]], [[[0, 0]]])])


@pytest.mark.parametrize("named", [True, False])
def test_a_book_with_other_words(data: Path, *, named: bool) -> None:
    """Words of chunks are changed at random: mentions of other words stay where they are."""
    key = scoref.read(data / "openboek" / "titaantjes.gold.conll", words=["word"])
    rng = random.Random(7)  # noqa: S311
    rows = chunks_of(key, 100, 100, named=named)
    for row in rows:
        row["sentences"] = [
            [word.upper() + "x" if rng.random() < 0.02 else word for word in sentence]
            for sentence in row["sentences"]
        ]
    stitched = scoref.stitch(key, as_corpora(rows), join="ids")
    assert any(note.startswith("aligned") for note in stitched.notes)
    result = scoref.score(key, stitched, ["mentions", "conll"])
    assert result["mentions"].f1 > 0.99
    assert result["conll"].f1 > 0.99


def corpus_with(name: str, sentences: list[list[str]], **stated: Any) -> Corpus:
    """Return a chunk of which the one mention states something."""
    builder = scoref.CorpusBuilder(name, text=True)
    document = builder.document(name, sum(map(len, sentences)))
    for sentence in sentences:
        builder.sentence(word=sentence)
    entity = builder.entity(document, "1", type="PER")
    builder.mention(document, (0, 1), entity, **stated)
    return builder.corpus()


def test_what_all_chunks_state_is_kept() -> None:
    """Types and heads, at their places in the text; or a note."""
    one = corpus_with("keeper_S0", SENTENCES[:2], type="name", head_start=0, head_end=0)
    other = corpus_with("keeper_S2", SENTENCES[2:], type="nominal", head_start=1, head_end=1)
    found = scoref.stitch(whole(), [one, other])
    assert found.attributes["type"].tolist() == ["name", "nominal"]
    assert found.attributes["head_start"].tolist() == [0, 10]
    assert found.entity_attributes["type"].tolist() == ["PER", "PER"]
    assert not any("not kept" in note for note in found.notes)
    other = corpus_with("keeper_S2", SENTENCES[2:], type="nominal")
    found = scoref.stitch(whole(), [one, other])
    assert found.attributes["type"].tolist() == ["name", "nominal"]
    assert "head_start" not in found.attributes
    assert "not kept, since some chunks do not state them: heads" in found.notes


def test_what_joined_entities_disagree_about() -> None:
    """The first value is kept, with a note."""
    one = corpus_with("keeper_S0", SENTENCES[:2])
    other = corpus_with("keeper_S2", SENTENCES[2:])
    other.entity_attributes["type"][0] = "LOC"
    found = scoref.stitch(whole(), [one, other], join="ids")
    assert found.entity_attributes["type"].tolist() == ["PER"]
    assert any("1 joined entity with different values of type" in note for note in found.notes)


def test_links_are_not_kept() -> None:
    """Bridging and split antecedents: a note."""
    one = corpus_with("keeper_S0", SENTENCES, element_of="3")
    assert "not kept, since they do not fit other chunks: element of" in (
        scoref.stitch(whole(), one).notes
    )


def test_chunks_in_any_order(data: Path) -> None:
    """Chunks without names, whose words differ, are near the words that the text has only once."""
    key = scoref.read(data / "openboek" / "titaantjes.gold.conll", words=["word"])
    rows = chunks_of(key, 60, 60, named=False)
    for row in rows:
        row["sentences"][2] = [*row["sentences"][2][:-1], "changed"]
    stitched = scoref.stitch(key, as_corpora(rows[::-1]), join="ids")
    assert scoref.score(key, stitched, ["conll"])["conll"].f1 > 0.97
