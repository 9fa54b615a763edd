"""Errors as records: each with its kind, its document, its entities, its mentions and words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from scoref.alignment.alignment import Alignment
from scoref.analysis.errors import kinds as k
from scoref.analysis.errors.listing import Listing, marked_at
from scoref.analysis.errors.repair import repaired
from scoref.analysis.reading import Reading
from scoref.base.arrays import Ints
from scoref.base.phrases import listed
from scoref.corpus.attributes import MENTION_TYPES
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.metrics import Metric, MetricLike, find_metrics
from scoref.overlap.table import NOWHERE
from scoref.result import Score

ALL = "all"


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention as the user knows it; what is not known of it is empty."""

    span: Hashable
    words: str
    type: str


@dataclass(frozen=True, slots=True)
class Error:
    """One error.

    `mentions` are those that are split off, removed, introduced or merged; of a span error,
    the response's mention, with `meant` the key's. `type` is the most telling type among
    them: an error of type `pronoun` is one of pronouns alone. `key_entity` and
    `response_entity` are the names of the entities it is about, or None; `anchor` is the
    mention that stands for the rest of the entity. `operations` are those that mend it.
    """

    kind: str
    document: str
    type: str
    mentions: tuple[Mention, ...]
    key_entity: str | None
    response_entity: str | None
    anchor: Mention | None
    meant: Mention | None
    operations: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Repair:
    """What is left when errors of one kind are repaired, or all; the gain in F1 by metric."""

    name: str
    count: int
    scores: Mapping[str, Score]
    gains: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Errors:
    """All errors of a response, in the order of the text, or those that `where` left.

    `reading` has the spans corrected, `original` has them as they are. `signature` and
    `notes` say under which policy and with what remarks.
    """

    original: Reading
    reading: Reading
    found: k.Found
    listing: Listing
    mode: str
    notes: tuple[str, ...]

    @property
    def signature(self) -> str:
        """The policy, the key and the version that were analysed."""
        return self.original.aligned.signature

    def __len__(self) -> int:
        return len(self.listing)

    def __iter__(self) -> Iterator[Error]:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, at: int) -> Error:
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        rows = self.listing.rows[self.listing.first[at] : self.listing.first[at + 1]].tolist()
        kind = k.KINDS[self.listing.kind[at]]
        key, res, _ = self._about(kind, rows[0])
        anchor, meant = self.related(at)
        return Error(
            kind=kind,
            document=self.reading.alignment.units[self.reading.unit[rows[0]]],
            type=_type_name(int(self.types[at])),
            mentions=tuple(self._mention(row) for row in rows),
            key_entity=self._key_names[key] if key != NOWHERE else None,
            response_entity=self._res_names[res] if res != NOWHERE else None,
            anchor=self._mention(anchor) if anchor != NOWHERE else None,
            meant=self._mention(meant) if meant != NOWHERE else None,
            operations=_operations(kind, len(rows)),
        )

    def _about(self, kind: str, row: int) -> tuple[int, int, int]:
        """Return the key entity, the response entity and the anchor of an error's first row."""
        reading, found = self.reading, self.found
        key, res = int(reading.key[row]), int(reading.res[row])
        if kind == k.SPAN:
            meant = int(self.listing.meant[row])
            return int(reading.key[meant]), int(reading.res[meant]), NOWHERE
        if kind in (k.CONFLATED, k.EXTRA_MENTION, k.EXTRA_ENTITY):
            return key, res, int(found.res_anchor[res])
        anchor = int(found.key_anchor[key])
        return key, res, int(self._introduced[key]) if anchor == NOWHERE else anchor

    def related(self, at: int) -> tuple[int, int]:
        """Return the rows of an error's anchor and of the mention that is meant, or NOWHERE."""
        row = int(self.listing.rows[self.listing.first[at]])
        kind = k.KINDS[self.listing.kind[at]]
        rows = self.listing.rows[self.listing.first[at] : self.listing.first[at + 1]]
        anchor = self._about(kind, row)[2]
        meant = int(self.listing.meant[row]) if kind == k.SPAN else NOWHERE
        return NOWHERE if anchor in rows else anchor, meant

    def _mention(self, row: int) -> Mention:
        kind = _type_name(int(self.reading.type[row]))
        return Mention(self.reading.mention(row), self.reading.words(row), kind)

    @cached_property
    def _introduced(self) -> Ints:
        reading = self.reading
        return k.first_rows(
            reading.key, reading.order, self.found.missing_entity, len(self.found.key_anchor)
        )

    @cached_property
    def _key_names(self) -> list[str]:
        return self.reading.names("key")

    @cached_property
    def _res_names(self) -> list[str]:
        return self.reading.names("response")

    @cached_property
    def types(self) -> Ints:
        """The most telling type of each error's mentions, or NOWHERE."""
        types = self.reading.type[self.listing.rows]
        unknown = len(MENTION_TYPES)
        told = np.where(types == NOWHERE, unknown, types)
        best = np.minimum.reduceat(told, self.listing.first[:-1]) if len(self) else told
        return np.where(best == unknown, NOWHERE, best)

    def where(
        self,
        kind: str | None = None,
        type: str | None = None,  # noqa: A002  # what users call it
        document: str | None = None,
        test: Callable[[Error], bool] | None = None,
    ) -> Errors:
        """Keep errors of one kind, of one type of mentions, of one document, or by a test."""
        kept = np.ones(len(self), dtype=bool)
        if kind is not None:
            kept &= self.listing.kind == k.KINDS.index(check_kind(kind))
        if type is not None:
            if type not in MENTION_TYPES:
                known = ", ".join(MENTION_TYPES)
                raise UsageError(f"unknown mention type {type!r}", f"one of: {known}")
            kept &= self.types == MENTION_TYPES.index(type)
        if document is not None:
            unit = self.unit_of(document)
            kept &= self.reading.unit[self.listing.rows[self.listing.first[:-1]]] == unit
        at = np.flatnonzero(kept)
        if test is not None:
            at = np.array([one for one in at.tolist() if test(self[one])], dtype=np.int64)
        return replace(self, listing=self.listing.take(at))

    def unit_of(self, document: str) -> int:
        """Return the number of a document, by its name."""
        units = self.reading.alignment.units
        if document not in units:
            raise UsageError(f"no document is called {document!r}", f"there are: {listed(units)}")
        return units.index(document)

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        many = np.bincount(self.listing.kind, minlength=len(k.KINDS))
        return dict(zip(k.KINDS, many.tolist(), strict=True))

    @property
    def operations(self) -> dict[str, int]:
        """How many operations turn the whole response into the key, before they become errors."""
        spans = int(np.count_nonzero(self.listing.meant != NOWHERE))
        return {"correct_span": spans, **self.found.operations}

    @property
    def by_document(self) -> dict[str, dict[str, int]]:
        """How many errors of each kind each document has."""
        return {
            unit: dict(zip(k.KINDS, row, strict=True))
            for unit, row in zip(
                self.reading.alignment.units, self.count_units().tolist(), strict=True
            )
        }

    def count_units(self) -> Ints:
        """Return counts of shape (documents, kinds)."""
        units, kinds = len(self.reading.alignment.units), len(k.KINDS)
        unit = self.reading.unit[self.listing.rows[self.listing.first[:-1]]]
        many = np.bincount(unit * kinds + self.listing.kind, minlength=units * kinds)
        return many.reshape(units, kinds)

    @property
    def by_type(self) -> dict[str, dict[str, int]]:
        """How many errors of each kind there are by type of mentions."""
        counts = {}
        for at, name in (*enumerate(MENTION_TYPES), (NOWHERE, "")):
            many = np.bincount(self.listing.kind[self.types == at], minlength=len(k.KINDS))
            if name or many.any():
                counts[name] = dict(zip(k.KINDS, many.tolist(), strict=True))
        return counts

    def repaired(self, *kinds: str) -> Alignment:
        """Return the alignment after these errors, of some kinds or all, have been repaired.

        Whatever else is repaired, spans are corrected first. Errors that `where` has left out
        are not repaired.
        """
        chosen = {check_kind(kind) for kind in kinds} if kinds else set(k.KINDS)
        joined = self.mode == k.KK2013
        res = repaired(self.reading, self._listed(), chosen, joined=joined)
        return self._as_scored(replace(self.reading.alignment, res=res))

    def _listed(self) -> k.Found:
        """Return what was found, without the errors that are not listed."""
        kind = np.repeat(self.listing.kind, np.diff(self.listing.first))
        rows = {name: self.listing.rows[kind == at] for at, name in enumerate(k.KINDS)}
        cell, cells = self.reading.cell, len(self.reading.table.count)
        many = len(cell)
        return self.found._replace(
            conflated=marked_at(cell[rows[k.CONFLATED]], cells),
            divided=marked_at(cell[rows[k.DIVIDED]], cells),
            extra_mention=marked_at(rows[k.EXTRA_MENTION], many),
            extra_entity=marked_at(rows[k.EXTRA_ENTITY], many),
            missing_mention=marked_at(rows[k.MISSING_MENTION], many),
            missing_entity=marked_at(rows[k.MISSING_ENTITY], many),
        )

    def _as_scored(self, alignment: Alignment) -> Alignment:
        """Drop singletons, which a repair may leave, if the policy drops them."""
        if self.original.policy.singletons == "keep":
            return alignment
        size = np.bincount(alignment.res[alignment.res != NOWHERE], minlength=1)
        alone = (alignment.res != NOWHERE) & (size[alignment.res] == 1)
        return replace(alignment, res=np.where(alone, NOWHERE, alignment.res))

    def repairs(self, metrics: Iterable[MetricLike] | None = None) -> tuple[Repair, ...]:
        """Repair one kind of these errors at a time, then all, and say what each metric gains.

        Spans gain over the response, other kinds over the response with its spans corrected,
        and all together over the response.
        """
        chosen = find_metrics(metrics)
        base = spans = self._scores(self.original.alignment, chosen)
        counts = self.counts
        if self.reading is not self.original:
            spans = self._scores(self._as_scored(self.reading.alignment), chosen)
        rows = [_repair(k.SPAN, counts[k.SPAN], spans if counts[k.SPAN] else base, base)]
        for kind in k.KINDS[1:]:
            after = self._scores(self.repaired(kind), chosen) if counts[kind] else spans
            rows.append(_repair(kind, counts[kind], after, spans))
        whole = self._scores(self.repaired(), chosen)
        return (*rows, _repair(ALL, sum(counts.values()), whole, base))

    def _scores(self, alignment: Alignment, metrics: tuple[Metric, ...]) -> dict[str, Score]:
        policy = self.original.policy
        counts = Counts.of(alignment.table(), metrics)
        return {m.name: Score(*counts.scores(m, policy).tolist()) for m in metrics}

    def to_jsonl(self) -> str:
        """Render one JSON object a line, one line an error."""
        return self.render("jsonl")

    def to_csv(self) -> str:
        """Render one row an error."""
        return self.render("csv")

    def to_json(self) -> str:
        """Render counts, repairs and all errors as one JSON object."""
        return self.render("json")

    def __str__(self) -> str:
        return self.render("text")

    def render(self, output: str) -> str:
        """Render as `text`, `json`, `jsonl`, `csv`, `latex` or `markdown`."""
        from scoref.analysis.views.errors import ErrorsView  # noqa: PLC0415  # it takes errors

        return ErrorsView(self).render(output)


def check_kind(kind: str) -> str:
    """Return a kind of error by its name, or by its title."""
    plain = kind.replace(" ", "_").replace("-", "_")
    for name, title in k.TITLES.items():
        if plain in (name, title.replace(" ", "_")):
            return name
    raise UsageError(f"unknown kind of error {kind!r}", f"one of: {', '.join(k.KINDS)}")


def _repair(
    name: str, count: int, after: Mapping[str, Score], before: Mapping[str, Score]
) -> Repair:
    gains = {metric: after[metric].f1 - before[metric].f1 for metric in after}
    return Repair(name, count, after, gains)


def _operations(kind: str, mentions: int) -> dict[str, int]:
    return {
        k.SPAN: {"correct_span": 1},
        k.CONFLATED: {"split": 1},
        k.DIVIDED: {"merge": 1},
        k.EXTRA_MENTION: {"split": 1, "remove": 1},
        k.EXTRA_ENTITY: {"split": mentions, "remove": mentions},
        k.MISSING_MENTION: {"introduce": 1, "merge": 1},
        k.MISSING_ENTITY: {"introduce": mentions, "merge": mentions},
    }[kind]


def _type_name(number: int) -> str:
    return "" if number == NOWHERE else MENTION_TYPES[number]
