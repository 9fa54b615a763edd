"""The `scoref` command: what every subcommand shares, from signals to exit codes."""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, NoReturn

# Linear algebra needs one thread here; starting more threads takes longer than scoring a corpus.
# The variable must be set before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from scoref.base.limits import no_limits
from scoref.base.memory import allow_malloc_settings
from scoref.base.progress import show_progress
from scoref.base.visible import visible
from scoref.cli.command import parse
from scoref.cli.commands import COMMANDS as COMMANDS
from scoref.cli.output import all_outputs_or_none, input_paths, print_message
from scoref.exceptions import ScorefError, UsageError
from scoref.version import __version__

_DEFECT = 70  # EX_SOFTWARE of sysexits.h


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and turn every mistake that a user can make into a message and code 2.

    An exception that nobody expected is a defect of scoref: a message and code 70. Where the
    environment variable SCOREF_RAISE is set, as in our tests, it is raised.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        prepare_output(sys.stdout, is_windows=os.name == "nt")
    if arguments is None:
        _leave_garbage()
    words = sys.argv[1:] if arguments is None else arguments
    hint = ""
    try:
        with _raise_on_signals():
            return _run(words)
    except ScorefError as error:
        message, hint = error.message, error.hint
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        _discard_output()
        return 0
    except OSError as error:  # from writing; errors from reading have messages of their own
        _discard_output()
        message = f"cannot write: {error.strerror or error}"
    except MemoryError:
        message = "not enough memory"
        hint = "use fewer --jobs, or score fewer documents at a time"
    except _SignalError as error:
        _print_written_files()
        return 128 + int(error.args[0])
    except Exception as error:
        if "SCOREF_RAISE" in os.environ:
            raise
        _report_defect(error, debug="--debug" in words)
        return _DEFECT
    print_message("error", message, hint)
    return 2


def prepare_output(stream: io.TextIOWrapper, *, is_windows: bool) -> None:
    """Let standard output take any character.

    A terminal may lack some. On Windows, a file or a pipe would get the encoding and the line ends
    of the system, with which the same file would have other bytes than elsewhere.
    """
    if is_windows and not stream.isatty():
        stream.reconfigure(encoding="utf-8", newline="\n")
    stream.reconfigure(errors="backslashreplace")


def _leave_garbage() -> None:
    """Rarely look for garbage, and not at the end: nearly all that is loaded stays in use.

    Looking for it took a seventh of the time of scoring a small file.
    """
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)


def _report_defect(error: Exception, *, debug: bool) -> None:
    """Say in one line that scoref has failed, and how to report it."""
    if debug:
        import traceback  # only a defect needs it

        print(visible("".join(traceback.format_exception(error)), keep="\n"), file=sys.stderr)
        hint = f"report this output, the command and the version (scoref {__version__})"
    else:
        hint = "run the command again with --debug, and report what it prints to the maintainers"
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    print_message("error", f"scoref has failed unexpectedly ({what}): please report it", hint)


def _run(arguments: Sequence[str]) -> int:
    parsed = parse(arguments)
    allow_malloc_settings()
    show_progress(shown=not getattr(parsed, "quiet", False))
    _check_standard_input(parsed)
    limits = no_limits() if getattr(parsed, "no_limits", False) else nullcontext()
    with limits, all_outputs_or_none(parsed):
        code: int = parsed.run(parsed)
    return code


def _check_standard_input(parsed: argparse.Namespace) -> None:
    """Refuse `-` for two inputs: standard input can be read only once."""
    if sum(path == "-" for _, path in input_paths(parsed)) > 1:
        raise UsageError("only one input can be standard input (-)", "use files for the others")


class _SignalError(BaseException):
    """A signal asked this process to end; its number is the argument."""


@contextmanager
def _raise_on_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM raise an exception, so that everything is cleaned up.

    The exception is not KeyboardInterrupt: Python can end by the signal even if it is caught. C
    code can turn it into another exception, as NumPy does while it is imported: that means the
    same.
    """
    received: list[int] = []

    def end(number: int, _: object) -> NoReturn:
        received.append(number)
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
    except Exception as error:
        if received:
            raise _SignalError(received[0]) from error
        raise
    finally:
        with suppress(ValueError):
            for number in handled:
                signal.signal(number, usual[number])


def _print_written_files() -> None:
    written = getattr(sys.modules.get("scoref.formats.io.output_files"), "written", [])
    files = f"these files are complete: {', '.join(written)}" if written else "nothing was written"
    print(visible(f"scoref: interrupted, {files}"), file=sys.stderr)


def _discard_output() -> None:
    """Keep Python from complaining, when it flushes at exit, about output it cannot write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
