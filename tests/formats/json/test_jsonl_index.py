"""JSON lines by their index: every column and every complaint of the careful reader."""

from __future__ import annotations

import io
import json
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoref.corpus.corpus import Corpus
from scoref.exceptions import Problem
from scoref.formats import find_format
from scoref.formats.format import Wanted
from scoref.formats.json.jsonl import jsonl
from scoref.formats.json.jsonl.fields import NAMES
from tests.formats.json.test_json_index import PIECES, TEXTS, VALUES
from tests.formats.json.test_jsonl import LAYOUTS

FORMATS = st.sampled_from(["jsonl", "jsonl-inclusive", "jsonl-exclusive"])
WANTED = st.builds(
    Wanted,
    st.sampled_from([frozenset[str](), frozenset({"word"}), frozenset({"word", "speaker"})]),
    st.booleans(),
)
WORDS = st.lists(TEXTS, max_size=6)
SENTENCES = st.lists(st.lists(TEXTS, max_size=4), max_size=4) | WORDS
SPAN = st.lists(st.integers(0, 6), min_size=2, max_size=2)
ENTITIES = st.lists(st.lists(SPAN.map(sorted) | SPAN, max_size=3), max_size=3)
NUMBERS = st.lists(st.integers(0, 5), max_size=8)
STATED = st.sampled_from(["token-exclusive", "token-inclusive", "character-exclusive", "token", ""])
FIELDS = {
    "sentences": SENTENCES,
    "tokens": WORDS,
    "text": TEXTS,
    "doc_key": TEXTS,
    "id": TEXTS | st.integers(0, 9),
    "clusters": ENTITIES | st.dictionaries(TEXTS, st.lists(SPAN)),
    "span_clusters": ENTITIES,
    "predicted_clusters": ENTITIES,
    "offsets": STATED,
    "subtoken_map": NUMBERS.map(sorted) | NUMBERS,
    "sent_id": NUMBERS,
    "speakers": SENTENCES,
    "more": VALUES,
    'é"\\: ': VALUES,
}
USUAL = ("doc_key", "sentences", "clusters")


@st.composite
def plain_documents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a document that a system may have written."""
    words = [draw(st.lists(TEXTS, min_size=1, max_size=4)) for _ in range(draw(st.integers(1, 3)))]
    last = sum(map(len, words)) - 1
    span = st.lists(st.integers(0, last), min_size=2, max_size=2).map(sorted)
    entities = st.lists(st.lists(span, max_size=3), max_size=3)
    value = {
        "doc_key": "".join(draw(st.lists(TEXTS, min_size=1, max_size=3))),
        draw(st.sampled_from(["sentences", "tokens", "cased_words"])): draw(
            st.sampled_from([words, [word for sentence in words for word in sentence]])
        ),
        draw(st.sampled_from(["clusters", "clusters_token_offsets"])): draw(entities),
    }
    more = {
        "predicted_clusters": entities,
        "offsets": st.just("token-inclusive"),
        "subtoken_map": st.just(list(range(last + 1))) | st.just([]),
        "sent_id": st.just([at // 2 for at in range(last + 1)]),
        "speakers": st.just([["x" for _ in sentence] for sentence in words]),
        "ner": st.lists(st.lists(st.tuples(st.integers(0, last), TEXTS), max_size=2), max_size=2),
        "info": st.dictionaries(TEXTS, st.integers(0, 99) | st.lists(TEXTS), max_size=2),
    }
    for name in draw(st.sets(st.sampled_from(sorted(more)), max_size=3)):
        value[name] = draw(more[name])
    return {name: value[name] for name in draw(st.permutations(sorted(value)))}


@st.composite
def odd_documents(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a document with some of the fields, in any order; values may be of other kinds."""
    more = draw(st.sets(st.sampled_from(list(FIELDS)), max_size=2))
    usual = set(USUAL) - draw(st.sets(st.sampled_from(USUAL), max_size=1) | st.just(set()))
    names = draw(st.permutations(sorted(usual | more)))
    return {name: draw(st.one_of(*[FIELDS[name]] * 9, VALUES)) for name in names}


@st.composite
def files(draw: st.DrawFn) -> str:
    """Draw a file, in the styles that programs write, with or without something wrong in it."""
    compact = draw(st.sampled_from([None, (",", ":")]))
    ascii_only = draw(st.booleans())
    lines = [
        json.dumps(one, ensure_ascii=ascii_only, separators=compact)
        for one in draw(st.lists(draw(st.sampled_from([plain_documents(), odd_documents()]))))
    ]
    text = draw(st.sampled_from(["\n", "\r\n", "\n\n"])).join(lines)
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(PIECES) + text[at + draw(st.integers(0, 2)) :]
    return text + draw(st.sampled_from(["", "\n"]))


