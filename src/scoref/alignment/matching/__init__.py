"""Matching of key mentions with response mentions: all matching modes by name.

A matcher takes both sides and the policy. It returns for each key mention the row of the matching
response mention, or NOWHERE. No response mention is matched twice.
"""

from __future__ import annotations

from collections.abc import Callable

from scoref.alignment.document_pairing import PairedCorpora
from scoref.alignment.matching.exact import match_exact
from scoref.alignment.matching.similar import (
    match_head,
    match_min,
    match_mina,
    match_overlap,
    match_partial,
)
from scoref.base.arrays import Ints
from scoref.policy import Policy

Matcher = Callable[[PairedCorpora, Policy], Ints]

MATCHERS: dict[str, Matcher] = {
    "exact": match_exact,
    "head": match_head,
    "partial": match_partial,
    "min": match_min,
    "mina": match_mina,
    "overlap": match_overlap,
}


def match(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match mentions by the mode of the policy."""
    return MATCHERS[policy.match.partition("=")[0]](sides, policy)
