"""Formats and metrics that other packages declare as entry points.

Entry points are looked up when a name is needed that is not built in, since the lookup takes as
long as reading a small file. A package is imported only when its object is used.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def plugin_names(group: str) -> list[str]:
    """Return the names that installed packages declare in an entry-point group."""
    return list(_entry_points(group, tuple(sys.path)))


def load_plugin(group: str, name: str, kinds: tuple[Any, ...], noun: str) -> Any:
    """Import what a package declares under a name; it must be an instance of one of `kinds`.

    `noun` says in messages what the group holds.
    """
    entries = _entry_points(group, tuple(sys.path))[name]
    packages = " and ".join(map(_package, entries))
    if len(entries) > 1:
        message = f"the {noun} {name!r} is declared by {packages}"
        raise UsageError(message, "uninstall all but one of them")
    (entry,) = entries
    try:
        found = entry.load()
    except Exception as error:  # a package can fail in any way
        raise UsageError(
            f"cannot import the {noun} {name!r} from {entry.value!r} of {packages}:"
            f" {type(error).__name__}: {error}",
            "reinstall the package and its requirements, or uninstall it",
        ) from error
    if not isinstance(found, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise UsageError(
            f"the {noun} {name!r} of {packages} is not usable: {entry.value!r} is of the type"
            f" {type(found).__name__}, expected {expected}",
            "report this to the authors of the package, or uninstall it",
        )
    return found


def name_conflict(group: str, name: str, noun: str) -> UsageError:
    """Return the error of a package that declares the name of something built in."""
    (entry, *_) = _entry_points(group, tuple(sys.path))[name]
    return UsageError(
        f"the {noun} {name!r} of {_package(entry)} is ignored: scoref has a built-in {noun} of"
        " that name",
        "rename the entry point of the package",
    )


@cache  # the search path is a key: a path that is added later can have other packages
def _entry_points(group: str, _path: tuple[str, ...]) -> dict[str, list[EntryPoint]]:
    from importlib.metadata import entry_points  # noqa: PLC0415  # its import takes 40 ms

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=group):
        found.setdefault(entry.name, []).append(entry)
    return dict(sorted(found.items()))


def _package(entry: EntryPoint) -> str:
    package = entry.dist
    return f"the package {package.name} {package.version}" if package else "an unknown package"
