"""score(): two corpora and a policy become a result."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple

from scoref.alignment.alignment import Alignment, join
from scoref.alignment.document_pairing import inverse, pair, same_documents
from scoref.alignment.where import ALL, conditions, sliced
from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.compat.counting import as_counted
from scoref.corpus.corpus import Corpus, Entities
from scoref.corpus.text import Text
from scoref.counts.counts import Counts
from scoref.counts.counts_file import is_counts_file, load
from scoref.counts.reuse import check_same, in_order, select
from scoref.exceptions import UsageError
from scoref.formats import read
from scoref.formats.io.sources import STANDARD_INPUT, is_parquet
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.metrics.needs import (
    BRIDGING,
    HEADS,
    KEY_HEADS,
    MENTION_TYPES,
    MINIMAL_SPANS_OR_HEADS,
    NON_REFERRING,
)
from scoref.policy import Policy, with_time_limit
from scoref.preparation.character_offsets import as_tokens
from scoref.preparation.duplicates_and_singletons import Cleaned, clean
from scoref.preparation.inferred_attributes import (
    annotate,
    columns_for,
    lacks_words,
    needs_of_matching,
    settle,
)
from scoref.preparation.regrouping import DOCUMENT, columns_of, regroup
from scoref.preparation.same_text import AUTO, Checks, columns_to_check
from scoref.preparation.same_text import check_words as compare_words
from scoref.result import Result, Side

_MAY_BE_STATED = frozenset({HEADS, KEY_HEADS, MINIMAL_SPANS_OR_HEADS})


class Kept:
    """A side that is read once, and remembers what is worked out about it."""

    def __init__(self, given: Input) -> None:
        self.given = given
        self._read: dict[frozenset[str], Corpus] = {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for corpus in self._read.values():
            corpus.remember()

    def corpus(
        self,
        side: str,
        format: str | None,  # noqa: A002
        columns: Collection[str],
        encoding: str | None,
    ) -> Corpus:
        """Return the corpus with some columns of its text, if it has a text."""
        # Only a file can be read again, for words that nobody had asked for before.
        is_file = isinstance(self.given, str | PathLike) and self.given != STANDARD_INPUT
        asked = frozenset(columns) if is_file else frozenset()
        if asked not in self._read:
            read = as_corpus(self.given, side, format, columns, encoding)
            self._read[asked] = read.remember()
            if isinstance(self.given, Mapping):
                self.given = read  # to send it to another process, once is enough
        return self._read[asked]

    def expect(
        self,
        side: str,
        format: str | None,  # noqa: A002
        columns: Collection[str],
        encoding: str | None,
    ) -> None:
        """Hear what will be asked for soon, before the other side is read."""


Input = str | PathLike[str] | Corpus | Mapping[Any, Entities] | Kept


def score(
    key: Input,
    response: Input,
    metrics: Iterable[MetricLike] | None = None,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    encoding: str | None = None,
    check_words: Checks = AUTO,
    ceaf_time_limit: float | None = None,
    memory: str | int | None = None,
) -> Result:
    """Score a response against a key.

    Each side is a path (a file, a directory, or `-`), a Corpus, or entities as
    `{"doc": [[mention, ...], ...]}` with any hashable mentions. Metrics are names, Metric
    objects, or functions from a Table to counts of shape (units, 4). A counts file can stand
    for the response. Words that differ are refused where they are read anyway (`check_words` is
    `auto`) or `always`; `note` only says so, and `never` does not look.

    With a `ceaf_time_limit`, each CEAF measure may look for the best alignment of entities for
    so many seconds; if that is not enough, its score is a lower bound, `result.bounds` has the
    upper one, and the signature says so.

    Parquet tables are scored piece by piece, without a corpus in memory, if no measure looks at
    single mentions, or if a corpus would take more than `memory`, such as "2GB" (by default a
    quarter of what is free); `result.where` then reads them again, or cannot be had.
    """
    policy = policy or Policy()
    metrics = None if metrics is None else find_metrics(metrics)  # which may be given only once
    if ceaf_time_limit is not None and not 0 <= ceaf_time_limit < math.inf:
        raise UsageError(f"a time limit of {ceaf_time_limit} seconds is none", "0 or more")
    if ceaf_time_limit is not None and policy.split_antecedents != "ignore":
        raise UsageError("split antecedents are scored exactly, with no ceaf_time_limit")
    if isinstance(memory, str):
        from scoref.base.memory import bytes_of  # noqa: PLC0415

        memory = bytes_of(memory)  # whatever the files are: a wrong size is a wrong size
    plain = format in (None, "parquet") and encoding is None
    plain &= policy.split_antecedents == "ignore"  # pieces have nothing but mentions
    if plain and is_parquet(key) and is_parquet(response):
        from scoref.engines.tables import score_parquet  # noqa: PLC0415  # it takes what is here

        found = score_parquet(
            key, response, metrics, policy, memory=memory, ceaf_time_limit=ceaf_time_limit
        )
        if found is not None:
            return found
    if isinstance(response, str | PathLike) and is_counts_file(response):
        corpus = as_corpus(key, "key", format, encoding=encoding)
        return score_counts(corpus, response, metrics, policy)
    chosen = as_counted(find_metrics(metrics), policy)
    needs = needs_of(chosen)
    aligned = align(
        key, response, policy, format, needs, encoding=encoding, check_words=check_words
    )
    result = Result(
        key=aligned.key,
        response=aligned.response,
        counts=Counts.of(aligned.alignment.table(), chosen, ceaf_time_limit),
        policy=aligned.policy,
        signature=aligned.signature,
        notes=aligned.notes,
        alignment=aligned.alignment,
    )
    if ceaf_time_limit is None or not result.counts.most:
        return result
    return replace(
        result,
        signature=with_time_limit(result.signature, ceaf_time_limit),
        notes=(*result.notes, *result.bound_lines()),
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
    """Two sides that have been read, paired, cleaned and joined; and what to tell the user.

    The policy is the one asked for, with what its `match` stands for.
    """

    alignment: Alignment
    key: Side
    response: Side
    policy: Policy
    signature: str
    notes: tuple[str, ...]


def refuse_compat(policy: Policy, what: str) -> None:
    """Refuse to look closer at mentions than counting them as another scorer does, or plurals."""
    if policy.split_antecedents != "ignore":
        raise UsageError(
            f"split_antecedents {policy.split_antecedents} is for scores; {what} cannot be had"
            " with it",
            "leave split_antecedents out",
        )
    if policy.compat != "none":
        raise UsageError(
            f"compat {policy.compat} is for scores; {what} cannot be had with it",
            "leave compat out",
        )


def needs_of(metrics: Iterable[Metric]) -> frozenset[str]:
    """Return what some metrics need besides entities."""
    return frozenset(
        need for metric in metrics for one in (metric, *metric.parts) for need in one.needs
    )


def needs_under(policy: Policy, needs: Collection[str]) -> frozenset[str]:
    """Add what a policy needs: heads to match by, types to choose by."""
    asked = {condition.field for condition in conditions(policy.where)}
    needs = frozenset(needs) | ({MENTION_TYPES} if "type" in asked else set())
    # Under compat, heads are found as corefud-scorer finds them.
    return needs | needs_of_matching(policy) if policy.compat == "none" else needs


def columns_of_key(
    policy: Policy, needs: Collection[str], check_words: Checks, *, once: bool
) -> frozenset[str]:
    """Return the columns of a key's text that are read first, or all that may be needed."""
    needs = needs_under(policy, needs)
    wanted = columns_for(needs if once else needs - _MAY_BE_STATED)
    return wanted | columns_of(policy.unit) | columns_to_check(check_words, read=bool(wanted))


