"""WinoPron: published cases, pairing, words, and what is refused."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoref.analysis.presets import PresetScores, winopron
from scoref.cli import main
from scoref.exceptions import FormatError

Row = dict[str, str]
NAMES = ("tp", "fp", "fn", "precision", "recall", "f1", "accuracy")
FORMS = {
    "$NOM_PRONOUN": ("he", "she", "they", "xe"),
    "$POSS_PRONOUN": ("his", "her", "their", "xyr"),
}
SETS = ("he", "she", "they", "xe")
GENERATIONS = {
    ("nurse", "patient", "$NOM_PRONOUN"): (
        ("nurse", ("patient", "the nurse", "the nurse", "")),
        ("patient", ("the patient", "the patient", "the patient", "the nurse")),
    ),
    ("engineer", "client", "$POSS_PRONOUN"): (
        ("engineer", ("the engineer", "the engineer", "the engineer", "the engineer")),
        ("client", ("The engineer", "the client", "the engineer and the client", "the client")),
    ),
}
PUBLISHED = {
    ("none", "all"): (11, 3, 5, 11 / 14, 11 / 16, 11 / 15, 11 / 16),
    ("none", "nom"): (5, 2, 3, 5 / 7, 5 / 8, 2 / 3, 5 / 8),
    ("none", "acc"): (0, 0, 0, 1.0, math.nan, math.nan, math.nan),
    ("none", "they"): (3, 0, 1, 1.0, 0.75, 6 / 7, 0.75),
    ("template", "all"): (4, 12, 12, 0.25, 0.25, 0.25, 0.25),
    ("template", "xe"): (1, 3, 3, 0.25, 0.25, 0.25, 0.25),
    ("coref_dir", "all"): (8, 6, 8, 4 / 7, 0.5, 8 / 15, 0.5),
    ("coref_dir", "he"): (0, 4, 4, 0.0, 0.0, 0.0, 0.0),
    ("coref_dir", "she"): (4, 0, 0, 1.0, 1.0, 1.0, 1.0),
}


def rows_of(generations: Callable[[str], str] = str) -> list[Row]:
    """Return the rows of the published case."""
    return [
        {
            "occupation": occupation,
            "participant": participant,
            "pronoun_type": case,
            "answer": answer,
            "pronoun": pronoun,
            "generation": generations(text),
        }
        for (occupation, participant, case), answers in GENERATIONS.items()
        for answer, texts in answers
        for pronoun, text in zip(FORMS[case], texts, strict=True)
    ]


def scores(folder: Path, rows: list[Row]) -> PresetScores:
    """Score rows, in a file as pandas writes it."""
    path = folder / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows_of()[0]], delimiter="\t")
        writer.writeheader()
        writer.writerows(rows)
    return winopron(path)


def test_published_case(tmp_path: Path) -> None:
    """Alone and paired, by case and by pronoun set."""
    found = scores(tmp_path, rows_of())
    for (pairing, group), values in PUBLISHED.items():
        row = found.tables[pairing][group]
        assert [row[name] for name in NAMES] == pytest.approx([*values], nan_ok=True)
    assert found.notes == ()


def test_words_of_the_published_code(tmp_path: Path) -> None:
    """Only quotes and full stops are removed; a note says what whole words give."""
    quoted = scores(tmp_path, rows_of(lambda text: f'"{text.upper()}".'))
    assert quoted.tables == scores(tmp_path, rows_of()).tables
    found = scores(tmp_path, rows_of(lambda text: text.replace("nurse", "nurse,")))
    assert found.tables["none"]["all"]["tp"] == 9
    (note,) = found.notes
    assert note.endswith("something else in 3 answers, and 11 instead of 9 are right")


def test_other_pronouns_are_in_no_set(tmp_path: Path) -> None:
    """They are in all items and in their case."""
    rows = [{**row, "pronoun": "ze"} for row in rows_of()]
    found = scores(tmp_path, rows)
    assert found.tables["none"]["all"]["tp"] == 11
    assert found.tables["none"]["he"]["tp"] + found.tables["none"]["he"]["fn"] == 0
    assert found.notes == ("pronouns that are in none of the sets: ze",)


@st.composite
def items(draw: st.DrawFn) -> list[Row]:
    """Draw rows, some of which are repeated prompts."""
    rows = rows_of()
    texts = st.sampled_from(
        ["nurse", "the Patient.", "client engineer", "", '"engineer"', "client"]
    )
    chosen = draw(st.lists(st.sampled_from(rows), min_size=1, max_size=30))
    return [{**row, "generation": draw(texts)} for row in chosen]


@given(items())
def test_pairing_as_a_slow_count_has_it(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row]
) -> None:
    """Each item looks for the items of its group."""
    found = scores(tmp_path_factory.mktemp("winopron"), rows)
    same: dict[str, Callable[[Row, Row], bool]] = {
        "none": lambda one, other: one is other,
        "template": lambda one, other: all(
            one[name] == other[name] for name in ("occupation", "pronoun_type", "answer")
        ),
        "coref_dir": lambda one, other: all(
            one[name] == other[name] for name in ("occupation", "pronoun_type", "pronoun")
        ),
    }
    copies = [dict(row) for row in rows]  # the same row can be drawn twice
    for pairing, together in same.items():
        tp = fp = 0
        for one in copies:
            several = [other for other in copies if together(one, other)]
            tp += all(_said(other) == other["answer"] for other in several)
            fp += any(_said(other) not in {"", other["answer"]} for other in several)
        row = found.tables[pairing]["all"]
        assert (row["tp"], row["fp"], row["fn"]) == (tp, fp, len(rows) - tp)
        for groups in (("nom", "acc", "poss"), SETS):
            assert sum(found.tables[pairing][one]["tp"] for one in groups) == tp


def _said(row: Row) -> str:
    words = row["generation"].lower().replace(".", "").replace('"', "").split()
    said = [one for one in (row["occupation"], row["participant"]) if one in words]
    return said[0] if len(said) == 1 else ""


def test_the_command_reads_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With tabs or commas; other columns are ignored."""
    rows = rows_of()
    for delimiter in ("\t", ","):
        lines = [delimiter.join(["sentence", *rows[0]])]
        lines += [delimiter.join(["x", *row.values()]) for row in rows]
        path = tmp_path / "rows.txt"
        path.write_text("\n".join(lines), "utf-8")
        assert main(["slices", str(path), "--preset", "winopron"]) == 0
        shown = capsys.readouterr().out.splitlines()
        assert shown[2].split() == ["all", "68.75", "68.75", "78.57", "73.33", "11", "3", "5", "13"]
    assert main(["slices", *[str(path)] * 3, "--preset", "winopron"]) == 2
    expected = "found 3 files, expected --preset winopron RESPONSE.tsv"
    assert expected in capsys.readouterr().err


