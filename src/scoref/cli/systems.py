"""KEY and several responses on the command line, and what the responses are called."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import fields
from pathlib import Path

from scoref.exceptions import UsageError

_SUFFIXES = (".gz", ".json", ".counts")  # taken off after one another, before the last suffix


def name_systems(arguments: Sequence[str]) -> dict[str, str]:
    """Name systems: NAME=PATH as said, other files by their name, with folders where needed."""
    named = [_split(argument) for argument in arguments]
    taken = Counter(name for name, _ in named if name)
    if repeated := [name for name, times in taken.items() if times > 1]:
        raise UsageError(f"two systems are called {repeated[0]!r}", "give each its own NAME=")
    by_path = _names_of({path for name, path in named if not name})
    systems: dict[str, str] = {}
    for given, path in named:
        name = distinct = given or by_path[path]
        number = 1
        while distinct in systems:
            number += 1
            distinct = f"{name} ({number})"
        systems[distinct] = path
    if list(systems.values()).count("-") > 1:
        raise UsageError("only one system can come from standard input")
    return systems


def _split(argument: str) -> tuple[str, str]:
    name, equals, path = argument.partition("=")
    if equals and name and path and "/" not in name and not Path(argument).exists():
        return name, path
    return "", argument


def _stem(path: str) -> str:
    """Return a file's name without its suffix: `base` for base.conll and base.counts.json."""
    name = Path(path).name or path
    if Path(path).is_dir():
        return name
    for suffix in _SUFFIXES:
        if name.endswith(suffix) and name != suffix:
            name = name.removesuffix(suffix)
            if suffix == ".counts":
                return name
    return Path(name).stem if "." in name else name


def _names_of(paths: Collection[str]) -> dict[str, str]:
    """Name each path by its file, and by as many folders as tell it from the others."""
    names = {path: _stem(path) for path in paths}
    for depth in range(2, max((len(Path(path).parts) for path in paths), default=0) + 1):
        times = Counter(names.values())
        for path in paths:
            folders = Path(path).parts[-depth:-1]
            if times[names[path]] > 1:
                names[path] = "/".join([*folders, _stem(path)])
    return names


def split_key(files: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """Tell the key from the systems: counts files alone need no key."""
    from scoref.counts.counts_file import is_counts_file

    if is_counts_file(_split(files[0])[1]):
        return None, name_systems(files)
    key, *responses = files
    if not responses:
        raise UsageError("there is a KEY but no RESPONSE", "name the responses after the key")
    if key == "-" and "-" in responses:
        raise UsageError("KEY and RESPONSE cannot both be standard input", "name a file for one")
    return key, name_systems(responses)


def says_nothing(arguments: argparse.Namespace) -> bool:
    """Whether no policy is asked for, so that counts files may state it."""
    from scoref.policy import Policy

    return arguments.like is None and all(
        getattr(arguments, field.name) is None for field in fields(Policy)
    )
