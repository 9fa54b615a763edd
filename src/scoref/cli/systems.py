"""KEY and several responses, on the command line or in a TOML file, and the names of responses."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from scoref.exceptions import UsageError

Datasets = dict[str, tuple[str | None, dict[str, list[str]]]]


def split_key(files: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """Return the key and the named responses; the key is None if all files are counts files."""
    from scoref.counts.counted import is_counts_file

    if is_counts_file(split_runs(_split_name(files[0])[1])[0]):
        return None, name_systems(files)
    key, *responses = files
    if not responses:
        raise UsageError("found a KEY but no RESPONSE", "name the responses after the key")
    return key, name_systems(responses)


def split_runs(path: str) -> list[str]:
    """Split the paths of several runs at commas; a path that exists is one run."""
    if "," not in path or Path(path).exists():
        return [path]
    runs = path.split(",")
    if "" in runs:
        raise UsageError(f"found an empty name in {path!r}", "write RUN,RUN,... without blanks")
    return runs


def split_systems(systems: Mapping[str, str]) -> dict[str, list[str]]:
    """Split the runs of all systems."""
    return {name: split_runs(path) for name, path in systems.items()}


def name_systems(arguments: Sequence[str]) -> dict[str, str]:
    """Name systems: NAME=PATH by its name, other paths by their file, with folders if needed."""
    named = [_split_name(argument) for argument in arguments]
    times = Counter(name for name, _ in named if name)
    if repeated := [name for name in times if times[name] > 1]:
        raise UsageError(f"two systems are called {repeated[0]!r}", "use another name in NAME=FILE")
    names = _names_by_path({path for name, path in named if not name})
    systems: dict[str, str] = {}
    for given, path in named:
        name = given or names[path]
        others = (f"{name} ({number})" for number in count(2))
        systems[next(one for one in chain([name], others) if one not in systems)] = path
    return systems


def _split_name(argument: str) -> tuple[str, str]:
    """Split NAME=PATH; the name of a plain path is empty."""
    name, equals, path = argument.partition("=")
    is_path = "/" in name or os.sep in name
    if equals and name and path and not is_path and not Path(argument).exists():
        return name, path
    return "", argument


def _names_by_path(paths: Collection[str]) -> dict[str, str]:
    """Name each path by its file, and by as many folders as make the name unique."""
    names = {path: _name_of_runs(path) for path in paths}
    parts = {path: Path(split_runs(path)[0]).parts for path in paths}
    for depth in range(2, max(map(len, parts.values()), default=0) + 1):
        times = Counter(names.values())
        for path in paths:
            if times[names[path]] > 1:
                names[path] = "/".join([*parts[path][-depth:-1], _name_of_runs(path)])
    return names


def _name_of_runs(path: str) -> str:
    """Name one run by its file, and several by the first: `base` if they are base-1 and base-2."""
    first, *others = (_stem(run) for run in split_runs(path))
    shared = _without_number(first)
    is_shared = all(_without_number(other) == shared for other in others)
    return shared if others and is_shared else first


def _without_number(name: str) -> str:
    return re.sub(r"[-_. ]*\d+$", "", name) or name


def _stem(path: str) -> str:
    """Return a file's name without its suffix: `base` for base.conll and base.counts.json."""
    name = Path(path).name or path
    if Path(path).is_dir():
        return name
    short = name.removesuffix(".gz").removesuffix(".json")
    if short.endswith(".counts"):
        return short.removesuffix(".counts") or name
    return Path(short).stem or name


def read_datasets(path: str) -> Datasets:
    """Read a TOML file with a table for each dataset; files are relative to its folder."""
    import tomllib

    try:
        content = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not valid TOML: {error}") from None
    folder = Path(path).parent
    return {name: _dataset(path, name, table, folder) for name, table in content.items()}


def _dataset(
    path: str, name: str, table: Any, folder: Path
) -> tuple[str | None, dict[str, list[str]]]:
    systems = table.get("systems") if isinstance(table, dict) else None
    runs = {
        system: [files] if isinstance(files, str) else files
        for system, files in (systems.items() if isinstance(systems, dict) else ())
    }
    key = table.get("key") if isinstance(table, dict) else None
    is_known = isinstance(table, dict) and set(table) <= {"key", "systems"}
    is_text = all(
        isinstance(files, list) and files and all(isinstance(file, str) for file in files)
        for files in runs.values()
    )
    if not (is_known and runs and is_text and isinstance(key, str | None)):
        raise UsageError(
            f"{path}: dataset {name} has no valid `key` and `systems`",
            f'write [{name}], then key = "key.conll", then systems = {{base = "base.conll", ours ='
            ' ["run1.conll", "run2.conll"]}',
        )
    places = {system: [str(folder / file) for file in files] for system, files in runs.items()}
    return (None if key is None else str(folder / key)), places
