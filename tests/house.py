"""The plan of the house: the layers of the package, and what its files really import.

`test_architecture.py` checks the plan against the files, and the manual's picture of the rooms is
drawn from it (docs/house.py), so that neither can become outdated.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import scoref

_MODULE = re.compile(r"scoref\.([a-z_]+)(\.[\w.]*)?")
_HOMES = {name: home.partition(".")[0] for name, home in scoref._HOMES.items()}
"""The rooms of the names that `scoref` imports on first use."""

SOURCE = Path(__file__).resolve().parents[1] / "src" / "scoref"

LAYERS = (
    ("version", "exceptions", "base"),
    ("policy", "corpus"),
    ("formats", "linguistics", "metrics"),
    ("llm",),
    ("matching", "counts", "resampling"),
    ("result", "engines", "scoring", "spark", "key", "accumulator"),
    ("comparison", "annotators", "analysis", "explanation", "papers", "compat", "integrations"),
    ("views", "pages"),
    ("cli",),
)
"""A room (a package, or a module of the root) may import its own layer and earlier ones."""

SHORTCUTS = {
    ("corpus", "formats"): "Corpus.write leads from a corpus to the format that writes it",
}
"""The imports that point the other way: a method that imports when it is called, and why."""

READING_PATH = (
    "scoring.py",
    "policy/policy.py",
    "corpus/corpus.py",
    "matching/pipeline.py",
    "matching/alignment.py",
    "metrics/table.py",
    "counts/counts.py",
    "metrics/base.py",
    "metrics/muc.py",
    "metrics/bcubed.py",
    "metrics/ceaf.py",
    "metrics/lea.py",
)
"""The heart of the package, in the order in which to read it."""


def files() -> list[Path]:
    """Return the files of the package, except the two that only point elsewhere."""
    return [
        path
        for path in sorted(SOURCE.rglob("*.py"))
        if path.relative_to(SOURCE).as_posix() not in ("__init__.py", "__main__.py")
    ]


def room(path: Path) -> str:
    """Return the room of a file: its package, or its own name in the root."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def imported_rooms(path: Path) -> frozenset[str]:
    """Return the rooms that a file imports, anywhere in it: in functions and for types too.

    Names of modules in strings count, since `import_module` takes them, and so do the names that
    `scoref` itself imports on first use: `scoref.score` is an import of `scoring`.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ImportFrom(module="scoref"):
                found |= {_HOMES.get(alias.name, alias.name) for alias in node.names}
            case ast.ImportFrom(module=str(module)):
                found |= _rooms_in(module)
            case ast.Import():
                found |= {one for alias in node.names for one in _rooms_in(alias.name)}
            case ast.Constant(value=str(text)):
                found |= _rooms_in(text) & _rooms()
            case ast.Attribute(value=ast.Name(id="scoref"), attr=name):
                found.add(_HOMES.get(name, name))
    return frozenset(found - {"__version__"})


def _rooms_in(module: str) -> set[str]:
    """Return the room in the name of a module, or in the beginning of a name in a string."""
    named = _MODULE.fullmatch(module)
    return {named[1]} if named else set()


@cache
def _rooms() -> frozenset[str]:
    return frozenset(room(path) for path in files())


def graph() -> dict[str, set[str]]:
    """Return what each room imports from other rooms, without the shortcuts."""
    edges: dict[str, set[str]] = defaultdict(set)
    for path in files():
        for other in imported_rooms(path) - {room(path)}:
            if (room(path), other) not in SHORTCUTS:
                edges[room(path)].add(other)
    return edges


def cycle(edges: dict[str, set[str]]) -> list[str]:
    """Return some rooms that import each other in a circle, or nothing."""
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> list[str]:
        if name in path:
            return [*path[path.index(name) :], name]
        if name not in done:
            for other in sorted(edges.get(name, ())):
                if found := visit(other, [*path, name]):
                    return found
            done.add(name)
        return []

    return next((found for name in sorted(edges) if (found := visit(name, []))), [])
