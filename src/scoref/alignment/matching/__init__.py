"""Which response mention is which key mention. Every way to match, by name.

A matcher takes both sides and the policy, and returns for each key mention the row of the
response mention that it is, or NOWHERE; no response mention is matched twice.
"""

from __future__ import annotations

from collections.abc import Callable

from scoref.alignment.matching.exact import match_exact
from scoref.alignment.matching.sides import Sides
from scoref.alignment.matching.similar import (
    match_head,
    match_min,
    match_mina,
    match_overlap,
    match_partial,
)
from scoref.base.arrays import Ints
from scoref.policy import Policy

Matcher = Callable[[Sides, Policy], Ints]

MATCHERS: dict[str, Matcher] = {
    "exact": match_exact,
    "head": match_head,
    "partial": match_partial,
    "min": match_min,
    "mina": match_mina,
    "overlap": match_overlap,
}


def match(sides: Sides, policy: Policy) -> Ints:
    """Match mentions as the policy says."""
    return MATCHERS[policy.match.partition("=")[0]](sides, policy)
