"""What users type without thinking: lists of metrics, options between files, nothing at all."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import scoref
from scoref.base.phrases import split_names
from scoref.cli import main
from scoref.exceptions import UsageError
from scoref.metrics import DEFAULT, FAMILIES, find_metrics
from tests.conftest import REPOSITORY

FERRY = REPOSITORY / "examples" / "ferry"
KEY, RESPONSE = str(FERRY / "key.conll"), str(FERRY / "careful.conll")


def metrics_of(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return the metrics that a command prints."""
    assert main(["score", KEY, RESPONSE, "--to", "json", *words]) == 0
    return [*json.loads(capsys.readouterr().out)["scores"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("muc", ["muc"]),
        ("muc,b3", ["muc", "b3"]),
        (" muc , b3,", ["muc", "b3"]),
        ("lea(importance=type,nam=2),muc", ["lea(importance=type,nam=2)", "muc"]),
        ("b3,ace(a=1,b=2),muc", ["b3", "ace(a=1,b=2)", "muc"]),
        (",", [","]),
    ],
)
def test_lists_of_names(text: str, names: list[str]) -> None:
    """Commas in parentheses separate parameters."""
    assert split_names(text) == names


def test_metrics_in_one_flag(capsys: pytest.CaptureFixture[str]) -> None:
    """In the order in which they are named, each once."""
    assert metrics_of(capsys, "-m", "b3,muc", "-m", "muc,lea") == ["b3", "muc", "lea"]
    assert [metric.name for metric in find_metrics("muc,blanc(alpha=0.2)")] == [
        "muc",
        "blanc(alpha=0.2)",
    ]


def test_all_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    """Every metric that needs nothing but entities; the others are left to those who have more."""
    found = metrics_of(capsys, "-m", "all")
    assert {*DEFAULT, "pairwise"} <= {*found}
    assert {*found} < {*FAMILIES}
    assert not any(find_metrics([name])[0].needs for name in found)
    with pytest.raises(UsageError, match="unknown metric 'everything'"):
        find_metrics("everything")


def test_options_between_files(capsys: pytest.CaptureFixture[str]) -> None:
    """Also between the files of a list, and before an optional argument."""
    words = ["compare", KEY, "--by", "lea", RESPONSE, "-m", "lea", str(FERRY / "hasty.conll")]
    assert main(words) == 0
    assert "careful" in capsys.readouterr().out
    assert main(["official", "muc", KEY, RESPONSE, "--refuse-repeated", "none"]) == 0
    assert capsys.readouterr().out.count("Recall") == 2


def test_files_that_look_like_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After two dashes."""
    monkeypatch.chdir(tmp_path)
    Path("-q").write_bytes(Path(KEY).read_bytes())
    assert main(["score", "-m", "muc", "--", "-q", KEY]) == 0
    assert "100.00" in capsys.readouterr().out


def test_the_program_alone_shows_help(capsys: pytest.CaptureFixture[str]) -> None:
    """And succeeds."""
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 0
    assert "official" in capsys.readouterr().out


def test_the_module_is_the_program() -> None:
    """`python -m scoref`."""
    done = subprocess.run(
        [sys.executable, "-m", "scoref", "score", "-q", KEY, KEY],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "100.00\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scroe"], "unknown command 'scroe'\n  hint: did you mean 'score'?"),
        (
            ["score", "--singleton"],
            "hint: did you mean '--singletons'?",
        ),
        (
            ["score", KEY, RESPONSE, "-o", "x.doc"],
            "found the ending '.doc', expected one of:",
        ),
        (["score", KEY, RESPONSE, "-o", "x.html"], "hint: `scoref report` writes a page"),
        (["xyzzy"], "unknown command 'xyzzy'\n  hint: `scoref --help` shows the usage"),
        (["score", "--jobs", "9999", KEY, KEY], "'9999' is not a whole number from 0 to 1024"),
        (["score", KEY, KEY, "--xyzzy"], "unknown option --xyzzy\n  hint: `scoref score --help`"),
        (["score", KEY, KEY, KEY], "unrecognized arguments: "),
        (["score", KEY], "the following arguments are required: RESPONSE"),
        (["score", "-q", "-m", "all", KEY, KEY], "--quiet prints one number"),
    ],
)
def test_mistakes(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Code 2, one message, one hint."""
    try:
        code = main(words)
    except SystemExit as end:
        code = int(str(end.code))
    assert code == 2
    assert message in capsys.readouterr().err


def test_formats_and_encodings_of_one_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The flag of a side goes before that of both; in Python, they are a pair."""
    odd = tmp_path / "odd.bin"
    odd.write_bytes(Path(KEY).read_text("utf-8").encode("utf-16"))
    one, other = ["--response-encoding", "utf-16"], ["--response-format", "conll"]
    for more in (one, [*one, *other], [*one, "--format", "jsonl", "--key-format", "conll", *other]):
        assert main(["score", "-q", KEY, str(odd), *more]) == 0
        assert main(["count", KEY, str(odd), *more, "-o", str(tmp_path / "x.json")]) == 0
    assert main(["score", "-q", str(odd), KEY, "--key-encoding", "utf-16", "--jobs", "2"]) == 0
    assert capsys.readouterr().out == "100.00\n" * 4
    result = scoref.score(KEY, str(odd), ["muc"], format=("conll", None), encoding=(None, "utf-16"))
    assert result["muc"].f1 == 1
