"""Stitching: a stitched key is the key, published figures, and what a user is told."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.cli import main
from scoref.exceptions import MentionError, TextError, UsageError

WORDS = [
    "Ada",
    "kept",
    "the",
    "lamp",
    ".",
    "She",
    "liked",
    "it",
    ".",
    "Rook",
    "visited",
    "the",
    "keeper",
    ".",
    "He",
    "saw",
    "Ada",
    ".",
    "It",
    "broke",
    ".",
]
SENTENCES = [WORDS[:5], WORDS[5:9], WORDS[9:14], WORDS[14:18], WORDS[18:]]
WHOLE = {"doc_key": "keeper", "sentences": SENTENCES, "clusters": [[[0, 0]]]}
Row = dict[str, Any]


def chunk(name: str, sentences: list[list[str]], clusters: list[list[list[int]]]) -> Row:
    """Return a chunk as a system predicts it."""
    return {"doc_key": name, "sentences": sentences, "clusters": clusters}


def whole() -> Corpus:
    """Return the words of the book."""
    return scoref.read([WHOLE], words=True)


def chunks_of(corpus: Corpus, size: int, step: int, *, named: bool) -> list[Row]:
    """Cut texts into chunks of sentences, with the mentions inside and their ids."""
    found = []
    text = corpus.text
    assert text is not None
    for at, document in enumerate(corpus.documents):
        begin, end = int(text.first[at]), int(text.first[at + 1])
        starts = [*np.flatnonzero(text.starts_sentence[begin:end]).tolist(), end - begin]
        rows = np.flatnonzero(corpus.document == at)
        for first in range(0, max(1, len(starts) - 1 - size + step), step):
            low, high = starts[first], starts[min(first + size, len(starts) - 1)]
            inside = rows[(corpus.start[rows] >= low) & (corpus.end[rows] < high)]
            clusters: dict[str, list[list[int]]] = {}
            for row in inside.tolist():
                span = [int(corpus.start[row]) - low, int(corpus.end[row]) - low]
                clusters.setdefault(str(corpus.entity_names[corpus.entity[row]]), []).append(span)
            found.append(
                {
                    "doc_key": f"{document.name}_split9_S{first}" if named else document.name,
                    "offsets": "token-inclusive",
                    "sentences": [
                        list(text.columns["word"][begin + a : begin + b])
                        for a, b in pairwise(starts[first : first + size + 1])
                    ],
                    "clusters": clusters,
                }
            )
    return found


def as_corpora(rows: list[Row]) -> list[Corpus]:
    """Read each chunk, with the ids of its entities."""
    found = []
    for row in rows:
        builder = scoref.CorpusBuilder(row["doc_key"], text=True)
        length = sum(map(len, row["sentences"]))
        document = builder.document(row["doc_key"], length)
        for sentence in row["sentences"]:
            builder.sentence(word=sentence)
        for name, mentions in row["clusters"].items():
            entity = builder.entity(document, name)
            for start, end in mentions:
                builder.mention(document, (start, end), entity)
        found.append(builder.corpus())
    return found


@pytest.mark.parametrize(
    ("name", "documents"),
    [
        ("litbank/key.conll", 10),
        pytest.param("litbank/key.conll", 100, marks=pytest.mark.long),
        pytest.param("openboek/titaantjes.gold.conll", 1, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize(("size", "step"), [(1, 1), (10, 4), (5000, 5000)])
@pytest.mark.parametrize("named", [True, False])
def test_a_stitched_key_is_the_key(
    data: Path, tmp_path: Path, *, name: str, documents: int, size: int, step: int, named: bool
) -> None:
    """For every window and overlap, with several texts, by names of chunks and by words."""
    path, mark = tmp_path / "key.conll", "#begin document"
    whole = (data / name).read_text("utf-8").split(mark)
    assert len(whole) > documents
    path.write_text(mark.join(whole[: documents + 1]), "utf-8")
    key = scoref.read(path, words=["word"])
    stitched = scoref.stitch(key, as_corpora(chunks_of(key, size, step, named=named)), join="ids")
    result = scoref.score(key, stitched, ["mentions", "muc", "b3"])
    assert [score.f1 for score in result.scores.values()] == [1.0, 1.0, 1.0]
    assert stitched == key
    assert scoref.score(key, key).counts == scoref.score(key, stitched).counts


@given(st.lists(st.integers(0, 3), min_size=20, max_size=20), st.integers(2, 5), st.data())
def test_overlaps_join_what_is_connected(
    labels: list[int], size: int, drawn: st.DataObject
) -> None:
    """With `union`, entities are joined exactly if shared mentions connect them."""
    step = drawn.draw(st.integers(1, size - 1))
    words = [f"w{at}" for at in range(20)]
    text = {"doc_key": "b", "sentences": [[word] for word in words], "clusters": [[[0, 0]]]}
    parts: list[dict[int, set[int]]] = []
    rows = []
    for first in range(0, 20 - size + step, step):
        part: dict[int, set[int]] = {}
        for at in range(first, min(first + size, 20)):
            part.setdefault(labels[at], set()).add(at)
        parts.append(part)
        clusters = [[[at - first, at - first] for at in sorted(one)] for one in part.values()]
        rows.append(chunk(f"b_S{first}", [[w] for w in words[first : first + size]], clusters))
    expected: list[set[int]] = []
    for entity in [one for part in parts for one in part.values()]:
        touching = [one for one in expected if one & entity]
        expected = [one for one in expected if not one & entity]
        expected.append(entity.union(*touching))
    for overlap in ("union", "best"):  # one annotation is consistent, so both are equal
        stitched = scoref.stitch([text], rows, overlap=overlap)
        found = np.unique(stitched.entity)
        starts = [stitched.start[stitched.entity == entity].tolist() for entity in found]
        assert sorted(map(sorted, starts)) == sorted(map(sorted, expected))


def test_overlaps_that_disagree() -> None:
    """`union` joins all, `best` one-to-one; both say what conflicts."""
    one = chunk("keeper_S0", SENTENCES[:3], [[[0, 0], [5, 5]], [[2, 3], [7, 7]]])
    other = chunk("keeper_S1", SENTENCES[1:], [[[0, 0], [2, 2]], [[4, 4], [9, 9]]])
    union = scoref.stitch(whole(), [one, other])
    assert union.entities() == {
        "keeper": [[(0, 0), (2, 3), (5, 5), (7, 7)], [(9, 9), (14, 14)]],
    }
    assert any("several entities of one chunk" in note for note in union.notes)
    best = scoref.stitch(whole(), [one, other], overlap="best")
    assert best.entities() == {
        "keeper": [[(0, 0), (5, 5)], [(2, 3), (7, 7)], [(9, 9), (14, 14)]],
    }
    assert "conflict: 1 mention with different entities in two chunks" in best.notes[-1]


def test_names() -> None:
    """Strings that start with a capital, but no pronouns and no word that begins a sentence."""
    rows = [
        chunk("keeper_S0", SENTENCES[:2], [[[0, 0], [5, 5]], [[2, 3], [7, 7]]]),
        chunk("keeper_S2", SENTENCES[2:], [[[0, 0], [5, 5]], [[7, 7]], [[9, 9]]]),
    ]
    assert len(scoref.stitch(whole(), rows, join="names").entities()["keeper"]) == 5
    table = scoref.stitch(whole(), rows, names=[["Ada", "the keeper"], ["the lamp", "it", "It"]])
    assert table.entities()["keeper"] == [
        [(0, 0), (5, 5), (16, 16)],
        [(2, 3), (7, 7), (18, 18)],
        [(9, 9), (14, 14)],
    ]
    assert "equal names joined 2 more pairs of entities" in table.notes
    late = [["The", "lamp", "of", "Ada", "hurt", "Ada"], ["We", "saw", "Ada"]]
    book = {"doc_key": "b", "sentences": late, "clusters": [[[0, 0]]]}
    rows = [chunk("b_S0", late[:1], [[[3, 3]], [[5, 5]]]), chunk("b_S1", late[1:], [[[2, 2]]])]
    assert len(scoref.stitch([book], rows, join="names").entities()["b"]) == 1


def test_chunks_are_found_by_their_words() -> None:
    """In the text of their name, in order; a repeated text is found where it follows."""
    sentences = [["a", "b"], ["a", "b"], ["a", "b"], ["c"]]
    book = {"doc_key": "b", "sentences": sentences, "clusters": [[[0, 0]]]}
    rows = [chunk("", [["a", "b"]], [[[0, 0]]]) for _ in range(3)]
    stitched = scoref.stitch([book], rows)
    assert stitched.entities()["b"] == [[(0, 0)], [(2, 2)], [(4, 4)]]
    assert "tokens 6 to 6 of b are in no chunk" in stitched.notes
    with pytest.raises(TextError, match="found `x` as token 2 after `a b`"):
        scoref.stitch([book], [chunk("b/001", [["a", "b", "x"]], [[[0, 0]]])])


def test_what_is_refused() -> None:
    """With the chunk, the token, and what was expected."""
    with pytest.raises(TextError, match="only 5 sentences"):
        scoref.stitch(whole(), [chunk("keeper_S7", SENTENCES[:1], [])])
    with pytest.raises(TextError, match="found `Ada` as token 0, expected `She` as token 5"):
        scoref.stitch(whole(), [chunk("keeper_S1", SENTENCES[:1], [])])
    with pytest.raises(TextError, match="has no words, and its name does not say"):
        scoref.stitch(whole(), {"x": [[(0, 0)]]})
    with pytest.raises(MentionError, match="ends after the text"):
        scoref.stitch(whole(), {"keeper_S4": [[(0, 9)]]})
    with pytest.raises(MentionError, match="are labels"):
        scoref.stitch(whole(), {"keeper_S4": [["x"]]})
    with pytest.raises(UsageError, match="has no words, so chunks have no place in it"):
        scoref.stitch({"keeper": [[(0, 0)]]}, [chunk("keeper_S0", SENTENCES, [])])
    with pytest.raises(UsageError, match="overlap is 'all'"):
        scoref.stitch(whole(), [chunk("keeper_S0", SENTENCES, [])], overlap="all")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="'Ada' for 'Ada' and for 'Rook'"):
        scoref.stitch(whole(), {"keeper_S0": [[(0, 0)]]}, names=[["Ada"], ["Rook", "Ada"]])
    with pytest.raises(UsageError, match="no chunks"):
        scoref.stitch(whole(), [])


def test_the_command(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The samples of BookCoref: a link across chunks is lost without a rule that joins."""
    key, chunks = (
        str(data / "corpora" / "formats" / name)
        for name in ("bookcoref.key.jsonl", "bookcoref_split.response.jsonl")
    )
    out = str(tmp_path / "book.jsonl")
    assert main(["stitch", key, chunks, "-o", out]) == 0
    assert "placed 2 chunks in 1 text: 2 by the sentence in their names" in capsys.readouterr().err
    assert scoref.read(out).entities()["keeper"][2] == [(9, 9), (11, 12)]
    table = tmp_path / "names.csv"
    table.write_text("Ada, the keeper\n\n", encoding="utf-8")
    assert main(["stitch", key, chunks, "-o", out, "--names", str(table)]) == 0
    assert main(["stitch", key, chunks, "-o", out, "--names", str(table), "--join", "ids"]) == 2
    assert main(["stitch", key, chunks, "-o", key]) == 2
