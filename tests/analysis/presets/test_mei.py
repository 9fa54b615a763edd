"""MEI: published cases, missing lists, formats, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.analysis.presets import mei
from scoref.cli import main
from scoref.exceptions import FormatError

AVERAGES = ("macro_f1", "micro_f1", "macro_micro_f1")
Spans = list[list[list[int]]]


def spans(*entities: tuple[int, ...]) -> Spans:
    """Return entities of mentions of one token."""
    return [[[one, one] for one in entity] for entity in entities]


KEY = {"d1": spans((1, 2, 3, 4), (5, 6), (9,)), "d2": spans((1, 2, 3, 4, 5, 6), ())}
RESPONSE = {"d1": spans((1, 2, 3, 7), (5, 4), (6, 9)), "d2": spans((1, 2, 3), (4, 5, 6))}
NAMES = {"d1": ["ann", "bob"], "d2": ["eve"]}


def test_published_cases() -> None:
    """Two documents, and an entity that the response lacks."""
    found = mei(KEY, RESPONSE, NAMES)
    assert [found.figures[name] for name in AVERAGES] == pytest.approx([23 / 36, 2 / 3, 2 / 3])
    assert [row["f1"] for rows in found.tables.values() for row in rows.values()] == pytest.approx(
        [0.75, 0.5, 2 / 3]
    )
    found = mei(
        {"d": spans((1, 2, 3, 4), (5, 6), ())},
        {"d": spans((1, 2, 3, 4), (), ())},
        {"d": ["a", "b"]},
    )
    assert [found.figures[name] for name in AVERAGES] == pytest.approx([0.5, 2 / 3, 2 / 3])
    assert set(found.figures) == {*AVERAGES}


def test_a_missing_list_is_empty() -> None:
    """The published code credits the list that it adds with what the response lacks."""
    found = mei({"d": spans((1, 2), (5, 6))}, {"d": spans((1, 2))}, {"d": ["ann", "bob"]})
    assert found.figures["macro_f1"] == 0.5
    assert found.figures["published_macro_f1"] == 1.0
    assert "it lacks: macro, micro and macro-micro F1 100.00, 100.00, 100.00" in found.notes[-1]
    whole = mei({"d": spans((1, 2), (5, 6))}, {"d": spans((1, 2), ())}, {"d": ["ann", "bob"]})
    assert whole.tables == found.tables
    assert set(whole.figures) == {*AVERAGES}


def test_a_mention_in_two_lists_counts_in_both() -> None:
    """As in the published code."""
    found = mei({"d": spans((1, 2), (5,))}, {"d": spans((1, 2), (5, 1))}, {"d": ["ann", "bob"]})
    assert found.tables["d"]["bob"]["precision"] == 0.5


@st.composite
def corpora(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any], dict[str, list[str]]]:
    """Draw documents; a response can lack lists, and have a mention twice."""
    key, response, names = {}, {}, {}
    mentions = st.frozensets(st.integers(0, 9), max_size=5)
    for document in map(str, range(draw(st.integers(1, 3)))):
        size = draw(st.integers(1, 4))
        names[document] = [f"n{at}" for at in range(size)]
        several = draw(st.lists(mentions, min_size=size, max_size=size + 1))
        key[document] = spans(*map(tuple, several))
        response[document] = spans(*map(tuple, draw(st.lists(mentions, max_size=size + 2))))
    return key, response, names


@given(corpora())
def test_averages_of_a_slow_count(
    drawn: tuple[dict[str, Spans], dict[str, Spans], dict[str, list[str]]],
) -> None:
    """With exact fractions, from the definition; and both figures of the published code."""
    key, response, names = drawn
    found = mei(key, response, names)
    ours, theirs = (_averages(key, response, names, once=once) for once in (False, True))
    for name, one, other in zip(AVERAGES, ours, theirs, strict=True):
        published = found.figures.get(f"published_{name}", found.figures[name])
        assert found.figures[name] == pytest.approx(one, nan_ok=True)
        assert published == pytest.approx(other, nan_ok=True)


def _averages(
    key: dict[str, Spans], response: dict[str, Spans], names: dict[str, list[str]], *, once: bool
) -> list[float]:
    rows = {}
    for document, expected in names.items():
        one, other = ([{*map(tuple, e)} for e in side[document]] for side in (key, response))
        if once and len(other) <= len(expected):
            other.append(set().union(*one) - set().union(*other))
        other += [set()] * len(expected)
        rows[document] = [
            (Fraction(2 * len(k & r), max(len(k) + len(r), 1)), len(k))
            for k, r, _ in zip(one, other, expected, strict=False)
        ]
    every = [row for several in rows.values() for row in several]

    def micro(several: list[tuple[Fraction, int]], empty: float) -> float:
        total = sum(many for _, many in several)
        return float(sum(f1 * many for f1, many in several) / total) if total else empty

    documents = [micro(several, 0.0) for several in rows.values()]
    macro = float(sum((f1 for f1, _ in every), Fraction(0)) / len(every))
    return [macro, micro(every, float("nan")), sum(documents) / len(documents)]


def _write(path: Path, content: Any) -> str:
    lines = content if isinstance(content, str) else json.dumps(content)
    path.write_text(lines, "utf-8")
    return str(path)


def _shown(files: list[str], capsys: pytest.CaptureFixture[str]) -> list[float]:
    assert (
        main(["slices", *files[:2], "--preset", "mei", "--entities", files[2], "--to", "json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    return [found[name] for name in AVERAGES]


def test_files_of_every_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON objects, JSON lines with empty lists, and tables of names."""
    expected = pytest.approx([23 / 36, 2 / 3, 2 / 3])
    names = _write(tmp_path / "names.json", NAMES)
    objects = [_write(tmp_path / "k.json", KEY), _write(tmp_path / "r.json", RESPONSE)]
    assert _shown([*objects, names], capsys) == expected
    table = _write(tmp_path / "names.csv", "d1,ann,bob\nd2, eve\n")
    assert _shown([*objects, table], capsys) == expected
    lines = [
        json.dumps(
            {
                "doc_key": name,
                "sentences": [["w"] * 9],
                "clusters": KEY[name],
                "predicted_clusters": RESPONSE[name],
            }
        )
        for name in KEY
    ]
    both = _write(tmp_path / "both.jsonl", "\n".join(lines))
    assert _shown([both, both, names], capsys) == expected


