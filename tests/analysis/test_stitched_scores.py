"""The law of stitching: chunks of a corpus, stitched, score as the corpus, whatever they state."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import scoref
from scoref import Corpus
from scoref.corpus.spans import place_of
from tests.formats.test_scores_survive import WAYS, Way, scores
from tests.formats.zero_corpora import pairs

SHIFTED = ("head_start", "head_end", "min_start", "min_end")
LINKS = [way for way in WAYS if way.flag.startswith(("--metric", "--split"))]
LONG = 3_000


def cut(corpus: Corpus, size: int, step: int) -> list[Corpus]:
    """Cut the documents of a corpus into chunks of sentences, with all that mentions state."""
    text = corpus.text
    assert text is not None
    found = []
    for at, document in enumerate(corpus.documents):
        begin, end = text.first[at : at + 2].tolist()
        starts = [*np.flatnonzero(text.starts_sentence[begin:end]).tolist(), end - begin]
        for first in range(0, max(1, len(starts) - 1 - size + step), step):
            places = starts[first : first + size + 1]
            builder = scoref.CorpusBuilder(f"{document.name}_S{first}", text=True)
            number = builder.document(builder.path, places[-1] - places[0])
            for low, high in pairwise(places):
                builder.sentence(word=text.columns["word"][begin + low : begin + high])
            inside = (corpus.document == at) & (corpus.start >= places[0])
            for row in np.flatnonzero(inside & (corpus.end < places[-1])).tolist():
                entity = builder.entity(number, corpus.entity_names[corpus.entity[row]])
                span = (int(corpus.start[row]) - places[0], int(corpus.end[row]) - places[0])
                builder.mention(number, span, entity, **moved(corpus, row, places[0], first))
            found.append(builder.corpus())
    return found


def moved(corpus: Corpus, row: int, first: int, sentence: int) -> dict[str, Any]:
    """Return the attributes of a mention, counted from the start of a chunk."""
    stated = {name: column[row].item() for name, column in corpus.attributes.items()}
    for name in SHIFTED:
        if stated.get(name, -1) >= 0:
            stated[name] -= first
    for name in ("nodes", "zero"):
        nodes = [place_of(node) for node in stated.get(name, "").split()]
        stated[name] = " ".join(f"{w - first}.{n}" if n else str(w - first) for w, n in nodes)
    if stated.get("zero_deps"):
        number, _, rest = stated["zero_deps"].partition(" ")
        stated["zero_deps"] = f"{int(number) - sentence} {rest}"
    return stated


def check(sides: tuple[Corpus, Corpus], way: Way, size: int, step: int) -> None:
    """Stitch the chunks of the response, and score it."""
    key, response = sides
    chunks = cut(response, size, step)
    stitched = scoref.stitch(response, chunks, join="ids")
    before = scores(key, response, way)
    after = scores(key, replace(stitched, text=key.text), way)
    if any("not kept" in note for note in stitched.notes):
        return
    assert after == before, (way, stitched.notes)


CASES = st.tuples(
    pairs(has_words=True),
    st.sampled_from([way for way in WAYS if way not in LINKS]),
    st.integers(1, 3),
    st.integers(1, 3),
)
Case = tuple[tuple[Corpus, Corpus], Way, int, int]


def has_repeated_mentions(corpus: Corpus) -> bool:
    """Whether a mention is in two entities."""
    nodes = corpus.attributes.get("nodes", np.full(len(corpus), ""))
    columns = (corpus.document, corpus.start, corpus.end, nodes, corpus.entity)
    rows = set(zip(*(column.tolist() for column in columns), strict=True))
    return len(rows) > len({row[:-1] for row in rows})


def try_case(case: Case) -> None:
    """Cut with or without overlap, if no mention is in two entities.

    Of the entities of a mention, the first counts; that is the first of its chunk here.
    """
    sides, way, size, step = case
    assume(not has_repeated_mentions(sides[1]))
    check(sides, way, size, min(size, step))


@given(case=CASES)
def test_stitched_chunks_score_as_the_corpus(case: Case) -> None:
    """Under every way of matching."""
    try_case(case)


@pytest.mark.long
@settings(max_examples=LONG)
@given(case=CASES)
def test_stitched_chunks_score_as_the_corpus_long(case: Case) -> None:
    """The same, 3,000 times."""
    try_case(case)
