"""Names and words of unknown origin: no output lets them act on a terminal or a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest

import scoref
from scoref.cli import main
from scoref.views.writers.csv import raw_texts, write_records

HOSTILE = "\x1b[2J\x1b]0;own\x07\x9b31m\u202eevil\u2028x\x7f"
NAME = f"d\n{HOSTILE}"
COMMANDS = {
    "score": ["score", "k", "r", "--per-document"],
    "compare": ["compare", "k", "r", "s", "--trials", "9", "--details"],
    "explain": ["explain", "k", "r"],
    "errors": ["errors", "k", "r"],
    "stats": ["stats", "k", "r"],
    "stress": ["stress", "k", "r", "-m", "muc"],
    "power": ["power", "k", "r", "s"],
    "agreement": ["agreement", "k", "r", "--trials", "9"],
}


def actors(text: str) -> set[str]:
    """Return the characters that a terminal acts upon, by an independent definition."""
    kinds = ("Cc", "Cs", "Zl", "Zp")
    hidden = {one for one in text if unicodedata.category(one) in kinds} - {"\n"}
    return hidden | {one for one in text if unicodedata.bidirectional(one) in ("RLO", "LRO", "RLE")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files whose document, words and names are hostile."""
    for name, clusters in {
        "k": [[[0, 0], [2, 2]], [[1, 1]]],
        "r": [[[0, 0], [1, 1]], [[2, 2]]],
        "s": [[[0, 0]], [[2, 2], [1, 1]]],
    }.items():
        lines = [
            {"doc_key": doc, "sentences": [[f"w{HOSTILE}", "=1+1", "she"]], "clusters": clusters}
            for doc in (NAME, "=cmd|' /C calc'!A0", "-1.5", "other")
        ]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("output", ["text", "json", "jsonl", "csv", "latex", "markdown"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_output_has_control_characters(
    capsys: pytest.CaptureFixture[str], command: str, output: str
) -> None:
    """Nor standard error."""
    if (output == "jsonl" and command != "errors") or (output == "csv" and command == "explain"):
        pytest.skip("the command does not have the output")
    assert main([*COMMANDS[command], "--to", output]) == 0
    shown = capsys.readouterr()
    assert actors(shown.out) == set()
    assert actors(shown.err) == set()
    if output == "json":
        json.loads(shown.out)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("colour", [False, True])
def test_a_shown_document(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, colour: bool
) -> None:
    """Colours are those of scoref alone."""
    monkeypatch.setenv("FORCE_COLOR" if colour else "NO_COLOR", "1")
    assert main(["errors", "k", "r", "--show", NAME]) == 0
    out = capsys.readouterr().out
    assert ("\x1b[1;" in out) == colour
    assert actors(re.sub(r"\x1b\[(1;3\d|0)m", "", out)) == set()
    assert r"\u001b[2J" in out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "words",
    [
        ["score", "k", HOSTILE],
        ["score", "k", "r", "--where", f"genre={HOSTILE}"],
        ["score", "k", "r", "-m", NAME],
        ["score", "k", "r", "--average", NAME],
        ["errors", "k", "r", "--show", NAME + "?"],
        ["validate", HOSTILE],
        ["count", "k", "r", "-o", f"{HOSTILE}/x"],
    ],
)
def test_messages(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """An error has one line, and perhaps a hint, whatever it quotes."""
    with suppress(SystemExit):  # argparse exits
        assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert actors(shown.err) == set()
    lines = [line for line in shown.err.splitlines() if not line.startswith("  hint: ")]
    assert all(line.startswith(("scoref: error: ", "scoref: note: ")) for line in lines)


def test_problems_of_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A problem is a line, whatever it quotes."""
    (folder / "bad").write_text("#begin document (d\x1b[2J)\n0 a (1\x1b[2J\n#end document\n")
    assert main(["validate", "bad"]) in (1, 2)
    shown = capsys.readouterr()
    assert actors(shown.out + shown.err) == set()


@pytest.mark.usefixtures("folder")
def test_rows_of_a_table_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """A line break in a name adds no row."""
    for output, mark in (
        ("text", "evil"),
        ("markdown", "evil"),
        ("latex", "evil"),
        ("csv", "evil"),
    ):
        main(["score", "k", "r", "-m", "muc", "--per-document", "--to", output])
        rows = [line for line in capsys.readouterr().out.splitlines() if mark in line]
        assert len(rows) == 1, output
        assert "d\\n" in rows[0].replace(r"\textbackslash{}", "\\").replace("\\\\", "\\")


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "-"])
def test_a_formula_is_not_executed(text: str) -> None:
    """An apostrophe comes first; with `--raw`, nothing changes."""
    (row,) = csv.reader(io.StringIO(write_records([[text]])))
    assert row[0].startswith("'")
    with raw_texts():
        (row,) = csv.reader(io.StringIO(write_records([[text]]), newline=""))
    assert row == [text]


@pytest.mark.parametrize("value", [-1.5, "-1.5", "+3", "-.5e-7", 0, 1e-300, "12", "", "a=b", True])
def test_numbers_and_other_texts_stay(value: object) -> None:
    """Whether they are numbers of Python or texts."""
    assert write_records([[value, 1]]) == f"{value},1"


@pytest.mark.usefixtures("folder")
def test_raw_rows_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """The names of documents as they are in the file."""
    words = ["score", "k", "r", "-m", "muc", "--per-document", "--to", "csv"]
    main(words)
    safe = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    main([*words, "--raw"])
    raw = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))
    assert [row[0] for row in raw[1:4]] == [NAME, "=cmd|' /C calc'!A0", "-1.5"]
    assert safe[2][0] == "'=cmd|' /C calc'!A0"
    assert safe[3][0] == "-1.5"
    assert [row[1:] for row in safe] == [row[1:] for row in raw]
    assert main(["score", "k", "r", "--raw"]) == 2
    assert "--raw changes only --to csv" in capsys.readouterr().err


def test_python_renders_pages_the_same_way() -> None:
    """`Result.render` and `to_markdown` are for terminals and files too."""
    result = scoref.score({NAME: [["a", "b"]]}, {NAME: [["a", "b"]]})
    for output in ("text", "csv", "latex", "markdown"):
        assert actors(result.render(output, per_document=True)) == set()
