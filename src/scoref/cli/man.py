"""Print the manual page of scoref, or of one command, for the program `man`.

Example commands:
  scoref man | man -l -
  scoref man score | man -l -
  scoref man compare > ~/.local/share/man/man1/scoref-compare.1
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoref.cli.command import Arguments, Command
from scoref.cli.description import DescribedCommand, describe_command, describe_commands
from scoref.exceptions import UsageError
from scoref.version import __version__

COMMAND = Command(__doc__, {"[NAME]": "a command (default: the program, with a list of commands)"})

_EXIT_CODES = {
    "0": "success",
    "1": "findings (validate, fix, gate)",
    "2": "invalid usage or input",
    "3": "undecided (gate)",
    "70": "a defect of scoref",
}


def run(arguments: Arguments) -> int:
    """Print the page."""
    from scoref.cli.parser import COMMANDS, suggest

    name = arguments.name
    if name is not None and name not in COMMANDS:
        hint = suggest(name, COMMANDS) or f"commands: {', '.join(COMMANDS)}"
        raise UsageError(f"unknown command {name!r}", hint)
    lines = _program() if name is None else _command(describe_command(name))
    print("\n".join(lines))
    return 0


def _program() -> Iterator[str]:
    yield from _head("scoref", "score coreference resolution")
    yield r"\fBscoref\fR \fICOMMAND\fR [\fIoptions\fR] \fIFILE\fR..."
    yield ".SH DESCRIPTION"
    yield from _prose(
        "Compare the entities that a system found with a reference. KEY and RESPONSE are files or"
        " directories of files. Results go to standard output, notes to standard error."
    )
    yield ".SH COMMANDS"
    for command in describe_commands():
        yield ".TP"
        yield rf"\fB{_roff(command.name)}\fR"
        yield from _prose(command.summary)
    yield ".SH EXIT STATUS"
    for code, meaning in _EXIT_CODES.items():
        yield from (".TP", rf"\fB{code}\fR", _roff(meaning))
    yield ".SH SEE ALSO"
    names = [rf"\fBscoref\-{_roff(one.name)}\fR(1)" for one in describe_commands()]
    yield ",\n".join(names)


def _command(command: DescribedCommand) -> Iterator[str]:
    summary = command.summary
    yield from _head(f"scoref-{command.name}", summary[:1].lower() + summary[1:])
    yield rf"\fB{_roff(command.usage)}\fR"
    yield ".SH DESCRIPTION"
    for number, paragraph in enumerate(command.description.split("\n\n")):
        yield from ([".PP"] if number else [])
        yield from _prose(paragraph)
    for title, options in command.groups.items():
        yield f".SH {_roff(title.upper())}"
        for option in options:
            shown = ", ".join(rf"\fB{_roff(name)}\fR" for name in option.names)
            value = rf" \fI{_roff(option.value)}\fR" if option.value and option.is_flag else ""
            yield from (".TP", f"{shown}{value}")
            yield from _prose(option.help)
    if command.examples:
        yield from (".SH EXAMPLES", ".nf")
        yield from (_line(line.strip()) for line in command.examples.splitlines())
        yield ".fi"
    yield from (".SH SEE ALSO", r"\fBscoref\fR(1)")


def _head(name: str, summary: str) -> Iterator[str]:
    yield f'.TH {_roff(name.upper())} 1 "" "scoref {__version__}"'
    yield from (".SH NAME", rf"{_roff(name)} \- {_roff(summary)}", ".SH SYNOPSIS")


def _prose(text: str) -> Iterator[str]:
    """Write a paragraph, each sentence on a line, as manual pages have it."""
    one_line = " ".join(text.split())
    yield from map(_line, re.split(r"(?<=[.:;]) (?=[A-Z`])", one_line))


def _line(text: str) -> str:
    """Write a line of text, which must not look like a request."""
    written = _roff(text)
    return rf"\&{written}" if written.startswith((".", "'")) else written


def _roff(text: str) -> str:
    """Escape what roff would read otherwise."""
    return text.replace("\\", r"\e").replace("-", r"\-").replace("³", r"\(S3")
