"""What went wrong: every difference between key and response as an error that can be mended."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.analysis.errors.kinds import KINDS, KK2013, MODES, STRICT, TITLES, find
from scoref.analysis.errors.listing import Listing
from scoref.analysis.errors.pronouns import is_pronoun
from scoref.analysis.errors.records import Error, Errors, ErrorMention, Repair
from scoref.analysis.errors.spans import corrected, span_errors
from scoref.analysis.aligned_mentions import AlignedMentions, align_mentions
from scoref.exceptions import UsageError
from scoref.overlap.table import NOWHERE
from scoref.policy import Policy
from scoref.preparation.same_text import AUTO, Checks
from scoref.scoring import Input

__all__ = [
    "KINDS",
    "MODES",
    "TITLES",
    "Error",
    "Errors",
    "ErrorMention",
    "Repair",
    "errors",
    "errors_of",
]


def errors(
    key: Input,
    response: Input,
    mode: str = STRICT,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002  # what the command line calls it
    *,
    needs: Collection[str] = (),
    encoding: str | None = None,
    check_words: Checks = AUTO,
) -> Errors:
    """List all errors of a response.

    `mode="strict"` accounts for every difference: repairing all errors gives the key.
    `mode="kk2013"` counts as Kummerfeld & Klein's analyser does, which leaves some behind.
    """
    reading = align_mentions(
        key, response, policy, format, needs=needs, encoding=encoding, check_words=check_words
    )
    return errors_of(reading, mode)


def errors_of(reading: AlignedMentions, mode: str = STRICT) -> Errors:
    """List all errors of two sides that have been read."""
    if mode not in MODES:
        raise UsageError(f"unknown mode {mode!r}", f"one of: {', '.join(MODES)}")
    if mode == KK2013:
        reading = reading.with_alignment(_without_response_singletons(reading.alignment))
    wrong, right, notes = span_errors(reading, mode)
    mended = reading
    if len(wrong):
        mended = reading.with_alignment(corrected(reading.alignment, wrong, right))
    found = find(mended, is_pronoun(mended, mode), mode)
    return Errors(
        original=reading,
        reading=mended,
        found=found,
        listing=Listing.of(mended, found, (wrong, right)),
        mode=mode,
        notes=(*reading.aligned.notes, *reading.notes, *notes),
    )


def _without_response_singletons(alignment: Alignment) -> Alignment:
    size = np.bincount(alignment.res[alignment.res != NOWHERE], minlength=1)
    alone = (alignment.res != NOWHERE) & (size[alignment.res] == 1)
    return replace(alignment, res=np.where(alone, NOWHERE, alignment.res))
