"""How a command is declared, and the parser that its declaration becomes."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, NoReturn, TypeAlias, cast

from scoref.cli.commands import COMMANDS, GROUPS
from scoref.cli.output import print_message
from scoref.version import __version__, environment

Arguments: TypeAlias = argparse.Namespace
Part: TypeAlias = "Option | dict[str, str]"  # {usage: help} is short for several options

_HELP = """\
usage: scoref COMMAND [options] FILE...

Score coreference resolution: compare the entities that a system found with a reference.

  scoref score key.conll response.conll      scores, and a signature to cite with them
  scoref compare key.conll a.conll b.conll   systems ranked, with intervals and tests
  scoref report key.conll a.conll -o a.html  scores, errors and documents on one page
{commands}
`scoref COMMAND --help` explains a command, `scoref --version` shows the version, and
`scoref --version --verbose` shows what a report of a problem should state. Results go
to standard output, or to a file with -o; notes go to standard error. Exit codes: 0 success,
1 findings (validate, gate), 2 invalid usage or input, 3 undecided (gate), 70 a defect of scoref."""

_DEBUG = "if scoref fails unexpectedly, show where"
_ANY_WIDTH = 80
"""argparse formats each option when it is added; the width of the terminal matters later."""

_WRITTEN = {"OUT", "DIR"}
_READ = {"KEY", "RESPONSE", "OLD", "NEW", "IN", "SOURCE", "GENERATED", "TOML", "TABLE"}
_READ |= {"WORDS", "CHUNK", "SAMPLE", "PILOT"}
_NUMBERS = {"N": int, "P": float, "POINTS": float, "SECONDS": float, "MB": float}


class Option:
    """A flag or a positional argument, declared as a usage line writes it.

    - `-q, --quiet`: a switch
    - `--by NAME`: a flag with a value
    - `--mode strict|kk2013 = strict`: a flag with choices and a default
    - `--match exact|overlap=THRESHOLD`: a flag with values, some of which are open
    - `--top N = 10`: a flag with a number, as the name of the value says
    - `KEY`, `FILE...`, `[NAME]`, `[NAME...]`: a positional argument, a list, an optional one

    The name of the value also says whether it is a path. OUT, DIR and the FILE of a flag are
    written; KEY, RESPONSE, OLD, NEW, IN, SOURCE, GENERATED, TOML, TABLE, WORDS, CHUNK,
    SAMPLE, PILOT and a positional FILE are read. No command can write what it reads
    (`scoref.cli.output`).

    `settings` are further arguments of argparse's `add_argument`.
    """

    def __init__(self, usage: str, help: str, **settings: Any) -> None:  # noqa: A002  # argparse's name
        self.usage, _, default = usage.partition(" = ")
        words = self.usage.split()
        flags = [word.rstrip(",") for word in words if word.startswith("-")]
        value = " ".join(words[len(flags) :])
        title = value.strip("[.]") if not flags else value
        choices = value.split("|") if "|" in value else []
        is_open = any("=" in choice or "[" in choice for choice in choices)
        self.names = flags or [settings.pop("dest", title.lower())]
        self.is_flag = bool(flags)
        self.is_required = not flags or "required" in settings
        self.settings: dict[str, Any] = {"help": help}
        if not value:
            self.settings["action"] = "store_true"
        elif choices and not is_open:
            self.settings["choices"] = choices
        else:
            self.settings["metavar"] = f"{{{','.join(choices)}}}" if is_open else title
        if not flags and title != value:
            optional, several = value.startswith("["), "..." in value
            self.settings["nargs"] = ("*" if optional else "+") if several else "?"
        kind = _NUMBERS.get(value)
        if kind is not None:
            self.settings["type"] = number(kind)
        if default:
            self.settings["default"] = default if kind is None else kind(default)
            self.settings["help"] = f"{help} (default: {default})"
        self.settings |= settings
        self.dest = settings.get("dest") or max(self.names, key=len).strip("-").replace("-", "_")
        self.value = str(self.settings.get("metavar", title)) if not choices else value
        kinds = set(title.split())
        self.is_output = bool(kinds & (_WRITTEN | ({"FILE"} if flags else set())))
        self.is_input = not self.is_output and bool(kinds & (_READ | {"FILE"}))

    @property
    def help(self) -> str:
        """The help, with the default."""
        return str(self.settings["help"])

    @property
    def shown(self) -> str:
        """What a message calls it."""
        return self.names[-1] if self.is_flag else self.usage

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are known; one that is open ends with its sign, such as `overlap=`."""
        if choices := self.settings.get("choices"):
            return tuple(choices)
        if "|" in self.value:
            known = (one for one in self.value.split("|") if "[" not in one)
            return tuple(re.sub("=.*", "=", one) for one in known)
        if self.dest == "metrics":
            from scoref.metrics import FAMILIES  # NumPy takes a while
            from scoref.metrics.registry import ALL

            return (*FAMILIES, ALL)
        if self.dest.endswith("format"):
            from scoref.formats.registry import MODULES

            return tuple(MODULES)
        return ()


def number(kind: type[float], most: float = math.inf) -> Callable[[str], Any]:
    """Return a function that parses a number from 0 to `most`, of the type int or float."""

    def parse_number(text: str) -> float:
        with suppress(ValueError):
            if 0 <= (value := kind(text)) <= most:
                return value
        noun = "a whole number" if issubclass(kind, int) else "a number"
        limits = f"from 0 to {most}" if most < math.inf else "of at least 0"
        raise argparse.ArgumentTypeError(f"{text!r} is not {noun} {limits}")

    return parse_number


