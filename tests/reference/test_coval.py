"""Agreement with coval, which SCOREF_COVAL names: LEA above all, which its authors proposed.

Compared are what its functions count in each document, and what its command prints of all.
Mentions stay within sentences, and no document is missing: coval reads neither as we do.
"""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Literal

import numpy as np
import pytest

import scoref
from scoref import Policy
from scoref.linguistics.minimal import minimal_span
from scoref.linguistics.trees import read_tree
from tests.reference import peers
from tests.reference.documents import Files, Shape, draw_documents, write_files
from tests.reference.parses import (
    Grammar,
    Phrase,
    Sentence,
    write_nested_documents,
    write_nested_files,
    write_parsed_files,
)
from tests.reference.peers import Coval

COUNTED = {"mentions": "mentions", "muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "lea": "lea"}
PRINTED = {name.replace("b_cubed", "bcub"): ours for name, ours in COUNTED.items()}
PRINTED["conll"] = "conll"

SHAPES = {
    "system mentions": Shape(documents=300, across=False),
    "key mentions": Shape(documents=300, across=False, found=1.0, spurious=0),
    "few mentions": Shape(documents=300, across=False, tokens=10, mentions=3, spurious=2),
    "overlap within entities": Shape(documents=300, across=False, overlap=True),
    "long documents": Shape(documents=12, across=False, tokens=300, mentions=110, spurious=30),
}


@pytest.fixture(scope="module")
def coval() -> Coval:
    """Coval, if this machine has it."""
    return peers.coval()


@pytest.fixture(params=SHAPES)
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    """A random corpus of one shape after the other."""
    return write_files(tmp_path, draw_documents(16, SHAPES[request.param]))


@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_counts_of_every_document(
    coval: Coval, files: Files, singletons: Literal["keep", "drop"]
) -> None:
    """Numerators and denominators agree to the last digits, with and without singletons."""
    result = scoref.score(*files, COUNTED.values(), Policy(singletons=singletons))

    for name, rows in coval.documents(files, [*COUNTED], singletons).items():
        np.testing.assert_allclose(
            result.counts.rows[COUNTED[name]], rows, rtol=1e-12, atol=1e-12, err_msg=name
        )


OPTIONS = {
    "": Policy(),
    "remove_singletons": Policy(singletons="drop"),
    "remove_nested": Policy(nested="drop"),
    "remove_nested remove_singletons": Policy(nested="drop", singletons="drop"),
    "NP_only": Policy(verb_phrases="drop"),
    "NP_only remove_nested": Policy(verb_phrases="drop", nested="drop"),
    "NP_only remove_nested remove_singletons": Policy(
        verb_phrases="drop", nested="drop", singletons="drop"
    ),
}
"""The options of its command, and the policies that stand for them."""

each_option = pytest.mark.parametrize("options", OPTIONS)
each_option_without_parses = pytest.mark.parametrize(
    "options", [options for options in OPTIONS if "NP_only" not in options]
)


def assert_printed_scores(
    coval: Coval, files: Files, options: tuple[str, ...], policy: Policy
) -> None:
    """Compare what its command rounds to two decimals."""
    printed = coval.totals(files, *options)
    result = scoref.score(*files, PRINTED.values(), policy)
    assert printed.keys() == PRINTED.keys()
    for name, percents in printed.items():
        ours = [100 * score for score in result[PRINTED[name]] if not math.isnan(score)]
        assert ours == pytest.approx(percents, abs=0.005 + 1e-9, rel=0), name


@each_option_without_parses
def test_printed_scores(coval: Coval, files: Files, options: str) -> None:
    """Recall, precision and F1 agree as its command rounds them."""
    assert_printed_scores(coval, files, tuple(options.split()), OPTIONS[options])


@each_option
def test_printed_scores_of_phrases(coval: Coval, tmp_path: Path, options: str) -> None:
    """Noun phrases and verb phrases, many of them inside others of their entity."""
    files = write_nested_files(tmp_path, seed=3, documents=40)
    policy = OPTIONS[options]
    dropped = scoref.score(*files, ["mentions"], policy).key.others_dropped
    assert (dropped > 50) == (policy.nested == "drop" or policy.verb_phrases == "drop")

    assert_printed_scores(coval, files, tuple(options.split()), policy)


CORPORA = {
    "LitBank": ("litbank/key.conll", "litbank/response.conll"),
    "OpenBoek": ("openboek/titaantjes.gold.conll", "openboek/titaantjes.dutchcoref.conll"),
    "GerDraCor": (
        "gerdracor/sara_act1.annotator_ak.conll",
        "gerdracor/sara_act1.annotator_ja.conll",
    ),
    "Gun Violence Corpus": ("hypercoref/gvc.key.conll", "hypercoref/gvc.00.response.conll"),
}
"""Corpora without repeated mentions, most with singletons and nested mentions."""


@pytest.mark.slow
@pytest.mark.parametrize("corpus", CORPORA)
@each_option_without_parses
def test_real_corpora(coval: Coval, data: Path, corpus: str, options: str) -> None:
    """Every printed digit."""
    key, response = CORPORA[corpus]
    files = Files(data / key, data / response)

    assert_printed_scores(coval, files, tuple(options.split()), OPTIONS[options])


def test_minimal_spans_of_constituents(coval: Coval) -> None:
    """The same words, if brackets that open with a mention and go on behind it are left out."""
    grammar = Grammar(Random(19))  # noqa: S311  # not a secret
    given, ours = [], []
    for sentence in (grammar.sentence() for _ in range(600)):
        words, tags = zip(*sentence.words, strict=True)
        tree = read_tree(sentence.cells)
        assert tree is not None
        for phrase in sentence.phrases:
            if phrase.label in ("NP", "VP"):
                places = range(phrase.start, phrase.end + 1)
                cells = zip(places, sentence.own_cells(phrase), strict=True)
                given.append([f"d 0 0 {words[t]} {tags[t]} {c} - - - - * -" for t, c in cells])
                found = minimal_span(tree, words, tags, phrase.start, phrase.end)
                ours.append(sorted(words[token] for token in found))
    assert len(ours) > 2000
    assert coval.minimal_spans(given) == ours


@pytest.mark.parametrize("seed", range(3))
def test_scores_by_minimal_spans(coval: Coval, tmp_path: Path, seed: int) -> None:
    """Mentions that share a core, and differ in what follows it, are the same mention."""
    files = write_parsed_files(tmp_path, seed, 40)
    exact, by_minimal_span = (
        scoref.score(*files, ["mentions"], Policy(match=mode)) for mode in ("exact", "min")
    )
    assert by_minimal_span["mentions"].f1 > exact["mentions"].f1 + 0.02
    assert "match:mina" in by_minimal_span.signature

    assert_printed_scores(coval, files, ("min_spans",), Policy(match="mina"))


RELATIVE = (
    "Ann/NNP/(TOP(S(NP(NP(NP*) slept/VBD/(SBAR(S(VP*)))) and/CC/* Bob/NNP/(NP*)) left/VBD/(VP*)))"
)
ROME = "the/DT/(TOP(NP* man/NN/* of/IN/(PP* Rome/NNP/(NP*))))"
BRACKETED = "the/DT/(TOP(NP(NP* man/NN/*) of/IN/(PP* Rome/NNP/(NP*))))"
DEFECTS = {
    "brackets go on after the mention": (RELATIVE, [(0, 3)], [(3, 3)], 0, 1),
    "positions of the next bracket": (ROME, [(0, 3)], [(0, 1)], 1, 0),
    "position of another word": ("has/VBZ/(TOP(VP* has/VBZ/(VP* slept/VBD/(VP*))))", [(0, 2)],
                                 [(1, 1)], 0, 1),
    "positions in the mention": ("that/DT/(TOP(S(NP*) saw/VBD/(VP* that/DT/(NP*))))", [(0, 0)],
                                 [(2, 2)], 0, 1),
    "lost words": ("U.S./NNP/(TOP(NP* of/IN/(PP* Rome/NNP/(NP*))))", [(0, 2)], [(0, 0)], 1, 0),
    "collision": (BRACKETED, [(0, 1), (0, 3)], [(0, 3)], 1, 2),
}  # fmt: skip
"""The defects of coval that the manual lists: a sentence as words, tags and parse cells, mentions
of key and response, and how many key mentions are found here and there."""


@pytest.mark.parametrize("defect", DEFECTS)
def test_defects_of_minimal_spans(coval: Coval, tmp_path: Path, defect: str) -> None:
    """The smallest sentence for each."""
    cells, *sides, here, there = DEFECTS[defect]
    sentence = Sentence()
    for word, tag, cell in (part.split("/") for part in cells.split()):
        sentence.words.append((word, tag))
        sentence.cells.append(cell)
    files = Files(tmp_path / "key.conll", tmp_path / "response.conll")
    for path, mentions in zip(files, sides, strict=True):
        marks: dict[int, list[str]] = {}
        for entity, (start, end) in enumerate(mentions):
            marks.setdefault(start, []).append(f"({entity}" + ")" * (start == end))
            if start < end:
                marks.setdefault(end, []).append(f"{entity})")
        lines = ["#begin document (d); part 000", *sentence.lines(marks), "", "#end document", ""]
        path.write_text("\n".join(lines), "utf-8")
    (found,) = coval.minimal_matches(files, ["mentions"])
    assert len(found.equal) == there
    result = scoref.score(*files, ["mentions"], match="mina")
    assert result.counts.rows["mentions"][0].tolist() == [here, len(sides[0]), here, len(sides[1])]


@pytest.mark.parametrize("seed", [pytest.param(5, marks=pytest.mark.long), 6])
def test_every_difference_by_minimal_spans_is_one_of_these(
    coval: Coval, tmp_path: Path, seed: int
) -> None:
    """Documents whose mentions often collide, and have parses of all kinds.

    If no mentions collide, and both take the same mentions for equal, all counts are equal.
    """
    many = 500 if seed == 5 else 60
    files, documents = write_nested_documents(tmp_path, seed, many)
    metrics = {**COUNTED}
    ours = scoref.score(*files, metrics.values(), match="mina").counts.rows
    compared, unexplained, differing = 0, [], 0
    for number, found in enumerate(coval.minimal_matches(files, [*metrics])):
        here = _Minimal(documents[number])
        equal = {
            (one, other)
            for one in found.spans[0]
            for other in found.spans[1]
            if one[0] == other[0] and here.tokens(one) == here.tokens(other)
        }
        differing += len(equal ^ found.equal)
        unexplained += [pair for pair in equal ^ found.equal if not any(map(here.is_misread, pair))]
        collide = any(len({*map(here.place, side)}) < len(side) for side in found.spans)
        if equal == found.equal and not collide and not found.collide:
            compared += 1
            for name, counts in found.counts.items():
                np.testing.assert_allclose(ours[metrics[name]][number], counts, rtol=1e-12)
    assert differing > 2 * many
    assert compared > 0
    assert not unexplained


class _Minimal:
    """The minimal spans of a document, and whether coval's rules misread a mention."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.sentences = sentences

    def tokens(self, mention: tuple[int, int, int]) -> list[int]:
        """Return the tokens of the minimal span."""
        at, start, end = mention
        sentence = self.sentences[at]
        words, tags = zip(*sentence.words, strict=True)
        tree = read_tree(sentence.cells)
        assert tree is not None
        return minimal_span(tree, words, tags, start, end)

    def place(self, mention: tuple[int, int, int]) -> tuple[int, tuple[int, ...]]:
        """Return the sentence and the tokens of the minimal span."""
        return mention[0], tuple(self.tokens(mention))

    def is_misread(self, mention: tuple[int, int, int]) -> bool:
        """Whether a defect of coval concerns a mention."""
        at, start, end = mention
        sentence, tokens = self.sentences[at], self.tokens(mention)
        cells = sentence.cells[start : end + 1]
        goes_on = sentence.own_cells(Phrase(start, end, "", 0))[0] != cells[0]
        before_bracket = any(
            token < end and sentence.cells[token + 1].startswith("(") for token in tokens
        )
        return goes_on or before_bracket or (len(tokens) == len(cells) and start > 0)
