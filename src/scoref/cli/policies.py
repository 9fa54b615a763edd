"""The policies as flags, for every command that scores."""

from __future__ import annotations

import argparse
from dataclasses import fields

from scoref.exceptions import UsageError
from scoref.policy import Policy, Signature, read_signature


def add_policy(parser: argparse.ArgumentParser) -> None:
    """Make a flag of each field of the policy."""
    group = parser.add_argument_group(
        "policies", "choices that can change a score; each is stated in the signature"
    )
    choices = Policy.choices()
    for field in fields(Policy):
        known = choices[field.name]
        free = any("=" in choice for choice in known)  # the policy itself checks such values
        group.add_argument(
            f"--{field.name.replace('_', '-')}",
            action="append" if field.metadata.get("repeats") else "store",
            choices=None if free else known,
            metavar=f"{{{','.join(known)}}}" if free else None,
            help=f"{field.metadata['help']} (default: {field.default})",
        )
    group.add_argument(
        "--like",
        metavar="SIGNATURE",
        help="score as a published signature states; a flag that contradicts it is an error",
    )


def replay_notes(like: Signature | None, signature: str) -> list[str]:
    """Say why a replayed signature may still give another score."""
    return like.differences(read_signature(signature)) if like else []


def policy_of(arguments: argparse.Namespace) -> tuple[Policy, Signature | None]:
    """Make the policy of the flags, or of a signature that the flags do not contradict."""
    given = {field.name: getattr(arguments, field.name) for field in fields(Policy)}
    given = {
        name: "&".join(value) if isinstance(value, list) else value
        for name, value in given.items()
        if value is not None
    }
    if arguments.like is None:
        return Policy(**given), None
    signature = read_signature(arguments.like)
    for name, value in given.items():
        if value != getattr(signature.policy, name):
            flag = f"--{name.replace('_', '-')} {value}"
            stated = f"{name}:{getattr(signature.policy, name)}"
            raise UsageError(f"{flag} contradicts the signature, which states {stated}")
    return signature.policy, signature
