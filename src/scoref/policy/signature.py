"""Signatures: state a policy in one line, read what a published score states, and compare both.

The short signature states only the choices that differ from the defaults, for captions of tables:

    scoref|k47edb958|s:drop|v0.1.0
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import NamedTuple

from scoref.exceptions import UsageError
from scoref.policy.policy import Policy, is_always_stated
from scoref.version import __version__

_PROGRAM = "scoref"
SHORT_NAMES = {
    field.name: field.metadata.get("short") or "".join(word[0] for word in field.name.split("_"))
    for field in fields(Policy)
}
"""The names of choices in a short signature: the first letters, or what the field states.

A name that was published keeps its meaning.
"""

_SHORT_KEY = re.compile("k[0-9a-f+]+")
_LONG = {short: name for name, short in SHORT_NAMES.items()}


def make_signature(policy: Policy, key: str) -> str:
    """State a policy, the key's fingerprint and the version in one line."""
    stated = [f"{name}:{_escaped(value)}" for name, value in policy.stated().items()]
    return "|".join([_PROGRAM, f"key:{key}", *stated, f"version:{__version__}"])


class Signature(NamedTuple):
    """The content of a published signature; `unstated` are the choices that it does not state."""

    policy: Policy
    key: str
    version: str
    unstated: tuple[str, ...]

    def short(self) -> str:
        """Return the short signature, which `read_signature` reads too."""
        changed = self.policy.changed()
        choices = [f"{SHORT_NAMES[name]}:{_escaped(value)}" for name, value in changed.items()]
        return "|".join([_PROGRAM, f"k{self.key}", *choices, f"v{self.version}"])

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
        if self.unstated:
            notes.append(
                f"the signature does not state {', '.join(self.unstated)}: defaults were used"
            )
        return notes


def read_signature(text: str) -> Signature:
    """Parse a signature, long or short."""
    program, _, rest = text.strip().partition("|")
    parts = rest.split("|")
    is_short = _SHORT_KEY.fullmatch(parts[0]) is not None
    pairs = [part.partition(":") for part in (_long_parts(parts) if is_short else parts)]
    if program != _PROGRAM or not all(colon and name and value for name, colon, value in pairs):
        raise UsageError(
            f"{text!r} is not a signature",
            f"a signature looks like this: {Policy().signature('d5995bee')}",
        )
    stated = {name: _unescaped(value) for name, _, value in pairs}
    if len(stated) < len(pairs):
        names = [name for name, _, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"the signature states {twice!r} twice", "copy the whole signature again")
    key, version = stated.pop("key", ""), stated.pop("version", "")
    names = [field.name for field in fields(Policy)]
    if unknown := sorted(stated.keys() - set(names)):
        raise UsageError(
            f"the signature states {unknown[0]!r}, which version {__version__} does not know",
            f"it was made by version {version}"
            if version not in ("", __version__)
            else "copy the whole signature again",
        )
    unstated = tuple(
        field.name
        for field in fields(Policy)
        if field.name not in stated and is_always_stated(field) and not is_short
    )
    return Signature(Policy(**stated), key, version, unstated)  # type: ignore[arg-type]


def _long_parts(parts: list[str]) -> list[str]:
    """Return the parts of a short signature as those of a long one; unknown names stay."""
    key, *choices = parts
    found = [f"key:{key[1:]}"]
    for choice in choices:
        name, colon, value = choice.partition(":")
        if colon:
            found.append(f"{_LONG.get(name, name)}:{value}")
        else:
            found.append(f"version:{name[1:]}" if name.startswith("v") else name)
    return found


def short_signature(signature: str) -> str:
    """Return the short form of a signature."""
    return read_signature(signature).short()


def _escaped(value: str) -> str:
    """Escape what separates the parts of a signature, which a pattern can contain."""
    return value.replace("%", "%25").replace("|", "%7C")


def _unescaped(value: str) -> str:
    return value.replace("%7C", "|").replace("%25", "%")