class Group:
    """Options with a title of their own, which `--help-all` shows and `--help` only mentions."""

    def __init__(self, title: str, description: str, *parts: Part) -> None:
        self.title, self.description = title, description
        self.options = _expand(parts)


class Command:
    """A command as its module declares it; the module's function `run` executes it.

    `text` is the docstring of the module. Its first line becomes the summary in `scoref --help`,
    its last part the examples. `{usage: help}` is a short form of several options.
    """

    def __init__(self, text: str | None, *parts: Part | Group) -> None:
        # `python -OO` removes docstrings.
        description, _, self.examples = (text or "").partition("Example commands:\n")
        self.description = description.strip()
        self.options = _expand(part for part in parts if not isinstance(part, Group))
        self.groups = [part for part in parts if isinstance(part, Group)]

    @property
    def summary(self) -> str:
        """The first sentence, without its full stop."""
        return " ".join(self.description.split(".\n")[0].split()).rstrip(".")

    @property
    def every_option(self) -> list[Option]:
        """The options of the command, with those of its groups."""
        return [*self.options, *(option for group in self.groups for option in group.options)]

    @property
    def flags(self) -> list[Option]:
        """The options that have a dash."""
        return [option for option in self.every_option if option.is_flag]

    def usage(self, name: str) -> str:
        """Return the line that shows how to type the command."""
        required = [option.usage for option in self.options if option.is_required]
        return " ".join(["scoref", name, "[options]", *required])

    def parser(self, name: str, run: Callable[[Arguments], int]) -> Parser:
        """Return the parser of this command."""
        parser = Parser(
            prog=f"scoref {name}",
            usage=self.usage(name),
            description=self.description,
            epilog=f"examples:\n{self.examples}" if self.examples else None,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_ANY_WIDTH),
            add_help=False,
            allow_abbrev=False,  # one spelling each
        )
        for option in self.options:
            parser.add_argument(*option.names, **option.settings)
        parser.add_argument("-h", "--help", action="help", help="show this help")
        parser.add_argument("--help-all", action=_HelpAll, help="show all options")
        parser.add_argument("--debug", action="store_true", help=_DEBUG)
        for group in self.groups:
            shown = parser.add_argument_group(group.title, group.description)
            for option in group.options:
                shown.add_argument(*option.names, **option.settings)
        parser.set_defaults(run=run, parser=parser, command=self)
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        return parser


def _expand(parts: Iterable[Part]) -> list[Option]:
    """Return the options, also those in short form."""
    options = []
    for part in parts:
        if isinstance(part, Option):
            options.append(part)
        else:
            options += [Option(usage, text) for usage, text in part.items()]
    return options


class Parser(argparse.ArgumentParser):
    """A parser whose error messages have one line and a hint."""

    suggestion = ""

    def format_help(self, *, everything: bool = False) -> str:
        """Return the help; the groups of a command are a part of it only with `everything`."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        first, hidden = self._action_groups[:2], self._action_groups[2:]
        for group in [*first, *hidden] if everything else first:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        if hidden and not everything:
            titles = ", ".join(str(group.title) for group in hidden)
            formatter.add_text(f"{self.prog} --help-all also shows: {titles}")
        formatter.add_text(self.epilog)
        return formatter.format_help()

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
            if flag.startswith("--") and flag not in known:
                self.suggestion = suggest(flag, known)
                self.error(f"unknown option {flag}")


class _HelpAll(argparse.Action):
    """Print the help with all groups, and end."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(nargs=0, default=argparse.SUPPRESS, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the help."""
        print(cast("Parser", parser).format_help(everything=True), end="")
        parser.exit()


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a question with the most similar known word, or an empty string."""
    from difflib import get_close_matches  # only an error needs it

    bare = {one.lstrip("-"): one for one in known}  # the dashes of options say nothing
    close = get_close_matches(word.lstrip("-"), bare, n=1)
    return f"did you mean {bare[close[0]]!r}?" if close else ""


def find_command(name: str) -> Command:
    """Return the declaration of a command."""
    command: Command = _module(name).COMMAND
    return command


def command_parser(name: str) -> Parser:
    """Return the parser of a command."""
    return find_command(name).parser(name, _module(name).run)


def _module(name: str) -> Any:
    return import_module(f"scoref.cli.commands.{name}")


def overview() -> str:
    """Return the help of the program: all commands, in groups."""
    lines = []
    for title, names in GROUPS.items():
        lines.append(f"\n{title}:")
        for name in names:
            summary = find_command(name).summary
            lines.append(f"  {name:<12}{summary[:1].lower()}{summary[1:]}")
    return _HELP.format(commands="\n".join([*lines, ""]))


def parse(arguments: Sequence[str]) -> Arguments:
    """Parse a command and its arguments; options may stand between files."""
    name, *words = arguments or ["--help"]
    if name in ("-h", "--help"):
        print(overview())
        raise SystemExit(0)
    if name == "--version":
        if words not in ([], ["--verbose"]):
            Parser(prog="scoref").error(f"unexpected after --version: {' '.join(words)}")
        print(environment() if words else f"scoref {__version__}")
        raise SystemExit(0)
    if name not in COMMANDS:
        parser = Parser(prog="scoref")
        parser.suggestion = suggest(name, COMMANDS)
        parser.error(f"unknown {'option' if name.startswith('-') else 'command'} {name!r}")
    parser = command_parser(name)
    parser.refuse_unknown_flags(words)
    # After `--`, a file may look like an option; argparse knows that only without options between.
    how = parser.parse_known_args if "--" in words else parser.parse_known_intermixed_args
    parsed, unknown = how(words)
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return parsed
