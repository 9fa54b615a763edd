"""Repeated mentions through conversions: the first stays the first, or the loss is named."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats.registry import MODULES, find_format
from scoref.matching.duplicates_and_singletons import clean
from scoref.policy import Policy
from tests.formats.drawn import read, written_with_notes

WRITTEN = [name for name in MODULES if "-" not in name and find_format(name).write]
IN_ORDER = {"jsonl", "csv", "tsv", "parquet", "clusters"}
LENGTH = 5


@st.composite
def with_repeats(draw: st.DrawFn) -> Corpus:
    """Draw mentions in any order, some of them in two entities, or twice in one."""
    builder = CorpusBuilder("drawn")
    number = builder.document("d", LENGTH)
    places = st.tuples(st.integers(0, LENGTH - 1), st.integers(0, LENGTH - 1))
    for one, other in draw(st.lists(places, min_size=1, max_size=6)):
        entity = builder.entity(number, draw(st.integers(0, 2)))
        builder.mention(number, (min(one, other), max(one, other)), entity)
    return builder.corpus()


def kept(corpus: Corpus) -> str:
    """Return what is scored of a corpus, as a fingerprint."""
    return clean(corpus, Policy(duplicates="first")).corpus.fingerprint()


@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=40)
@given(corpus=with_repeats())
def test_the_same_repeat_is_kept_or_the_loss_is_named(name: str, corpus: Corpus) -> None:
    """From every corpus into every format."""
    if name == "brat":
        corpus = replace(corpus, characters=("x" * LENGTH,))
    with suppress(ScorefError):  # a refusal, such as of brackets that cross
        data, notes = written_with_notes(corpus, name)
        again, problems = read(name, data)
        assert not problems
        assert len(again) == len(corpus)
        is_same = kept(replace(again, documents=corpus.documents)) == kept(corpus)
        assert is_same or name not in IN_ORDER
        assert is_same == (not any("scores of this corpus change" in one for one in notes))
