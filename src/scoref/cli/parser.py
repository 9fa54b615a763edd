"""The parser of the command line: what a user typed, or what may have been meant."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from scoref.cli.output import print_message
from scoref.version import __version__

COMMANDS = (
    *("score", "compare", "count", "gate", "power", "agreement", "explain", "errors", "report"),
    *("align", "validate", "fix", "stats", "convert", "stress", "baseline", "metrics", "papers"),
    *("official", "playground", "view", "cite", "completion", "man"),
)
_DESCRIPTION = """\
Score coreference resolution: compare the entities that a system found with a reference.

  scoref score key.conll response.conll      scores, and a signature to cite with them
  scoref compare key.conll a.conll b.conll   systems ranked, with intervals and tests
  scoref report key.conll a.conll -o a.html  scores, errors and documents on one page
"""
_EPILOG = """\
`scoref COMMAND --help` explains a command. Results go to standard output, notes to standard
error. Exit codes: 0 success, 1 findings (validate, fix, gate), 2 invalid usage or input,
3 undecided (gate), 70 a defect of scoref.
"""


class Parser(argparse.ArgumentParser):
    """A parser whose error messages have one line and a hint."""

    suggestion = ""

    def error(self, message: str) -> NoReturn:
        """Print a message with a hint, and end with code 2."""
        hint = self.suggestion or f"`{self.prog} --help` shows the usage"
        print_message("error", message, hint)
        self.exit(2)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        self.suggestion = suggest(str(value), known)
        message = f"{value!r} is not valid, expected one of: {', '.join(known)}"
        raise argparse.ArgumentError(action, message)

    def refuse_unknown_flags(self, words: Iterable[str]) -> None:
        """Refuse a flag that does not exist, before its value is taken for a file."""
        known = self._option_string_actions
        for word in words:
            flag = word.partition("=")[0]
            if word == "--":
                return
            if flag.startswith("--") and not any(one.startswith(flag) for one in known):
                self.suggestion = suggest(flag, known)
                self.error(f"unknown option {flag}")


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a question with the most similar known word, or an empty string."""
    from difflib import get_close_matches  # only an error needs it

    close = get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else ""


def build_parser(arguments: Sequence[str]) -> Parser:
    """Build the parser of the command that the arguments name, or else of all commands."""
    parser = Parser(
        prog="scoref",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"scoref {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    first = next(iter(arguments), "")
    for name in (first,) if first in COMMANDS else COMMANDS if first != "--version" else ():
        module = import_module(f"scoref.cli.{name}")
        module.COMMAND.add_to(subparsers, name, module.run)
    return parser


def command_parser(name: str) -> Parser:
    """Return the parser of one command."""
    (actions,) = (
        action
        for action in build_parser([name])._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    parser: Parser = actions.choices[name]
    return parser


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command and its arguments; options may stand between files."""
    if not arguments:
        build_parser(()).print_help()
        raise SystemExit(0)
    name, *words = arguments
    if name not in COMMANDS:
        if not name.startswith("-"):
            parser = build_parser(["--version"])
            parser.suggestion = suggest(name, COMMANDS)
            parser.error(f"unknown command {name!r}")
        return build_parser(arguments).parse_args(arguments)
    parser = command_parser(name)
    parser.refuse_unknown_flags(words)
    # After `--`, a file may look like an option; argparse knows that only without options between.
    how = parser.parse_known_args if "--" in words else parser.parse_known_intermixed_args
    parsed, unknown = how(words)
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return parsed
