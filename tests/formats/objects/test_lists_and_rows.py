"""Lists of entities, lists of documents and rows: one meaning, or a message."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import scoref
from scoref.exceptions import FormatError, ScorefError, UsageError

CLUSTERS: Any = [[(0, 1), (3, 3)], [(5, 6), (9, 9), (12, 14)]]
RESPONSE: Any = [[(0, 1), (3, 3), (9, 9)], [(5, 6), (12, 14)]]
EXPECTED = scoref.score({"doc": CLUSTERS}, {"doc": RESPONSE})
WORDS = [["I", "saw", "the", "cat", "."], ["My", "cat", "saw", "me", ",", "too", "."]]
SPOKEN: Any = {
    "doc_key": "cat",
    "sentences": WORDS,
    "clusters": [[[0, 0], [5, 5], [8, 8]], [[2, 3], [5, 6]]],
}


def as_lists(value: Any) -> Any:
    """Replace tuples by lists."""
    return [as_lists(one) for one in value] if isinstance(value, list | tuple) else value


def as_tuples(value: Any) -> Any:
    """Replace lists by tuples."""
    return tuple(as_tuples(one) for one in value) if isinstance(value, list | tuple) else value


SHAPES: dict[str, Callable[[Any], Any]] = {
    "list of entities": lambda entities: entities,
    "lists of lists": as_lists,
    "tuples of tuples": as_tuples,
    "sets": lambda entities: [set(entity) for entity in entities],
    "frozensets": lambda entities: {frozenset(entity) for entity in entities},
    "arrays": lambda entities: [np.array(entity) for entity in entities],
    "arrays of mentions": lambda entities: [[np.array(m) for m in entity] for entity in entities],
    "iterator": iter,
    "iterators": lambda entities: (iter(entity) for entity in entities),
    "one document": lambda entities: [entities],
    "row": lambda entities: {"doc_key": "x", "clusters": entities},
    "row without a name": lambda entities: {"predicted_clusters": entities},
    "rows": lambda entities: [{"doc_id": "x", "predicted_clusters": as_lists(entities)}],
    "rows of arrays": lambda entities: [{"id": 1, "clusters": [np.array(e) for e in entities]}],
    "iterator of rows": lambda entities: iter([{"clusters": entities}]),
    "mapping": lambda entities: {"other name": entities},
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_has_the_same_scores(name: str) -> None:
    """One side in this shape, the other as a dict, or as the same shape."""
    shape = SHAPES[name]
    names = {"row": "x", "rows": "x", "rows of arrays": "1", "mapping": "other name"}
    key = {names.get(name, "doc"): CLUSTERS}
    assert dict_of(scoref.score(key, shape(RESPONSE))) == pytest.approx(dict_of(EXPECTED))
    same = scoref.score(shape(CLUSTERS), shape(RESPONSE))
    assert dict_of(same) == pytest.approx(dict_of(EXPECTED))


def dict_of(result: Any) -> dict[str, float]:
    """Return the scores that exist."""
    found: dict[str, float] = result.to_dict(flat=True)
    return found


def test_a_list_of_documents_is_paired_by_order() -> None:
    """With documents without entities, on one side or on both."""
    key = [CLUSTERS, [], [[(0, 0), (4, 4)]]]
    result = scoref.score(key, [RESPONSE, [[(1, 1), (2, 2)]], []])
    expected = scoref.score(
        {"1": CLUSTERS, "2": [], "3": [[(0, 0), (4, 4)]]},
        {"1": RESPONSE, "2": [[(1, 1), (2, 2)]], "3": []},
    )
    assert dict_of(result) == dict_of(expected)
    assert list(result.documents) == ["#1", "#2", "#3"]
    assert scoref.score(key, [[], [], []])["b3"].f1 == 0
    texts = [[["a", "b"], ["c"]], [["a"]]]
    assert scoref.score(texts, texts)["b3"].f1 == 1


def test_every_entry_takes_every_input() -> None:
    """Not only `score`."""
    rows = [{"doc_key": "x", "clusters": CLUSTERS}]
    response = [{"doc_key": "x", "clusters": RESPONSE}]
    assert scoref.Key(iter(rows)).score(iter(response))["b3"] == EXPECTED["b3"]
    accumulator = scoref.Accumulator()
    accumulator.update(iter(rows), iter(response))
    assert accumulator["b3"] == EXPECTED["b3"]
    compared = scoref.compare(iter(rows), {"ours": response, "key": rows}, trials=9)
    assert compared["ours"].scores["b3"] == EXPECTED["b3"]
    errors = scoref.errors({"doc": CLUSTERS}, {"doc": RESPONSE})
    assert len(scoref.errors(CLUSTERS, RESPONSE)) == len(errors)
    assert scoref.explain(iter(CLUSTERS), iter(RESPONSE), ["b3"])["b3"].blocks
    assert scoref.agreement({"a": CLUSTERS, "b": RESPONSE}).pairs[0].f1["b3"].value
    assert scoref.report(CLUSTERS, {"ours": RESPONSE}).to_dict()["errors"]["ours"]
    assert scoref.read(iter(rows)).entities() == {"x": CLUSTERS}


def test_what_holds_a_corpus_is_its_corpus() -> None:
    """A `Key` can be scored."""
    assert scoref.score(scoref.Key(CLUSTERS), RESPONSE)["b3"] == EXPECTED["b3"]


def test_runs_are_told_from_documents() -> None:
    """A list of dicts or corpora is several runs, a list of lists or rows one response."""
    key = {"doc": CLUSTERS}
    runs: Any = {
        "dicts": [key, {"doc": RESPONSE}],
        "corpora": [scoref.read(CLUSTERS), scoref.read(RESPONSE)],
        "entities": RESPONSE,
        "documents": [RESPONSE],
        "rows": [{"doc_key": "doc", "clusters": RESPONSE}],
    }
    compared = scoref.compare(key, runs, ["b3"], trials=9)
    assert {one.name: len(one.runs) for one in compared.systems} == {
        **dict.fromkeys(("dicts", "corpora"), 2),
        **dict.fromkeys(("entities", "documents", "rows"), 1),
    }


class TestRowsWithWords:
    """Rows with `sentences` are read as JSON lines are."""

    def test_have_words(self) -> None:
        """For explanations, types and slices."""
        corpus = scoref.read([SPOKEN])
        assert corpus.text is not None
        assert corpus.text.words(0, 5, 6) == ["My", "cat"]
        assert "My cat" in str(scoref.explain([SPOKEN], [SPOKEN], ["muc"]))
        result = scoref.score([SPOKEN], [SPOKEN], where="type=pronoun")
        assert result.totals("mentions")["recall_den"] == 3

    def test_are_the_corpus_of_the_file(self, tmp_path: Any) -> None:
        """With the same fingerprint."""
        import json

        path = tmp_path / "cat.jsonl"
        path.write_text(json.dumps(SPOKEN))
        rows = [{**SPOKEN, "clusters": as_tuples(SPOKEN["clusters"])}]
        assert scoref.read(rows) == scoref.read(rows[0]) == scoref.read(path)
        unnamed = {name: value for name, value in SPOKEN.items() if name != "doc_key"}
        assert [one.name for one in scoref.read(unnamed).documents] == ["#1"]
        assert scoref.score(path, rows).signature == scoref.score(path, path).signature

    def test_ends_that_are_unclear_are_refused_and_can_be_named(self) -> None:
        """As in a file."""
        row = {**SPOKEN, "clusters": [[[2, 3], [5, 6]]]}
        with pytest.raises(FormatError, match="key:1: found only spans such as") as error:
            scoref.score([row], [row])
        assert "jsonl-exclusive" in error.value.hint
        corpus = scoref.read([row], format="jsonl-exclusive")
        assert corpus.entities() == {"cat": [[(2, 2), (5, 5)]]}

    def test_other_ends_without_words_are_noted(self) -> None:
        """A response without words cannot show that its ends are exclusive."""
        words = [["a"] * 60]
        entities = [[[at, at + 1], [at + 30, at + 32]] for at in range(0, 28, 2)]
        key = {**SPOKEN, "sentences": words, "clusters": [*entities, [[59, 60]]]}
        result = scoref.score([key], [{"doc_key": "cat", "clusters": entities}])
        assert any("exclusive-ends" in note for note in result.notes)

    def test_gold_and_predicted_entities(self) -> None:
        """Of one row, the response has the predicted ones."""
        row = {**SPOKEN, "predicted_clusters": [[[0, 0], [8, 8]]]}
        assert scoref.score([row], [row]).response.mentions == 2


@pytest.mark.parametrize(
    ("source", "found", "hint"),
    [
        (3, "the key is an int", "pass a path"),
        ([3, 4], "a list of int, such as 3", "[[mention, ...], ...]"),
        (["a.conll", "b.conll"], "a list of str, such as 'a.conll'", "name their directory"),
        ([[[0, 1, 2], [3]]], "[0, 1, 2] can be a mention, or an entity", '{"doc"'),
        ([[[5, 2], [7, 1]]], "[5, 2] can be a mention, or an entity", '{"doc"'),
        ([[("a", "b"), ("c", "d")]], "('a', 'b') can be a mention", '{"doc"'),
        ([[["a"]], ["b"]], "'b' at depth 2 and 'a' at depth 3", "equally deep"),
        ([[[[["a"]]]]], "5 levels above its mentions", "scoref.read(run)"),
        ([[], [(1, 2)]], "an entity without mentions", "leave empty entities out"),
        ([{"a": 1}], "key:1: found the fields a, expected one of the fields clusters", ""),
        ([{"clusters": []}, 3], "item 2 of the key is an int, but others are rows", "doc_key"),
        ({"clusters": [["a"]], "b": [["a"]]}, "'clusters' and 'b', which can be a row or", "[row]"),
        ({"train": [{"doc_key": "a", "clusters": []}]}, "must be a list of mentions", "pass"),
        (scoref.Policy(), "the key is a Policy", "pass a path"),
        (EXPECTED, "the key is a result", "scoref.compare"),
        (
            [{"doc_key": "a", "clusters": []}, {"doc_key": "a", "clusters": []}],
            "key:2: found document a again",
            "rename",
        ),
        ([{"doc_key": ["a"], "clusters": []}], "`doc_key` that is not a name", ""),
    ],
)
def test_what_is_not_understood_is_named(source: Any, found: str, hint: str) -> None:
    """With what would work."""
    with pytest.raises(ScorefError) as error:
        scoref.score(source, CLUSTERS)
    assert found in error.value.message
    assert hint in error.value.hint


def test_several_problems_of_rows_are_listed() -> None:
    """The hint does not name a command, since there is no file."""
    with pytest.raises(FormatError) as error:
        scoref.score([{"doc_key": "a"}, {"doc_key": "b"}], CLUSTERS)
    assert len(error.value.problems) == 2
    assert "1 more problem here: `problems` lists all" in error.value.hint


def test_texts_of_a_language_model_are_not_taken_for_entities() -> None:
    """With a markup, a list of texts is generated text."""
    key = "examples/ferry/key.conll"
    texts = [" ".join(words) for words in _words(key)]
    with pytest.raises(UsageError, match="a list of str"):
        scoref.score(key, texts)
    marked = [f"[1: {text}" if at else f"[1: {text}]" for at, text in enumerate(texts)]
    assert scoref.score(key, marked, markup="auto").fidelity is not None


def _words(path: str) -> list[list[str]]:
    corpus = scoref.read(path, words=True)
    assert corpus.text is not None
    bounds = corpus.text.first.tolist()
    words = list(corpus.text.columns["word"])
    return [words[low:high] for low, high in pairwise(bounds)]
