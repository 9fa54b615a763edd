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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scoref
from tests.command_server import quick_command
from tests.conftest import REPOSITORY
from tests.manual_pages import MANUAL, PAGES

LISTING = re.compile(r"^`([\w/-]+\.[\w.-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A file that a page shows, with its name."""
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


def run(command: str, folder: Path, scoref_command: Path) -> str:
    """Return what a command prints, standard output and standard error together."""
    folders = [str(scoref_command.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    path = os.pathsep.join(folders)
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


@pytest.fixture(scope="module")
def scoref_command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A `scoref` command that starts at once."""
    with quick_command(tmp_path_factory.mktemp("command")) as command:
        yield command


def write_listings(page: Path, folder: Path) -> None:
    """Write the files that a page shows with their names; a package is also installed."""
    files = dict(LISTING.findall(page.read_text("utf-8")))
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    if "pyproject.toml" in files:
        install_package(tomllib.loads(files["pyproject.toml"])["project"], folder)


def install_package(project: dict[str, Any], folder: Path) -> None:
    """Declare a package in its folder, as an installer would."""
    installed = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    installed.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (installed / "METADATA").write_text(metadata, "utf-8")
    entry_points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    )
    (installed / "entry_points.txt").write_text(entry_points, "utf-8")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_commands_print_what_the_page_says(page: Path, folder: Path, scoref_command: Path) -> None:
    """As a reader sees it who writes the files of the page and runs one command after the other."""
    write_listings(page, folder)
    for command, output in sessions(page):
        if moved := re.fullmatch(r"cd (\S+)", command):  # each command has a shell of its own
            folder /= moved[1]
            continue
        assert run(command, folder, scoref_command) == output, command


def test_no_page_writes_into_the_repository() -> None:
    """Nor would a reader who follows it in a checkout lose what `make` has built."""
    for page in PAGES:
        assert not [command for command, _ in sessions(page) if "build/" in command], page.name


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_python_examples_do_what_the_page_says(page: Path, folder: Path) -> None:
    """Wherever a page shows the prompt of Python."""
    write_listings(page, folder)
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


def test_the_docstring_of_the_package() -> None:
    """It has an example too."""
    assert doctest.testmod(scoref).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name files that are there, and headings that are in these files."""
    for target, heading in re.findall(
        r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([a-z][^)\s]*))?\)", page.read_text("utf-8")
    ):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if heading and linked.suffix == ".md" and linked.parent.name != "commands":  # generated
            assert heading in _anchors(linked), f"{target}#{heading}"


def _anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as MyST and code hosts make them."""
    text = page.read_text("utf-8")
    headings = re.findall(r"^#+ +(.+?)\s*$", text, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in plain}


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_pages_read_on_a_code_host(page: Path) -> None:
    """Captions inside of code, definition lists and some commands of LaTeX read only in Sphinx."""
    found = re.findall(r"\{code-block\}|^: |\\operatorname", page.read_text("utf-8"), re.MULTILINE)
    assert found == []


def test_the_typeset_table_shows_the_latex_table() -> None:
    """The page on tables has the source, and beside it what the source looks like."""
    page = (MANUAL / "guides" / "paper-table.md").read_text("utf-8")
    sources = re.findall(r"^    (\w+\\textsuperscript.*) \\\\$", page, re.MULTILINE)
    rows = re.findall(r"^<tr><td>(.*)</td></tr>$", page, re.MULTILINE)
    marks = {"b": "textbf", "sup": "textsuperscript"}
    typeset = [
        re.sub(r"<(b|sup)>(.*?)</\1>", lambda m: f"\\{marks[m[1]]}{{{m[2]}}}", r) for r in rows
    ]
    assert sources
    assert [row.split("</td><td>") for row in typeset] == [row.split(" & ") for row in sources]


def test_the_version_is_the_same_everywhere() -> None:
    """In the package and in the citation."""
    citation = (REPOSITORY / "CITATION.cff").read_text("utf-8")
    assert f"version: {scoref.__version__}\n" in citation


def test_the_picture_of_the_rooms_shows_the_plan() -> None:
    """`python docs/house.py` draws it anew."""
    draw = runpy.run_path(str(REPOSITORY / "docs" / "house.py"))["draw"]
    assert (REPOSITORY / "docs" / "figures" / "house.svg").read_text("utf-8") == draw()


def test_drawings_show_what_is_computed() -> None:
    """`python docs/drawings.py` draws them anew."""
    drawings = runpy.run_path(str(REPOSITORY / "docs" / "drawings.py"))["DRAWINGS"]
    for name, draw in drawings.items():
        assert (REPOSITORY / "docs" / "figures" / name).read_text("utf-8") == draw()
