"""Dependencies point one way, and starting costs no more than it must."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import REPOSITORY

SOURCE = REPOSITORY / "src" / "scoref"

# Each layer may import itself and those before it.
LAYERS = (
    ("version", "exceptions", "base"),
    ("corpus", "policy"),
    ("formats", "linguistics", "overlap", "assignment"),
    ("metrics", "alignment"),
    ("compat", "preparation"),
    ("counts", "resampling", "result", "render"),
    ("engines", "scoring", "spark", "training"),
    ("comparison", "analysis", "explanation", "papers", "report"),
    ("cli",),
)
# Methods that lead from a thing to what is built on it, imported when they are called.
SHORTCUTS = {
    ("corpus", "formats"),
}


def imports(path: Path) -> set[str]:
    """Return the parts of scoref that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scoref."):
            found.add((node.module or "").split(".")[1])
    return found


def layer(part: str) -> int:
    """Return the number of a part's layer."""
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


FILES = [path for path in sorted(SOURCE.rglob("*.py")) if path.name != "__main__.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(SOURCE).as_posix())
def test_dependencies_point_one_way(path: Path) -> None:
    """A metric never sees a format, a renderer never computes, nothing imports the commands."""
    part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if part == "__init__":
        return
    allowed = {p for parts in LAYERS[: layer(part) + 1] for p in parts}
    found = {name for name in imports(path) if (part, name) not in SHORTCUTS}
    assert found <= allowed, f"{part} imports {sorted(found - allowed)}"


def test_metrics_and_formats_do_not_know_each_other() -> None:
    """They stand side by side."""
    for one, other in (("metrics", "formats"), ("formats", "metrics"), ("metrics", "matching")):
        assert not any(other in imports(path) for path in (SOURCE / one).rglob("*.py"))


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
