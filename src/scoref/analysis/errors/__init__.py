"""Error analysis: every difference between key and response as an error that can be repaired."""

from __future__ import annotations

from collections.abc import Collection
from typing import Unpack

from scoref.analysis.aligned_mentions import AlignedMentions, align_mentions
from scoref.analysis.errors.collection import Errors
from scoref.analysis.errors.kinds import (
    KINDS,
    KK2013,
    MODES,
    STRICT,
    TITLES,
    Error,
    ErrorMention,
    Listing,
    Repair,
)
from scoref.analysis.errors.partition_errors import (
    drop_response_singletons,
    find_partition_errors,
    is_pronoun,
)
from scoref.analysis.errors.span_errors import correct_spans, find_span_errors
from scoref.exceptions import UsageError
from scoref.matching.inputs import Input, OneOrTwo, ReadOptions
from scoref.matching.same_text import AUTO, Checks
from scoref.policy import Policy, PolicyLike, PolicyOptions

__all__ = ["KINDS", "MODES", "TITLES", "Error", "ErrorMention", "Errors", "Repair", "errors"]


def errors(
    key: Input,
    response: Input,
    mode: str = STRICT,
    policy: PolicyLike | None = None,
    format: OneOrTwo = None,  # noqa: A002  # what the command line calls it
    *,
    needs: Collection[str] = (),
    encoding: OneOrTwo = None,
    check_words: Checks = AUTO,
    **choices: Unpack[PolicyOptions],
) -> Errors:
    """Find all errors of a response.

    * `key`, `response`: The two sides, as in `scoref.score`.
    * `mode`: With `strict`, repairing all errors gives the key. With `kk2013`, errors are counted
      as Kummerfeld & Klein's analyser counts them, which leaves some differences behind.
    * `policy`: A `Policy`, or a dict of its fields.
    * `format`: The name of the format, by default detected; a pair of names for key and response.
    * `encoding`: The text encoding, by default UTF-8; a pair for key and response.
    * `needs`: What must be read in addition, such as parses.
    * `check_words`: Whether to compare words, as in `scoref.score`.
    * `choices`: Fields of the policy as keywords, such as `singletons="drop"`.
    """
    policy = Policy.of(policy, **choices)
    options = ReadOptions.under(policy, format, encoding, check_words)
    return errors_of(align_mentions(key, response, policy, options, needs), mode)


def errors_of(mentions: AlignedMentions, mode: str = STRICT) -> Errors:
    """Find all errors between two sides that have been aligned."""
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r}", f"one of: {', '.join(MODES)}")
    if mode == KK2013:
        mentions = mentions.with_alignment(drop_response_singletons(mentions.alignment))
    meant, notes = find_span_errors(mentions, mode)
    corrected = correct_spans(mentions, meant)
    found = find_partition_errors(corrected, is_pronoun(corrected, mode), mode)
    listing = Listing.of(corrected, found.marked, meant)
    notes = (*mentions.aligned.notes, *mentions.notes, *notes)
    return Errors(mentions, corrected, found, listing, mode, notes)
