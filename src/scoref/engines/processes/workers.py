"""Reading and counting in several processes, with the bits, notes and errors of one.

Of a pair, files are read side by side: the response in another process than the key, and a
directory in as many parts as there are processes. Of several systems, each is read and counted
in one process. Whatever comes back is put together in the order in which one process would
have met it, so that nothing depends on how the work was divided.

Processes take a fraction of a second to start. They are started only where more than that is
to be gained, as the sizes of the files tell, and then before anything else: this module loads
nothing, so that they start while NumPy is being loaded here.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scoref.base.process_pool import Processes

if TYPE_CHECKING:
    from scoref.metrics import Metric
    from scoref.preparation.inputs import Input
    from scoref.result import Result

START = 0.2
"""Seconds that starting a process costs, at most."""

_CONLL, _OTHERS = 250e6, 30e6  # bytes that are read in a second
_FILE = 5e-4  # seconds to open one
_UNZIPPED = 6
_COUNTING = 0.6
"""What counting takes, as a part of what reading takes."""


@contextmanager
def prefetched(key: Input, response: Input, jobs: int) -> Iterator[tuple[Input, Input]]:
    """Yield both inputs, read by other processes where that is faster.

    To call this before NumPy is imported lets the processes start in the meantime.
    """
    ours, theirs = (look_at(key), look_at(response)) if jobs > 1 else (Look(), Look())
    if not (ours.seconds and theirs.seconds and pays([ours.seconds, theirs.seconds], jobs)):
        yield key, response
        return
    here = ours.files == 1  # this process reads a key of one file
    many = min(jobs, min(jobs, ours.files) + min(jobs, theirs.files)) - here
    with Processes(many, "scoref.formats") as processes:
        from scoref.counts.counts_file import is_counts_file  # noqa: PLC0415  # as they start
        from scoref.engines.processes.prefetched import PrefetchedInput  # noqa: PLC0415

        yield (
            key if here else PrefetchedInput(ours.path, jobs, processes),
            response if is_counts_file(response) else PrefetchedInput(theirs.path, jobs, processes),
        )


class Scorer(Protocol):
    """What scores one response after the other, such as `scoref.Key`."""

    metrics: tuple[Metric, ...]

    def score(self, response: Input) -> Result:
        """Score a response."""


def score_each(key: Scorer, systems: Mapping[str, Input], jobs: int = 1) -> Generator[Result]:
    """Score several systems on one key, in their order; the first error ends it."""
    from scoref.base.progress import progress  # noqa: PLC0415

    workers = min(jobs, len(systems))
    seconds = [look_at(given).seconds * (1 + _COUNTING) for given in systems.values()]
    with progress("scoring systems", len(systems)) as advance:
        if not pays(seconds, workers) or not _can_be_sent(key):
            for given in systems.values():
                yield key.score(given)
                advance(1)
            return
        with Processes(workers, type(key).__module__) as processes:
            processes.submit_to_all("taking the key", _take, key)
            coming = {
                name: processes.submit(f"scoring {given}", _score, given)
                for (name, given), long in zip(systems.items(), seconds, strict=True)
                if long
            }
            for name, given in systems.items():
                yield coming[name].result() if name in coming else key.score(given)
                advance(1)


class _Taken:
    """What a worker keeps from one call to the next."""

    key: Scorer


def _take(key: Scorer) -> None:
    """Keep a key, in a worker."""
    _Taken.key = key


def _score(given: Input) -> Result:
    """Score one system, in a worker."""
    return _Taken.key.score(given)


def _can_be_sent(key: Scorer) -> bool:
    """Whether another process would understand the metrics: not those of a program itself."""
    import pickle  # noqa: PLC0415

    from scoref.metrics import portable  # noqa: PLC0415

    own = [metric for metric in portable(key.metrics) if not isinstance(metric, str)]
    if any(metric.count.__module__ == "__main__" for metric in own):
        return False
    try:
        pickle.dumps(own)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def pays(seconds: Sequence[float], jobs: int) -> bool:
    """Whether several processes are done earlier than one, by more than they take to start."""
    if jobs < 2 or len(seconds) < 2:
        return False
    return sum(seconds) - max(sum(seconds) / jobs, *seconds) > START


class Look(NamedTuple):
    """What can be told of an input at a glance: about how long reading it takes.

    That is 0 for what need not be read, and for what no other process can read.
    """

    path: str = ""
    files: int = 0
    seconds: float = 0.0


def look_at(given: object) -> Look:
    """Look at the names, sizes and first bytes of files; a pipe cannot be looked at."""
    path = os.fspath(given) if isinstance(given, str | os.PathLike) else ""
    if not isinstance(path, str):
        return Look()
    found = [path]
    if os.path.isdir(path):  # noqa: PTH112
        found = [
            os.path.join(folder, name)  # noqa: PTH118
            for folder, _, names in os.walk(path)
            for name in names
            if name[0] not in "._"
        ]
    files = [name for name in found if os.path.isfile(name)]  # noqa: PTH113
    try:
        speed = _speed(files[0]) if files else None
        if speed is None:
            return Look()
        seconds = sum(map(_bytes, files)) / speed + (len(files) - 1) * _FILE
    except OSError:  # whoever reads it will say so
        return Look()
    return Look(path, len(files), seconds)


def _bytes(path: str) -> float:
    """Return about how many bytes a file has, unzipped."""
    return os.stat(path).st_size * (_UNZIPPED if path.endswith(".gz") else 1)  # noqa: PTH116


def _speed(path: str) -> float | None:
    """Return how many bytes a second are read of a file of this kind.

    None for counts, and for Parquet, which one process scores before others have started.
    """
    with open(path, "rb") as stream:  # noqa: PTH123
        head = stream.read(200)
    if b'"scoref counts"' in head or head.startswith(b"PAR1"):
        return None
    return _CONLL if b"begin document" in head else _OTHERS
