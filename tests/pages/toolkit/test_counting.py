"""The scripts of pages count as Python does, up to 1e-12."""

from __future__ import annotations

import math
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from tests.pages.toolkit.javascript import evaluate
from tests.strategies import partial_partitions

Entities = list[list[Any]]

COUNT = """(documents) => {
  const counts = documents.map(([key, response]) => Scoref.countDocument(key, response));
  const corpus = Scoref.score(Scoref.addCounts(counts));
  return { counts, scores: counts.map(Scoref.score), corpus };
}"""
EDIT = """([documents, largest]) => {
  const counts = documents.map(([key, response]) => Scoref.countDocument(key, response));
  const [key, response] = documents[largest], times = [];
  for (let at = 0; at < 12; at++) {
    response[at + 1].push(response[0].pop());
    const before = process.cpuUsage();
    counts[largest] = Scoref.countDocument(key, response);
    Scoref.score(Scoref.addCounts(counts));
    times.push(process.cpuUsage(before).user / 1000);
  }
  return times.sort((a, b) => a - b);
}"""


def without_nan(scores: Any) -> list[float | None]:
    """Return scores as JSON has them."""
    return [None if score != score else score for score in scores]  # noqa: PLR0124  # NaN


def check_equal(documents: list[tuple[Entities, Entities]]) -> None:
    """Every count and every score is that of Python, of documents and of the corpus."""
    names = [f"d{at}" for at in range(len(documents))]
    key, response = (dict(zip(names, side, strict=True)) for side in zip(*documents, strict=True))
    result = scoref.score(key, response)
    found = evaluate(("elements.js", "counting.js"), COUNT, documents)
    for name in result:
        rows = result.counts.rows[name].tolist()
        check_close([counts[name] for counts in found["counts"]], rows)
        check_close([found["corpus"][name]], [without_nan(result[name])])
        expected = [without_nan(scores[name]) for scores in result.documents.values()]
        check_close([scores[name] for scores in found["scores"]], expected)


def check_close(found: list[Any], expected: list[Any]) -> None:
    """Both have the same numbers up to 1e-12, and lack the same."""
    for one, other in zip(found, expected, strict=True):
        assert [value is None for value in one] == [value is None for value in other]
        known = [pair for pair in zip(one, other, strict=True) if pair[0] is not None]
        assert all(math.isclose(*pair, rel_tol=1e-12, abs_tol=1e-12) for pair in known)


def entities_by_document(corpus: Corpus) -> list[Entities]:
    """Return the entities of each document; mentions are texts."""
    found: list[dict[int, list[str]]] = [{} for _ in corpus.documents]
    columns = (corpus.document, corpus.entity, corpus.start, corpus.end)
    for document, entity, start, end in zip(*(c.tolist() for c in columns), strict=True):
        found[document].setdefault(entity, []).append(f"{start}-{end}")
    return [list(entities.values()) for entities in found]


def noisy_document(seed: int, mentions: int, entities: int, noise: float) -> tuple[Entities, ...]:
    """Return a key with few large entities, and a response that differs from it by some noise."""
    chance = random.Random(seed)  # noqa: S311  # not a secret
    key: Entities = [[] for _ in range(entities)]
    response: Entities = [[] for _ in range(entities)]

    def draw() -> int:
        return min(int(chance.paretovariate(0.7)) - 1, entities - 1)

    for mention in range(mentions):
        entity = draw()
        if chance.random() > noise / 3:
            key[entity].append(mention)
        if chance.random() > noise / 3:
            response[draw() if chance.random() < noise else entity].append(mention)
    return [e for e in key if e], [e for e in response if e]


@pytest.mark.parametrize(
    ("mentions", "shapes"), [("abcd", 12), pytest.param("abcde", 19, marks=pytest.mark.long)]
)
def test_everything_up_to_some_mentions(mentions: str, shapes: int) -> None:
    """All pairs of partitions with all patterns of missing and spurious mentions.

    Keys that differ only in the names of mentions would repeat the others: one of each shape is
    paired with all responses.
    """
    partitions = list(partial_partitions(mentions))
    keys = {tuple(sorted(map(len, key))): key for key in partitions}
    assert len(keys) == shapes
    check_equal([(key, response) for key in keys.values() for response in partitions])


@settings(max_examples=5, deadline=None)
@given(
    st.lists(
        st.builds(
            noisy_document,
            st.integers(0, 2**32),
            st.integers(0, 1500),
            st.integers(1, 150),
            st.sampled_from([0.1, 0.4, 1.0]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_large_documents(documents: list[tuple[Entities, Entities]]) -> None:
    """Documents in which CEAF has many nearly equal alignments to choose from."""
    check_equal(documents)


def test_litbank(data: Path) -> None:
    """All documents of a real corpus, and their sum."""
    key, response = (
        entities_by_document(scoref.read(data / "litbank" / f"{side}.conll"))
        for side in ("key", "response")
    )
    documents = list(zip(key, response, strict=True))
    check_equal(documents)
    largest = max(range(len(key)), key=lambda at: sum(map(len, key[at])))
    if shutil.which("node") is None:
        pytest.skip("CPU time requires Node")
    times = evaluate(("elements.js", "counting.js"), EDIT, [documents, largest])
    assert times[0] < 100  # milliseconds of CPU, for all metrics of the corpus; it takes about 5