def align(
    key: Input,
    response: Input,
    policy: Policy,
    format: str | None = None,  # noqa: A002
    needs: Collection[str] = (),
    *,
    encoding: str | None = None,
    columns: Collection[str] = (),
    check_words: Checks = AUTO,
) -> Aligned:
    """Do all that comes before counting; read some columns of the text besides what is needed."""
    of_metrics, needs = frozenset(needs), needs_under(policy, needs)
    given = (key, response)
    once = any(map(is_read_once, given))
    wanted = columns_for(needs if once else needs - _MAY_BE_STATED) | frozenset(columns)
    unit = policy.unit
    key, response = read_both(*given, format, wanted, encoding, unit=unit, check_words=check_words)
    if not once and lacks_words(policy, needs, key, response):
        wanted |= columns_for(needs)  # a file that states heads need not have its words read
        key, response = read_both(
            *given, format, wanted, encoding, unit=unit, check_words=check_words
        )
    policy, settled = settle(policy, key, response)
    needs = needs_under(policy, of_metrics)
    pairing = pair(key, response, policy)
    compared = compare_words(key, response, pairing.key_document, check_words)
    key, response, told = annotate(key, response, pairing.key_document, needs, policy.types)
    if policy.unit != DOCUMENT:
        key, response = regroup(key, policy.unit), regroup(response, policy.unit)
        pairing = pair(key, response, policy)
    fingerprint = key.fingerprint()
    joining: Callable[[Corpus, Corpus, Ints, Policy], Alignment] = join
    if policy.compat != "none":
        from scoref.compat.corefud.join import join_as_corefud  # noqa: PLC0415
        from scoref.compat.corefud.mentions import with_heads  # noqa: PLC0415

        joining = join_as_corefud
        key, of_key = with_heads(key, policy, "key")
        response, of_response = with_heads(response, policy, "response")
        told = (*told, *of_key, *of_response)
    ours, theirs = clean(key, policy, "key"), clean(response, policy, "response")
    alignment = joining(ours.corpus, theirs.corpus, pairing.key_document, policy)
    alignment = sliced(alignment, policy.where)
    notes = (
        *key.notes,
        *response.notes,
        *pairing.notes,
        *compared,
        *settled,
        *told,
        *ours.notes,
        *theirs.notes,
        *suspicions(len(key), len(response), matched=alignment.has_matches),
        *slice_note(len(alignment.unit), policy),
        *silences(key, response, needs, policy),
        *alignment.notes,
    )
    signature = policy.signature(fingerprint)
    return Aligned(alignment, _side(key, ours), _side(response, theirs), policy, signature, notes)


