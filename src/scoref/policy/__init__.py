"""Policy: all choices that can change a score, and the signature that states them."""

from __future__ import annotations

from scoref.policy.options import PolicyOptions
from scoref.policy.policy import Policy, PolicyLike
from scoref.policy.signature import (
    Signature,
    read_signature,
    short_signature,
    with_time_limit,
)
from scoref.policy.values import E2E

__all__ = [
    "E2E",
    "Policy",
    "PolicyLike",
    "PolicyOptions",
    "Signature",
    "read_signature",
    "short_signature",
    "with_time_limit",
]
