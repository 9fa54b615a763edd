"""The README and the manual say what the program does: their examples are run."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import scoref
from tests.conftest import REPOSITORY

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sessions(page: Path) -> list[tuple[str, str]]:
    """Return the commands of a page and what it says they print."""
    found = []
    for block in CONSOLE.findall(page.read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(
    ("command", "output"),
    [pytest.param(*session, id=session[0]) for page in PAGES for session in sessions(page)],
)
def test_commands_print_what_the_page_says(command: str, output: str) -> None:
    """Standard output and standard error together, as a reader sees them."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=REPOSITORY,
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert done.stdout == output


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_examples_do_what_the_page_says(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a page shows the prompt of Python."""
    monkeypatch.chdir(REPOSITORY)
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


def test_the_docstring_of_the_package() -> None:
    """It has an example too."""
    assert doctest.testmod(scoref).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name files that are there."""
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_the_version_is_the_same_everywhere() -> None:
    """In the package and in the citation."""
    citation = (REPOSITORY / "CITATION.cff").read_text("utf-8")
    assert f"version: {scoref.__version__}\n" in citation


def test_the_picture_of_the_rooms_shows_the_plan() -> None:
    """`python docs/house.py` draws it anew."""
    draw = runpy.run_path(str(REPOSITORY / "docs" / "house.py"))["draw"]
    assert (REPOSITORY / "docs" / "figures" / "house.svg").read_text("utf-8") == draw()
