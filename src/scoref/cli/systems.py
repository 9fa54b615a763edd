"""KEY and several responses on the command line, and what the responses are called."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
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
    names = [name or _stem(path) for name, path in named]
    depth = 1
    while _repeated(names) and depth < max(len(Path(path).parts) for _, path in named):
        depth += 1
        again = _repeated(names)
        names = [
            given
            or ("/".join([*Path(path).parts[-depth:-1], _stem(path)]) if name in again else name)
            for name, (given, path) in zip(names, named, strict=True)
        ]
    systems: dict[str, str] = {}
    for name, (_, path) in zip(names, named, strict=True):
        number, distinct = 1, name
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


def _repeated(names: Sequence[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def split_key(files: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """Tell the key from the systems: counts files alone need no key."""
    from scoref.countsfile import is_counts_file

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
