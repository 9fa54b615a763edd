"""What a command is: a declaration that becomes a parser."""

from __future__ import annotations

import argparse
import copy
import math
from argparse import Namespace as Arguments
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

__all__ = ["Arguments", "Command", "Group", "Option", "number"]

Number = TypeVar("Number", int, float)
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


class Option:
    """A flag or a positional argument, declared as a usage line writes it.

    - `-q, --quiet`: a switch
    - `--by NAME`: a flag with a value
    - `--mode strict|kk2013 = strict`: a flag with choices and a default
    - `--limit N = 10`: a flag with a number; its type is that of the default
    - `KEY`, `FILE...`, `[NAME]`: a positional argument, a list of them, an optional one

    `settings` are further arguments of argparse's `add_argument`.
    """

    def __init__(self, usage: str, help: str, **settings: Any) -> None:  # noqa: A002  # argparse's name
        usage, _, default = usage.partition(" = ")
        words = usage.split()
        self.names = [word.rstrip(",") for word in words if word.startswith("-")]
        self.settings: dict[str, Any] = {"help": help}
        value = " ".join(words[len(self.names) :])
        if not self.names:
            title = value.strip("[.]")
            self.names = [settings.pop("dest", title.lower())]
            self.settings["metavar"] = title
            if title != value:
                self.settings["nargs"] = "?" if value.startswith("[") else "+"
        elif not value:
            self.settings["action"] = "store_true"
        elif "|" in value:
            self.settings["choices"] = value.split("|")
        else:
            self.settings["metavar"] = value
        if default:
            self.settings |= _default_settings(default)
            self.settings["help"] = f"{help} (default: {default})"
        self.settings |= settings

    def with_help(self, text: str) -> Option:
        """Return the same option with another help text."""
        other = copy.copy(self)
        other.settings = {**self.settings, "help": text}
        return other


def _default_settings(default: str) -> dict[str, Any]:
    """Return the default of an option, and the type if it is a number."""
    for kind in (int, float):
        with suppress(ValueError):
            return {"default": kind(default), "type": number(kind)}
    return {"default": default}


def number(kind: type[Number], most: float = math.inf) -> Callable[[str], Number]:
    """Return a function that parses a number from 0 to `most`."""

    def parse(text: str) -> Number:
        try:
            value = kind(text)
        except ValueError:
            value = kind(-1)
        if not 0 <= value <= most:
            noun = "a whole number" if kind is int else "a number"
            limits = f"from 0 to {most}" if most < math.inf else "of at least 0"
            raise argparse.ArgumentTypeError(f"{text!r} is not {noun} {limits}")
        return value

    return parse


@dataclass(frozen=True)
class Group:
    """Options that the help shows under a title of their own."""

    title: str
    description: str
    options: Sequence[Option]

    def only(self, *names: str) -> Group:
        """Return the group with some of its options."""
        return replace(self, options=[one for one in self.options if one.names[-1] in names])

    def with_help(self, name: str, text: str) -> Group:
        """Return the group with another help text for one option."""
        changed = [one.with_help(text) if name in one.names else one for one in self.options]
        return replace(self, options=changed)


class Command:
    """A command as its module declares it; the module's function `run` executes it.

    `text` is the docstring of the module. Its first line becomes the summary in `scoref --help`,
    its last part the examples. `parts` are options, `{usage: help}` as a short form of options,
    and groups of options. `usage` replaces the generated usage line.
    """

    def __init__(
        self, text: str | None, *parts: Option | Group | dict[str, str], usage: str | None = None
    ) -> None:
        self.text = text or ""  # `python -OO` removes docstrings
        self.parts = parts
        self.usage = usage

    def add_to(self, subparsers: Subparsers, name: str, run: Callable[[Arguments], int]) -> None:
        """Add the parser of this command."""
        description, _, examples = self.text.partition("Example commands:\n")
        summary, *_ = description.split(".\n")
        parser = subparsers.add_parser(
            name,
            help=summary[:1].lower() + summary[1:],
            description=description,
            epilog=f"examples:\n{examples}",
            usage=self.usage,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        for part in self.parts:
            if isinstance(part, Group):
                _add_options(parser.add_argument_group(part.title, part.description), part.options)
            elif isinstance(part, Option):
                _add_options(parser, [part])
            else:
                _add_options(parser, [Option(usage, text) for usage, text in part.items()])
        parser.set_defaults(run=run)


def _add_options(container: Any, options: Sequence[Option]) -> None:
    """Add options to a parser or to a group."""
    for option in options:
        container.add_argument(*option.names, **option.settings)
