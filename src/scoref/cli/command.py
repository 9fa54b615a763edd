"""What a command is: a declaration that becomes a parser."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeAlias

Arguments: TypeAlias = argparse.Namespace
_WRITTEN = {"OUT", "DIR"}
_READ = {"KEY", "RESPONSE", "OLD", "NEW", "IN", "SOURCE", "GENERATED", "KEYFILE", "TOML"}
_NUMBERS = {"N": int, "P": float, "POINTS": float, "SECONDS": float, "MB": float}
_DEBUG = "if scoref fails unexpectedly, show where"
Part: TypeAlias = "Option | dict[str, str]"  # {usage: help} is short for several options


class Option:
    """A flag or a positional argument, declared as a usage line writes it.

    - `-q, --quiet`: a switch
    - `--by NAME`: a flag with a value
    - `--mode strict|kk2013 = strict`: a flag with choices and a default
    - `--limit N = 10`: a flag with a number, as the name of the value says
    - `KEY`, `FILE...`, `[NAME]`: a positional argument, a list of them, an optional one

    The name of the value also says whether it is a path. OUT, DIR and the FILE of a flag are
    written; KEY, RESPONSE, OLD, NEW, IN, SOURCE, GENERATED, KEYFILE, TOML and a positional FILE are
    read. No command can write what it reads (`scoref.cli.output`).

    `settings` are further arguments of argparse's `add_argument`.
    """

    def __init__(self, usage: str, help: str, **settings: Any) -> None:  # noqa: A002  # argparse's name
        self.usage, _, default = usage.partition(" = ")
        words = self.usage.split()
        flags = [word.rstrip(",") for word in words if word.startswith("-")]
        value = " ".join(words[len(flags) :])
        title = value.strip("[.]")
        self.names = flags or [settings.pop("dest", title.lower())]
        self.is_required = not flags or "required" in settings
        self.settings: dict[str, Any] = {"help": help}
        if not value:
            self.settings["action"] = "store_true"
        elif "|" in value:
            self.settings["choices"] = value.split("|")
        else:
            self.settings["metavar"] = title if not flags else value
        if not flags and title != value:
            self.settings["nargs"] = "?" if value.startswith("[") else "+"
        kind = _NUMBERS.get(value)
        if kind is not None:
            self.settings["type"] = number(kind)
        if default:
            self.settings["default"] = default if kind is None else kind(default)
            self.settings["help"] = f"{help} (default: {default})"
        self.settings |= settings
        self.dest = settings.get("dest") or max(self.names, key=len).strip("-").replace("-", "_")
        kinds = set(title.split())
        self.is_output = bool(kinds & (_WRITTEN | ({"FILE"} if flags else set())))
        self.is_input = not self.is_output and bool(kinds & (_READ | {"FILE"}))


def number(kind: type[float], most: float = math.inf) -> Callable[[str], Any]:
    """Return a function that parses a number from 0 to `most`, of the type int or float."""

    def parse(text: str) -> float:
        with suppress(ValueError):
            if 0 <= (value := kind(text)) <= most:
                return value
        noun = "a whole number" if issubclass(kind, int) else "a number"
        limits = f"from 0 to {most}" if most < math.inf else "of at least 0"
        raise argparse.ArgumentTypeError(f"{text!r} is not {noun} {limits}")

    return parse


class Group:
    """Options that the help shows under a title of their own."""

    def __init__(self, title: str, description: str, *parts: Part) -> None:
        self.title, self.description = title, description
        self.options = _expand(parts)


class Command:
    """A command as its module declares it; the module's function `run` executes it.

    `text` is the docstring of the module. Its first line becomes the summary in `scoref --help`,
    its last part the examples. `{usage: help}` is a short form of several options.
    """

    def __init__(self, text: str | None, *parts: Part | Group) -> None:
        self.text = text or ""  # `python -OO` removes docstrings
        self.options = _expand(part for part in parts if not isinstance(part, Group))
        self.groups = [part for part in parts if isinstance(part, Group)]

    def add_to(self, subparsers: Any, name: str, run: Callable[[Arguments], int]) -> None:
        """Add the parser of this command."""
        description, _, examples = self.text.partition("Example commands:\n")
        summary, *_ = description.split(".\n")
        required = [option.usage for option in self.options if option.is_required]
        parser = subparsers.add_parser(
            name,
            help=summary[:1].lower() + summary[1:],
            usage=" ".join(["scoref", name, "[options]", *required]),
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        for option in self.options:
            parser.add_argument(*option.names, **option.settings)
        parser.add_argument("--debug", action="store_true", help=_DEBUG)
        for group in self.groups:
            shown = parser.add_argument_group(group.title, group.description)
            for option in group.options:
                shown.add_argument(*option.names, **option.settings)
        parser.set_defaults(run=run, parser=parser, command=self)

    @property
    def every_option(self) -> list[Option]:
        """The options of the command, with those of its groups."""
        return [*self.options, *(option for group in self.groups for option in group.options)]


def _expand(parts: Iterable[Part]) -> list[Option]:
    """Return the options, also those in short form."""
    options = []
    for part in parts:
        if isinstance(part, Option):
            options.append(part)
        else:
            options += [Option(usage, text) for usage, text in part.items()]
    return options
