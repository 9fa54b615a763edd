"""What a result says beside its scores: what each side had, what was done to it, and all notes.

Every engine fills a summary, of the whole corpus at once or of its parts one after the other.
The wording of the notes and their order are here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from scoref.alignment.where import ALL
from scoref.corpus.corpus import Corpus
from scoref.counts.counted import Side
from scoref.formats.table.columns import note_noise
from scoref.policy import Policy
from scoref.preparation.duplicates_and_singletons import Cleaned, Repeats


@dataclass(slots=True)
class SideSummary:
    """What one side had, and what the policy did to it; the parts of a side are added up.

    `unassigned` counts mentions in the entity `-1`, if no note of the reader says so already.
    """

    source: str
    documents: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
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
        """Add a part of the side, as it was read and as it was cleaned."""
        self.mentions += len(corpus)
        self.entities += corpus.entity_count
        self.singletons += cleaned.singletons
        self.repeats += cleaned.repeats
        self.add_notes(corpus.notes)

    def add_notes(self, notes: Iterable[str]) -> None:
        """Add notes that were not added before."""
        self.notes.update(dict.fromkeys(notes))

    def side(self) -> Side:
        """Return the numbers that a result has of a side."""
        return Side(
            source=self.source,
            documents=self.documents,
            mentions=self.mentions,
            entities=self.entities,
            duplicates_dropped=self.repeats.times,
            singletons_dropped=self.singletons,
        )


@dataclass(slots=True)
class PreparationSummary:
    """Both sides, and what is to be said of their documents, words, attributes and matches.

    `scored` counts the mentions of either side that are scored, after the policy's `where`;
    `has_matches` says whether any mention of the key is one of the response. `further` notes
    are those that only a whole alignment can give.
    """

    key: SideSummary
    response: SideSummary
    pairing: Sequence[str] = ()
    words: Sequence[str] = ()
    inferred: dict[str, None] = field(default_factory=dict)
    has_matches: bool = False
    scored: int = 0
    further: Sequence[str] = ()

    def notes(self, policy: Policy) -> tuple[str, ...]:
        """Return all notes in their order; refuse repeated mentions if the policy does."""
        return (
            *(note for side in (self.key, self.response) for note in _of_side(side)),
            *self.pairing,
            *self.words,
            *self.inferred,
            *self.key.repeats.notes(policy, "key"),
            *self.response.repeats.notes(policy, "response"),
            *self._zero_score_warnings(),
            *self._where_notes(policy),
            *self.further,
        )

    def _zero_score_warnings(self) -> list[str]:
        """Say what makes all scores zero, since zero can also mean a mistake in the files."""
        sides = (("key", self.key), ("response", self.response))
        if empty := [name for name, side in sides if not side.mentions]:
            have = "has" if len(empty) < 2 else "have"
            return [f"the {' and the '.join(empty)} {have} no mentions"]
        if not self.has_matches:
            return ["no response mention is a key mention: do both sides have the same tokens?"]
        return []

    def _where_notes(self, policy: Policy) -> list[str]:
        if policy.where == ALL:
            return []
        return [f"scored {self.scored:,} mentions of either side where {policy.where}"]


def _of_side(side: SideSummary) -> list[str]:
    return [*note_noise(side.source, side.unassigned), *side.notes]
