"""A pool of worker processes: it sends a function call to a worker and returns the result.

A worker is another Python process that does not run the user's program, so a script needs no
`if __name__ == "__main__"` guard. It has its own session, so Ctrl-C reaches it only through this
process. It ends when its input ends, so it cannot outlive this process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from scoref.exceptions import ScorefError

if TYPE_CHECKING:
    from concurrent.futures import Future

Arguments = ParamSpec("Arguments")
Value = TypeVar("Value")

_START = (
    "import sys; _, module, *sys.path[:] = sys.argv;"
    " from scoref.base.process_pool import serve; serve(module)"
)


class LostError(ScorefError):
    """A worker process ended before it returned its result."""


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """A pool of `many` worker processes, all started at once; leaving the context ends them.

    Each worker has a thread in this process, which only waits for it. `module` is the module that
    the workers import first, while this process continues.
    """

    def __init__(self, many: int, module: str = "scoref") -> None:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # rarely needed
        from queue import SimpleQueue  # noqa: PLC0415

        self._workers: list[_Worker] = []
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._threads = ThreadPoolExecutor(many)
        try:
            for _ in range(many):
                self._workers.append(_Worker(module))
        except BaseException:
            self._end(kill=True)
            raise
        for worker in self._workers:
            self._idle.put(worker)

    def submit(
        self,
        what: str,
        function: Callable[Arguments, Value],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Future[Value]:
        """Call a function in an idle worker; it must be a module's function, so that it pickles.

        `what` describes the call in the error message if the worker process ends early.
        """

        def work() -> Any:
            worker = self._idle.get()
            try:
                return worker.call(what, function, arguments, named)
            finally:
                self._idle.put(worker)

        return self._threads.submit(work)

    def submit_to_all(
        self,
        what: str,
        function: Callable[Arguments, object],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> None:
        """Call a function in every worker, and wait for all of them."""
        calls = [
            self._threads.submit(worker.call, what, function, arguments, named)
            for worker in self._workers
        ]
        for call in calls:
            call.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._end(kill=kind is not None)

    def _end(self, *, kill: bool) -> None:
        for worker in self._workers:
            worker.dismiss(kill=kill)
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.wait()


class _Worker:
    """A worker process and the pipes to it."""

    def __init__(self, module: str) -> None:
        import subprocess  # noqa: PLC0415  # most commands start no process

        try:
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and code
                [sys.executable, "-c", _START, module, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise ScorefError(
                f"cannot start a worker process: {error.strerror or error}", "use --jobs 1"
            ) from None

    def call(self, what: str, function: Any, arguments: Any, named: Any) -> Any:
        """Send a call, wait for the worker, and return its result or raise its exception."""
        import pickle  # noqa: PLC0415

        process = self._process
        assert process.stdin is not None  # noqa: S101  # both are pipes
        assert process.stdout is not None  # noqa: S101
        message = pickle.dumps((function, arguments, named), protocol=5)
        try:
            process.stdin.write(message)
            process.stdin.flush()
            done, value = pickle.load(process.stdout)  # noqa: S301  # our own process wrote it
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            raise LostError(
                f"a worker process {_how_it_ended(process.wait())} while {what}",
                "use fewer --jobs if memory was short; --jobs 1 starts no worker processes",
            ) from None
        if not done:
            raise value
        return value

    def dismiss(self, *, kill: bool) -> None:
        """End the process: after its current call, or at once if `kill`."""
        if kill:
            self._process.kill()
        elif self._process.stdin is not None:
            with suppress(OSError):  # the process may have ended
                self._process.stdin.close()

    def wait(self) -> None:
        """Wait for the end of the process, and close its pipes."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are pipes
        self._process.wait()


def _how_it_ended(code: int) -> str:
    if code < 0:
        import signal  # noqa: PLC0415

        return f"was killed ({signal.Signals(-code).name})"
    return f"ended with code {code}"


def serve(module: str) -> None:
    """Run a worker: answer calls until the input ends."""
    import pickle  # noqa: PLC0415
    from importlib import import_module  # noqa: PLC0415

    calls = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text must not mix with the answers
    import_module(module)
    while True:
        try:
            function, arguments, named = pickle.load(calls)  # noqa: S301  # our parent wrote it
        except EOFError:
            return
        except Exception as error:  # noqa: BLE001  # the parent raises it
            answer = _pickled(error)
        else:
            answer = _answer(function, arguments, named)
        try:
            answers.write(answer)
            answers.flush()
        except BrokenPipeError:  # the parent no longer waits for the answer
            os._exit(0)


def _answer(function: Any, arguments: Any, named: Any) -> bytes:
    import pickle  # noqa: PLC0415

    try:
        return pickle.dumps((True, function(*arguments, **named)), protocol=5)
    except Exception as error:  # noqa: BLE001  # the parent raises it
        return _pickled(error)


def _pickled(error: Exception) -> bytes:
    """Pickle an error, or a RuntimeError with its message if it cannot be pickled."""
    import pickle  # noqa: PLC0415

    try:
        answer = pickle.dumps((False, error), protocol=5)
        pickle.loads(answer)  # noqa: S301  # our own; some errors pickle but do not unpickle
    except Exception:  # noqa: BLE001
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")), protocol=5)
    return answer
