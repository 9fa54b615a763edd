"""Reading and counting in several processes, with the bits, notes and errors of one.

The response of a pair is read in another process than the key, and a directory in as many parts
as there are processes. Each of several systems is read and counted in one process. Results are
put together in the order of one process, so nothing depends on how the work was divided.

Processes take a fraction of a second to start. They are started only if the sizes of the files
promise to save more time than that, and before anything else is loaded: this module imports
neither NumPy nor the readers, so the processes start while NumPy is imported here.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from scoref.matching.inputs import Input
    from scoref.metrics import Metric
    from scoref.result import Result

START_SECONDS = 0.2
"""How long starting a process takes, at most."""

_CONLL_SPEED, _OTHER_SPEED = 250e6, 30e6  # bytes per second
_OPEN_SECONDS = 5e-4
_GZIP_RATIO = 6
_COUNTING = 0.6
"""The time of counting, as a part of the time of reading."""


@contextmanager
def prefetched(key: Input, response: Input, jobs: int) -> Iterator[tuple[Input, Input]]:
    """Yield both inputs; other processes read them if that is faster.

    If this is called before NumPy is imported, the processes start during the import.
    """
    estimates = [estimate_reading(one) for one in (key, response)] if jobs > 1 else []
    seconds = [estimate.seconds for estimate in estimates]
    if not (all(seconds) and saves_time(seconds, jobs)):
        yield key, response
        return
    from scoref.base.process_pool import Processes  # noqa: PLC0415  # few inputs are large

    of_key, of_response = estimates
    here = of_key.files == 1  # this process reads a key of one file
    many = min(jobs, sum(min(jobs, estimate.files) for estimate in estimates)) - here
    with Processes(many, "scoref.formats") as processes:
        from scoref.counts.counted import is_counts_file  # noqa: PLC0415  # as they start
        from scoref.engines.prefetched_input import PrefetchedInput  # noqa: PLC0415

        others = PrefetchedInput(of_response.path, jobs, processes)
        yield (
            key if here else PrefetchedInput(of_key.path, jobs, processes),
            response if is_counts_file(response) else others,
        )


class Scorer(Protocol):
    """An object that scores responses, such as `scoref.Key`."""

    metrics: tuple[Metric, ...]

    def score(self, response: Input) -> Result:
        """Score a response."""


def score_each(key: Scorer, systems: Mapping[str, Input], jobs: int = 1) -> Generator[Result]:
    """Yield the results of several systems on one key, in their order, up to the first error."""
    from scoref.base.progress import progress  # noqa: PLC0415

    workers = min(jobs, len(systems))
    seconds = [
        estimate_reading(response).seconds * (1 + _COUNTING) for response in systems.values()
    ]
    with progress("scoring systems", len(systems)) as advance:
        if not saves_time(seconds, workers) or not _is_portable(key):
            for response in systems.values():
                yield key.score(response)
                advance(1)
            return
        from scoref.base.process_pool import Processes  # noqa: PLC0415  # few inputs are large

        with Processes(workers, type(key).__module__) as processes:
            processes.submit_to_all("receiving the key", _keep_key, key)
            results = {
                name: processes.submit(f"scoring {response!s}", _score, response)
                for (name, response), long in zip(systems.items(), seconds, strict=True)
                if long
            }
            for name, response in systems.items():
                yield results[name].result() if name in results else key.score(response)
                advance(1)


class _WorkerState:
    """What a worker keeps from one call to the next."""

    key: Scorer


def _keep_key(key: Scorer) -> None:
    """Keep a key in a worker."""
    _WorkerState.key = key


def _score(response: Input) -> Result:
    """Score one system in a worker."""
    return _WorkerState.key.score(response)


def _is_portable(key: Scorer) -> bool:
    """Whether another process can import the metrics, which those of a script cannot be."""
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


def saves_time(seconds: Sequence[float], jobs: int) -> bool:
    """Whether several processes save more time than they take to start."""
    if jobs < 2 or len(seconds) < 2:
        return False
    return sum(seconds) - max(sum(seconds) / jobs, *seconds) > START_SECONDS


class ReadEstimate(NamedTuple):
    """The files of an input, and about how long reading them takes.

    The time is 0 for inputs that need not be read, or that no other process can read.
    """

    path: str = ""
    files: int = 0
    seconds: float = 0.0


def estimate_reading(source: object) -> ReadEstimate:
    """Estimate from names, sizes and first bytes of files; a pipe is not touched."""
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    if not isinstance(path, str):
        return ReadEstimate()
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
            return ReadEstimate()
        sizes = (
            os.stat(name).st_size * (_GZIP_RATIO if name.endswith(".gz") else 1)  # noqa: PTH116
            for name in files
        )
        seconds = sum(sizes) / speed + (len(files) - 1) * _OPEN_SECONDS
    except OSError:  # the reader reports it
        return ReadEstimate()
    return ReadEstimate(path, len(files), seconds)


def _speed(path: str) -> float | None:
    """Return how many bytes per second are read from a file of this kind.

    None for counts, and for Parquet, which one process scores before others have started.
    """
    with open(path, "rb") as stream:  # noqa: PTH123
        head = stream.read(200)
    if b'"scoref counts"' in head or head.startswith(b"PAR1"):
        return None
    return _CONLL_SPEED if b"begin document" in head else _OTHER_SPEED
