"""Signatures: read what a published score states, and say why another score may differ."""

from __future__ import annotations

from dataclasses import fields
from typing import NamedTuple

from scoref.exceptions import UsageError
from scoref.policy.policy import PROGRAM, Policy, is_always_stated
from scoref.version import __version__

_TIME_LIMIT = "ceaf_time_limit"


def with_time_limit(signature: str, seconds: float) -> str:
    """Add to a signature that some scores are bounds, since the time limit ran out."""
    return f"{signature}|{_TIME_LIMIT}:{seconds:g}"


class Signature(NamedTuple):
    """The content of a published signature.

    `unstated` are the choices that it does not state. `time_limit` is the time limit of CEAF in
    seconds if it ran out.
    """

    policy: Policy
    key: str
    version: str
    unstated: tuple[str, ...]
    time_limit: str = ""

    def differences(self, current: Signature) -> list[str]:
        """Explain why a score with the same policy may differ from the published score."""
        notes = []
        if self.key != current.key:
            stated = f"has the key {self.key}" if self.key else "states no key"
            notes.append(
                f"the signature {stated}, this key is {current.key}: scores may be different"
            )
        if self.version != current.version:
            version = f"version {self.version}" if self.version else "an unknown version"
            notes.append(f"the signature was made by {version}, this is version {current.version}")
        if self.time_limit:
            notes.append(
                "the CEAF scores of the signature are lower bounds, found in"
                f" {self.time_limit} seconds: scores may be different"
            )
        if self.unstated:
            notes.append(
                f"the signature does not state {', '.join(self.unstated)}: defaults were used"
            )
        return notes


def read_signature(text: str) -> Signature:
    """Parse a signature."""
    program, _, rest = text.strip().partition("|")
    pairs = [part.partition(":") for part in rest.split("|")]
    if program != PROGRAM or not all(colon and name and value for name, colon, value in pairs):
        raise UsageError(
            f"{text!r} is not a signature",
            f"a signature looks like this: {Policy().signature('d5995bee')}",
        )
    stated = {name: _unescaped(value) for name, _, value in pairs}
    key, version = stated.pop("key", ""), stated.pop("version", "")
    time_limit = stated.pop(_TIME_LIMIT, "")
    names = [field.name for field in fields(Policy)]
    if unknown := sorted(stated.keys() - set(names)):
        raise UsageError(
            f"the signature states {unknown[0]!r}, which version {__version__} does not know",
            f"it was made by version {version}" if version else "",
        )
    unstated = tuple(
        field.name
        for field in fields(Policy)
        if field.name not in stated and is_always_stated(field)
    )
    return Signature(Policy(**stated), key, version, unstated, time_limit)  # type: ignore[arg-type]


def _unescaped(value: str) -> str:
    return value.replace("%7C", "|").replace("%25", "%")
