"""Matching of key mentions with response mentions: all matching modes by name.

A matcher takes both sides and the policy. It returns for each key mention the row of the matching
response mention, or NOWHERE. No response mention is matched twice.
"""

from __future__ import annotations

from scoref.base.arrays import Ints
from scoref.matching.document_pairing import PairedCorpora
from scoref.matching.modes.exact import match_exact
from scoref.policy import Policy


def match(sides: PairedCorpora, policy: Policy) -> Ints:
    """Match mentions by the mode of the policy."""
    mode = policy.match.partition("=")[0]
    if mode == "exact":
        return match_exact(sides, policy)
    from scoref.matching.modes import similar  # noqa: PLC0415  # few ask for them

    found: Ints = getattr(similar, f"match_{mode.replace('-', '_')}")(sides, policy)
    return found
