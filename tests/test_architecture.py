"""Dependencies point one way, and starting costs no more than it must."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter

import pytest
from packaging.requirements import Requirement

from tests import house
from tests.conftest import REPOSITORY
from tests.house import READING_PATH, SOURCE

MOST_ROOT_MODULES = 9
MOST_LAYERS = 9
MOST_LINES_TO_READ = 2000
ONLY_FOR_COMMANDS = {"pages"}
"""Rooms that nothing imports but the command line."""


def layer(name: str) -> int:
    """Return the number of a room's layer."""
    return next(number for number, rooms in enumerate(house.LAYERS) if name in rooms)


def test_dependencies_point_one_way() -> None:
    """A metric never sees a format, a renderer never computes, nothing imports the commands."""
    wrong = {}
    for path in house.files():
        here = house.room(path)
        allowed = {name for rooms in house.LAYERS[: layer(here) + 1] for name in rooms}
        shortcuts = {to for origin, to in house.SHORTCUTS if origin == here}
        if found := house.imported_rooms(path) - shortcuts - allowed:
            wrong[path.relative_to(SOURCE).as_posix()] = found
    assert wrong == {}


def test_every_room_is_in_one_layer() -> None:
    """The plan names what there is, once."""
    planned = [name for rooms in house.LAYERS for name in rooms]
    assert sorted(planned) == sorted({house.room(path) for path in house.files()})
    assert len(house.LAYERS) <= MOST_LAYERS


def test_no_rooms_import_each_other_in_a_circle() -> None:
    """Not even when a function is called, except for the documented shortcuts."""
    assert house.cycle(house.graph()) == []
    for origin, to in house.SHORTCUTS:
        paths = [path for path in house.files() if house.room(path) == origin]
        assert any(to in house.imported_rooms(path) for path in paths), "a shortcut nobody takes"


def test_few_modules_are_in_the_root() -> None:
    """A newcomer sees the doors, not the furniture."""
    assert len(list(SOURCE.glob("*.py"))) <= MOST_ROOT_MODULES


def test_a_class_name_exists_once() -> None:
    """Who looks for a class finds one."""
    names = Counter(
        node.name
        for path in house.files()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, times in names.items() if times > 1] == []


def test_a_prefix_of_several_modules_is_a_package() -> None:
    """`jsonl_index.py`, `jsonl_spans.py` and `jsonl_text.py` would be a package `jsonl`."""
    for folder in {path.parent for path in house.files()}:
        words = Counter(path.stem.split("_")[0] for path in folder.glob("*.py"))
        assert [word for word, times in words.items() if word and times > 2] == [], folder


def test_the_heart_is_read_in_an_hour() -> None:
    """From two files to a score, with four metrics."""
    lines = {name: len((SOURCE / name).read_text("utf-8").splitlines()) for name in READING_PATH}
    assert sum(lines.values()) <= MOST_LINES_TO_READ, lines


def test_only_commands_use_what_is_made_for_them() -> None:
    """An explanation, a paper's table or a report is not part of any other feature."""
    for path in house.files():
        if (here := house.room(path)) not in ("cli", *ONLY_FOR_COMMANDS):
            assert not house.imported_rooms(path) & ONLY_FOR_COMMANDS, path
        elif here in ONLY_FOR_COMMANDS:
            own = {here}
            assert house.imported_rooms(path) & ONLY_FOR_COMMANDS <= own, path


def test_metrics_and_formats_do_not_know_each_other() -> None:
    """They stand side by side."""
    edges = house.graph()
    for one, other in (("metrics", "formats"), ("formats", "metrics"), ("metrics", "matching")):
        assert other not in edges[one]


def test_importing_the_package_does_not_import_scipy() -> None:
    """SciPy's import alone costs more than most scorings; neither does scoring the example."""
    example = REPOSITORY / "examples" / "ferry"
    code = (
        "import sys, scoref; scoref.score; assert 'scipy' not in sys.modules;"
        f"scoref.score({str(example / 'key.conll')!r}, {str(example / 'careful.conll')!r});"
        "assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_command_line_answers_simple_questions_without_numpy() -> None:
    """`scoref --version` and `--help` are instant."""
    code = (
        "import sys; from scoref.cli import main\n"
        "try: main(['score', '--help'])\n"
        "except SystemExit: pass\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_the_core_needs_numpy_and_scipy_alone() -> None:
    """All else is an extra."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert {Requirement(r).name for r in project["dependencies"]} == {"numpy", "scipy"}


def test_no_machine_paths_and_no_download_hosts() -> None:
    """A checkout is the same everywhere."""
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        pytest.skip("not a git checkout")
    hosts = re.compile(r"https?://\S*(/simple\b|pypi\.org|pythonhosted|npmjs|artifactory)")
    for name in tracked.stdout.split():
        path = REPOSITORY / name
        if not path.is_file() or path.suffix == ".png":
            continue
        text = path.read_text("utf-8", errors="ignore")
        assert str(REPOSITORY) not in text, name
        assert not hosts.search(text), name
        assert path.name not in {"uv.lock", "package-lock.json"}
