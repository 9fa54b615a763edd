"""`scoref explain` as a user meets it: output, notes, exit codes, messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scoref
from tests.cli.test_commands import Capture, run
from tests.conftest import REPOSITORY


@pytest.fixture
def files(example: Path) -> tuple[str, str]:
    """The key and a response of the shipped example."""
    return str(example / "key.conll"), str(example / "careful.conll")


@pytest.fixture
def paper() -> tuple[str, str]:
    """The worked example of the reference scorer's paper."""
    folder = REPOSITORY / "examples" / "pradhan2014"
    return str(folder / "key.conll"), str(folder / "response.conll")


@pytest.mark.parametrize("output", ["text", "markdown", "latex", "json"])
def test_every_output(capsys: Capture, files: tuple[str, str], output: str) -> None:
    """The command prints the same as `Explanation.render`, and no notes."""
    code, out, err = run(capsys, "explain", *files, "--to", output)
    assert (code, err) == (0, "")
    assert out == scoref.explain(*files).render(output) + "\n"


def test_the_paper(capsys: Capture, paper: tuple[str, str]) -> None:
    """Entities have the ids of the file, mentions have positions and words, terms are fractions."""
    code, out, _ = run(capsys, "explain", *paper, "-m", "b3", "-m", "blanc")
    assert code == 0
    assert "  K2      2      4  3 d; 4 e; 5 f; 6 g\n" in out
    assert "= 5/11 ≈ 0.4545\n" in out
    assert "= 25/68 ≈ 0.3676\n" in out
    assert out.splitlines()[-1].startswith("scoref|key:")


def test_words_can_be_left_out(capsys: Capture, paper: tuple[str, str]) -> None:
    """--no-words shows only positions, for a text that must not be published."""
    code, out, err = run(capsys, "explain", *paper, "-m", "b3", "--no-words")
    assert (code, err) == (0, "")
    assert "  K2      2      4  3, 4, 5, 6\n" in out
    assert "words" not in out


def test_a_document(capsys: Capture, files: tuple[str, str]) -> None:
    """--document names the document, and the corpus sums are left out."""
    arguments = ("explain", *files, "-m", "muc", "--document", "harbour/letter")
    _, out, _ = run(capsys, *arguments, "--to", "json")
    content = json.loads(out)
    assert content["document"] == "harbour/letter"
    assert content["documents"] == 2
    assert content["metrics"]["muc"]["recall"] == {"fraction": "13/14", "value": 13 / 14}
    assert "corpus" not in content["metrics"]["muc"]


def test_an_unknown_document(capsys: Capture, files: tuple[str, str]) -> None:
    """The message suggests the closest name."""
    code, out, err = run(capsys, "explain", *files, "--document", "harbour/later")
    assert (code, out) == (2, "")
    assert "no document 'harbour/later'" in err
    assert "did you mean 'harbour/letter'" in err


def test_a_limit(capsys: Capture, files: tuple[str, str]) -> None:
    """--top 0 shows all terms; a negative number is refused."""
    assert "... 8 more" in run(capsys, "explain", *files, "-m", "muc")[1]
    assert " more" not in run(capsys, "explain", *files, "-m", "muc", "--top", "0")[1]
    code, _, err = run(capsys, "explain", *files, "--top", "-1")
    assert code == 2
    assert "--top" in err


def test_policies(capsys: Capture, files: tuple[str, str]) -> None:
    """The signature states the policies, and --like repeats them."""
    _, out, _ = run(capsys, "explain", *files, "-m", "muc", "--singletons", "drop")
    assert "singletons dropped: 11 from the key, 0 from the response" in out
    signature = out.splitlines()[-1]
    assert "singletons:drop" in signature
    assert run(capsys, "explain", *files, "-m", "muc", "--like", signature)[1] == out


def test_notes_go_to_standard_error(capsys: Capture, tmp_path: Path) -> None:
    """Notes are not mixed with the explanation."""
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_text("#begin document (x);\nx 0 0 a (1)\n#end document\n", "utf-8")
    response.write_text("#begin document (x);\nx 0 0 a -\n#end document\n", "utf-8")
    code, out, err = run(capsys, "explain", key, response)
    assert code == 0
    assert "note: the response has no mentions" in err
    assert "precision = 0/0, counted as zero by the policy" in out


def test_a_metric_that_refuses_the_input(capsys: Capture, files: tuple[str, str]) -> None:
    """The error is the same as in `score`."""
    explained = run(capsys, "explain", *files, "-m", "rand")
    scored = run(capsys, "score", *files, "-m", "rand")
    assert explained == scored
    assert explained[0] == 2
    assert run(capsys, "explain", "-", "-")[0] == 2


def test_a_metric_of_the_user(
    capsys: Capture, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """-m accepts module:function."""
    monkeypatch.chdir(REPOSITORY)
    name = "tests.explanation.test_explain:whole_entities"
    code, out, _ = run(capsys, "explain", *files, "-m", name)
    assert code == 0
    assert "This metric has no walk-through of its own" in out
    assert "  recall    = 12/30 = 2/5 = 0.4000\n" in out
