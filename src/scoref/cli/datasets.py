"""Several datasets on the command line or in a TOML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scoref.cli.systems import split_runs
from scoref.exceptions import UsageError

Datasets = dict[str, tuple[str | None, dict[str, list[str]]]]


def read_datasets(arguments: Sequence[str], path: str | None) -> Datasets:
    """Return the key and the runs of all systems by dataset, from flags and from a TOML file."""
    found: Datasets = {} if path is None else _read_toml(path)
    for argument in arguments:
        name, dataset = _parse(argument)
        if name in found:
            raise UsageError(f"two datasets are called {name!r}", "use another name")
        found[name] = dataset
    return found


def _parse(argument: str) -> tuple[str, tuple[str | None, dict[str, list[str]]]]:
    """Parse NAME=KEY:SYSTEM=FILE:SYSTEM=FILE,FILE."""
    first, *others = argument.split(":")
    name, equals, key = first.partition("=")
    pairs = [other.partition("=") for other in others]
    if not (name and equals and pairs) or not all(system and file for system, _, file in pairs):
        raise UsageError(
            f"found --dataset {argument}, expected NAME=KEY:SYSTEM=FILE:SYSTEM=FILE",
            "write, for example, --dataset news=key.conll:base=a.conll:ours=b.conll",
        )
    systems = {system: split_runs(file) for system, _, file in pairs}
    if len(systems) < len(pairs):
        raise UsageError(f"dataset {name} names a system twice", "use NAME=FILE,FILE for runs")
    return name, (key or None, systems)


def _read_toml(path: str) -> Datasets:
    """Read a table for each dataset; files are relative to the folder of the TOML file."""
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
