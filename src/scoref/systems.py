"""Several systems on one key: each scored, or read from its counts, under the same policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from scoref.corpus import Corpus
from scoref.countsfile import check_same, in_order, is_counts_file, load, select
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.policy import Policy, read_signature
from scoref.result import Result
from scoref.scoring import Input, as_corpus, score
from scoref.wording import listed


def score_systems(
    key: Input | None,
    systems: Mapping[str, Input | Result],
    metrics: Iterable[MetricLike] | None,
    policy: Policy | None,
    format: str | None,  # noqa: A002
) -> dict[str, Result]:
    """Score each system, or read its counts; all on the same key, policy and metrics."""
    asked = None if metrics is None else find_metrics(metrics)
    ready = {
        name: given if isinstance(given, Result) else load(_path(given), asked or ())
        for name, given in systems.items()
        if isinstance(given, Result) or is_counts_file(given)
    }
    chosen = asked or _common(ready)
    if key is None:
        if unscored := [name for name in systems if name not in ready]:
            raise UsageError(
                f"{listed(unscored)} cannot be scored without a key",
                "only counts files can do without one",
            )
        first = next(iter(ready.values()))
        policy = policy or first.policy
        fingerprint, units = read_signature(first.signature).key, first.counts.units
        corpus = None
    else:
        policy = policy or Policy()
        corpus = as_corpus(key, "key", format)
        fingerprint, units = corpus.fingerprint(), tuple(d.name for d in corpus.documents)
    results = {}
    for name, given in systems.items():
        if name in ready:
            source = name if isinstance(given, Result) else str(given)
            check_same(ready[name], source, fingerprint, policy, units)
            results[name] = select(in_order(ready[name], units), chosen, source)
        else:
            results[name] = _scored(corpus, given, chosen, policy, format)
    return results


def _scored(
    key: Corpus | None,
    given: Input | Result,
    metrics: Sequence[Metric],
    policy: Policy,
    format: str | None,  # noqa: A002
) -> Result:
    if key is None or isinstance(given, Result):  # what has no key has been read, not scored
        raise UsageError("a system cannot be scored without a key")
    return score(key, given, metrics, policy, format)


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
