"""Windows: published figures, laws, and what they cannot be combined with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoref
from scoref import Corpus, Policy
from scoref.analysis.errors.gains import gains
from scoref.base.arrays import Ints
from scoref.cli import main
from scoref.exceptions import UsageError
from scoref.matching.windows import TextWindows, token_windows
from scoref.metrics import find_metrics
from tests.conftest import SHARED

CASES = SHARED / "cases" / "corpora" / "windows.json"
METRICS = {"muc": "muc", "b_cubed": "b3", "ceafe": "ceafe", "conll2012": "conll"}
ALL = ["all"]

Spans = list[list[tuple[int, int]]]


def cases() -> dict[str, Any]:
    """Return the cases of BookCoref, which are next to a checkout."""
    if not CASES.is_file():
        pytest.skip("the cases (../shared/cases) are not on this machine")
    found: dict[str, Any] = json.loads(CASES.read_text("utf-8"))
    return found


@pytest.mark.parametrize(
    ("figures", "compat"),
    [
        ("bookcoref_full", "none"),
        ("bookcoref_gold_window", "bookcoref-window"),
        ("partition_by_first_token", "none"),
    ],
)
def test_published_figures(figures: str, compat: Any) -> None:
    """The figures of BookCoref's evaluation, and of a correct partition."""
    for case in cases().values():
        window = "none" if figures == "bookcoref_full" else case["window"]
        policy = Policy.of(None, window=window, compat=compat)
        result = scoref.score({"book": case["key"]}, {"book": case["response"]}, policy=policy)
        for theirs, ours in METRICS.items():
            for part, value in case[figures][theirs].items():
                if ours != "conll" or part == "f1":
                    assert 100 * getattr(result[ours], part) == pytest.approx(value, abs=0.00501)


def test_bookcoref_says_what_it_drops_and_doubles() -> None:
    """Mentions that start at a seam, and those of the last two windows."""
    book = {"book": [[(0, 0), (2, 2), (9, 9), (12, 12)], [(5, 6), (13, 13)]]}
    result = scoref.score(book, book, window=5, compat="bookcoref-window", metrics=["mentions"])
    (note,) = result.notes
    assert note == (
        "BookCoref's windows of 5 tokens: dropped 2 mentions of the key and 2 of the response,"
        " which start at a seam; doubled 0 mentions of the key and 0 of the response, which are in"
        " the last two windows"
    )
    doubled = {"book": [[(11, 11), (12, 12)], [(13, 13), (16, 16)]]}
    result = scoref.score(doubled, doubled, window=15, compat="bookcoref-window")
    assert "doubled 3 mentions of the key and 3 of" in result.notes[-1]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Spans, Spans]:
    """Draw two sides of one document, which share most mentions."""
    spans = st.tuples(st.integers(0, 30), st.integers(0, 3)).map(lambda s: (s[0], s[0] + s[1]))
    mentions = draw(st.lists(spans, unique=True, min_size=1, max_size=14))

    def side() -> Spans:
        entity = [draw(st.integers(0, 4)) for _ in mentions]
        kept = [draw(st.integers(0, 9)) > 0 for _ in mentions]
        found: dict[int, list[tuple[int, int]]] = {}
        for span, number, keep in zip(mentions, entity, kept, strict=True):
            if keep:
                found.setdefault(number, []).append(span)
        return list(found.values())

    return side(), side()


@given(pairs(), st.sampled_from([{}, {"average": "macro"}, {"where": "entity_size>1"}]))
def test_a_window_of_the_text_is_the_document(
    sides: tuple[Spans, Spans], choices: dict[str, Any]
) -> None:
    """To the bit: the counts are equal, with the same names."""
    key, response = ({"a": side, "b": side[:1]} for side in sides)
    whole = scoref.score(key, response, ALL, **choices)
    for window in (34, "34:3", 1000):
        windowed = scoref.score(key, response, ALL, window=window, **choices)
        assert windowed.counts == whole.counts


