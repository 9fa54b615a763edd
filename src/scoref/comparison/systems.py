"""Results of several systems on one key: scored, or read from counts, under one policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from os import PathLike
from typing import cast

from scoref.base.phrases import listed
from scoref.counts.counted import is_counts_file, reuse
from scoref.counts.counts_file import load
from scoref.engines.workers import score_each
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.key import Key
from scoref.matching.inputs import Input, ReadOptions, as_corpus
from scoref.matching.regrouping import regroup
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy, PolicyLike, read_signature
from scoref.result import Result

SystemInput = Input | Result | Sequence[Input | Result]
"""The output of a system: one response or its result, or a list with those of several runs."""


def score_runs(
    key: Input | None,
    systems: Mapping[str, SystemInput],
    metrics: Iterable[MetricLike] | None,
    policy: PolicyLike | None,
    options: ReadOptions,
    *,
    jobs: int = 1,
) -> dict[str, tuple[Result, ...]]:
    """Score each run of each system; see `score_systems`."""
    runs = {name: list_runs(name, system) for name, system in systems.items()}
    flat = {
        title: run
        for name, several in runs.items()
        for title, run in zip(run_titles(name, len(several)), several, strict=True)
    }
    results = score_systems(key, flat, metrics, policy, options, jobs=jobs)
    return {
        name: tuple(results[title] for title in run_titles(name, len(several)))
        for name, several in runs.items()
    }


def run_titles(name: str, runs: int) -> list[str]:
    """Return the names of the runs of a system; a single run has the name of the system."""
    return [name] if runs == 1 else [f"{name}, run {at + 1}" for at in range(runs)]


def list_runs(name: str, system: SystemInput) -> Sequence[Input | Result]:
    """Return the runs of a system; a response that is not in a list is its only run.

    A list of lists, of rows or of documents is one response.
    """
    if not isinstance(system, list | tuple):
        return [system]
    if not system:
        raise UsageError(f"{name} has no runs", "pass one response, or a list of several")
    from scoref.formats.objects import is_one_response  # noqa: PLC0415  # files do not need it

    return [system] if is_one_response(system) else system


def score_systems(
    key: Input | None,
    systems: Mapping[str, Input | Result],
    metrics: Iterable[MetricLike] | None,
    policy: PolicyLike | None,
    options: ReadOptions,
    *,
    jobs: int = 1,
) -> dict[str, Result]:
    """Score each system, or read its counts, on the same key, policy and metrics."""
    requested = None if metrics is None else find_metrics(metrics)
    ready = _read_ready(systems, requested)
    chosen = find_metrics(requested or _common_metrics(ready), "a comparison")
    scorer: Key | None = None
    if key is None:
        _refuse_unscored(systems, ready, options)
        first = next(iter(ready.values()))
        policy = first.policy if policy is None else Policy.of(policy)
        fingerprint, units = read_signature(first.signature).key, first.counts.units
    else:
        policy = Policy.of(policy)
        scorer = Key(
            key,
            chosen,
            policy,
            options.format,
            encoding=options.encoding,
            check_words=options.check_words,
        )
        grouped = regroup(scorer.corpus, policy.unit)
        fingerprint, units = grouped.fingerprint(), tuple(d.name for d in grouped.documents)
    to_score = {
        name: system
        for name, system in systems.items()
        if name not in ready and not isinstance(system, Result)
    }
    scoring: AbstractContextManager[Iterator[Result]] = nullcontext(iter(()))
    if scorer:
        scoring = closing(score_each(scorer, to_score, jobs))
    with scoring as scored:
        results = {}
        for name, system in systems.items():
            if name in ready:
                source = name if isinstance(system, Result) else str(system)
                results[name] = reuse(
                    ready[name], source, fingerprint, policy, units, metrics=chosen
                )
            else:
                results[name] = _next(scored, name)
    return results


def _read_ready(
    systems: Mapping[str, Input | Result], metrics: tuple[Metric, ...] | None
) -> dict[str, Result]:
    """Return the systems that need no scoring: results, and counts files."""
    return {
        name: system
        if isinstance(system, Result)
        else Result.of(load(cast("str | PathLike[str]", system), metrics or ()))
        for name, system in systems.items()
        if isinstance(system, Result) or is_counts_file(system)
    }


def _refuse_unscored(
    systems: Mapping[str, Input | Result], ready: Mapping[str, Result], options: ReadOptions
) -> None:
    """Refuse systems that have to be scored, since there is no key."""
    unscored = {name: system for name, system in systems.items() if name not in ready}
    for system in unscored.values():
        if not isinstance(system, Result):
            as_corpus(system, "response", options)  # its reader may refuse it
        raise UsageError(
            f"{listed(list(unscored))} cannot be scored without a key",
            "pass the key before the systems; only counts files can be compared without a key",
        )


def _next(scored: Iterator[Result], name: str) -> Result:
    with named_errors(name):
        return next(scored)


@contextmanager
def named_errors(name: str) -> Iterator[None]:
    """Begin the message of an error with the name of the system."""
    try:
        yield
    except FormatError:
        raise  # it names its file
    except ScorefError as error:
        raise type(error)(f"{name}: {error.message}", error.hint) from None


def _common_metrics(ready: Mapping[str, Result]) -> tuple[Metric, ...]:
    """Return the metrics that all counts files have, or the default metrics without any."""
    if not ready:
        return find_metrics(None)
    first, *others = (result.counts for result in ready.values())
    found = tuple(
        metric for metric in first.metrics if all(metric.name in one.rows for one in others)
    )
    if not found:
        raise UsageError("the counts files have no metric in common")
    return found


def shared_notes(systems: Mapping[str, Sequence[Result]]) -> list[str]:
    """Return each note once, after the name of the system or run unless all have it."""
    results = {
        title: run
        for name, runs in systems.items()
        for title, run in zip(run_titles(name, len(runs)), runs, strict=True)
    }
    times = Counter(note for result in results.values() for note in set(result.notes))
    shared = [note for note, many in times.items() if many == len(results) > 1]
    own = [
        f"{name}: {note}"
        for name, result in results.items()
        for note in result.notes
        if note not in shared
    ]
    return [*shared, *own]