def read(text: str, name: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a text."""
    return find_format(name).read(io.BytesIO(text.encode()), "toy", wanted)


def read_carefully(text: str, name: str, wanted: Wanted) -> tuple[Corpus, list[Problem]]:
    """Read a text as if its index had taken nothing."""
    with patch.object(jsonl, "read_lines", lambda *_: None):
        return read(text, name, wanted)


def assert_same(text: str, name: str = "jsonl", wanted: Wanted = Wanted()) -> Corpus:  # noqa: B008
    """Assert that both ways find the same, and return it."""
    ours, ours_wrong = read(text, name, wanted)
    theirs, theirs_wrong = read_carefully(text, name, wanted)
    assert ours_wrong == theirs_wrong
    assert ours.documents == theirs.documents
    assert list(ours.entity_names) == list(theirs.entity_names)
    assert (ours.characters, ours.notes) == (theirs.characters, theirs.notes)
    for column in ("document", "start", "end", "entity", "line"):
        assert np.array_equal(getattr(ours, column), getattr(theirs, column)), column
    assert (ours.text is None) == (theirs.text is None)
    if ours.text is not None and theirs.text is not None:
        assert ours.text.columns == theirs.text.columns
        assert np.array_equal(ours.text.first, theirs.text.first)
        assert np.array_equal(ours.text.starts_sentence, theirs.text.starts_sentence)
    return ours


@settings(max_examples=300)
@given(files(), FORMATS, WANTED)
@example('{"clusters": [[[],[]]], "tokens": ["a"]}', "jsonl", Wanted())
@example('{"tokens": ["a"], "clusters": [[[0, 0, 0, 0], []]]}', "jsonl", Wanted())
@example('{"clusters": [[[0],[0,0,0]]], "tokens": ["a"]}', "jsonl", Wanted())
@example('{"tokens": ["a"], "tokens": ["a", "b"], "clusters": [[[1,1]]]}', "jsonl", Wanted())
@example('{"clusters": [[[0, 0]]], "sentences": ["a", ["b"]]}', "jsonl", Wanted())
@example('{"clusters": [[[0, 0]]], "sentences": [["b"], "a"]}', "jsonl", Wanted())
@example('{"cl\\u0075sters": [], "tokens": ["a"], "clusters": [[[0,0]]]}', "jsonl", Wanted())
@example('{"clusters": [[[0, 0]]], "tokens": ["a"]} {}', "jsonl", Wanted())
@example('{"clusters": [[[0, 0]]], "tokens": ["a"]}\n[1]', "jsonl", Wanted())
@example('{"clusters": [[[0, 0]]], "tokens": ["a"], "x": {"a": [{}, []]}}', "jsonl", Wanted())
@example('{"clusters": [[[0, 00]]], "tokens": ["a"]}', "jsonl", Wanted())
def test_lines_are_read_the_same_both_ways(text: str, name: str, wanted: Wanted) -> None:
    """Every column, and every complaint."""
    assert_same(text, name, wanted)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("words", [frozenset[str](), frozenset({"word"})])
def test_lines_that_are_plain_are_read_by_their_index(
    layout: str, words: frozenset[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Objects among the other fields, and escapes in words, do not change that."""
    value = {**LAYOUTS[layout], "more": {"a": [1, {"b": "\\"}]}, "yet": [[]], "é": "x"}
    key = next(name for name in NAMES if name in value)
    lines = [{**value, key: name} for name in ("a", 'b"é', "c")]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    theirs = read_carefully(text, "jsonl", Wanted(words))[0]
    monkeypatch.setattr(jsonl._Reader, "line", None)
    ours, problems = read(text, "jsonl", Wanted(words))
    assert not problems
    assert len(ours) == len(theirs) > 0
    assert [document.name for document in ours.documents] == ["a", 'b"é', "c"]


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and problems keep their numbers, whichever way they are read."""
    monkeypatch.setattr(jsonl, "_CHUNK", 100)
    line = '{"doc_key": "d%d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, %s]]]}\n'
    text = "".join(line % (number, 1) for number in range(20))
    corpus = assert_same(text)
    assert corpus.line.tolist()[::2] == list(range(1, 21))
    for odd in ("-1", "2", "1.5", "null", "[]"):
        assert_same(text + "\n" + line % (77, odd) + text.replace("d", "e"))