def silences(key: Corpus, response: Corpus, needs: Collection[str], policy: Policy) -> list[str]:
    """Say which side has none of what is looked at: its score may mean a wrong file."""
    notes = []
    for side, corpus in (("key", key), ("response", response)):
        links = corpus.bridging and corpus.bridging.anaphor
        for need, what, spans in (
            (BRIDGING, "bridging links", links),
            (NON_REFERRING, "non-referring mentions", corpus.non_referring),
        ):
            if need in needs and spans is not None and not len(spans.start):
                notes.append(f"the {side} has no {what}")
    if policy.split_antecedents == "ignore":
        return notes
    from scoref.metrics.split.plurals import unknown_members  # noqa: PLC0415  # few ask for them

    if not any("split_antecedents" in corpus.entity_attributes for corpus in (key, response)):
        notes.append("neither side has split antecedents")
    for side, corpus in (("key", key), ("response", response)):
        if unknown := unknown_members(corpus):
            many = counted(unknown, "member")
            notes.append(f"left out in the {side}: {many} of split antecedents, which no entity is")
    return notes


def is_read_once(given: Input) -> bool:
    """Whether a side is standard input, which cannot be read again."""
    given = given.given if isinstance(given, Kept) else given
    return isinstance(given, str) and given == STANDARD_INPUT


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
    check_words: Checks = AUTO,
) -> tuple[Corpus, Corpus]:
    """Read both sides, and bring their spans to the same unit.

    What files say of words besides what they are is read once, since it serves both sides.
    """
    always = {*columns_of(unit), *columns_to_check(check_words, read=bool(columns))}
    if isinstance(key, Kept):
        key.expect("key", format, {*columns, *always}, encoding)
    if isinstance(response, Kept):
        response.expect("response", format, always, encoding)  # as if the key had words
    ours = as_corpus(key, "key", format, {*columns, *always}, encoding)
    has_words = ours.text is not None and ours.text.columns  # the same as the response's
    columns = always if has_words else {*columns, *always}
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
    if isinstance(given, Kept):
        return given.corpus(side, format, columns, encoding)
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
