"""A `scoref` command that starts at once, for the hundreds of commands that pages show.

A server has imported what nearly every command imports. The command is a small client: it sends its
arguments, folder, environment and open files, the server forks, and the fork runs the command. That
the real command starts, and what it imports, is tested elsewhere.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import TextIO, cast

from scoref.cli import main
from tests.conftest import REPOSITORY

LENGTH = 9
"""Bytes of the number that precedes a request, and of the exit code that answers it."""
CLIENT = """#!{python} -IS
import _socket, marshal, posix, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({address!r})
request = marshal.dumps([sys.argv[1:], posix.getcwd(), posix.environ])
files = b"".join(file.to_bytes(4, sys.byteorder) for file in (0, 1, 2))
head = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)]
server.sendmsg([b"%{length}d" % len(request)], head)
server.sendall(request)
code = server.recv({length})
sys.exit(int(code or 70))
"""
"""It imports only what is built in: `json` and `socket` would take longer than most commands."""
STREAMS = (("r", -1, "surrogateescape"), ("w", -1, "strict"), ("w", 1, "backslashreplace"))
"""Mode, buffering and errors of the streams with which a command starts."""


@contextmanager
def quick_command(folder: Path) -> Iterator[Path]:
    """Start a server, and write its `scoref` command into a folder."""
    address = str(folder / "server")
    command = folder / "scoref"
    content = CLIENT.format(python=sys.executable, address=address, length=LENGTH)
    command.write_text(content, "utf-8")
    command.chmod(0o755)
    program = [sys.executable, "-m", "tests.command_server", address]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline(), "the server did not start"
        try:
            yield command
        finally:
            server.terminate()


def serve(address: str) -> None:
    """Answer requests until this process is ended; each has a process of its own."""
    signal.signal(signal.SIGCHLD, forget_ended)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            client, _ = server.accept()
            if os.fork() == 0:
                server.close()
                code = answer(client)
                client.sendall(b"%*d" % (LENGTH, code))
                os._exit(0)
            client.close()


def forget_ended(*_: object) -> None:
    """Wait for the processes that have ended, whose CPU time then counts as that of the tests."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def answer(client: socket.socket) -> int:
    """Run one command with the files, the folder and the environment of its client."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, files, _, _ = socket.recv_fds(client, LENGTH, 3)
    with client.makefile("rb") as rest:
        arguments, folder, variables = marshal.loads(rest.read(int(size)))  # noqa: S302  # our own
    for to, file in enumerate(files):
        os.dup2(file, to)
        os.close(file)
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(variables)
    sys.path[1:1] = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.argv = ["scoref", *arguments]
    sys.stdin, sys.stdout, sys.stderr = open_text(0), open_text(1), open_text(2)
    return run(arguments)


def open_text(number: int) -> TextIO:
    """Open standard input, output or error as Python does when it starts."""
    mode, buffering, errors = STREAMS[number]
    stream = open(number, mode, buffering, "utf-8", errors, closefd=False)  # noqa: SIM115
    return cast(TextIO, stream)


def run(arguments: Sequence[str]) -> int:
    """Run a command to its end, and return its exit code."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    except BaseException:  # noqa: BLE001  # Python would print it, too
        traceback.print_exc()
        code = 1
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    return code


def import_everything() -> None:
    """Run the main commands once: what they import stays imported."""
    example = REPOSITORY / "examples" / "ferry"
    files = [str(example / name) for name in ("key.conll", "baseline.conll", "careful.conll")]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        for command in ("score", "errors", "compare"):
            main([command, *files[: 3 if command == "compare" else 2]])


if __name__ == "__main__":
    import_everything()
    gc.freeze()  # a search for garbage would copy the memory that the forks share
    serve(sys.argv[1])
