"""All errors of a response: a collection to iterate, filter, count, repair and render."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from operator import eq

import numpy as np

from scoref.analysis.aligned_mentions import AlignedMentions, most_specific
from scoref.analysis.errors import kinds as k
from scoref.analysis.errors.kinds import ALL, Error, ErrorMention, Listing, Repair
from scoref.analysis.errors.partition_errors import (
    PartitionErrors,
    drop_response_singletons,
    repair_response,
)
from scoref.base.arrays import Ints
from scoref.base.phrases import counted, listed
from scoref.base.viewed import Tabular
from scoref.corpus.attributes import MENTION_TYPES
from scoref.counts.counts import Counts
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.metrics import MetricLike, find_metrics
from scoref.metrics.table import NOWHERE, SideName
from scoref.result import Score

_OPERATIONS = {
    k.SPAN: ("correct_span",),
    k.CONFLATED: ("split",),
    k.DIVIDED: ("merge",),
    **dict.fromkeys((k.EXTRA_MENTION, k.EXTRA_ENTITY), ("split", "remove")),
    **dict.fromkeys((k.MISSING_MENTION, k.MISSING_ENTITY), ("introduce", "merge")),
}
_ONCE = frozenset({k.SPAN, k.CONFLATED, k.DIVIDED})  # one operation, however many mentions


@dataclass(frozen=True, eq=False)
class Errors(Tabular):
    """All errors of a response in the order of the text, or those selected with `where`.

    Two collections are equal if they have the same signature, mode and errors.

    * `mode`: `strict` or `kk2013`.
    * `notes`: What a user should know about the data.
    * `original`: The mentions as they were aligned.
    * `corrected`: The mentions after span errors are corrected.
    """

    original: AlignedMentions
    corrected: AlignedMentions
    found: PartitionErrors
    listing: Listing
    mode: str
    notes: tuple[str, ...]

    @property
    def signature(self) -> str:
        """The signature of the policy, the key and the version."""
        return self.original.aligned.signature

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents."""
        return self.original.alignment.units

    def __len__(self) -> int:
        return len(self.listing)

    def __iter__(self) -> Iterator[Error]:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, at: int) -> Error:
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        at %= len(self)
        rows, kind = self.listing.rows_of(at), k.KINDS[self.listing.kind[at]]
        anchor, meant = self.related(at)
        row = rows[0] if meant == NOWHERE else meant
        return Error(
            kind=kind,
            document=self.documents[self.corrected.unit[row]],
            type=_type_name(int(self.types[at])),
            mentions=tuple(self._mention(row) for row in rows),
            key_entity=self._entity_name("key", row),
            response_entity=self._entity_name("response", row),
            anchor=self._mention(anchor) if anchor != NOWHERE else None,
            meant=self._mention(meant) if meant != NOWHERE else None,
            operations=dict.fromkeys(_OPERATIONS[kind], 1 if kind in _ONCE else len(rows)),
        )

    def related(self, at: int) -> tuple[int, int]:
        """Return the rows of an error's anchor and of the mention that is meant, or NOWHERE."""
        rows, kind = self.listing.rows_of(at), k.KINDS[self.listing.kind[at]]
        if kind == k.SPAN:
            return NOWHERE, int(self.listing.meant[rows[0]])
        if kind in (k.CONFLATED, k.EXTRA_MENTION, k.EXTRA_ENTITY):
            anchor = int(self.found.res_anchor[self.corrected.res[rows[0]]])
        else:
            entity = self.corrected.key[rows[0]]
            anchor = int(self.found.key_anchor[entity])
            anchor = int(self._introduced[entity]) if anchor == NOWHERE else anchor
        return NOWHERE if anchor in rows else anchor, NOWHERE

    def _mention(self, row: int) -> ErrorMention:
        mentions = self.corrected
        kind = _type_name(int(mentions.type[row]))
        return ErrorMention(mentions.mention(row), mentions.words(row), kind)

    def _entity_name(self, side: SideName, row: int) -> str | None:
        entity = int(self.corrected.entities(side)[0][row])
        return self.corrected.names[side][entity] if entity != NOWHERE else None

    @cached_property
    def _introduced(self) -> Ints:
        """The first mention of each missing entity."""
        entity, size = self.corrected.entities("key")
        return self.corrected.first_rows(entity, self.found.marked[k.MISSING_ENTITY], len(size))

    @cached_property
    def types(self) -> Ints:
        """The most specific type of each error's mentions, or NOWHERE."""
        error = np.repeat(np.arange(len(self)), np.diff(self.listing.first))
        return most_specific(error, self.corrected.type[self.listing.rows], len(self))

    @property
    def _units(self) -> Ints:
        """The document of each error."""
        return self.corrected.unit[self.listing.first_row]

    def where(
        self,
        kind: str | None = None,
        type: str | None = None,  # noqa: A002  # what users call it
        document: str | None = None,
        test: Callable[[Error], bool] | None = None,
    ) -> Errors:
        """Select errors by kind, by mention type, by document, or by a function of the error.

        * `kind`: `span`, `conflated`, `extra_mention`, `extra_entity`, `divided`, `missing_mention`
          or `missing_entity`.
        * `type`: `name`, `nominal` or `pronoun`.
        * `document`: The name of a document.
        * `test`: A function of an error that says whether it is selected.
        """
        kept = np.ones(len(self), dtype=bool)
        if kind is not None:
            kept &= self.listing.kind == k.KINDS.index(k.check_kind(kind))
        if type is not None:
            if type not in MENTION_TYPES:
                known = ", ".join(MENTION_TYPES)
                raise UsageError(f"unknown mention type {type!r}", f"one of: {known}")
            kept &= self.types == MENTION_TYPES.index(type)
        if document is not None:
            kept &= self._units == self.unit_of(document)
        at = np.flatnonzero(kept)
        if test is not None:
            at = np.array([one for one in at.tolist() if test(self[one])], dtype=np.int64)
        return replace(self, listing=self.listing.take(at))

    def unit_of(self, document: str) -> int:
        """Return the index of a document, given its name."""
        if document not in self.documents:
            raise UsageError(
                f"no document is called {document!r}", f"documents: {listed(self.documents)}"
            )
        return self.documents.index(document)

    @property
    def counts(self) -> dict[str, int]:
        """The number of errors of each kind."""
        return _by_kind(self.listing.kind)

    @property
    def operations(self) -> dict[str, int]:
        """The number of operations that turn the whole response into the key."""
        spans = int(np.count_nonzero(self.listing.meant != NOWHERE))
        return {"correct_span": spans, **self.found.operations}

    @property
    def by_document(self) -> dict[str, dict[str, int]]:
        """The number of errors of each kind, by document."""
        rows = (dict(zip(k.KINDS, row, strict=True)) for row in self.count_units().tolist())
        return dict(zip(self.documents, rows, strict=True))

    def count_units(self) -> Ints:
        """Return the number of errors as an array of shape (documents, kinds)."""
        shape = len(self.documents), len(k.KINDS)
        codes = self._units * shape[1] + self.listing.kind
        return np.bincount(codes, minlength=shape[0] * shape[1]).reshape(shape)

    @property
    def by_type(self) -> dict[str, dict[str, int]]:
        """The number of errors of each kind, by mention type; an unknown type is empty."""
        types = [*enumerate(MENTION_TYPES), *([(NOWHERE, "")] if NOWHERE in self.types else [])]
        return {name: _by_kind(self.listing.kind[self.types == at]) for at, name in types}

    def repaired(self, *kinds: str) -> Alignment:
        """Return the alignment after errors of some kinds, or all, have been repaired.

        Span errors are always corrected. Errors that `where` left out are not repaired.
        """
        marked = self.listing.marked({k.check_kind(kind) for kind in kinds or k.KINDS})
        joined = self.mode == k.KK2013 and bool(marked[k.DIVIDED].any())
        res = repair_response(self.corrected, marked, self.found.key_anchor, joined=joined)
        return self._as_scored(replace(self.corrected.alignment, res=res))

    def _as_scored(self, alignment: Alignment) -> Alignment:
        """Drop singletons that a repair leaves behind if the policy drops them."""
        keep = self.original.policy.singletons == "keep"
        return alignment if keep else drop_response_singletons(alignment)

    def repairs(self, metrics: Iterable[MetricLike] | None = None) -> tuple[Repair, ...]:
        """Repair one kind of error at a time, then all, and return what each metric gains.

        The gain of span errors and of all errors is measured against the response. The gain of
        any other kind is measured against the response with its spans corrected.
        """
        chosen = find_metrics(metrics, "the gain of a repair")
        policy, counts = self.original.policy, self.counts

        def scores(alignment: Alignment) -> dict[str, Score]:
            found = Counts.of(alignment.table(), chosen)
            return {m.name: Score(*found.scores(m, policy).tolist()) for m in chosen}

        base = spans = scores(self.original.alignment)
        if self.corrected is not self.original:
            spans = scores(self._as_scored(self.corrected.alignment))
        repairs = [Repair.of(k.SPAN, counts[k.SPAN], spans if counts[k.SPAN] else base, base)]
        for kind in k.KINDS[1:]:
            after = scores(self.repaired(kind)) if counts[kind] else spans
            repairs.append(Repair.of(kind, counts[kind], after, spans))
        return (*repairs, Repair.of(ALL, len(self), scores(self.repaired()), base))

    def to_jsonl(self) -> str:
        """Render one JSON object per line, one line per error."""
        return self.render("jsonl")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Errors):
            return NotImplemented
        same = (self.signature, self.mode, len(self)) == (other.signature, other.mode, len(other))
        return same and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash((self.signature, self.mode, len(self)))

    def __repr__(self) -> str:
        kinds = ", ".join(f"{kind} {many}" for kind, many in self.counts.items() if many)
        many = counted(len(self), "error")
        on = counted(len(self.documents), "document")
        return f"<Errors: {many} in {on}{': ' * bool(kinds)}{kinds}>"


def _by_kind(kinds: Ints) -> dict[str, int]:
    many = np.bincount(kinds, minlength=len(k.KINDS))
    return dict(zip(k.KINDS, many.tolist(), strict=True))


def _type_name(number: int) -> str:
    return "" if number == NOWHERE else MENTION_TYPES[number]
