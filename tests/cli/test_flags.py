"""Every flag and argument of every command: none is lost or changed by accident."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from scoref.analysis.errors import KINDS
from scoref.cli.command import command_parser, find_command, overview, parse
from scoref.cli.commands import COMMANDS, GROUPS
from scoref.formats.registry import MODULES, find_format

EXPECTED = Path(__file__).with_name("flags.txt")


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    return command_parser(command)


def describe(action: argparse.Action) -> str:
    """Describe a flag in one line: its names, values, number of values and default."""
    values = "|".join(action.choices) if action.choices else ""
    if action.option_strings and action.nargs != 0:
        values = values or str(action.metavar)
    facts = [
        " ".join(action.option_strings) or str(action.metavar),
        values,
        "(repeatable)" if isinstance(action, argparse._AppendAction) else "",
        f"(nargs {action.nargs})" if action.nargs else "",
        "(required)" if action.required and action.option_strings else "",
        "" if action.default is None or action.nargs == 0 else f"= {action.default}",
    ]
    return " ".join(filter(None, facts))


def test_every_command_has_the_flags_it_had() -> None:
    """A line of `flags.txt` is a flag with its values and default, and the commands that have it.

    A new flag needs a new line. A line that goes or changes breaks a user's script.
    """
    commands: dict[str, list[str]] = defaultdict(list)
    for command in COMMANDS:
        for action in parser_of(command)._actions:
            if action.dest not in ("help", "help_all"):
                commands[describe(action)].append(command)
    found = [f"{flag}: {' '.join(names)}" for flag, names in sorted(commands.items())]
    assert found == EXPECTED.read_text("utf-8").splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_flag_has_a_help_text(command: str) -> None:
    """A text without a full stop at the end, and the command has a description."""
    parser = parser_of(command)
    assert parser.description
    for action in parser._actions:
        assert action.help, action
        assert not action.help.endswith(".")


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_can_be_parsed(command: str) -> None:
    """An example in the help uses only flags and values that exist."""
    text = parser_of(command).format_help().replace("\\\n", " ")
    examples = [
        line.split("scoref ", 1)[1] for line in text.splitlines() if line.startswith("  scoref ")
    ]
    for example in examples:
        words = shlex.split(example.split("  ")[0].split(" > ")[0].split(" | ")[0].split(" && ")[0])
        parse(words)


def test_convert_lists_every_format() -> None:
    """A format that is new is in the help; variants of a format are not."""
    description = " ".join((parser_of("convert").description or "").split())
    written, _, read_only = description.partition("can only be read: ")
    for name in MODULES:
        if not re.search("-(inclusive|exclusive|deixis|events|entities)$", name):
            assert re.search(
                rf"\b{name}\b", read_only if find_format(name).write is None else written
            )


def test_kinds_of_errors_are_those_of_the_library() -> None:
    """In their order."""
    description = " ".join((parser_of("errors").description or "").split())
    assert f"Kinds of errors: {', '.join(KINDS)}." in description


def test_help_fits_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--help` has what is used every day, and `--help-all` has everything."""
    monkeypatch.setenv("COLUMNS", "80")
    parser = command_parser("score")
    short, long = parser.format_help(), parser.format_help(everything=True)
    assert len(short.splitlines()) <= 60
    assert "--singletons {" not in short
    for flag in find_command("score").flags:
        assert flag.names[-1] in long


def test_the_overview_has_every_command() -> None:
    """In groups."""
    text = overview()
    for title, names in GROUPS.items():
        assert f"\n{title}:\n" in text
        for name in names:
            assert re.search(rf"^  {name} +[a-z]", text, re.MULTILINE)


def test_help_does_not_import_numpy() -> None:
    """`scoref --help` and the help of each command answer at once."""
    code = (
        "import sys; from scoref.cli import COMMANDS, main\n"
        "for command in ([], *([name] for name in COMMANDS)):\n"
        "    try: main([*command, '--help'])\n"
        "    except SystemExit: pass\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
