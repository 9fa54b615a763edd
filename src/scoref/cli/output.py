"""Where a command writes: results to standard output or files, notes to standard error."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import cache, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from scoref.base.visible import visible
from scoref.exceptions import UsageError

if TYPE_CHECKING:
    from scoref.cli.command import Arguments

# The format of a result, by the ending of its file.
_ENDINGS = {
    ".txt": "text",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".tex": "latex",
    ".md": "markdown",
    ".bib": "bibtex",
}
_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")


def print_result(arguments: Arguments, result: Any, text: str | None = None) -> int:
    """Print the notes of a result, then the text that shows it; return exit code 0."""
    print_notes(result.notes, arguments.like, result.signature)
    if text is not None:
        print(text)
    return 0


def note_left_out(arguments: Arguments, scored: Iterable[str]) -> None:
    """Note the metrics of `-m` that the table of most papers does not have."""
    if arguments.style == "conll" and arguments.metrics:
        from scoref.views.paper_table import left_out

        print_notes(left_out(scored))


def print_notes(notes: Iterable[str], like: str | None = None, signature: str = "") -> None:
    """Print notes to standard error, and how a `signature` differs from the one of `--like`."""
    differences: list[str] = []
    if like is not None:
        from scoref.policy import read_signature

        differences = read_signature(like).differences(read_signature(signature))
    for note in [*notes, *differences]:
        print_message("note", note)


def print_message(kind: str, message: str, hint: str = "") -> None:
    """Print a message to standard error; names from files cannot add lines or control it."""
    print(f"scoref: {kind}: {visible(message)}", file=sys.stderr)
    if hint:
        print(f"  hint: {visible(hint)}", file=sys.stderr)


def uses_colour() -> bool:
    """Return whether to print colours: on a terminal or with FORCE_COLOR, but not with NO_COLOR."""
    wanted = sys.stdout.isatty() or os.environ.get("FORCE_COLOR")
    return bool(wanted and not os.environ.get("NO_COLOR"))


def write_text(path: str, text: str) -> None:
    """Write a file, completely or not at all."""
    from scoref.formats.io.output_files import write_whole

    with write_whole(path) as stream:
        stream.write(text.encode())


def print_file(content: bytes) -> None:
    """Print a file as it is, for another program."""
    if isinstance(sys.stdout, _HeldOutput):
        sys.stdout.is_raw = True
    sys.stdout.write(content.decode())


def append_text(path: str, text: str) -> None:
    """Append to a file that other programs append to as well, such as $GITHUB_STEP_SUMMARY."""
    from scoref.formats.io.output_files import append

    append(path, text.encode())


def format_by_ending(flag: str, path: str, formats: Sequence[str], hint: str) -> str:
    """Return which of some formats the ending of a file names."""
    ending = Path(path).suffix
    if _ENDINGS.get(ending) not in formats:
        known = ", ".join(end for end, name in _ENDINGS.items() if name in formats)
        found = f"the ending {ending!r}" if ending else "no ending"
        if ending == ".html":
            hint = "`scoref report` writes a page"
        raise UsageError(f"{flag} {path}: found {found}, expected one of: {known}", hint)
    return _ENDINGS[ending]


def _choose_format(arguments: Arguments) -> str | None:
    """Set `--to` by the ending of `--out`, and return the file that the result goes to, if any.

    Only a command that states its formats has such a file: the others write their own. A DIR
    without an ending is a directory.
    """
    flags = {option.dest: option for option in arguments.command.options if option.is_flag}
    formats = flags["to"].settings.get("choices") if "to" in flags else None
    if not formats:
        return None
    path: str | None = arguments.out
    if path and not arguments.to:
        if flags["out"].value == "DIR" and not Path(path).suffix:
            path = None
        else:
            hint = "use another ending, or name the format with --to"
            arguments.to = format_by_ending("--out", path, formats, hint)
    arguments.to = arguments.to or "text"
    arguments.parser.set_defaults(to="text")  # whether --to was given is seen by comparing
    return path


@contextmanager
def all_outputs_or_none(arguments: Arguments) -> Iterator[None]:
    """Let the files and the standard output of a command appear together, or nothing of them.

    An output that is an input, by whatever name, is refused before anything is read.
    """
    paths = _values(arguments, "is_output")
    with ExitStack() as stack:
        held = stack.enter_context(_hold_standard_output())
        if paths:
            from scoref.formats.io.output_files import all_or_nothing

            inputs = cache(partial(_input_files, [path for _, path in input_paths(arguments)]))
            _check_outputs(paths, inputs)
            stack.enter_context(all_or_nothing(inputs))
        file = _choose_format(arguments)
        if getattr(arguments, "raw", False):
            if arguments.to != "csv":
                raise UsageError("--raw changes only --to csv", "add --to csv")
            from scoref.views.writers.csv import raw_texts

            stack.enter_context(raw_texts())
            held.is_raw = True
        yield
        if file is not None:
            write_text(file, held.take())
        stack.pop_all().close()
    held.flush()


def _harmless(text: str) -> str:
    """Escape what a terminal would act upon, except line ends and the colours of scoref."""
    if not uses_colour():
        return visible(text, keep="\n\t")
    parts = _COLOUR.split(text)  # texts and colours alternate
    parts[::2] = [visible(part, keep="\n\t") for part in parts[::2]]
    return "".join(parts)


class _HeldOutput(io.StringIO):
    """Standard output that is printed when it is flushed, and never if the command fails."""

    is_raw = False

    def __init__(self, shown: TextIO) -> None:
        super().__init__()
        self._shown = shown

    def isatty(self) -> bool:
        """Return whether a terminal will show it, on which colours depend."""
        return self._shown.isatty()

    def take(self) -> str:
        """Return what is held, and hold it no longer."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text if self.is_raw else _harmless(text)

    def flush(self) -> None:
        """Print what is held."""
        self._shown.write(self.take())
        self._shown.flush()


