"""score(): two corpora and a policy become a result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from scoref.alignment import Alignment, join
from scoref.cleaning import Cleaned, clean
from scoref.corpus import Corpus, Entities
from scoref.counts import Counts
from scoref.countsfile import check_same, in_order, is_counts_file, load, select
from scoref.exceptions import UsageError
from scoref.formats import read
from scoref.linguistics.annotation import annotate, columns_for
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.pairing import pair
from scoref.policy import Policy
from scoref.result import Result, Side
from scoref.table import NOWHERE

Input = str | PathLike[str] | Corpus | Mapping[Any, Entities]


def score(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
) -> Result:
    """Score a response against a key.

    Each side is a path (a file, a directory, or `-`), a Corpus, or entities as
    `{"doc": [[mention, ...], ...]}` with any hashable mentions. Metrics are names, Metric
    objects, or functions from a Table to counts of shape (units, 4). A counts file can stand
    for the response.
    """
    policy = policy or Policy()
    if isinstance(response, str | PathLike) and is_counts_file(response):
        return score_counts(as_corpus(key, "key", format), response, metrics, policy)
    chosen = find_metrics(metrics)
    aligned = align(key, response, policy, format, needs_of(chosen))
    return Result(
        key=aligned.key,
        response=aligned.response,
        counts=Counts.of(aligned.alignment.table(), chosen),
        policy=policy,
        signature=aligned.signature,
        notes=aligned.notes,
    )


def score_counts(
    key: Corpus, path: str | PathLike[str], metrics: Iterable[MetricLike] | None, policy: Policy
) -> Result:
    """Score a counts file, after checking that it was counted against this key."""
    chosen = None if metrics is None else find_metrics(metrics)
    result = load(path, chosen or ())
    units = [document.name for document in key.documents]
    check_same(result, str(path), key.fingerprint(), policy, units)
    result = select(in_order(result, units), chosen, str(path))
    return replace(result, key=result.key._replace(source=key.source))


class Aligned(NamedTuple):
    """Two sides that have been read, paired, cleaned and joined; and what to tell the user."""

    alignment: Alignment
    key: Side
    response: Side
    signature: str
    notes: tuple[str, ...]


def needs_of(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return what some metrics need besides entities."""
    return frozenset(
        need for metric in metrics for one in (metric, *metric.parts) for need in one.needs
    )


def align(
    key: Input,
    response: Input,
    policy: Policy,
    format: str | None = None,  # noqa: A002
    needs: Collection[str] = (),
) -> Aligned:
    """Do all that comes before counting."""
    columns = columns_for(needs)
    key = as_corpus(key, "key", format, columns)
    has_words = key.text is not None and key.text.columns  # the same as the response's
    response = as_corpus(response, "response", format, () if has_words else columns)
    pairing = pair(key, response, policy)
    fingerprint = key.fingerprint()
    key, response, told = annotate(key, response, pairing.key_document, needs, policy.types)
    ours, theirs = clean(key, policy, "key"), clean(response, policy, "response")
    alignment = join(ours.corpus, theirs.corpus, pairing.key_document, policy.match)
    notes = (
        *key.notes,
        *response.notes,
        *pairing.notes,
        *told,
        *ours.notes,
        *theirs.notes,
        *_suspicions(key, response, alignment),
    )
    signature = policy.signature(fingerprint)
    return Aligned(alignment, _side(key, ours), _side(response, theirs), signature, notes)


def as_corpus(
    given: Input,
    side: str,
    format: str | None = None,  # noqa: A002
    columns: Collection[str] = (),
) -> Corpus:
    """Make a corpus of whatever a user may pass."""
    if isinstance(given, Corpus):
        return given
    if isinstance(given, Mapping):
        return Corpus.from_entities(given, source=side)
    if isinstance(given, str | PathLike):
        return read(given, format, words=columns or False)
    raise UsageError(
        f"the {side} is a {type(given).__name__}, which cannot be scored",
        'pass a path, a Corpus, or {"doc": [["a", "b"], ["c"]]}',
    )


def _side(corpus: Corpus, cleaned: Cleaned) -> Side:
    return Side(
        source=corpus.source,
        documents=len(corpus.documents),
        mentions=len(corpus),
        entities=corpus.entity_count,
        duplicates_dropped=cleaned.duplicates,
        singletons_dropped=cleaned.singletons,
    )


def _suspicions(key: Corpus, response: Corpus, alignment: Alignment) -> list[str]:
    """Say what makes all scores zero, since zero can also mean a mistake in the files."""
    if not len(key) or not len(response):
        empty = [name for name, side in (("key", key), ("response", response)) if not len(side)]
        return [f"the {' and the '.join(empty)} {'has' if len(empty) < 2 else 'have'} no mentions"]
    if not np.any((alignment.key != NOWHERE) & (alignment.res != NOWHERE)):
        return ["no response mention is a key mention: are both sides made of the same tokens?"]
    return []
