"""Several systems on one key: each scored, or read from its counts, under the same policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from os import PathLike

from scoref.base.phrases import listed
from scoref.counts.counts_file import is_counts_file, load
from scoref.counts.reuse import check_same, in_order, select
from scoref.engines.processes.workers import score_each
from scoref.exceptions import FormatError, ScorefError, UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy, read_signature
from scoref.preparation.inputs import Input, ReadOptions, as_corpus
from scoref.preparation.regrouping import regroup
from scoref.result import Result
from scoref.training.key import Key


def score_systems(
    key: Input | None,
    systems: Mapping[str, Input | Result],
    metrics: Iterable[MetricLike] | None,
    policy: Policy | None,
    options: ReadOptions,
    *,
    jobs: int = 1,
) -> dict[str, Result]:
    """Score each system, or read its counts; all on the same key, policy and metrics."""
    asked = None if metrics is None else find_metrics(metrics)
    ready = {
        name: given if isinstance(given, Result) else Result.of(load(_path(given), asked or ()))
        for name, given in systems.items()
        if isinstance(given, Result) or is_counts_file(given)
    }
    chosen = asked or _common(ready)
    if key is None:
        if unscored := [name for name in systems if name not in ready]:
            _check_readable(systems[unscored[0]], options)
            raise UsageError(
                f"{listed(unscored)} cannot be scored without a key",
                "name the key before all systems; only counts files can do without one",
            )
        first = next(iter(ready.values()))
        policy = policy or first.policy
        fingerprint, units = read_signature(first.signature).key, first.counts.units
        scorer = None
    else:
        policy = policy or Policy()
        scorer = Key.of(key, chosen, policy, options)
        grouped = regroup(scorer.corpus, policy.unit)
        fingerprint, units = grouped.fingerprint(), tuple(d.name for d in grouped.documents)
    to_score = {
        name: given
        for name, given in systems.items()
        if name not in ready and not isinstance(given, Result)
    }
    with closing(score_each(scorer, to_score, jobs) if scorer else _nothing()) as scored:
        results = {}
        for name, given in systems.items():
            if name in ready:
                source = name if isinstance(given, Result) else str(given)
                check_same(ready[name], source, fingerprint, policy, units)
                results[name] = select(in_order(ready[name], units), chosen, source)
            else:
                results[name] = _next(scored, name)
    return results


def _nothing() -> Generator[Result]:
    yield from ()


def _next(scored: Iterator[Result], name: str) -> Result:
    """Return the next result; an error says whose it is."""
    try:
        return next(scored)
    except FormatError:
        raise  # it names its file
    except ScorefError as error:
        raise type(error)(f"{name}: {error.message}", error.hint) from None


def _check_readable(system: Input | Result, options: ReadOptions) -> None:
    """Let a file that does not exist, or is not an annotation, be refused by its reader."""
    if not isinstance(system, Result):
        as_corpus(system, "response", options)


def _path(given: object) -> str | PathLike[str]:
    if not isinstance(given, str | PathLike):  # a counts file is told by its path
        raise UsageError(f"a system is a {type(given).__name__}, which cannot be scored")
    return given


def _common(ready: Mapping[str, Result]) -> tuple[Metric, ...]:
    """Return the metrics that all counts files have, or the default ones without such files."""
    if not ready:
        return find_metrics(None)
    first, *others = (result.counts for result in ready.values())
    found = tuple(
        metric for metric in first.metrics if all(metric.name in one.rows for one in others)
    )
    if not found:
        raise UsageError("the counts files have no metric in common")
    return found


def shared_notes(results: Mapping[str, Result]) -> list[str]:
    """Say each note once, with the name of the system unless it is about the key."""
    times = Counter(note for result in results.values() for note in set(result.notes))
    shared = [note for note, many in times.items() if many == len(results) > 1]
    own = [
        f"{name}: {note}"
        for name, result in results.items()
        for note in result.notes
        if note not in shared
    ]
    return [*shared, *own]
