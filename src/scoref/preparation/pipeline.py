"""prepare(): the pipeline from two inputs and a policy to an alignment.

    align generated text -> read both sides -> convert positions -> pair documents -> compare words
    -> infer types and heads -> regroup units -> drop duplicates and singletons -> match mentions
    -> select mentions by `where`

Scoring, explanations, analyses and reports all call `prepare`. An engine that works on parts of
both sides, such as a Spark executor, calls `join_sides` for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoref.alignment.alignment import Alignment, join
from scoref.alignment.document_pairing import Pairing, pair_documents
from scoref.alignment.where import select_mentions
from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.counts.counted import Side
from scoref.exceptions import MentionError, TextError, UsageError
from scoref.overlap.table import NOWHERE
from scoref.policy import E2E, Policy
from scoref.preparation.both_sides import read_both
from scoref.preparation.duplicates_and_singletons import Cleaned, clean
from scoref.preparation.generated_response import align_response
from scoref.preparation.inferred_attributes import (
    columns_for,
    infer_attributes,
    lacks_words,
    resolve_match,
)
from scoref.preparation.inputs import Input, ReadOptions, is_read_once, read_objects
from scoref.preparation.near_misses import (
    WithWords,
    near_miss_notes,
    useless_conversion_notes,
    with_near_miss,
)
from scoref.preparation.needs import first_columns, needs_under
from scoref.preparation.positions import SAME, convert_positions
from scoref.preparation.regrouping import DOCUMENT, regroup_both
from scoref.preparation.same_text import check_words
from scoref.preparation.summary import PreparationSummary, SideSummary, absence_notes

if TYPE_CHECKING:
    from scoref.generated.align import GeneratedAlignment


class Prepared(NamedTuple):
    """An alignment that is ready to be counted, and what a result reports about it.

    `policy` is the requested policy with its `match` resolved. `generated` says how a response
    that a language model wrote was aligned with the words of the key.
    """

    alignment: Alignment
    summary: PreparationSummary
    policy: Policy
    fingerprint: str
    notes: tuple[str, ...]
    generated: GeneratedAlignment | None = None

    @property
    def key(self) -> Side:
        """The numbers of the key, and what was removed from it."""
        return self.summary.key.side()

    @property
    def response(self) -> Side:
        """The numbers of the response, and what was removed from it."""
        return self.summary.response.side()

    @property
    def signature(self) -> str:
        """The policy, the key's fingerprint and the version."""
        return self.policy.signature(self.fingerprint)


def prepare(
    key: Input,
    response: Input,
    policy: Policy,
    options: ReadOptions | None = None,
    *,
    needs: Collection[str] = (),
    columns: Collection[str] = (),
) -> Prepared:
    """Read both sides, and align their mentions as the policy says.

    `needs` are the needs of the metrics (`needs_of`). `columns` are columns of the text that the
    caller shows; they are read in addition to those that metrics and policy need.
    """
    options = options or ReadOptions()
    key = read_objects(key, "key", options)
    response = read_objects(response, "response", options, texts=policy.markup != "none")
    key, response, generated = align_response(key, response, policy, options, columns)
    key_corpus, response_corpus = _read(
        key, response, policy, options, needs=needs, columns=columns
    )
    policy, resolved = resolve_match(policy, key_corpus, response_corpus)
    needs = needs_under(policy, needs)
    converted = convert_positions(key_corpus, response_corpus, policy)
    read_words = partial(_read_words, key, response, (key_corpus, response_corpus), policy, options)
    try:
        pairing = pair_documents(key_corpus, converted, policy)
        words = check_words(key_corpus, converted, pairing.key_document, options.check_words)
        joined = join_sides(key_corpus, converted, pairing, policy, needs)
    except (TextError, MentionError) as error:
        if policy.positions != SAME or generated is not None:
            raise
        raise with_near_miss(error, key_corpus, response_corpus, read_words) from None
    summary = joined.summary()
    summary.words = [*words, *resolved]
    summary.near_misses = joined.near_miss_notes(response_corpus, policy, read_words)
    absent = absence_notes(joined.key, joined.response, needs, policy)
    summary.further = [*absent, *joined.alignment.notes]
    notes = summary.notes(policy)
    fingerprint = joined.key.fingerprint()
    return Prepared(joined.alignment, summary, policy, fingerprint, notes, generated)


