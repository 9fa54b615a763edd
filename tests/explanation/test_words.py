"""The words of mentions in an explanation: shown where a file has them, never needed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import scoref
from scoref.explanation.scene import LONGEST, shortened


def write(path: Path, *lines: str) -> Path:
    """Write one document."""
    path.write_text("\n".join(["#begin document (d);", *lines, "#end document", ""]), "utf-8")
    return path


@pytest.fixture
def with_words(tmp_path: Path) -> Path:
    """A key that has a word for each token."""
    words = ["Ann", "saw", "the", "boat", ",", "it"]
    tokens = zip(words, ["(1)", "-", "(2", "2)", "-", "(2)"], strict=True)
    lines = [f"d 0 {at} {word} {cell}" for at, (word, cell) in enumerate(tokens)]
    return write(tmp_path / "words.conll", *lines)


@pytest.fixture
def without_words(tmp_path: Path) -> Path:
    """A response of the same tokens whose file has no words."""
    cells = ["(1)", "-", "-", "(2)", "-", "(2)"]
    return write(tmp_path / "none.conll", *(f"{at} {cell}" for at, cell in enumerate(cells)))


def test_words_of_the_key_serve_both_sides(with_words: Path, without_words: Path) -> None:
    """They have the same tokens."""
    text = str(scoref.explain(with_words, without_words, ["muc"]))
    assert "  K2      2      2  2-3 the boat; 5 it\n" in text
    assert "  R2      2      2  3 boat; 5 it\n" in text
    assert "by their words" in " ".join(text.split())


def test_words_of_the_response_serve_both_sides(with_words: Path, without_words: Path) -> None:
    """Where the key has none."""
    text = str(scoref.explain(without_words, with_words, ["muc"]))
    assert "  K2      2      2  3 boat; 5 it\n" in text


def test_no_words_are_no_error(without_words: Path) -> None:
    """Positions are all there is."""
    text = str(scoref.explain(without_words, without_words, ["muc"]))
    assert "  K2      2      2  3, 5\n" in text
    assert "their words" not in " ".join(text.split())


def test_words_are_left_out_on_request(with_words: Path) -> None:
    """In every output, also of a corpus that was read with them."""
    corpus = scoref.read(with_words, words=True)
    for side in (with_words, corpus):
        explanation = scoref.explain(side, side, ["muc", "b3"], words=False)
        for output in ("text", "markdown", "latex", "json"):
            assert "boat" not in explanation.render(output)
    assert "boat" in str(scoref.explain(corpus, corpus, ["muc"]))


def test_mentions_with_parts_show_the_words_of_their_parts(with_words: Path) -> None:
    """Their tokens are not all those from the first to the last, and an empty node has none."""
    corpus = scoref.read(with_words, words=True)
    nodes = np.where((corpus.start == 2) & (corpus.end == 3), "2 3.1", "")
    corpus = replace(corpus, attributes={**corpus.attributes, "nodes": nodes})
    assert "  K2      2      2  2-3 the; 5 it\n" in str(scoref.explain(corpus, corpus, ["muc"]))


def test_words_change_nothing_but_names(example: Path) -> None:
    """Scores and signature are those without."""
    sides = example / "key.conll", example / "careful.conll"
    metrics = ["b3", "arcs", "lmuc", "ceaf(overlap=dice)"]
    shown, hidden = (scoref.explain(*sides, metrics, words=words) for words in (True, False))
    assert shown.signature == hidden.signature
    assert shown.notes == hidden.notes
    for name in metrics:
        assert shown[name].document == hidden[name].document
        assert shown[name].corpus == hidden[name].corpus


def test_programs_find_position_and_words_apart(with_words: Path) -> None:
    """The position is what stands before the first blank."""
    content = json.loads(scoref.explain(with_words, with_words, ["muc"]).to_json())
    table = content["steps"][1]
    assert "2-3 the boat" in json.dumps(table)


def test_several_documents_have_words_of_their_own(tmp_path: Path) -> None:
    """Also where the sides have their documents in different orders."""
    documents = {
        "one": "#begin document (one);\nx 0 0 Ann (1)\nx 0 1 she (1)\n#end document\n",
        "two": "#begin document (two);\nx 0 0 Bob (1)\nx 0 1 he (1)\n#end document\n",
    }
    bare = [f"#begin document ({name});\n0 (1)\n1 (1)\n#end document\n" for name in documents]
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text("".join(bare), "utf-8")
    response.write_text(documents["two"] + documents["one"], "utf-8")
    assert "0 Bob; 1 he" in str(scoref.explain(key, response, ["muc"], document="two"))
    assert "0 Ann; 1 she" in str(scoref.explain(key, response, ["muc"], document="one"))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("it", "it"),
        ("the old ferry to the island", "the old ferry to the island"),
        ("the old ferry between Lindholm and the island", "the old ferry ... the island"),
        ("Donaudampfschifffahrtsgesellschaftskapitän", "Donaudampfsc...haftskapitän"),
        ("a Donaudampfschifffahrtsgesellschaftskapitän", "a Donaudampf...haftskapitän"),
    ],
)
def test_long_mentions_lose_their_middle(words: str, shown: str) -> None:
    """Whole words from both ends; of one long word, its ends."""
    assert shortened(words) == shown
    assert len(shown) <= LONGEST