def test_generations_of_several_lines(tmp_path: Path) -> None:
    """Quoted, as pandas writes them; a quote that is not closed is part of the text."""
    found = scores(tmp_path, rows_of(lambda text: f"Answer:\n{text}"))
    assert str(found) == str(scores(tmp_path, rows_of()))
    scores(tmp_path, rows_of(lambda text: f"Answer:\n{text}"))
    path = tmp_path / "rows.csv"
    text = path.read_text("utf-8").replace('"Answer:\nthe client"', '"Answer: the client')
    path.write_text(text, "utf-8")
    with pytest.raises(FormatError, match="found a quoted cell over several lines"):
        winopron(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": "doctor"}, "found the answer `doctor`, expected `nurse` or `patient`"),
        ({"pronoun_type": "nom"}, "found the pronoun_type `nom`, expected one of \\$NOM_PRONOUN"),
    ],
)
def test_what_is_refused(tmp_path: Path, change: dict[str, str], message: str) -> None:
    """With the row."""
    first, *others = rows_of()
    with pytest.raises(FormatError, match=f"rows.csv:2: {message}"):
        scores(tmp_path, [{**first, **change}, *others])


def test_nothing_is_refused(tmp_path: Path) -> None:
    """No rows have no scores."""
    with pytest.raises(FormatError, match="found no rows"):
        scores(tmp_path, [])
