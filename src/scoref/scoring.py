"""score(): two corpora and a policy become a result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from scoref.alignment import Alignment, join
from scoref.characters import as_tokens
from scoref.cleaning import Cleaned, clean
from scoref.corpus import Corpus, Entities
from scoref.counts import Counts
from scoref.countsfile import is_counts_file, load
from scoref.exceptions import UsageError
from scoref.fitting import check_same, in_order, select
from scoref.formats import read
from scoref.formats.sources import STANDARD_INPUT, is_parquet
from scoref.grouping import DOCUMENT, columns_of, regroup
from scoref.linguistics.annotation import annotate, columns_for
from scoref.linguistics.heads import states_heads
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.base import HEADS, TYPES
from scoref.pairing import inverse, pair, same_documents
from scoref.policy import Policy
from scoref.result import Result, Side
from scoref.slicing import ALL, conditions, sliced
from scoref.table import NOWHERE
from scoref.text import Text

_BY_HEAD = frozenset({"head", "partial", "min"})

Input = str | PathLike[str] | Corpus | Mapping[Any, Entities]


def score(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: str | None = None,
    memory: str | int | None = None,
) -> Result:
    """Score a response against a key.

    Each side is a path (a file, a directory, or `-`), a Corpus, or entities as
    `{"doc": [[mention, ...], ...]}` with any hashable mentions. Metrics are names, Metric
    objects, or functions from a Table to counts of shape (units, 4). A counts file can stand
    for the response. Parquet tables that would take more than `memory`, such as "2GB" (by
    default a quarter of what is free), are read piece by piece; the result has no alignment.
    """
    policy = policy or Policy()
    plain = format in (None, "parquet") and encoding is None
    if plain and is_parquet(key) and is_parquet(response):
        from scoref.engines.tables import score_large  # noqa: PLC0415  # it takes what is here

        if (large := score_large(key, response, metrics, policy, memory)) is not None:
            return large
    if isinstance(response, str | PathLike) and is_counts_file(response):
        corpus = as_corpus(key, "key", format, encoding=encoding)
        return score_counts(corpus, response, metrics, policy)
    chosen = find_metrics(metrics)
    aligned = align(key, response, policy, format, needs_of(chosen), encoding=encoding)
    return Result(
        key=aligned.key,
        response=aligned.response,
        counts=Counts.of(aligned.alignment.table(), chosen),
        policy=policy,
        signature=aligned.signature,
        notes=aligned.notes,
        alignment=aligned.alignment,
    )


def score_counts(
    key: Corpus, path: str | PathLike[str], metrics: Iterable[MetricLike] | None, policy: Policy
) -> Result:
    """Score a counts file, after checking that it was counted against this key."""
    chosen = None if metrics is None else find_metrics(metrics)
    result = load(path, chosen or ())
    key = regroup(key, policy.unit)
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


def needs_under(policy: Policy, needs: Collection[str]) -> frozenset[str]:
    """Add what a policy needs: heads to match by, types to choose by."""
    asked = {condition.field for condition in conditions(policy.where)}
    by_head = {HEADS} if policy.match in _BY_HEAD else set()
    return frozenset(needs) | by_head | ({TYPES} if "type" in asked else set())


def align(
    key: Input,
    response: Input,
    policy: Policy,
    format: str | None = None,  # noqa: A002
    needs: Collection[str] = (),
    *,
    encoding: str | None = None,
    columns: Collection[str] = (),
) -> Aligned:
    """Do all that comes before counting; read some columns of the text besides what is needed."""
    needs = needs_under(policy, needs)
    given = (key, response)
    once = STANDARD_INPUT in given  # it cannot be read again
    wanted = columns_for(needs if once else needs - {HEADS}) | frozenset(columns)
    key, response = read_both(*given, format, wanted, encoding, unit=policy.unit)
    if HEADS in needs and not once and not (states_heads(key) and states_heads(response)):
        wanted |= columns_for({HEADS})  # a file that states heads need not have its words read
        key, response = read_both(*given, format, wanted, encoding, unit=policy.unit)
    pairing = pair(key, response, policy)
    key, response, told = annotate(key, response, pairing.key_document, needs, policy.types)
    if policy.unit != DOCUMENT:
        key, response = regroup(key, policy.unit), regroup(response, policy.unit)
        pairing = pair(key, response, policy)
    fingerprint = key.fingerprint()
    ours, theirs = clean(key, policy, "key"), clean(response, policy, "response")
    alignment = join(ours.corpus, theirs.corpus, pairing.key_document, policy)
    alignment = sliced(alignment, policy.where)
    notes = (
        *key.notes,
        *response.notes,
        *pairing.notes,
        *told,
        *ours.notes,
        *theirs.notes,
        *suspicions(len(key), len(response), matched=_is_matched(alignment)),
        *slice_note(len(alignment.unit), policy),
    )
    signature = policy.signature(fingerprint)
    return Aligned(alignment, _side(key, ours), _side(response, theirs), signature, notes)


def slice_note(mentions: int, policy: Policy) -> list[str]:
    """Say how many mentions are scored if they are not all."""
    if policy.where == ALL:
        return []
    return [f"{mentions:,} mentions of either side are where {policy.where}"]


def read_both(
    key: Input,
    response: Input,
    format: str | None,  # noqa: A002
    columns: Collection[str],
    encoding: str | None,
    *,
    unit: str,
) -> tuple[Corpus, Corpus]:
    """Read both sides, words once, and bring their spans to the same unit."""
    of_unit = columns_of(unit)
    ours = as_corpus(key, "key", format, {*columns, *of_unit}, encoding)
    has_words = ours.text is not None and ours.text.columns  # the same as the response's
    columns = of_unit if has_words else {*columns, *of_unit}
    theirs = as_corpus(response, "response", format, columns, encoding)
    if ours.unit == theirs.unit:
        return ours, theirs
    if ours.unit == "character":
        theirs = _with_words(response, theirs, "response", format, encoding)
        place = inverse(same_documents(ours, theirs), len(ours.documents))
        return as_tokens(ours, _text(theirs, "response"), place, "key"), theirs
    ours = _with_words(key, ours, "key", format, encoding)
    place = same_documents(ours, theirs)
    return ours, as_tokens(theirs, _text(ours, "key"), place, "response")


def _with_words(
    given: Input,
    corpus: Corpus,
    side: str,
    format: str | None,  # noqa: A002
    encoding: str | None,
) -> Corpus:
    """Return a corpus with its words, which characters are compared with."""
    if corpus.text is not None and "word" in corpus.text:
        return corpus
    return as_corpus(given, side, format, {"word"}, encoding)


def _text(corpus: Corpus, side: str) -> Text:
    if corpus.text is None or "word" not in corpus.text:
        raise UsageError(
            f"one side counts characters, but the {side} has tokens without words",
            "give both sides the same unit, or words to the one that has tokens",
        )
    return corpus.text


def as_corpus(
    given: Input,
    side: str,
    format: str | None = None,  # noqa: A002
    columns: Collection[str] = (),
    encoding: str | None = None,
) -> Corpus:
    """Make a corpus of whatever a user may pass.

    Of a file that has gold and predicted entities, a response has the predicted ones.
    """
    if isinstance(given, Corpus):
        return given
    if isinstance(given, Mapping):
        return Corpus.from_entities(given, source=side)
    if isinstance(given, str | PathLike):
        predicted = side == "response"
        return read(given, format, words=columns or False, predicted=predicted, encoding=encoding)
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


def _is_matched(alignment: Alignment) -> bool:
    return bool(np.any((alignment.key != NOWHERE) & (alignment.res != NOWHERE)))


def suspicions(key: int, response: int, *, matched: bool) -> list[str]:
    """Say what makes all scores zero, since zero can also mean a mistake in the files.

    It takes how many mentions each side has, and whether any of the key's is the response's.
    """
    if not key or not response:
        empty = [name for name, side in (("key", key), ("response", response)) if not side]
        return [f"the {' and the '.join(empty)} {'has' if len(empty) < 2 else 'have'} no mentions"]
    if not matched:
        return ["no response mention is a key mention: are both sides made of the same tokens?"]
    return []
