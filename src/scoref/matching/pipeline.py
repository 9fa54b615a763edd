"""prepare(): the pipeline from two inputs and a policy to an alignment.

    align generated text -> read both sides -> convert positions -> pair documents -> compare words
    -> infer types and heads -> regroup units -> drop duplicates and singletons -> match mentions
    -> select mentions by `where` -> cut documents into windows

Scoring, explanations, analyses and reports all call `prepare`. An engine that works on parts of
both sides, such as a Spark executor, calls `join_sides` for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.exceptions import MentionError, TextError
from scoref.matching.alignment import Alignment, join
from scoref.matching.both_sides import align_response, read_both
from scoref.matching.document_pairing import Pairing, pair_documents
from scoref.matching.duplicates_and_singletons import Cleaned, clean
from scoref.matching.inferred_attributes import infer_attributes, lacks_words, resolve_match
from scoref.matching.inputs import Input, is_read_once, read_objects
from scoref.matching.near_misses import (
    WithWords,
    near_miss_notes,
    useless_conversion_notes,
    with_near_miss,
)
from scoref.matching.positions import SAME, convert_positions
from scoref.matching.requirements import DOCUMENT, Requirements
from scoref.matching.same_text import check_words
from scoref.matching.summary import PreparationSummary, Side, SideSummary, absence_notes
from scoref.policy import ALL_MENTIONS, E2E, Policy
from scoref.policy.capabilities import ORDINARY_JOIN

if TYPE_CHECKING:
    from scoref.llm.align import GeneratedAlignment


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


def prepare(key: Input, response: Input, requirements: Requirements) -> Prepared:
    """Read both sides, and align their mentions as the policy of the requirements says."""
    policy, options = requirements.policy, requirements.options
    key = read_objects(key, "key", options)
    response = read_objects(response, "response", options, texts=policy.markup != "none")
    key, response, generated = align_response(key, response, requirements)
    key_corpus, response_corpus = _read(key, response, requirements.reading(key, response))
    policy, resolved = resolve_match(policy, key_corpus, response_corpus)
    needs = requirements._replace(policy=policy).needs
    converted = convert_positions(key_corpus, response_corpus, policy)
    read_words = partial(_read_words, key, response, (key_corpus, response_corpus), requirements)
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


def _read(key: Input, response: Input, requirements: Requirements) -> tuple[Corpus, Corpus]:
    """Read both sides, with words only if some attributes have to be inferred from words."""
    corpora = read_both(key, response, requirements)
    policy, needs = requirements.policy, requirements.needs
    if requirements.at_once or not lacks_words(policy, needs, *corpora):
        return corpora
    return read_both(key, response, requirements.later)


def _read_words(
    key: Input, response: Input, corpora: tuple[Corpus, Corpus], requirements: Requirements
) -> tuple[Corpus, Corpus]:
    """Return both sides with words, which are read now if they were not, for a near miss."""
    has_words = (corpus.text is not None and "word" in corpus.text for corpus in corpora)
    if all(has_words) or is_read_once(key) or is_read_once(response):
        return corpora
    policy = replace(requirements.policy, positions="own-tokens")
    return read_both(key, response, Requirements(policy, requirements.options))


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
            has_matches=self.alignment.matched > 0,
            scored=len(self.alignment.unit),
        )

    def near_miss_notes(self, original: Corpus, policy: Policy, read_words: WithWords) -> list[str]:
        """Note positions that seem to count otherwise, unless `where` has removed mentions.

        `original` is the response before its positions were converted.
        """
        place = self.alignment.key_document
        if place is None or policy.unit != DOCUMENT:
            return []
        matched = self.alignment.matched
        if policy.positions != SAME:
            key = self.cleaned[0].corpus
            return useless_conversion_notes(key, original, place, matched, policy.positions)
        key, response = (side.corpus for side in self.cleaned)
        return near_miss_notes(key, response, place, matched, read_words)


def join_sides(
    key: Corpus, response: Corpus, pairing: Pairing, policy: Policy, needs: Collection[str]
) -> JoinedSides:
    """Align two sides with paired documents: all steps from inferred attributes to `where`."""
    key, response, inferred = infer_attributes(
        key, response, pairing.key_document, needs, policy.types
    )
    if policy.unit != DOCUMENT:
        from scoref.matching.regrouping import regroup_both  # noqa: PLC0415  # few ask for it

        key, response = regroup_both(key, response, pairing.key_document, policy.unit)
        of_units = pair_documents(key, response, policy)
        notes = tuple(dict.fromkeys([*pairing.notes, *of_units.notes]))
        pairing = of_units._replace(notes=notes)
    matched_key, matched_response = key, response
    join_corpora: Callable[[Corpus, Corpus, Ints, Policy], Alignment] = join
    if policy.compat == E2E:
        from scoref.matching.compat.e2e import join_as_e2e  # noqa: PLC0415  # few ask for it

        join_corpora = join_as_e2e
    elif policy.compat not in ORDINARY_JOIN:
        from scoref.matching.compat.corefud import join_as_corefud  # noqa: PLC0415  # few ask for it
        from scoref.matching.compat.corefud_mentions import with_heads  # noqa: PLC0415

        join_corpora = join_as_corefud
        matched_key, of_key = with_heads(key, policy, "key")
        matched_response, of_response = with_heads(response, policy, "response")
        inferred = (*inferred, *of_key, *of_response)
    elif policy.duplicates == "keep":
        from scoref.matching.several_entities import join_several  # noqa: PLC0415  # few ask for it

        join_corpora = join_several
    cleaned = clean(matched_key, policy), clean(matched_response, policy)
    whole = join_corpora(cleaned[0].corpus, cleaned[1].corpus, pairing.key_document, policy)
    if policy.where != ALL_MENTIONS:
        from scoref.matching.where import select_mentions  # noqa: PLC0415  # few ask for it

        whole = select_mentions(whole, policy.where)
    if policy.window != "none":
        from scoref.matching.windows import cut_into_windows  # noqa: PLC0415  # few ask for it

        whole = cut_into_windows(whole, key, response, pairing.key_document, policy)
    return JoinedSides(key, response, cleaned, pairing, whole, inferred)
