"""The manual page "Moving from another scorer": its commands are run, new ones and old ones.

A row of a table has an old command and a new one. The new ones always run. An old one runs where
an environment variable names a checkout of its scorer (see `peers.py`), and all numbers that it
prints must be those of the new one.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import scoref
from scoref.cli import main
from scoref.cli.command import command_parser, parse
from scoref.cli.options import score_pair
from tests.conftest import REPOSITORY
from tests.reference import anaphora_documents, corefud_documents, documents, parses, peers
from tests.reference.documents import Files

PAGE = (REPOSITORY / "docs" / "guides" / "moving.md").read_text("utf-8")
_ROW = re.compile(r"^\| `(?P<old>[^`]+)` \| `(?P<new>scoref [^`]+)` \|$", re.MULTILINE)
_NAMES = {"bcub": "b3", "mention_overlap": "mor"}
_NUMBERS = re.compile(
    r"^(?P<name>[a-z]+)\s+Recall: (\S+)\s+Precision: (\S+)\s+F1: (\S+)$", re.MULTILINE
)


class Move(NamedTuple):
    """A row of a table."""

    old: str
    new: str


MOVES = [Move(row["old"], row["new"]) for row in _ROW.finditer(PAGE)]
PEERS = {
    "scorer.pl": lambda: peers.reference_scorer().folder,
    "scorer.py": lambda: peers.coval().folder,
    "corefud-scorer.py": lambda: peers.corefud_scorer().folder,
    "ua-scorer.py": lambda: peers.ua_scorer().folder,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the commands: nested phrases with parses, zeros, plurals."""
    made = tmp_path_factory.mktemp("moving")
    parses.write_nested_files(made, seed=5, documents=30)
    pairs = {
        "conllu": corefud_documents.write_pair(
            tmp_path_factory.mktemp("corefud"), 5, corefud_documents.Shape(documents=30)
        ),
        "conllua": anaphora_documents.write_pair(
            tmp_path_factory.mktemp("ua"),
            7,
            anaphora_documents.Shape(documents=30, non_referring=0.0),
        ),
    }
    for suffix, pair in pairs.items():
        for name, path in zip(("key", "response"), pair, strict=True):
            (made / f"{name}.{suffix}").write_bytes(path.read_bytes())
    return made


def test_the_page_has_rows() -> None:
    """Of every scorer that can be run."""
    programs = {word for move in MOVES for word in move.old.split() if word in PEERS}
    assert programs == {*PEERS}
    assert len(MOVES) > 20


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.new)
def test_new_commands_run(
    move: Move, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On files of their format."""
    monkeypatch.chdir(folder)
    assert main(shlex.split(move.new)[1:]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("text", sorted({*re.findall(r"`(--[a-z-]+(?: [a-z-]+)?)`", PAGE)}))
def test_every_flag_of_the_page_exists(text: str) -> None:
    """With its value, if it is written with one."""
    flag, *value = text.split()
    command = "official" if flag == "--refuse-repeated" else "score"
    (action,) = (one for one in command_parser(command)._actions if flag in one.option_strings)
    if value and action.choices:
        assert value[0] in action.choices


def ours(folder: Path, command: str) -> dict[str, list[str]]:
    """Return what a new command prints, in percent with two decimals."""
    arguments = parse(shlex.split(command)[1:])
    here = Path.cwd()
    os.chdir(folder)
    try:
        scores = score_pair(arguments).scores
    finally:
        os.chdir(here)
    return {
        name: [f"{100 * value:.2f}" for value in score if not math.isnan(value)]
        for name, score in scores.items()
    }


@pytest.mark.parametrize(
    "move", [move for move in MOVES if {*move.old.split()} & {*PEERS}], ids=lambda move: move.old
)
def test_old_commands_print_the_same(
    move: Move, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every digit that both commands print."""
    words = move.old.split()
    program = next(word for word in words if word in PEERS)
    checkout = PEERS[program]()
    at = words.index(program)
    python = os.environ.get("SCOREF_COREFUD_PYTHON", sys.executable)
    interpreter = "perl" if program.endswith(".pl") else python
    done = subprocess.run(
        [interpreter, str(checkout / program), *words[at + 1 :]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(checkout), "PERL_HASH_SEED": "0"},
    )
    if program == "scorer.pl":
        monkeypatch.chdir(folder)
        assert main(shlex.split(move.new)[1:]) == 0
        same = [sorted(text.splitlines()[1:]) for text in (done.stdout, capsys.readouterr().out)]
        assert same[0] == same[1]
        return
    found = {_NAMES.get(row[0], row[0]): [*row[1:]] for row in _NUMBERS.findall(done.stdout)}
    new = ours(folder, move.new)
    both = found.keys() & new.keys()
    assert {*new} - both <= {"conll", "mentions"}  # corefud-scorer's fails for mentions
    assert {name: new[name] for name in both} == {name: found[name] for name in both}
    average = re.search(r"CoNLL score: (\S+)", done.stdout)
    if average and "conll" in new:
        assert new["conll"] == [average[1]]


def test_functions_of_scorch_agree() -> None:
    """In single documents, as the page says."""
    scores = pytest.importorskip("scorch.scores", reason="scorch is not installed")
    drawn = documents.draw_documents(4, documents.Shape(documents=40, across=False))
    for document in drawn:
        key, response = (
            [frozenset(map(str, spans)) for spans in side.values()]
            for side in (document.key, document.response or {})
        )
        if not key or not response:
            continue
        result = scoref.score({"d": key}, {"d": response}, ["muc", "b3", "ceafm"])
        for name, function in (("muc", "muc"), ("b3", "b_cubed"), ("ceafm", "ceaf_m")):
            if result[name].f1:  # scorch cannot average zeros
                found = getattr(scores, function)(key, response)
                assert result[name] == pytest.approx(tuple(found)), name


def test_litbank(data: Path) -> None:
    """The numbers of the table on CorefEvaluator."""
    files = Files(data / "litbank" / "key.conll", data / "litbank" / "response.conll")
    found = [
        100 * scoref.score(*files, ["conll"], policy)["conll"].f1
        for policy in ({"compat": "e2e"}, {})
    ]
    shown = re.search(r"^\| LitBank.*\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)
    assert shown
    assert [f"{found[0]:.2f}", f"{found[0]:.2f}", f"{found[1]:.2f}"] == [*shown.groups()]