def test_documents_of_one_side() -> None:
    """A document that the response lacks is empty; one that the key lacks is ignored."""
    found = mei({"d1": KEY["d1"]}, {"d2": RESPONSE["d2"]}, NAMES)
    assert found.figures["macro_f1"] == 0.0
    assert set(found.figures) == {*AVERAGES}
    assert found.notes[:2] == (
        "the response lacks 1 document, each of which counts as empty: d1",
        "the key lacks 1 document, each of which is ignored: d2",
    )


def test_an_entity_that_the_key_lacks() -> None:
    """It counts in the macro average, as in the published code, and a note says so."""
    found = mei({"d": spans((1,), ())}, {"d": spans((1,), ())}, {"d": ["ann", "bob"]})
    assert found.figures["macro_f1"] == 0.5
    assert found.notes == ("1 entity has no mention in the key, and an F1 of 0: bob",)


@pytest.mark.parametrize(
    ("key", "names", "message"),
    [
        (
            KEY,
            {"d1": ["ann", "bob"]},
            "the key: found document d2, expected a document that has names",
        ),
        (KEY, {**NAMES, "d1": ["ann"]}, "the key: found 3 lists in document d1, expected 1, or 2"),
        (
            {"d1": [[[1.5, 2]], []]},
            NAMES,
            "the key: found `.*` in document d1, expected lists of mentions",
        ),
        ({"d1": 3}, NAMES, "the key: found `3` in document d1"),
        ({"d1": "ab"}, NAMES, "the key: found `ab` in document d1"),
        ({"d1": {"ann": [[1, 1]]}}, NAMES, "the key: found `.*` in document d1, expected lists"),
        (KEY, {"d1": ["ann", "ann"]}, "the entities: found .* expected a list of different names"),
        (KEY, {"d1": "ann"}, "the entities: found `ann` for document d1"),
        (KEY, {}, "the entities: found no documents"),
    ],
)
def test_what_is_refused(key: Any, names: Any, message: str) -> None:
    """With the side and the document."""
    with pytest.raises(FormatError, match=message):
        mei(key, key, names)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"d1": [', "found invalid JSON"),
        ("[1, 2]", "found a JSON list"),
        ('{"doc_key": "d1", "tokens": []}', ":1: found a document without entities"),
        ('{"doc_key": "d1", "clusters": []}\n' * 2, ":2: found document d1 again"),
    ],
)
def test_damaged_json(
    content: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the file and the line."""
    path = _write(tmp_path / "damaged.json", content)
    names = _write(tmp_path / "names.json", NAMES)
    assert main(["slices", path, path, "--preset", "mei", "--entities", names]) == 2
    assert message in capsys.readouterr().err
