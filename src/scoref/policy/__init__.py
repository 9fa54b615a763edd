"""Policy: all choices that can change a score, and the signature that states them."""

from __future__ import annotations

from scoref.policy.capabilities import ALL_MENTIONS, E2E
from scoref.policy.policy import Policy, PolicyLike, PolicyOptions
from scoref.policy.signature import (
    Signature,
    read_signature,
    short_signature,
)

__all__ = [
    "ALL_MENTIONS",
    "E2E",
    "Policy",
    "PolicyLike",
    "PolicyOptions",
    "Signature",
    "read_signature",
    "short_signature",
]
