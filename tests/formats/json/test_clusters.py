"""Plain clusters as JSON: every shape that people write, and what is refused."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoref
from scoref.base.union_find import groups
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats import find_format
from tests.formats.drawn import NAMES, ODD_NAMES, corpora, problem, read, written

# fmt: off
SHAPES: dict[str, tuple[Any, dict[str, list[list[Any]]]]] = {
    "spans": ({"d": [[[0, 1], [3, 3]], [[5, 5]]]}, {"d": [[(0, 1), (3, 3)], [(5, 5)]]}),
    "names": ({"d": [["a", "b"], ["c"]], "e": []}, {"d": [["a", "b"], ["c"]], "e": []}),
    "numbers": ({"d": [[1, 2], [3]]}, {"d": [[1, 2], [3]]}),
    "named entities": ({"d": {"Anna": ["a", "b"], "Bob": ["c"]}}, {"d": [["a", "b"], ["c"]]}),
    "one document": ([["a", "b"], ["c"]], {"#1": [["a", "b"], ["c"]]}),
    "one document of spans": ([[[0, 1]]], {"#1": [[(0, 1)]]}),
    "no entities": ([], {"#1": []}),
    "no documents": ({}, {}),
    "scorch's clusters": (
        {"type": "clusters", "clusters": {"1": ["a", "b"], "2": ["c"]}},
        {"#1": [["a", "b"], ["c"]]},
    ),
    "scorch's graph": (
        {"type": "graph", "mentions": ["a", "b", "c", "d"], "links": [["d", "a"], ["c", "d"]]},
        {"#1": [["a", "c", "d"], ["b"]]},
    ),
    "a document named type": ({"type": [["a"]]}, {"type": [["a"]]}),
}

REFUSED = {
    "broken": ('{"d": [[1,\n}', "invalid JSON in column 1"),
    "cut": ('{"d": [[[0, 1], [3', "invalid JSON"),
    "a document twice": ('{"d": [["a"]], "d": [["b"]]}', "the key 'd' twice"),
    "no list of entities": ('{"d": 5}', "`5` as the entities of document 'd'"),
    "an entity that is a text": ('{"d": ["ab"]}', '`"ab"` as entity 1'),
    "an empty entity": ('{"d": [[]]}', "`[]` as entity 1"),
    "a flat list of spans": ('{"d": [[0, 1.5]]}', "the mention `1.5`"),
    "a span of three": ('{"d": [[[0, 1, 2]]]}', "the mention `[0, 1, 2]`"),
    "a span backwards": ('{"d": [[[3, 1]]]}', "the mention `[3, 1]`"),
    "a negative span": ('{"d": [[[-3, 1]]]}', "the mention `[-3, 1]`"),
    "a huge span": ('{"d": [[[0, 99999999999999999999]]]}', "the mention `[0, 9999"),
    "an endless number": (f'{{"d": [[[0, {"9" * 5000}]]]}}', "an invalid value"),
    "a truth": ('{"d": [[true]]}', "the mention `true`"),
    "an object": ('{"d": [[{"start": 1}]]}', "the mention `{"),
    "spans and names": ('{"d": [[[0, 1], "a"]]}', "mentions as spans and mentions as names"),
    "NaN": ('{"d": [[NaN]]}', "an invalid value"),
    "a text": ('"abc"', "a JSON string"),
    "depth": ("[" * 100_000, "JSON"),
    "a link to nobody": ('{"type": "graph", "mentions": ["a"], "links": [["a", "b"]]}', "the link"),
    "a mention twice": ('{"type": "graph", "mentions": ["a", "a"], "links": []}', "twice"),
    "a link to a truth": ('{"type": "graph", "mentions": [1, 2], "links": [[true, 2]]}', "`true`"),
    "a link to a fraction": ('{"type": "graph", "mentions": [1], "links": [[1, 1.0]]}', "`1.0`"),
    "another type": ('{"type": "tree"}', "the type"),
    "other encodings": ('["é"]'.encode("latin-1"), "0xe9"),
}
# fmt: on


@pytest.mark.parametrize(("value", "entities"), SHAPES.values(), ids=SHAPES)
def test_reads(value: Any, entities: dict[str, list[list[Any]]], tmp_path: Path) -> None:
    """And detects from the content that these are clusters."""
    path = tmp_path / "some"
    path.write_text(json.dumps(value, indent=1), "utf-8")
    assert scoref.read(path).entities() == entities


@pytest.mark.parametrize(("text", "found"), REFUSED.values(), ids=REFUSED)
def test_refuses(text: str | bytes, found: str) -> None:
    """With what was found."""
    assert found in problem("clusters", text).found


def test_refuses_any_depth() -> None:
    """Also one that can be parsed, but not be shown, since that takes more calls."""
    for depth in range(800, 1000):
        assert problem("clusters", f'{{"d": [[{"[" * depth}{"]" * depth}]]}}').found


@pytest.mark.parametrize(
    "text",
    ['{"doc_key": "a", "clusters": []}', '{"sentences": [], "corefs": {}}', '[{"text": ""}]', "x"],
)
def test_leaves_other_json_to_others(text: str) -> None:
    """A document of a neural system is no cluster."""
    assert not find_format("clusters").recognise(text.encode())


def test_keys_are_told_from_texts_and_nested_keys() -> None:
    """Only those of the first object count."""
    head = b'{"a {\\" sentences": {"text": [1, 2]}, "b": ["doc_key"'
    assert find_format("clusters").recognise(head)
    assert not find_format("clusters").recognise(b'{"b": 1, "tokens": [')


def test_directories_of_scorch(tmp_path: Path) -> None:
    """One document a file, named after it."""
    for name, mentions in (("one", ["a", "b"]), ("two", ["c"])):
        file = {"type": "clusters", "clusters": {"1": mentions}}
        (tmp_path / f"{name}.json").write_text(json.dumps(file), "utf-8")
    corpus = scoref.read(tmp_path)
    assert corpus.entities() == {"one": [["a", "b"]], "two": [["c"]]}
    assert scoref.score(corpus, corpus)["conll"].f1 == 1.0


@given(st.integers(0, 12), st.data())
def test_links_become_groups(size: int, data: st.DataObject) -> None:
    """Equal to following links until nothing changes."""
    number = st.integers(0, max(size - 1, 0))
    links = data.draw(st.lists(st.tuples(number, number), max_size=8)) if size else []
    label = list(range(size))
    for _ in range(size):
        for one, other in links:
            label[one] = label[other] = min(label[one], label[other])
    expected = [[m for m in range(size) if label[m] == at] for at in dict.fromkeys(label)]
    assert groups(size, links) == expected


@given(corpus=corpora(st.one_of(NAMES, ODD_NAMES)))
def test_a_round_trip_keeps_everything(corpus: Corpus) -> None:
    """Mentions, entities and documents without mentions."""
    again, problems = read("clusters", written(corpus, "clusters"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()
    assert sorted(again.entity_names) == sorted(corpus.entity_names)


@given(st.dictionaries(ODD_NAMES | st.integers(0, 9), st.integers(0, 3)))
def test_a_round_trip_keeps_labels(mentions: dict[Any, int]) -> None:
    """Texts and numbers stay what they are."""
    entities = [[m for m, e in mentions.items() if e == at] for at in set(mentions.values())]
    corpus = Corpus.from_entities({"d": entities})
    again, problems = read("clusters", written(corpus, "clusters"))
    assert not problems
    assert again.fingerprint() == corpus.fingerprint()


def test_a_long_line_gets_an_answer() -> None:
    """Ten megabytes of brackets, quotes or digits."""
    began = time.process_time()
    for filler in ("[", '"', "1", "[[1,1]],"):
        read("clusters", "[" + filler * (10_000_000 // len(filler)))
    assert time.process_time() - began < 20


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_refused_or_harmless(tmp_path: Path, data: st.DataObject) -> None:
    """Rubbish anywhere never gives a traceback."""
    text = written(data.draw(corpora()), "clusters")
    at = data.draw(st.integers(0, len(text)))
    rubbish = data.draw(st.binary(max_size=9) | st.text('[]{},:"1- ', max_size=4).map(str.encode))
    path = tmp_path / "broken.json"
    path.write_bytes(text[:at] + rubbish + text[at + data.draw(st.integers(0, 4)) :])
    with suppress(ScorefError):
        corpus = scoref.read(path, "clusters")
        assert (corpus.start <= corpus.end).all()


@pytest.mark.parametrize("field", ["clusters", "predicted_clusters", "span_clusters"])
def test_the_field_of_a_document_is_not_a_document(field: str, tmp_path: Path) -> None:
    """`{"clusters": ...}` is one document without a name; with other names, it is refused."""
    path = tmp_path / "x.json"
    entities = [[[0, 1], [3, 3]], [[5, 5]]]
    path.write_text(json.dumps({field: entities}))
    corpus = scoref.read(path, "clusters")
    assert corpus.documents[0].is_unnamed
    assert "one document, ends inclusive" in corpus.notes[0]
    assert [len(entity) for entity in corpus.entities()["#1"]] == [2, 1]
    other = tmp_path / "y.json"
    other.write_text(json.dumps({"d": entities}))
    assert scoref.score(path, other, format="clusters")["conll"].f1 == 1
    path.write_text(json.dumps({field: entities, "d": entities}))
    with pytest.raises(scoref.FormatError, match="expected names of documents, or"):
        scoref.read(path, "clusters")
