"""The plan of the house: the layers of the package, and what its files really import.

`test_architecture.py` checks the plan against the files, and the manual's picture of the rooms is
drawn from it (docs/house.py), so that neither can become outdated.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "scoref"

LAYERS = (
    ("version", "exceptions", "base", "browser"),
    ("policy", "corpus"),
    ("formats", "linguistics", "overlap", "assignment"),
    ("alignment", "metrics", "generated"),
    ("compat", "counts", "resampling", "preparation"),
    ("result", "render"),
    ("engines", "scoring", "spark", "training"),
    (
        *("comparison", "analysis", "explanation", "papers", "report", "playground", "runs"),
        "integrations",
    ),
    ("cli",),
)
"""A room (a package, or a module of the root) may import its own layer and earlier ones."""

SHORTCUTS = {
    ("corpus", "formats"): "Corpus.write leads from a corpus to the format that writes it",
    (
        "compat",
        "training",
    ): "scoref.compat.CorefEvaluator is where users of others' code look for it",
    ("result", "render"): "Result.render leads from a result to its views",
}
"""The imports that point the other way: a method that imports when it is called, and why."""

READING_PATH = (
    "scoring.py",
    "policy/policy.py",
    "corpus/corpus.py",
    "preparation/pipeline.py",
    "alignment/alignment.py",
    "overlap/table.py",
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
    """Return the rooms that a file imports, anywhere in it: in functions and for types too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            package, *rest = node.module.split(".")
            if package == "scoref":
                found |= {rest[0]} if rest else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            parts = [alias.name.split(".") for alias in node.names]
            found |= {part[1] for part in parts if part[0] == "scoref" and len(part) > 1}
    return frozenset(found - {"__version__"})


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
