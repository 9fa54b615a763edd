"""Every command as its parser describes it, for completion scripts and manual pages."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from scoref.cli.parser import COMMANDS, Parser, command_parser

_LISTED = re.compile(r"\{(.*)\}")


class DescribedOption(NamedTuple):
    """A flag or an argument: its names, what it takes, the values that are known, and its help."""

    names: tuple[str, ...]
    value: str
    values: tuple[str, ...]
    help: str

    @property
    def is_flag(self) -> bool:
        """Whether it has a dash."""
        return self.names[0].startswith("-")

    @property
    def brief(self) -> str:
        """The beginning of the help, for a line of a list."""
        return re.split(r"[:;,(]", self.help)[0].strip()


class DescribedCommand(NamedTuple):
    """A command: its summary, description, examples and options, in groups by their titles."""

    name: str
    usage: str
    description: str
    examples: str
    groups: dict[str, list[DescribedOption]]
    purposes: dict[str, str]
    """What the options of a group are for, by the title of the group."""

    @property
    def summary(self) -> str:
        """The first sentence, without its full stop."""
        return " ".join(self.description.split(".\n")[0].split()).rstrip(".")

    @property
    def flags(self) -> list[DescribedOption]:
        """The flags of all groups."""
        return [one for group in self.groups.values() for one in group if one.is_flag]


def describe_commands() -> list[DescribedCommand]:
    """Describe all commands."""
    return [describe_command(name) for name in COMMANDS]


def describe_command(name: str) -> DescribedCommand:
    """Describe one command."""
    parser = command_parser(name)
    return DescribedCommand(
        name,
        parser.usage or "",
        (parser.description or "").strip(),
        (parser.epilog or "").removeprefix("examples:\n").rstrip(),
        dict(_groups(parser)),
        {str(group.title): group.description or "" for group in parser._action_groups},
    )


def _groups(parser: Parser) -> Iterator[tuple[str, list[DescribedOption]]]:
    for group in parser._action_groups:
        if group._group_actions:
            yield str(group.title), [_describe(action) for action in group._group_actions]


def _describe(action: argparse.Action) -> DescribedOption:
    value = str(action.metavar or "")
    values = tuple(map(str, action.choices or ()))
    if listed := _LISTED.fullmatch(value):  # some values are open, such as overlap=THRESHOLD
        parts = listed[1].split(",")
        values, value = tuple(re.sub("=.*", "=", one) for one in parts), "|".join(parts)
    if action.nargs == 0:
        value, values = "", ()
    shown = value or "|".join(values)
    names = tuple(action.option_strings) or (shown,)
    return DescribedOption(names, shown, values or _known_values(action), action.help or "")


def _known_values(action: argparse.Action) -> tuple[str, ...]:
    """Return the names that an option takes, if they are those of metrics or formats."""
    if action.dest == "metrics":
        from scoref.metrics import FAMILIES  # NumPy takes a while
        from scoref.metrics.registry import ALL

        return (*FAMILIES, ALL)
    if action.dest == "format" or action.dest.endswith("_format"):
        from scoref.formats.registry import MODULES

        return tuple(MODULES)
    return ()
