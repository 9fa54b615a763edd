"""The index of JSON: it takes nothing that the json module refuses, and finds what that finds."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from scoref.formats.io.text import control_character
from scoref.formats.json import clusters
from scoref.formats.json.json_index import index_json
from tests.formats.drawn import read

TEXTS = st.text(st.sampled_from('ab "\\/\n\té😀u0d8,[]{}:1'), max_size=5)
VALUES = st.recursive(
    st.integers(0, 10**9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)
PIECES = st.sampled_from('[]{},:"\\0a \n\t\0\x1f') | st.sampled_from(
    ["\\u00e9", "\\u12g4", "\\x", "12", "012", "-1", "1.5", "1e3", "true", "NaN", '"k"', '"k":']
)
SPAN = st.lists(st.integers(0, 30), min_size=2, max_size=2).map(sorted)
MENTIONS = st.lists(SPAN, max_size=3) | st.lists(TEXTS, max_size=3) | st.lists(SPAN | TEXTS)
ENTITIES = st.lists(MENTIONS, max_size=3) | st.dictionaries(TEXTS, MENTIONS, max_size=3)
CLUSTERS = st.dictionaries(TEXTS, ENTITIES, max_size=3) | ENTITIES


def flat(value: Any) -> list[Any]:
    """List the strings and numbers of a value in lists, in their order."""
    return list(chain.from_iterable(map(flat, value))) if isinstance(value, list) else [value]


@st.composite
def damaged(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> str:
    """Draw JSON, in the styles that programs write, with or without something wrong in it."""
    text = json.dumps(
        draw(values), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1]))
    )
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(PIECES) + text[at + draw(st.integers(0, 2)) :]
    return text


@settings(max_examples=500)
@given(damaged(VALUES) | st.lists(PIECES, max_size=8).map("".join))
@example('{"a": 1 2}')
@example("[1, 2")
@example('{"a": [1], [2]}')
@example('{"a", "b": 1}')
@example('["a" "b"]')
@example("[[1}, [2]]")
@example('{"a": [1}, "b": {"c": 2]}')
@example('{"a": {"b": 1], "c": [2}}')
@example('{"a": {"b": 1}, "c": ["d": 2]}')
@example('{"a": {"b": 1}, "c": ["d", "e": 2]}')
@example('{"a": {"b": 1, 2}, "c": ["d"]}')
@example('["\\u12"]')
@example("[" * 300 + "]" * 300)
def test_what_is_taken_is_json(text: str) -> None:
    """And its strings and numbers are those of the json module, in their order."""
    found = index_json(text.encode())
    if found is None:
        return
    values = flat(json.loads(text, object_pairs_hook=lambda pairs: list(chain(*pairs))))
    assert list(found.strings(slice(None))) == [one for one in values if isinstance(one, str)]
    assert found.numbers().tolist() == [one for one in values if isinstance(one, int)]


@given(st.lists(st.lists(st.integers(0, 99_999_999) | TEXTS, max_size=4), max_size=4))
def test_plain_json_is_taken(value: list[list[Any]]) -> None:
    """The fast way is the one that is usually taken."""
    assert index_json(json.dumps(value).encode()) is not None
    assert index_json(json.dumps({"x": value, "y": []}, ensure_ascii=False).encode()) is not None


def test_blocks_make_no_difference() -> None:
    """Strings, escapes and numbers stand at the ends of blocks too."""
    value = [[[n, n + 7], 'a"b\\' * (n % 5), ",," * (n % 3)] for n in range(60_000)]
    found = index_json(json.dumps(value).encode())
    assert found is not None
    assert found.numbers().tolist() == [one for one in flat(value) if isinstance(one, int)]
    assert list(found.strings(slice(None))) == [one for one in flat(value) if isinstance(one, str)]


@settings(max_examples=500)
@given(damaged(CLUSTERS))
@example("[[[1, 2, 3, 4], []]]")
@example("[[[], []]]")
@example('{"d": [[[1, 2, 3, 4], []]]}')
@example('{"d": {"a": [[1, 1]], "a": [[2, 2]]}, "e": [[[1, 1]]]}')
@example('{"d": {"a": [[1, 1]]}, "e": [], "f": {}}')
@example('{"d": [{"a": [1, 1]}]}')
@example('{"d": [[[1, 1], "a"]]}')
def test_clusters_are_read_the_same_both_ways(text: str) -> None:
    """Every column, and every complaint."""
    assume(control_character(text.encode()) is None)  # refused before it is parsed
    indexed, problems = read("clusters", text)
    careful, careful_problems = clusters.read_carefully(text, "toy")
    assert problems == careful_problems
    assert indexed.documents == careful.documents
    assert list(indexed.entity_names) == list(careful.entity_names)
    assert (indexed.labels is None) == (careful.labels is None)
    assert list(indexed.labels or ()) == list(careful.labels or ())
    for column in ("document", "start", "end", "entity", "line"):
        assert np.array_equal(getattr(indexed, column), getattr(careful, column)), column


@pytest.mark.parametrize("shape", ['{"d": [[[0, 1], [3, 3]]]}', '{"d": {"A": ["a", "b"]}}'])
def test_clusters_that_are_plain_need_no_json_module(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which would take several times as long."""
    monkeypatch.setattr(clusters, "read_carefully", None)
    assert len(read("clusters", re.sub("3", "4", shape))[0]) == 2
