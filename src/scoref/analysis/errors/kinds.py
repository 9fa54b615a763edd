"""The kinds of errors, their titles and modes, and errors as records."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from scoref.exceptions import UsageError
from scoref.result import Score

SPAN = "span"
CONFLATED, EXTRA_MENTION, EXTRA_ENTITY = "conflated", "extra_mention", "extra_entity"
DIVIDED, MISSING_MENTION, MISSING_ENTITY = "divided", "missing_mention", "missing_entity"
TITLES = {
    SPAN: "span error",
    CONFLATED: "conflated entities",
    EXTRA_MENTION: "extra mention",
    EXTRA_ENTITY: "extra entity",
    DIVIDED: "divided entity",
    MISSING_MENTION: "missing mention",
    MISSING_ENTITY: "missing entity",
}
KINDS = tuple(TITLES)
STRICT, KK2013 = "strict", "kk2013"
MODES = (STRICT, KK2013)


def check_kind(kind: str) -> str:
    """Return the name of a kind of error, given its name or its title."""
    plain = kind.replace(" ", "_").replace("-", "_")
    for name, title in TITLES.items():
        if plain in (name, title.replace(" ", "_")):
            return name
    raise UsageError(f"unknown kind of error {kind!r}", f"one of: {', '.join(KINDS)}")


ALL = "all"


@dataclass(frozen=True, slots=True)
class ErrorMention:
    """A mention in an error; its words and its type are empty if they are unknown."""

    span: Hashable
    words: str
    type: str


@dataclass(frozen=True, slots=True)
class Error:
    """One error.

    `mentions` are the mentions that are split off, removed, introduced or merged. For a span
    error they are the response mention, and `meant` is the key mention. `type` is the most
    specific type among the mentions, so an error of type `pronoun` has only pronouns.
    `key_entity` and `response_entity` are the names of the entities concerned, or None. `anchor`
    is the mention that represents the rest of the entity. `operations` correct the error.
    """

    kind: str
    document: str
    type: str
    mentions: tuple[ErrorMention, ...]
    key_entity: str | None
    response_entity: str | None
    anchor: ErrorMention | None
    meant: ErrorMention | None
    operations: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Repair:
    """The scores after errors of one kind, or all errors, are repaired, and the gains in F1."""

    name: str
    count: int
    scores: Mapping[str, Score]
    gains: Mapping[str, float]

    @classmethod
    def of(
        cls, name: str, count: int, after: Mapping[str, Score], before: Mapping[str, Score]
    ) -> Repair:
        """Compare the scores after a repair with those before it."""
        gains = {metric: after[metric].f1 - before[metric].f1 for metric in after}
        return cls(name, count, after, gains)
