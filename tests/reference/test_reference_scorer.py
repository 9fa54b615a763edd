"""Agreement with the CoNLL reference scorer v8.01, which SCOREF_REFERENCE_SCORER names.

All it prints is compared: the counts with all their digits, and the percentages, which it
cuts off after two decimals; of a whole corpus and of each document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

import scoref
from scoref import Policy, Result, Score
from tests.reference import definitions as slow
from tests.reference import peers
from tests.reference.documents import (
    Document,
    Entities,
    Files,
    Shape,
    conll_text,
    draw_documents,
    repeat_mentions,
    write_files,
)
from tests.reference.peers import Line, Lines, ReferenceScorer
from tests.strategies import partial_partitions

OUR_NAME = {"muc": "muc", "bcub": "b3", "ceafm": "ceafm", "ceafe": "ceafe", "blanc": "blanc"}

SHAPES = {
    "system mentions": Shape(documents=200),
    "key mentions": Shape(documents=200, found=1.0, spurious=0),
    "few mentions": Shape(documents=200, tokens=10, mentions=3, spurious=2, found=0.6),
    "missing documents": Shape(documents=100, absent=0.3),
    "overlap within entities": Shape(documents=200, tokens=30, overlap=True),
    "long documents": Shape(documents=12, tokens=300, mentions=110, spurious=30),
}
WITHOUT_TOKENS = Document("(no/tokens); part 000", (), {}, {})
WITHOUT_MENTIONS = Document("(no/mentions); part 000", (4, 2), {}, {})

each_metric = pytest.mark.parametrize("metric", OUR_NAME)


@pytest.fixture(scope="module")
def reference() -> ReferenceScorer:
    """The reference scorer, if this machine has it."""
    return peers.reference_scorer()


class Ours(NamedTuple):
    """What we say of a measure: the counts that a `Line` has, and scores from 0 to 1."""

    counts: Sequence[float]
    scores: Sequence[float]


def labelled(
    metric: str, counts: Mapping[str, Sequence[float]], scores: Mapping[str, Score]
) -> dict[str, Ours]:
    """Put what we counted under the labels that the reference scorer prints."""
    name = OUR_NAME[metric]
    mentions = {"Identification of Mentions": Ours(counts["mentions"], scores["mentions"])}
    if metric != "blanc":
        return {**mentions, "Coreference": Ours(counts[name], scores[name])}
    ck, cr, cc, nk, nr, nn = counts[name]
    return {
        **mentions,
        "Coreference links": _ratios([cc, ck, cc, cr]),
        "Non-coreference links": _ratios([nn, nk, nn, nr]),
        "BLANC": Ours([scores[name].recall, 1, scores[name].precision, 1], scores[name]),
    }


def _ratios(counts: Sequence[float]) -> Ours:
    return Ours(counts, [float(x) for x in slow.score_ratio(tuple(map(Fraction, counts)))])


def our_totals(result: Result, metric: str) -> dict[str, Ours]:
    """Return what we say of a whole corpus."""
    return labelled(metric, {m: [*result.totals(m).values()] for m in result}, result.scores)


def our_documents(result: Result, metric: str) -> list[dict[str, Ours]]:
    """Return what we say of each document."""
    return [
        labelled(metric, {m: result.counts.rows[m][at].tolist() for m in result}, scores)
        for at, scores in enumerate(result.documents.values())
    ]


def differences(theirs: Lines, said: Mapping[str, Ours]) -> list[tuple[str, Line, Ours]]:
    """List the lines that the reference scorer would not print for our counts and scores."""
    assert theirs.keys() == said.keys()
    return [
        (label, line, said[label]) for label, line in theirs.items() if not line.says(*said[label])
    ]


def assert_equal_totals(
    reference: ReferenceScorer, metric: str, files: Files, policy: Policy | None = None
) -> Result:
    """Compare a corpus, and return our result."""
    result = scoref.score(*files, ["mentions", OUR_NAME[metric]], policy)
    assert differences(reference.totals(metric, files), our_totals(result, metric)) == []
    return result


def assert_equal(
    reference: ReferenceScorer, metric: str, files: Files, documents: Sequence[Document]
) -> None:
    """Compare a corpus and each of its documents."""
    result = assert_equal_totals(reference, metric, files)
    headings = [document.heading for document in documents]
    theirs = reference.documents(metric, files, headings)
    said = our_documents(result, metric)
    for heading, one, other in zip(headings, theirs, said, strict=True):
        assert differences(one, other) == [], heading


def write_cells(folder: Path, key: Sequence[str], response: Sequence[str]) -> Files:
    """Write one document, given the last column of both sides."""
    files = Files(folder / "key.conll", folder / "response.conll")
    for path, cells in zip(files, (key, response), strict=True):
        path.write_text(conll_text("(doc); part 000", cells), encoding="utf-8")
    return files


def single_tokens(partition: Sequence[Sequence[str]]) -> Entities:
    """Let each letter of a partition be a token: a is the first, b the second."""
    return {
        number: [(ord(letter) - ord("a"),) * 2 for letter in entity]
        for number, entity in enumerate(partition)
    }


@each_metric
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_random_documents(
    reference: ReferenceScorer, metric: str, shape: Shape, tmp_path: Path
) -> None:
    """Nested, crossing and cross-sentence mentions, singletons, documents with nothing in them."""
    documents = [*draw_documents(8, shape), WITHOUT_TOKENS, WITHOUT_MENTIONS]

    assert_equal(reference, metric, write_files(tmp_path, documents), documents)


@each_metric
def test_everything_up_to_three_mentions(
    reference: ReferenceScorer, metric: str, tmp_path: Path
) -> None:
    """All pairs of partitions with all patterns of missing and spurious mentions."""
    sides = [single_tokens(partition) for partition in partial_partitions("abc")]
    pairs = [(key, response) for key in sides for response in sides]
    documents = [
        Document(f"(pair/{number}); part 000", (3,), key, response)
        for number, (key, response) in enumerate(pairs)
    ]

    assert len(documents) == 15**2
    assert_equal(reference, metric, write_files(tmp_path, documents), documents)


@each_metric
@pytest.mark.parametrize("seed", range(4))
def test_repeated_mentions_that_the_key_has(
    reference: ReferenceScorer, metric: str, seed: int, tmp_path: Path
) -> None:
    """The mention stays in the entity that appears first; more than ten would be refused."""
    rng = Random(seed)  # noqa: S311  # not a secret
    drawn = draw_documents(seed, Shape(documents=5))
    documents = [repeat_mentions(rng, document, times=2) for document in drawn]
    files = write_files(tmp_path, documents)

    assert 0 < scoref.score(*files).response.duplicates_dropped <= 10
    assert_equal(reference, metric, files, documents)


@each_metric
def test_documents_that_the_key_lacks(
    reference: ReferenceScorer, metric: str, tmp_path: Path
) -> None:
    """The reference scorer ignores them; we do so when told to."""
    documents = draw_documents(3, Shape(documents=20))
    files = write_files(tmp_path, documents)
    write_files(tmp_path, documents[:15]).key.replace(tmp_path / "fewer.conll")
    write_files(tmp_path, documents)

    fewer = files._replace(key=tmp_path / "fewer.conll")
    assert_equal_totals(reference, metric, fewer, Policy(extra_documents="ignore"))


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("abc", "abc"),
        ("abc", "a b c"),
        ("abc", "ab c"),
        ("abc", "abx"),
        ("abc", "ab x y"),
        ("a b c", "a b c"),
        ("a b c", "abc"),
        ("a b c", "ab c"),
        ("a b c", "axy b"),
        ("a", "a"),
        ("a", "b"),
        ("a", "ab"),
        ("a", "a b"),
        ("ab", "a"),
        ("ab c", ""),
        ("", "ab c"),
        ("", ""),
    ],
)
def test_blanc_without_links_of_a_kind(
    reference: ReferenceScorer, key: str, response: str, tmp_path: Path
) -> None:
    """A key without links of a kind is scored on the other kind; a key without any has zero."""
    sides = single_tokens(key.split()), single_tokens(response.split())
    files = write_files(tmp_path, [Document("(doc); part 000", (26,), *sides)])

    assert_equal_totals(reference, "blanc", files)


READINGS = {
    "a mention that ends where the next of its entity starts": (
        ["(1", "(2)", "1)", "(1)"],
        ["(1", "1)|(1", "1)", "(2)"],
    ),
    "mentions of one entity that cross": (
        ["(1", "(2", "2)", "1)", "(1)"],
        ["(1", "(1", "1)", "1)", "(2)"],
    ),
    "a mention inside another of its entity": (
        ["(1", "(1", "1)", "1)", "(1)"],
        ["(1", "(2", "2)", "1)", "(2)"],
    ),
    "mentions of one entity that start together": (
        ["(1|(1", "1)", "1)", "(1)"],
        ["(1|(2", "2)", "1)", "(2)"],
    ),
    "mentions of one token inside others of their entity": (
        ["(1|(1)", "1)|(1)", "(2)"],
        ["(1|(2)", "1)|(2)", "(2)"],
    ),
    "brackets without a bar between them": (
        ["(1|(2", "2)|(3)", "1)", "(1)|(2", "2)"],
        ["(1(2", "2)(3)", "1)", "(1)(2", "2)"],
    ),
    "mentions with two antecedents": (
        ["(1)", "(2)", "(1+2)", "(1)"],
        ["(1)", "(2)", "(1+2)|(2)", "(2)"],
    ),
    "ids that differ in leading zeros": (
        ["(5)", "(05)", "(5)"],
        ["(5)", "(5)", "(05)"],
    ),
    "underscores for no mention": (
        ["(1", "_", "1)", "(1)", "_"],
        ["(1", "_", "1)", "_", "(1)"],
    ),
}


@each_metric
@pytest.mark.parametrize(("key", "response"), READINGS.values(), ids=READINGS)
def test_unusual_cells(
    reference: ReferenceScorer,
    metric: str,
    key: Sequence[str],
    response: Sequence[str],
    tmp_path: Path,
) -> None:
    """Both programs find the same mentions, and so both score the same."""
    assert_equal_totals(reference, metric, write_cells(tmp_path, key, response))


@pytest.mark.parametrize(
    ("written", "instead"),
    [("\n", "\r\n"), ("\t", " "), ("\n\n", "\n"), ("\n\n", "\n\n\n")],
    ids=["carriage returns", "spaces", "no sentence breaks", "empty lines"],
)
def test_unusual_files(
    reference: ReferenceScorer, written: str, instead: str, tmp_path: Path
) -> None:
    """How lines and columns are separated, and where sentences end, is irrelevant."""
    files = write_files(tmp_path, draw_documents(5, Shape(documents=30)))
    text = files.response.read_text(encoding="utf-8").replace(written, instead)
    files.response.write_bytes(text.encode())

    assert_equal_totals(reference, "bcub", files)


@each_metric
def test_its_own_test_files(reference: ReferenceScorer, metric: str) -> None:
    """Every response it is tested with, none left out, against the key of the same letter."""
    folder = reference.folder / "test" / "DataFiles"
    responses = sorted(folder.glob("TC-*.response"))
    if not responses:
        pytest.skip("this checkout of the reference scorer is without its test files")
    for response in responses:
        key = folder / re.sub(r"-\d+\.response$", ".key", response.name)
        assert_equal_totals(reference, metric, Files(key, response))


REAL = {
    "litbank": ("key.conll", "response.conll"),
    "gerdracor": ("sara_act1.annotator_ak.conll", "sara_act1.annotator_ja.conll"),
}


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["muc", "bcub", "ceafm", "ceafe"])
@pytest.mark.parametrize("corpus", REAL)
def test_real_corpora(reference: ReferenceScorer, metric: str, corpus: str, data: Path) -> None:
    """A hundred literary texts, and a play whose mentions cross sentences.

    BLANC is left out, which takes Perl a minute.
    """
    key, response = REAL[corpus]

    assert_equal_totals(reference, metric, Files(data / corpus / key, data / corpus / response))


class TestWhereWeKnowinglyDiffer:
    """Repeated mentions: the reference scorer counts or refuses what we drop once and for all."""

    def test_a_repeated_mention_that_the_key_lacks(
        self, reference: ReferenceScorer, tmp_path: Path
    ) -> None:
        """It is a mention of each of its entities there; here, as any other, of the first."""
        files = write_cells(tmp_path, ["(1)", "(1)", "-"], ["(1)", "(1)", "(1)|(2)"])

        assert reference.totals("bcub", files)["Coreference"].counts == pytest.approx(
            (2, 2, 4 / 3, 4)
        )
        assert [*scoref.score(*files).totals("b3").values()] == pytest.approx([2, 2, 4 / 3, 3])

    def test_a_repeated_mention_of_the_key(
        self, reference: ReferenceScorer, tmp_path: Path
    ) -> None:
        """It counts twice in the denominators there, and makes recall smaller; here once."""
        files = write_cells(tmp_path, ["(1)|(2)", "(1)"], ["(1)", "(1)"])

        assert reference.totals("muc", files)["Coreference"].counts == (0, 1, 0, 1)
        assert [*scoref.score(*files).totals("muc").values()] == [1, 1, 1, 1]

    def test_many_repeated_mentions(self, reference: ReferenceScorer, tmp_path: Path) -> None:
        """There, eleven of them are refused; here, they are dropped, and a note says so."""
        cells = ["(1)"] * 11
        files = write_cells(tmp_path, cells, ["(1)|(2)"] * 11)

        assert "refusing to score" in reference.refusal("muc", files)
        assert scoref.score(*files).response.duplicates_dropped == 11
