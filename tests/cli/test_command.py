"""An option is declared as a usage line writes it, and a command by its docstring."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from scoref.cli.command import Command, Group, Option


@pytest.mark.parametrize(
    ("usage", "names", "settings"),
    [
        ("-q, --quiet", ["-q", "--quiet"], {"action": "store_true"}),
        ("--by NAME", ["--by"], {"metavar": "NAME"}),
        ("--spark-conf NAME=VALUE", ["--spark-conf"], {"metavar": "NAME=VALUE"}),
        ("--mode a|b = a", ["--mode"], {"choices": ["a", "b"], "default": "a"}),
        ("KEY", ["key"], {"metavar": "KEY"}),
        ("FILE...", ["file"], {"metavar": "FILE", "nargs": "+"}),
        ("[NAME]", ["name"], {"metavar": "NAME", "nargs": "?"}),
    ],
)
def test_forms_of_options(usage: str, names: list[str], settings: dict[str, Any]) -> None:
    """Names, value, choices, number of values and default are read from the usage."""
    option = Option(usage, "help")
    default = f" (default: {settings['default']})" if "default" in settings else ""
    assert option.names == names
    assert option.settings == {"help": f"help{default}", **settings}


@pytest.mark.parametrize(
    ("usage", "text", "value"),
    [("--n N = 2", "3", 3), ("--p P = 0.5", "0.25", 0.25), ("--drop POINTS = 0", "1", 1.0)],
)
def test_the_name_of_a_value_says_that_it_is_a_number(usage: str, text: str, value: float) -> None:
    """N is a whole number; P, POINTS, SECONDS and MB are numbers. None is negative."""
    settings = Option(usage, "help").settings
    assert settings["type"](text) == value
    assert type(settings["type"](text)) is type(settings["default"])
    for wrong in ("-1", "x", "nan"):
        with pytest.raises(argparse.ArgumentTypeError, match="is not a"):
            settings["type"](wrong)


TEXT = """Do a thing.

More about it.

Example commands:
  scoref thing KEY
"""


@pytest.mark.parametrize("text", [TEXT, None])
def test_a_command_becomes_a_parser(text: str | None) -> None:
    """Also without a docstring, which `python -OO` removes."""
    command = Command(text, {"KEY": "a file"}, Group("more", "about it", {"--by NAME": "a name"}))
    arguments = command.parser("thing", lambda _: 0).parse_args(["x", "--by", "y"])
    assert (arguments.key, arguments.by, arguments.run(arguments)) == ("x", "y", 0)
    shown = arguments.parser.format_help()
    assert shown.startswith("usage: scoref thing [options] KEY\n")
    assert ("examples:\n  scoref thing KEY" in shown) == bool(text)
    assert command.summary == ("Do a thing" if text else "")