@given(pairs(), st.integers(1, 12))
def test_windows_are_documents_of_their_own(sides: tuple[Spans, Spans], size: int) -> None:
    """The sums of counts are those of a document per window, made by hand."""

    def divided(side: Spans) -> dict[str, Spans]:
        documents: dict[str, Spans] = {f"{at:03}": [] for at in range(34 // size + 1)}
        for entity in side:
            parts: dict[int, list[tuple[int, int]]] = {}
            for span in entity:
                parts.setdefault(span[0] // size, []).append(span)
            for at, part in parts.items():
                documents[f"{at:03}"].append(part)
        return documents

    key, response = sides
    windowed = scoref.score({"a": key}, {"a": response}, ALL, window=size)
    by_hand = scoref.score(divided(key), divided(response), ALL)
    for metric in windowed:
        sums, expected = windowed.totals(metric), by_hand.totals(metric)
        assert list(sums.values()) == pytest.approx(list(expected.values()))


@given(pairs(), st.integers(1, 12))
def test_every_mention_is_in_one_window(sides: tuple[Spans, Spans], size: int) -> None:
    """None is lost, and none counts twice, also if it crosses a seam."""
    key, response = sides
    whole = scoref.score({"a": key}, {"a": response}, ["mentions"])
    windowed = scoref.score({"a": key}, {"a": response}, ["mentions"], window=size)
    assert windowed.totals("mentions") == whole.totals("mentions")


@given(st.integers(1, 60), st.integers(1, 20), st.integers(1, 20))
def test_overlapping_windows(length: int, size: int, step: int) -> None:
    """Up to the first window that reaches the end; a mention is in those with its first token."""
    step = min(size, step)
    windows = token_windows(np.array([length, 3]), size, step)
    first, end = (column[windows.document == 0].tolist() for column in (windows.first, windows.end))
    assert first == list(range(0, first[-1] + 1, step))
    assert end[-1] == length
    assert all(one < length for one in end[:-1])
    tokens: Ints = np.arange(length)
    row, window = windows.of(np.zeros_like(tokens), tokens)
    found = list(zip(row.tolist(), window.tolist(), strict=True))
    assert found == [
        (token, at)
        for token in range(length)
        for at, (one, other) in enumerate(zip(first, end, strict=True))
        if one <= token < other
    ]


def test_no_mentions() -> None:
    """Nothing is in any window."""
    nothing = np.zeros(0, dtype=np.int64)
    windows = TextWindows(nothing, nothing, nothing)
    assert [column.tolist() for column in windows.of(nothing, nothing)] == [[], []]
    result = scoref.score({"a": []}, {"a": []}, window=5)
    assert result["b3"].f1 == 0.0


BOOK = """#begin document (keeper)
keeper 1 0 Ada (1)
keeper 1 1 kept -
keeper 1 2 the (2
keeper 1 3 lamp 2)
keeper 1 4 . -

keeper 1 0 She (1)
keeper 1 1 liked -
keeper 1 2 it (2)
keeper 1 3 . -

keeper 2 0 Rook (3)
keeper 2 1 thanked -
keeper 2 2 her (1)
keeper 2 3 . -
#end document
"""


@pytest.fixture
def book(tmp_path: Path) -> str:
    """A book of three sentences: tokens 0-4, 5-8 and 9-12."""
    path = tmp_path / "key.conll"
    path.write_text(BOOK, encoding="utf-8")
    return str(path)


def test_windows_of_sentences(book: str) -> None:
    """They are windows of tokens that end where sentences end."""
    links = {"1s": 0, "2s": 2, "2s:1s": 3, "3s": 3}
    for window, expected in links.items():
        counts = scoref.score(book, book, ["muc"], window=window).counts.rows["muc"]
        assert counts[0, 0] == expected
    assert scoref.score(book, book, ALL, window="3s").counts == scoref.score(book, book, ALL).counts
    plain = {"keeper": [[(0, 0), (5, 5), (11, 11)], [(2, 3), (7, 7)], [(9, 9)]]}
    response = scoref.score(book, plain, ["muc"], window="2s")
    assert response == scoref.score(plain, book, ["muc"], window="2s")
    with pytest.raises(UsageError, match="windows of sentences require sentences"):
        scoref.score(plain, plain, window="2s")


def test_matched_mentions_stay_together() -> None:
    """A match is not lost at a seam: the pair is in the window of the key mention."""
    key = {"a": [[(4, 6), (8, 8)]]}
    response = {"a": [[(5, 6), (8, 8)]]}
    result = scoref.score(key, response, ["mentions", "muc"], match="overlap=0.5", window=5)
    assert result["mentions"].f1 == 1.0
    assert result["muc"].f1 == 0.0


def test_conditions_describe_whole_documents(book: str) -> None:
    """`where` selects before the cut, before or after scoring."""
    conditions = "entity_size>2"
    chosen = scoref.score(book, book, ["b3"], window=5, where=conditions)
    later = scoref.score(book, book, ["b3"], window=5).where(conditions)
    assert chosen == later
    assert chosen.counts.rows["b3"][0, 0] == 3


def test_errors_are_those_inside_windows(book: str) -> None:
    """A link across windows is no error; single repairs gain what a rescore says."""
    response = {"keeper": [[(0, 0), (2, 3)], [(5, 5)], [(7, 7)], [(9, 9), (11, 11)]]}
    assert scoref.errors(book, response).counts["divided"] > 0
    errors = scoref.errors(book, response, window=5)
    assert {kind: many for kind, many in errors.counts.items() if many} == {"conflated": 1}
    whole = scoref.score(book, response, window=5)
    (after,) = [one for one in errors.repairs() if one.name == "conflated"]
    for metric in find_metrics(["muc", "b3", "ceafe", "blanc"]):
        (gain,) = gains(errors, metric)
        assert gain == pytest.approx(after.scores[metric.name].f1 - whole[metric.name].f1)


def test_windows_of_one_text_are_one_observation(book: str) -> None:
    """Intervals resample documents, not windows."""
    with pytest.raises(UsageError, match="at least 2 documents, found 1"):
        scoref.score(book, book, window=2).intervals()
    two = {name: [[(0, 0), (9, 9)], [(3, 3), (4, 4)]] for name in "ab"}
    assert len(scoref.score(two, two, window=5).intervals(trials=10).units) == 2


def test_the_policy() -> None:
    """A number in Python, a text in the signature; equal windows have one name."""
    assert Policy(window=5) == Policy(window="5") == Policy(window="5:5")  # type: ignore[arg-type]
    assert "|window:20:10|" in Policy(window="20:10").signature("ab")
    assert Policy.like("scoref|kab|win:20s:10s|v0.1.0").window == "20s:10s"
    for wrong in (0, -3, True, 2.5, "5:6", "5s:2", "N[:STEP]", "s", ""):
        with pytest.raises(UsageError, match=r"window is .*one of: none"):
            Policy(window=wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="window 5 cannot be combined with unit corpus"):
        Policy(window="5", unit="corpus")
    for window in ("none", "5:2", "5s"):
        with pytest.raises(UsageError, match="requires windows of tokens without a step"):
            Policy(window=window, compat="bookcoref-window")


def test_positions_are_required() -> None:
    """Labels and characters have none."""
    labels = {"a": [["x", "y"]]}
    with pytest.raises(UsageError, match="mentions of the key are labels"):
        scoref.score(labels, labels, window=2)
    row = [{"doc_key": "a", "text": "Ada is Ada", "clusters": [[[0, 3], [7, 10]]]}]
    with pytest.raises(UsageError, match="the positions of the key are characters"):
        scoref.score(row, row, window=2)
    assert isinstance(scoref.read(row), Corpus)


def test_too_many_rows() -> None:
    """A window per token costs the square of the text."""
    windows = token_windows(np.array([200_000]), 100_000, 1)
    start = np.arange(0, 200_000, 10)
    with pytest.raises(UsageError, match="use a larger step"):
        windows.of(np.zeros_like(start), start)


def test_commands(book: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every command that scores; those that show whole documents refuse."""
    for command in ("score", "compare", "errors"):
        assert main([command, book, book, "--window", "5"]) == 0
        assert "|window:5|" in capsys.readouterr().out or command == "errors"
    page = str(tmp_path / "report.html")
    assert main(["report", book, book, "--window", "2s", "-o", page]) == 0
    counts = str(tmp_path / "x.counts.json")
    assert main(["count", book, book, "--window", "5", "-o", counts]) == 0
    assert main(["score", book, counts, "--window", "5"]) == 0
    capsys.readouterr()
    for command in ("explain", "stress"):
        assert main([command, book, book, "--window", "5"]) == 2
        assert "not available with --window 5" in capsys.readouterr().err


def test_real_books(data: Path) -> None:
    """The sum of the windows' mentions is that of the book, and a long window is the book."""
    key, response = (
        str(data / "openboek" / f"titaantjes.{name}.conll") for name in ("gold", "dutchcoref")
    )
    whole = scoref.score(key, response, check_words="never")
    assert scoref.score(key, response, check_words="never", window=11_790).counts == whole.counts
    for window in (1, 7, 500, "20s"):
        result = scoref.score(key, response, ["mentions"], check_words="never", window=window)
        assert result.totals("mentions") == whole.totals("mentions")
