"""The `scoref` command: one file per command here, each of which only wires."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, NoReturn

# One thread of linear algebra is enough here, and starting the others costs more than
# scoring a corpus. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from scoref.base.allocation import own_process
from scoref.base.progress import show_progress
from scoref.exceptions import ScorefError
from scoref.version import __version__

Run = Callable[[argparse.Namespace], int]

COMMANDS = (
    "score",
    "compare",
    "count",
    "gate",
    "power",
    "agreement",
    "explain",
    "errors",
    "report",
    "validate",
    "stats",
    "convert",
    "stress",
    "baseline",
    "metrics",
    "papers",
)

_DESCRIPTION = """\
Score coreference resolution: compare the entities a system found with a reference.

  scoref score key.conll response.conll      all measures, with a signature to cite
  scoref compare key.conll a.conll b.conll   which system is better, and how sure we are
  scoref explain key.conll response.conll    how a score comes about, in exact fractions
  scoref errors key.conll response.conll     what went wrong, what it costs, and where
  scoref report key.conll a.conll -o a.html  a report to open, to send and to print
  scoref validate *.conll                    everything that is wrong with some files
  scoref convert key.conll key.jsonl         any format into any other
  scoref stats key.conll                     entities by size, mentions by length, nesting
  scoref metrics blanc                       what a measure rewards, and its paper
  scoref papers rh2011-table1                a published table, ours beside print
"""
_EPILOG = """\
`scoref COMMAND --help` explains a command. Results go to standard output, notes to
standard error. Exit codes: 0 done, 1 findings (validate, gate), 2 wrong usage or input.
"""
_MEMORY = """\
there is not enough memory for this
  hint: use fewer --jobs, or score fewer documents at a time"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where to look."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"scoref: error: {message}\n  hint: `{self.prog} --help` shows the usage\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and turn every mistake a user can make into a message and code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack a name's letters
    try:
        with _ended_by_signals():
            return _run(sys.argv[1:] if arguments is None else arguments)
    except ScorefError as error:
        print(f"scoref: error: {error}", file=sys.stderr)
    except BrokenPipeError:
        _forget_output()  # its reader, `head` say, has seen enough
        return 0
    except OSError as error:  # from writing: what is read has messages of its own
        _forget_output()
        print(f"scoref: error: cannot write: {error.strerror or error}", file=sys.stderr)
    except MemoryError:
        print(f"scoref: error: {_MEMORY}", file=sys.stderr)
    except _Ended as ended:
        _say_what_is_left()
        return 128 + ended.signal
    return 2


def _run(arguments: Sequence[str]) -> int:
    parsed = _parser(arguments).parse_args(arguments)
    own_process()
    show_progress(shown=not getattr(parsed, "quiet", False))
    run: Run = parsed.run
    code = run(parsed)
    sys.stdout.flush()
    return code


class _Ended(BaseException):
    """A signal asked this process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the work by an exception, so that all is cleaned up.

    It is not KeyboardInterrupt: Python can end by the signal in spite of whoever catches that.
    """

    def end(number: int, _: object) -> NoReturn:
        raise _Ended(number)

    usual: dict[int, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
    }
    # What is ignored, by `nohup` or in the background, stays so.
    heard = [number for number, handler in usual.items() if signal.getsignal(number) == handler]
    with suppress(ValueError):  # only the main thread hears of signals
        for number in heard:
            signal.signal(number, end)
    try:
        yield
    finally:
        with suppress(ValueError):
            for number in heard:
                signal.signal(number, usual[number])


def _say_what_is_left() -> None:
    written = getattr(sys.modules.get("scoref.formats.io.sources"), "written", [])
    said = f"these files are whole: {', '.join(written)}" if written else "nothing was written"
    print(f"scoref: interrupted, {said}", file=sys.stderr)


def _forget_output() -> None:
    """Keep Python from complaining, when it flushes at exit, about output that has no place."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Make the parser: of the command that is asked for alone, which is faster, or of all."""
    parser = _Parser(
        prog="scoref",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"scoref {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = [name for name in COMMANDS if [name] == list(arguments[:1])]
    for name in asked or COMMANDS:
        import_module(f"scoref.cli.{name}").add(commands)
    return parser
