"""What presets share: their result, and decisions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from scoref.base.phrases import counted
from scoref.base.viewed import Tabular


@dataclass(frozen=True, slots=True, eq=False)
class PresetScores(Tabular):
    """The scores of a preset.

    * `preset`: Its name.
    * `tables`: The scores, from 0 to 1, and counts: by table, then by row, then by column.
    * `figures`: Single figures by name, such as the `bias` of GAP; None if one does not exist.
    * `notes`: What a user should know about the data, and the warnings of the published code.
    * `signatures`: The signatures of the scores, if they are those of `scoref.score`.
    """

    preset: str
    tables: Mapping[str, Mapping[str, Mapping[str, float]]]
    figures: Mapping[str, float | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        figures = "".join(f", {name} {value:.4f}" for name, value in self.figures.items() if value)
        return f"<PresetScores: {self.preset}, {counted(len(self.tables), 'table')}{figures}>"


class Decisions(NamedTuple):
    """How many answers are true and false positives, false and true negatives."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def rates(self, empty: float = math.nan, no_answer: float = 0.0) -> dict[str, float]:
        """Return recall, precision and F1: `empty` of nothing, `no_answer` without answers."""
        return {
            "recall": share(self.tp, self.tp + self.fn, empty),
            "precision": share(self.tp, self.tp + self.fp, no_answer),
            "f1": share(2 * self.tp, 2 * self.tp + self.fp + self.fn, empty),
        }


def share(part: float, whole: float, empty: float) -> float:
    """Return a share, or `empty` if the whole is nothing."""
    return part / whole if whole else empty
