"""How well a response resolves each class of mentions: the slices of one system, without tests.

The counts of B³, MUC and mention detection are divided among mentions (`contributions.py`). The
share of the MUC links of some mentions that are found is their *resolution accuracy* (after
Stoyanov et al. 2009): the share of anaphors, key mentions other than the first of their entity, for
which an earlier mention of that entity is in the same response entity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.analysis.aligned_mentions import AlignedMentions
from scoref.analysis.contributions import contributions
from scoref.analysis.slice_counts import classify, ordered_names
from scoref.base.arrays import Bools
from scoref.exceptions import UsageError
from scoref.matching.alignment import Alignment
from scoref.matching.fields import FIELDS, Field
from scoref.metrics import find_metrics
from scoref.metrics.base import f1

_METRICS = find_metrics(["mentions", "b3", "muc"])
OF_DOCUMENTS = ("genre", "document_length")


@dataclass(frozen=True, slots=True)
class Slice:
    """One class of mentions: their number, the share that is found, B³, and resolution accuracy.

    A share of zero mentions is None.
    """

    by: str
    name: str
    key_mentions: int
    response_mentions: int
    found: float | None
    recall: float | None
    precision: float | None
    anaphors: int
    resolved: float | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of B³ recall and precision."""
        if self.recall is None or self.precision is None:
            return None
        return float(f1(np.array(self.recall), np.array(self.precision)))


class MentionShares:
    """What each mention adds to the counts of mention detection, B³ and MUC."""

    def __init__(self, mentions: AlignedMentions) -> None:
        self.alignment = mentions.alignment
        self.shares = np.concatenate([contributions(mentions, one) for one in _METRICS], axis=1)

    def slices(self, field: Field) -> Iterator[Slice]:
        """Yield the classes of a field; mentions without a distance have no class."""
        classes = classify(field, self.alignment)
        for name in ordered_names(field, [classes]):
            if name != field.without or field.without == FIELDS["type"].without:
                yield self._slice(field.name, name, classes.of == classes.names.index(name))

    def _slice(self, by: str, name: str, rows: Bools) -> Slice:
        found, key, _, response, *b3, resolved, anaphors, _, _ = self.shares[rows].sum(axis=0)
        return Slice(
            by,
            name,
            key_mentions=round(key),
            response_mentions=round(response),
            found=_share(found, key),
            recall=_share(b3[0], b3[1]),
            precision=_share(b3[2], b3[3]),
            anaphors=round(anaphors),
            resolved=_share(resolved, anaphors),
        )


def _share(some: float, of: float) -> float | None:
    return float(some / of) if of else None


def _types(alignment: Alignment) -> NDArray[Any]:
    """Return the types that are known."""
    found = alignment.column("type")
    return np.full(len(alignment.unit), "") if found is None else found


def available_fields(systems: Iterable[AlignedMentions]) -> list[Field]:
    """Return the fields by which analyses divide mentions, if all systems have their values.

    A field of documents with one value is the whole.
    """
    type_or_unknown = FIELDS["type"]._replace(values=_types)
    fields = [type_or_unknown, *(FIELDS[name] for name in ("entity_size", "sentences", "distance"))]
    fields += [FIELDS[name] for name in OF_DOCUMENTS]
    found: dict[str, Field] = {}
    alignments = [one.alignment for one in systems]
    for field in fields:
        with suppress(UsageError):
            names = {name for one in alignments for name in classify(field, one).names}
            if len(names) > (field.name in OF_DOCUMENTS) and names != {field.without}:
                found[field.name] = field
    if "sentences" in found:
        found.pop("distance", None)
    return [*found.values()]


def slices(mentions: AlignedMentions) -> tuple[Slice, ...]:
    """Return all slices that the input allows."""
    fields = available_fields([mentions])
    shares = MentionShares(mentions)
    return tuple(one for field in fields for one in shares.slices(field))