@contextmanager
def _hold_standard_output() -> Iterator[_HeldOutput]:
    held = _HeldOutput(sys.stdout)
    with redirect_stdout(held):
        yield held


def input_paths(arguments: Arguments) -> list[tuple[str, str]]:
    """Return the inputs of a command, as the user named them, with every path that they may be.

    `NAME=FILE` and `FILE,FILE` can be the names of systems and runs, or the name of a file.
    """
    found = []
    for shown, value in _values(arguments, "is_input"):
        paths = [value, value.partition("=")[2]]
        paths += [part for path in paths if "," in path for part in path.split(",")]
        found += [(shown, path) for path in paths if path]
    return found


def _values(arguments: Arguments, role: str) -> list[tuple[str, str]]:
    """Return the options with a role that are used, each with its path."""
    found = []
    for option in arguments.command.every_option:
        value = getattr(arguments, option.dest) if getattr(option, role) else None
        found += [
            (option.shown, path) for path in ([value] if isinstance(value, str) else value or [])
        ]
    return found


def _input_files(paths: Iterable[str]) -> frozenset[tuple[int, int]]:
    """Identify all files that a command may read."""
    from scoref.formats.io.output_files import file_id
    from scoref.formats.io.sources import files_read

    files: list[str | PathLike[str]] = []
    for path in paths:
        files += [path, *files_read(path)]
    return frozenset(found for file in files if (found := file_id(file)) is not None)


def _check_outputs(
    outputs: Sequence[tuple[str, str]], inputs: Callable[[], frozenset[tuple[int, int]]]
) -> None:
    """Refuse an output that is an input, or that is written twice."""
    from scoref.formats.io.output_files import file_id

    hint = "choose another name for the output"
    places: dict[object, str] = {}
    for flag, path in outputs:
        if path == "-":
            raise UsageError(
                f"{flag}: found `-`, expected a file name", "leave it out, or name a file"
            )
        found = file_id(path)
        if found is not None and not os.path.isdir(path) and found in inputs():  # noqa: PTH112
            raise UsageError(f"{flag} {path} would replace an input of this command", hint)
        is_new = not os.path.exists(path)  # noqa: PTH110  # a device can be written twice
        place = os.path.realpath(path) if is_new else found
        if place is not None and places.setdefault(place, flag) != flag:
            raise UsageError(f"{places[place]} and {flag} would both write {path}", hint)
