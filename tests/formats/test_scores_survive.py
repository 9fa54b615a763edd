"""The law of conversions: scores survive to the bit, or the conversion says that they change."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.formats import corpus_writer
from scoref.formats.format import Wanted
from scoref.formats.registry import MODULES, find_format
from scoref.matching.inputs import Input
from tests.formats.zero_corpora import pairs
from tests.strategies import SHARED

WRITTEN = [name for name in MODULES if "-" not in name and find_format(name).write]
LONG = 10_000
LINKS = ["bridging", "nonreferring"]


class Way(NamedTuple):
    """A way to score: the options that a note names if they change, the policy and the metrics."""

    flag: str
    policy: scoref.Policy
    metrics: Sequence[str] | None = None


WAYS = [
    *(
        Way(f"--match {mode.partition('=')[0]}", scoref.Policy(match=mode))
        for mode in ("exact", "head", "partial", "min", "mina", "overlap=0.5")
    ),
    *(Way(f"--metric {metric}", scoref.Policy(), [metric]) for metric in LINKS),
    *(
        Way("--split-antecedents", scoref.Policy(split_antecedents=how), ["muc", "lea", "ceafe"])
        for how in ("score", "only")
    ),
]
Case = tuple[tuple[Corpus, Corpus], tuple[bool, bool], Way]


class RefusedError(Exception):
    """A side that cannot be written."""


def convert(corpus: Corpus, name: str) -> tuple[Corpus, str]:
    """Return what is read of the written corpus, and what the conversion said."""
    try:
        chosen, fitted, notes = corpus_writer._fit(corpus, name)
        content, changes = corpus_writer._written(fitted, chosen)
    except ScorefError as error:
        raise RefusedError from error
    columns = frozenset(corpus.text.columns if corpus.text is not None else ())
    again, problems = find_format(name).read(io.BytesIO(content), "toy", Wanted(columns))
    if problems and name == "brat" and not len(corpus):
        raise RefusedError  # it is empty, and its text would be a file of its own
    assert not problems
    return again, "\n".join([*notes, *changes, *corpus_writer.unsupported_notes(corpus, name)])


def scores(key: Corpus, response: Input, way: Way) -> dict[str, str] | None:
    """Return all scores, or None if scoring refuses the corpora."""
    try:
        result = scoref.score(key, response, way.metrics, policy=way.policy)
    except ScorefError:
        return None
    return {name: repr(tuple(result[name])) for name in result}


def says_so(line: str, way: Way) -> bool:
    """Whether a note says that scores change: all scores, or those of some options."""
    _, has_flags, rest = line.partition("--")
    option, _, value = way.flag.partition(" ")
    named = set(re.findall(r"[-a-z]+", has_flags + rest))
    return "change" in line and (not has_flags or {option, value or option} <= named)


def check(sides: tuple[Corpus, Corpus], name: str, which: tuple[bool, bool], way: Way) -> str:
    """Try one conversion, and return what it ended with."""
    before = scores(*sides, way)
    try:
        found = [
            convert(side, name) if is_converted else (side, "")
            for side, is_converted in zip(sides, which, strict=True)
        ]
    except RefusedError:
        return "refused"
    said = "\n".join(notes for _, notes in found)
    if any(says_so(line, way) for line in said.split("\n")):
        return "noted"
    after = scores(found[0][0], found[1][0], way)
    if before is None or after is None:
        return "refused"
    assert after == before, (name, which, way, said)
    return "kept"


SIDES = st.sampled_from([(True, True), (True, False), (False, True)])


def cases(name: str) -> st.SearchStrategy[Case]:
    """Draw a key and a response, the sides to convert, and a way to score."""
    corpora = pairs(1) if name == "brat" else pairs()  # a file of brat is a document
    return st.tuples(corpora, SIDES, st.sampled_from(WAYS))


def check_drawn(name: str, data: st.DataObject) -> None:
    """Try a conversion to a format."""
    sides, which, way = data.draw(cases(name))
    check(sides, name, which, way)


@pytest.mark.parametrize("name", WRITTEN)
@SHARED
@given(data=st.data())
def test_scores_survive_or_the_conversion_says_that_they_change(
    name: str, data: st.DataObject
) -> None:
    """Into every format, of one side or of both, in every way to score."""
    check_drawn(name, data)


@pytest.mark.long
@pytest.mark.parametrize("name", WRITTEN)
@settings(max_examples=LONG // len(WRITTEN))
@given(data=st.data())
def test_scores_survive_or_the_conversion_says_so(name: str, data: st.DataObject) -> None:
    """The same, 10,000 times."""
    check_drawn(name, data)


@given(sides=pairs())
def test_corefud_keeps_what_was_read_from_corefud(sides: tuple[Corpus, Corpus]) -> None:
    """With words and without: nothing that scoring reads changes again."""
    with suppress(RefusedError):
        again, _ = convert(sides[0], "corefud")
        assert "change" not in convert(again, "corefud")[1]