def _read(
    key: Input,
    response: Input,
    policy: Policy,
    options: ReadOptions,
    *,
    needs: Collection[str],
    columns: Collection[str],
) -> tuple[Corpus, Corpus]:
    """Read both sides, with words only if some attributes have to be inferred from words."""
    needs = needs_under(policy, needs)
    once = is_read_once(key) or is_read_once(response)
    wanted = first_columns(needs, once=once) | frozenset(columns)
    corpora = read_both(key, response, options, wanted, policy)
    if once or not lacks_words(policy, needs, *corpora):
        return corpora
    return read_both(key, response, options, wanted | columns_for(needs), policy)


def _read_words(
    key: Input,
    response: Input,
    corpora: tuple[Corpus, Corpus],
    policy: Policy,
    options: ReadOptions,
) -> tuple[Corpus, Corpus]:
    """Return both sides with words, which are read now if they were not, for a near miss."""
    has_words = (corpus.text is not None and "word" in corpus.text for corpus in corpora)
    if all(has_words) or is_read_once(key) or is_read_once(response):
        return corpora
    return read_both(key, response, options, {"word"}, replace(policy, positions="own-tokens"))


class JoinedSides(NamedTuple):
    """Both sides before and after cleaning, and their alignment."""

    key: Corpus
    response: Corpus
    cleaned: tuple[Cleaned, Cleaned]
    pairing: Pairing
    alignment: Alignment
    inferred: tuple[str, ...]

    def summary(self) -> PreparationSummary:
        """Summarise both sides."""
        return PreparationSummary(
            key=SideSummary.of(self.key, self.cleaned[0]),
            response=SideSummary.of(self.response, self.cleaned[1]),
            pairing=self.pairing.notes,
            inferred=dict.fromkeys(self.inferred),
            has_matches=self.alignment.has_matches,
            scored=len(self.alignment.unit),
        )

    def near_miss_notes(self, original: Corpus, policy: Policy, read_words: WithWords) -> list[str]:
        """Note positions that seem to count otherwise, unless `where` has removed mentions.

        `original` is the response before its positions were converted.
        """
        place = self.alignment.key_document
        if place is None or policy.unit != DOCUMENT:
            return []
        matched = np.count_nonzero(
            (self.alignment.key != NOWHERE) & (self.alignment.res != NOWHERE)
        )
        if policy.positions != SAME:
            key = self.cleaned[0].corpus
            return useless_conversion_notes(key, original, place, int(matched), policy.positions)
        key, response = (side.corpus for side in self.cleaned)
        return near_miss_notes(key, response, place, int(matched), read_words)


def join_sides(
    key: Corpus, response: Corpus, pairing: Pairing, policy: Policy, needs: Collection[str]
) -> JoinedSides:
    """Align two sides with paired documents: all steps from inferred attributes to `where`."""
    key, response, inferred = infer_attributes(
        key, response, pairing.key_document, needs, policy.types
    )
    if policy.unit != DOCUMENT:
        key, response = regroup_both(key, response, pairing.key_document, policy.unit)
        of_units = pair_documents(key, response, policy)
        notes = tuple(dict.fromkeys([*pairing.notes, *of_units.notes]))
        pairing = replace(of_units, notes=notes)
    matched_key, matched_response = key, response
    join_corpora: Callable[[Corpus, Corpus, Ints, Policy], Alignment] = join
    if policy.compat == E2E:
        from scoref.compat.e2e.join import join_as_e2e  # noqa: PLC0415  # few ask for it

        join_corpora = join_as_e2e
    elif policy.compat != "none":
        from scoref.compat.corefud.join import join_as_corefud  # noqa: PLC0415  # few ask for it
        from scoref.compat.corefud.mentions import with_heads  # noqa: PLC0415

        join_corpora = join_as_corefud
        matched_key, of_key = with_heads(key, policy, "key")
        matched_response, of_response = with_heads(response, policy, "response")
        inferred = (*inferred, *of_key, *of_response)
    cleaned = clean(matched_key, policy), clean(matched_response, policy)
    whole = join_corpora(cleaned[0].corpus, cleaned[1].corpus, pairing.key_document, policy)
    alignment = select_mentions(whole, policy.where)
    return JoinedSides(key, response, cleaned, pairing, alignment, inferred)


def refuse_special_counting(policy: Policy, what: str) -> None:
    """Refuse policies that an analysis of single mentions does not support."""
    for name, value, usual in (
        ("split_antecedents", policy.split_antecedents, "ignore"),
        ("compat", policy.compat, "none"),
    ):
        if value != usual:
            raise UsageError(
                f"{what} is not available with {name} {value}, which only changes scores",
                f"leave {name} out",
            )
