"""The README and the manual say what the program does: their examples are run."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import scoref
from tests.conftest import REPOSITORY
from tests.pages import MANUAL, PAGES

EXTENDING = MANUAL / "guides" / "extend.md"
LISTING = re.compile(
    r"^```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _name(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


def sessions(page: Path) -> list[tuple[str, str]]:
    """Return the commands of a page and what it says they print."""
    found = []
    for block in CONSOLE.findall(page.read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def run(command: str, folder: Path) -> str:
    """Return what a command prints, standard output and standard error together."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    modules = f"{folder}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "PYTHONPATH": modules},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
        encoding="utf-8",
    )
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, in which a page is executed: it may write what it likes."""
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if page != EXTENDING], ids=_name)
def test_commands_print_what_the_page_says(page: Path, folder: Path) -> None:
    """As a reader of the page sees it, one command after the other."""
    for command, output in sessions(page):
        assert run(command, folder) == output, command


def test_no_page_writes_into_the_repository() -> None:
    """Nor would a reader who follows it in a checkout lose what `make` has built."""
    for page in PAGES:
        assert not [command for command, _ in sessions(page) if "build/" in command], page.name


def install_extension(folder: Path) -> None:
    """Write the files of `extending.md`, and declare its package as an installer would."""
    files = dict(LISTING.findall(EXTENDING.read_text("utf-8")))
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    project = tomllib.loads(files["pyproject.toml"])["project"]
    installed = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    installed.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (installed / "METADATA").write_text(metadata, "utf-8")
    entry_points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (installed / "entry_points.txt").write_text(entry_points, "utf-8")
    example = REPOSITORY / "examples" / "ferry"
    shutil.copy(example / "key.conll", folder / "key.conll")
    shutil.copy(example / "careful.conll", folder / "response.conll")


def test_a_metric_and_a_format_of_another_package(tmp_path: Path) -> None:
    """Whoever follows the page alone sees what the page shows."""
    install_extension(tmp_path)
    for command, output in sessions(EXTENDING):
        assert run(command, tmp_path) == output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_python_examples_do_what_the_page_says(page: Path) -> None:
    """Wherever a page shows the prompt of Python."""
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


def test_the_docstring_of_the_package() -> None:
    """It has an example too."""
    assert doctest.testmod(scoref).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=_name)
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
