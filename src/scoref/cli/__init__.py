"""The `scoref` command. Each module with a `COMMAND` is a subcommand, which only wires."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

# Linear algebra needs one thread here; starting more threads takes longer than scoring a corpus.
# The variable must be set before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from scoref.base.malloc import allow_malloc_settings
from scoref.base.progress import show_progress
from scoref.exceptions import ScorefError, UsageError
from scoref.version import __version__

COMMANDS = (
    *("score", "compare", "count", "gate", "power", "agreement", "explain", "errors", "report"),
    *("align", "validate", "stats", "convert", "stress", "baseline", "metrics", "papers"),
)
_DESCRIPTION = """\
Score coreference resolution: compare the entities that a system found with a reference.

  scoref score key.conll response.conll      scores, and a signature to cite with them
  scoref compare key.conll a.conll b.conll   systems ranked, with intervals and tests
  scoref report key.conll a.conll -o a.html  scores, errors and documents on one page
"""
_EPILOG = """\
`scoref COMMAND --help` explains a command. Results go to standard output, notes to standard
error. Exit codes: 0 success, 1 findings (validate, gate), 2 invalid usage or input.
"""
_INPUTS = ("key", "response", "old", "new", "source", "generated")


class _Parser(argparse.ArgumentParser):
    """A parser whose error messages have one line and a hint."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"scoref: error: {message}\n  hint: `{self.prog} --help` shows the usage\n")


def build_parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Build the parser of the command that the arguments name, or else of all commands."""
    parser = _Parser(
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and turn every mistake that a user can make into a message and code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the terminal may lack some characters
    try:
        with _raise_on_signals():
            return _run(sys.argv[1:] if arguments is None else arguments)
    except ScorefError as error:
        message = str(error)
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        _discard_output()
        return 0
    except OSError as error:  # from writing; errors from reading have messages of their own
        _discard_output()
        message = f"cannot write: {error.strerror or error}"
    except MemoryError:
        message = "not enough memory\n  hint: use fewer --jobs, or score fewer documents at a time"
    except _SignalError as error:
        _print_written_files()
        return 128 + int(error.args[0])
    print(f"scoref: error: {message}", file=sys.stderr)
    return 2


def _run(arguments: Sequence[str]) -> int:
    parsed = build_parser(arguments).parse_args(arguments)
    allow_malloc_settings()
    show_progress(shown=not getattr(parsed, "quiet", False))
    _check_standard_input(parsed)
    code: int = parsed.run(parsed)
    sys.stdout.flush()
    return code


def _check_standard_input(parsed: argparse.Namespace) -> None:
    """Refuse `-` for two inputs: standard input can be read only once."""
    paths = [getattr(parsed, name, "") for name in _INPUTS] + getattr(parsed, "files", [])
    if sum(path == "-" or path.endswith("=-") for path in paths) > 1:
        raise UsageError("only one input can be standard input (-)", "use files for the others")


class _SignalError(BaseException):
    """A signal asked this process to end; its number is the argument."""


@contextmanager
def _raise_on_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM raise an exception, so that everything is cleaned up.

    The exception is not KeyboardInterrupt: Python can end by the signal even if it is caught.
    """

    def end(number: int, _: object) -> NoReturn:
        raise _SignalError(number)

    usual: dict[int, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }
    # A signal that is ignored, by `nohup` or in the background, stays ignored.
    handled = [number for number, handler in usual.items() if signal.getsignal(number) == handler]
    with suppress(ValueError):  # only the main thread can set handlers
        for number in handled:
            signal.signal(number, end)
    try:
        yield
    finally:
        with suppress(ValueError):
            for number in handled:
                signal.signal(number, usual[number])


def _print_written_files() -> None:
    written = getattr(sys.modules.get("scoref.formats.io.sources"), "written", [])
    files = f"these files are complete: {', '.join(written)}" if written else "nothing was written"
    print(f"scoref: interrupted, {files}", file=sys.stderr)


def _discard_output() -> None:
    """Keep Python from complaining, when it flushes at exit, about output it cannot write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
