"""The summary of a preparation: numbers of each side, what was removed, and all notes.

Every engine fills a summary, with the whole corpus or with one part after the other. The texts and
the order of the notes are defined here only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.matching.duplicates_and_singletons import Cleaned, Repeats
from scoref.metrics.needs import BRIDGING, NON_REFERRING
from scoref.policy import ALL_MENTIONS, Policy

_KEYS = frozenset({"gold", "golden", "key", "keys", "reference", "references"})
_RESPONSES = frozenset(
    {
        *("pred", "preds", "predicted", "prediction", "predictions"),
        *("response", "responses", "system", "output", "outputs"),
    }
)


def note_no_links(mentions: int, entities: int) -> list[str]:
    """Return a note on mentions of which each is an entity of its own."""
    if mentions < 2 or mentions > entities:
        return []
    return [f"links no mentions: each of {mentions:,} is an entity of its own"]


class Side(NamedTuple):
    """The numbers of one side, and what the policy removed from it.

    `others_dropped` are mentions that the policies `nested` and `verb_phrases` removed.
    """

    source: str
    documents: int
    mentions: int
    entities: int
    duplicates_dropped: int
    singletons_dropped: int
    others_dropped: int = 0


@dataclass(slots=True)
class SideSummary:
    """The numbers of one side, summed over its parts, and what the policy removed.

    `others` counts mentions that the policies `nested` and `verb_phrases` removed.

    `unassigned` counts the mentions of the entity `-1`, unless a note of the reader reports them.
    """

    source: str
    documents: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    others: int = 0
    unassigned: int = 0
    repeats: Repeats = field(default_factory=Repeats)
    notes: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus, cleaned: Cleaned) -> SideSummary:
        """Summarise a whole side."""
        summary = cls(corpus.source, documents=len(corpus.documents))
        summary.add(corpus, cleaned)
        return summary

    def add(self, corpus: Corpus, cleaned: Cleaned) -> None:
        """Add a part of the side, before and after duplicates and singletons were dropped."""
        self.mentions += len(corpus)
        self.entities += corpus.entity_count
        self.singletons += cleaned.singletons
        self.others += cleaned.others
        self.repeats += cleaned.repeats
        self.add_notes(corpus.notes)

    def add_notes(self, notes: Iterable[str]) -> None:
        """Add notes, each only once."""
        self.notes.update(dict.fromkeys(notes))

    def side_notes(self) -> list[str]:
        """Return the notes on this side."""
        if not self.unassigned:
            return list(self.notes)
        from scoref.formats.table.columns import note_noise  # noqa: PLC0415  # only tables have any

        return [*note_noise(self.source, self.unassigned), *self.notes]

    def link_notes(self) -> list[str]:
        """Return a note if no two mentions share an entity."""
        return note_no_links(self.mentions, self.entities)

    def side(self) -> Side:
        """Return the numbers of the side for a result."""
        return Side(
            source=self.source,
            documents=self.documents,
            mentions=self.mentions,
            entities=self.entities,
            duplicates_dropped=self.repeats.times,
            singletons_dropped=self.singletons,
            others_dropped=self.others,
        )


@dataclass(slots=True)
class PreparationSummary:
    """The summaries of both sides, and notes on documents, words, attributes and matches.

    `has_matches` says whether any mention matched. `scored` counts the mentions of either side that
    the policy's `where` keeps. `further` notes require the alignment of the whole corpus, and so do
    those on `near_misses`.
    """

    key: SideSummary
    response: SideSummary
    pairing: Sequence[str] = ()
    words: Sequence[str] = ()
    inferred: dict[str, None] = field(default_factory=dict)
    has_matches: bool = False
    scored: int = 0
    further: Sequence[str] = ()
    near_misses: Sequence[str] = ()

    def notes(self, policy: Policy) -> tuple[str, ...]:
        """Return all notes in order, or raise an error if the policy refuses repeated mentions."""
        return (
            *self.key.side_notes(),
            *self.response.side_notes(),
            *note_swapped(self.key.source, self.response.source),
            *self.pairing,
            *self.words,
            *self.inferred,
            *self.key.repeats.notes(policy, "key"),
            *self.response.repeats.notes(policy, "response"),
            *self._singleton_warnings(),
            *self._zero_score_warnings(),
            *self._where_notes(policy),
            *self.further,
        )

    def _singleton_warnings(self) -> list[str]:
        """Note a side without links, whose links may be in a form that is not read."""
        sides = (("key", self.key), ("response", self.response))
        return [f"the {name} {note}" for name, side in sides for note in side.link_notes()]

    def _zero_score_warnings(self) -> list[str]:
        """Explain why scores are zero or very low, which may be a mistake in the files."""
        sides = (("key", self.key), ("response", self.response))
        if empty := [name for name, side in sides if not side.mentions]:
            have = "has" if len(empty) < 2 else "have"
            return [f"the {' and the '.join(empty)} {have} no mentions"]
        if self.near_misses:
            return list(self.near_misses)
        if not self.has_matches:
            return ["no response mention is a key mention: do both sides have the same tokens?"]
        return []

    def _where_notes(self, policy: Policy) -> list[str]:
        if policy.where == ALL_MENTIONS:
            return []
        return [f"scored {self.scored:,} mentions of either side where {policy.where}"]


def absence_notes(
    key: Corpus, response: Corpus, needs: Collection[str], policy: Policy
) -> list[str]:
    """Note which side lacks what is scored, since a score of 0 may mean a wrong file."""
    notes = []
    sides = (("key", key), ("response", response))
    for name, corpus in sides:
        links = corpus.bridging and corpus.bridging.anaphor
        for need, what, spans in (
            (BRIDGING, "bridging links", links),
            (NON_REFERRING, "non-referring mentions", corpus.non_referring),
        ):
            if need in needs and spans is not None and not len(spans.start):
                notes.append(f"the {name} has no {what}")
    if policy.split_antecedents == "ignore":
        return notes
    from scoref.metrics.plurals import unknown_members  # noqa: PLC0415  # few ask for them

    if not any("split_antecedents" in corpus.entity_attributes for _, corpus in sides):
        notes.append("neither side has split antecedents")
    for name, corpus in sides:
        if unknown := unknown_members(corpus):
            many = counted(unknown, "member")
            notes.append(f"{name}: ignored {many} of split antecedents that name no entity")
    return notes


def note_swapped(key: str, response: str) -> list[str]:
    """Note that the key is named like a response, and the response like a key.

    Scores do not show it, since only recall and precision change places.
    """
    one, other = set(PurePath(key).parts), set(PurePath(response).parts)
    if _sides(one - other) != (False, True) or _sides(other - one) != (True, False):
        return []
    swapped = "if they are swapped, so are recall and precision"
    return [f"the key is {key} and the response is {response}: {swapped}"]


def _sides(parts: Iterable[str]) -> tuple[bool, bool]:
    """Whether parts of a path have a word for a key, and whether they have one for a response."""
    words = {word for part in parts for word in re.findall("[a-z]+", part.lower())}
    return bool(words & _KEYS), bool(words & _RESPONSES)
