"""Completion scripts: made from the declarations, and tried in the real shells."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scoref.cli.command import find_command
from scoref.cli.commands import COMMANDS

TRIES = {
    "scoref sc": {"score"},
    "scoref score --singl": {"--singletons"},
    "scoref score key.conll --singletons ": {"keep", "drop"},
    "scoref score -m ceaf": {"ceaf", "ceafm", "ceafe"},
    "scoref score --key-format corefu": {"corefud"},
    "scoref baseline one": {"one-entity"},
    "scoref completion z": {"zsh"},
}
"""A line, and what completes its last word."""


def needs(program: str) -> pytest.MarkDecorator:
    """Skip where a program is not installed."""
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a script for each shell."""
    folder = tmp_path_factory.mktemp("scripts")
    for shell in ("bash", "zsh", "fish"):
        done = subprocess.run(
            [sys.executable, "-m", "scoref", "completion", shell],
            capture_output=True,
            text=True,
            check=True,
        )
        (folder / ("_scoref" if shell == "zsh" else shell)).write_text(done.stdout, "utf-8")
    return folder


def run(*command: str) -> str:
    """Return what a program prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout


@needs("bash")
def test_bash(scripts: Path) -> None:
    """The function fills COMPREPLY."""
    for line, expected in TRIES.items():
        words = " ".join(f"'{word}'" for word in line.split(" "))
        found = run(
            "bash",
            "-c",
            f"source {scripts / 'bash'}; COMP_WORDS=({words});"
            " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scoref; echo ${COMPREPLY[*]}",
        )
        assert {*found.split()} == expected, line


@needs("fish")
def test_fish(scripts: Path) -> None:
    """`complete -C` prints a candidate per line, with its description."""
    for line, expected in TRIES.items():
        found = run("fish", "-c", f"source {scripts / 'fish'}; complete -C '{line}'")
        assert {row.split("\t")[0] for row in found.splitlines()} == expected, line


@needs("zsh")
def test_zsh(scripts: Path) -> None:
    """The script is valid, and the completion system takes it for the program."""
    run("zsh", "-n", str(scripts / "_scoref"))
    found = run(
        "zsh",
        "-fc",
        f"fpath=({scripts} $fpath); autoload -U compinit; compinit -u -D;"
        " autoload +X -U _scoref; echo $_comps[scoref]; whence -w _scoref",
    )
    assert found.split() == ["_scoref", "_scoref:", "function"]


def test_scripts_have_every_command_and_flag(scripts: Path) -> None:
    """Nothing is left out."""
    for path in scripts.iterdir():
        text = path.read_text("utf-8")
        for name in COMMANDS:
            assert name in text
            for option in find_command(name).flags:
                assert all(flag.lstrip("-") in text for flag in option.names)
