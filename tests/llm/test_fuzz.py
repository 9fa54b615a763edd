"""Generated text is untrusted: nothing in it crashes, hangs or runs anything."""

from __future__ import annotations

import json
import random
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref.corpus.corpus import Corpus
from scoref.exceptions import ScorefError
from scoref.llm.align import align
from scoref.llm.completions import read_completions
from scoref.llm.markups import detect_markup, find_markup, written_markups
from scoref.llm.prompts import _Documents, write_document
from tests.sampled import sampled

MARKUPS = [*(one.name for one in written_markups()), "pronouns"]
JUNK = [
    *("[", "]", "](#", "]#1", "[]#3", "|[e1", "e1]", "|", "##", "##|[e1]", ",", "\\", "\\["),
    *('<m id="1">', "</m>", "<", "</m>#", "<e1>", "</e2>", "&lt;", "&#0;", '"', "{", "}", ":"),
    *("```\n", "\n\n", "\x00", "\ufeff", "\u200b", "\ud83d\ude00", "\u0301", "-> ", "\u2192", "'"),
    *("null", "1e999", '{"entities": 3}', '"mentions": [[[', "$(touch x)", "__import__('os')"),
]


def source() -> Corpus:
    """Return a small document with words, mentions of several kinds, and brackets of its own."""
    words = [
        "Ann",
        "[",
        "1",
        "]",
        "saw",
        "the",
        "old",
        "man",
        ".",
        "He",
        "|",
        "she",
        "waved",
        "at",
        "her",
        "<",
        "twice",
        ">",
        ".",
        "It",
        "is",
        "n't",
        "so",
        ".",
    ]
    builder = scoref.CorpusBuilder("fuzz", text=True)
    document = builder.document("d", length=len(words))
    builder.sentence(word=words[:8])
    builder.sentence(word=words[8:])
    for start, end, entity in ((0, 0, "a"), (5, 7, "b"), (9, 9, "b"), (11, 11, "a"), (14, 14, "a")):
        builder.mention(document, (start, end), builder.entity(document, entity))
    return builder.corpus()


SOURCE = source()
TEXTS = {
    one.name: write_document(one, next(iter(_Documents(SOURCE, one)))) for one in written_markups()
}
TEXTS["pronouns"] = "He -> the old man\nshe -> Ann\nher -> Ann\nIt -> (nothing)"


def check(text: str, markup: str) -> None:
    """Align a text: mentions are in the document, or an error has a message."""
    try:
        found = align(SOURCE, {"d": text}, markup, "close-at-sentence")
    except ScorefError as error:
        assert str(error)  # noqa: PT017
        return
    corpus = found.corpus
    length = len(SOURCE.text or ())
    assert (corpus.start >= 0).all()
    assert (corpus.end < length).all()
    assert (corpus.start <= corpus.end).all()
    counts = found.fidelity
    assert counts.kept + counts.altered + counts.dropped in (0, length)
    assert counts.placed + counts.lost + counts.repeated_mentions == counts.mentions
    assert found.fidelity.lines()


def mutated(text: str, rng: random.Random) -> str:
    """Damage a text in one to five places."""
    for _ in range(rng.randrange(1, 6)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        text = rng.choice(
            [
                text[:at] + rng.choice(JUNK) + text[at:],
                text[:at] + text[to:],
                text[:to] + text[at:to] + text[to:],
                text[:at],
                text[:at]
                + chr(rng.choice([0, 9, 10, 0xD7FF, 0x301, 0x4E00, 0x1F600]))
                + text[at + 1 :],
                text[at:] + text[:at],
            ]
        )
    return text


@pytest.mark.parametrize("markup", MARKUPS)
def test_damaged_text(markup: str) -> None:
    """In its own markup, in a wrong one, and with the markup detected."""
    rng = random.Random(MARKUPS.index(markup))  # noqa: S311
    for _ in range(250):
        text = mutated(TEXTS[markup], rng)
        check(text, rng.choice([markup, "auto", rng.choice(MARKUPS)]))


@given(st.text(), st.sampled_from([*MARKUPS, "auto"]))
def test_any_text(text: str, markup: str) -> None:
    """Whatever Unicode has."""
    check(text, markup)


@given(st.lists(st.sampled_from([*JUNK, "Ann", "saw", " the old man ", ". "]), max_size=40))
def test_any_tags(parts: list[str]) -> None:
    """Tags in any order."""
    for markup in MARKUPS:
        check("".join(parts), markup)


@given(st.binary(max_size=300))
def test_any_file(data: bytes) -> None:
    """Bytes that need not be text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.txt"
        path.write_bytes(data)
        with suppress(ScorefError):
            read_completions(path)


@pytest.mark.parametrize(
    "text",
    sampled(
        [
            "[" * 12_500,
            "[" * 6_250 + "]#1" * 6_250,
            "]#1" * 12_500,
            "[a]#1" * 6_250,
            "<m id='1'>" * 6_250 + "</m>" * 6_250,
            "<e1>" * 3_750 + "</e2>" * 3_750,
            "x|[e1 " * 6_250,
            "x|e1] " * 6_250,
            "x|[e1 " * 3_750 + "x|e2] " * 3_750,
            "|" * 25_000,
            "|[e" * 7_500,
            "##|[e1] " * 3_750,
            "[" * 12_500 + '"a"',
            '{"a":' * 6_250,
            '["' + "\\" * 12_500,
            '"' * 12_500,
            "[[" + '"a",' * 6_250,
            "->" * 6_250,
            "\n" * 25_000 + "a -> b",
            " " * 25_000 + "-> b",
            "(" * 12_500 + "-> b",
            "``` \n" * 3_750,
            "the old man . " * 2_500 + "[Ann]#1",
            "a" * 37_500 + "[Ann]#1",
            "Ann [ 1 ] saw the old man . He | she waved at her " * 500 + "[Ann]#1",
            '[{"text": "her", "cluster": 1}' + ', {"text": "her", "cluster": 1}' * 1_000 + "]",
        ],
        every=7,
    ),
    ids=lambda text: text[:12],
)
def test_long_texts_take_linear_time(text: str) -> None:
    """Anything quadratic would take minutes here."""
    for markup in ("auto", "crac", "brackets", "xml", "quotes", "pronouns"):
        check(text, markup)


def test_names_of_entities_are_safe_to_write(tmp_path: Path) -> None:
    """A label cannot break the file that it is written to."""
    labels = ["a)", "(b", "a|b", "x\ty", "a b", "-", "e1-person", "\u00e9"]
    quotes = {label: ["Ann"] for label in labels}
    found = align(SOURCE, {"d": json.dumps(quotes)}, "quotes")
    for name in ("out.conll", "out.conllu", "out.jsonl"):
        path = tmp_path / name
        found.corpus.write(
            path, {"l": "conll", "u": "corefud"}.get(name[-1]) if "jsonl" not in name else "jsonl"
        )
        assert len(scoref.read(path)) == len(found.corpus)


def test_detection_is_total() -> None:
    """Every markup counts tags in every text."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        text = "".join(rng.choice(JUNK, 30).tolist())
        detect_markup(text)
        for name in MARKUPS:
            assert find_markup(name).count(text) >= 0
