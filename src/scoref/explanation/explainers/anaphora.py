"""The walk-throughs of zeros, of bridging and of non-referring mentions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from scoref.base.arrays import Bools
from scoref.corpus.spans import Spans, same_spans
from scoref.explanation.blocks import Grid, GridColumns
from scoref.explanation.explainer import Columns, Steps
from scoref.explanation.scene import Scene
from scoref.metrics.bridging import SIDES, common, ends_of
from scoref.metrics.zero import classify

_VERDICTS = ("right", "wrong link", "missed", "spurious")
_ZERO = (
    "An anaphor is a zero that is not the first mention of its entity. A zero anaphor of the key"
    " is right if an earlier mention of its key entity is in its response entity. It is missed if"
    " the response lacks it or has it first in an entity, and a wrong link otherwise. A zero"
    " anaphor that only the response has is spurious."
)
_LINK = "A link leads from an anaphor to its anchor. "
_BRIDGING = {
    "anaphor": _LINK + "An anaphor is right if both sides have a link from it to any anchor.",
    "mention": _LINK + "It is right if the other side has a link from the same anaphor to the same"
    " mention.",
    "entity": _LINK + "It is right if the other side has a link from the same anaphor to the same"
    " mention, or to another mention of its key entity.",
}
_NON_REFERRING = "A mention that refers to nothing is right if the other side says so too."


def zero(steps: Steps) -> Columns:
    """Explain the score of zeros."""
    scene, verdicts = steps.scene, np.stack(classify(steps.scene.rows), axis=-1)
    rows = np.flatnonzero(verdicts.any(axis=1))
    columns: GridColumns = {
        "zero": scene.mention_cells(rows),
        **scene.pair_columns(scene.key[rows], scene.res[rows]),
    }
    steps.show(_ZERO)
    right, wrong, missed, spurious = show_verdicts(
        steps, "Zero anaphors", columns, dict(zip(_VERDICTS, verdicts[rows].T, strict=True))
    )
    return right, right + wrong + missed, right, right + wrong + spurious


def show_verdicts(
    steps: Steps, caption: str, columns: GridColumns, verdicts: Mapping[str, Bools]
) -> Columns:
    """Show anaphors with their verdicts; return how many have each verdict."""
    names = [
        " and ".join(name for name, yes in zip(verdicts, found, strict=True) if yes)
        for found in zip(*verdicts.values(), strict=True)
    ]
    steps.table(caption, {**columns, "verdict": names})
    numbers = tuple(Fraction(int(marked.sum())) for marked in verdicts.values())
    steps.show(Grid({"verdict": list(verdicts), "number": numbers}, "Verdicts"))
    return numbers


def bridging(steps: Steps, level: str = "entity") -> Columns:
    """Explain bridging at one of its levels."""
    scene = steps.scene
    ends = ends_of(scene.rows, level)
    found: list[list[str]] = []
    for side, links, right in zip(SIDES, ends, common(*ends), strict=True):
        anaphors, anchors = (_names(scene, spans) for spans in scene.rows.bridging(side))
        if level != "anaphor":
            anaphors = [" -> ".join(pair) for pair in zip(anaphors, anchors, strict=True)]
        alone = np.setdiff1d(links.at, right)
        found += [[anaphors[at] for at in rows.tolist()] for rows in (right, alone)]
    both, missing, _, spurious = found
    steps.show(_BRIDGING[level])
    return _compare(steps, "anaphors" if level == "anaphor" else "links", both, missing, spurious)


def nonreferring(steps: Steps) -> Columns:
    """Explain the score of non-referring mentions."""
    spans = [steps.scene.rows.non_referring(side) for side in SIDES]
    key, response = (
        dict(zip(numbers.tolist(), _names(steps.scene, of), strict=True))
        for numbers, of in zip(same_spans(*spans), spans, strict=True)
    )
    both = [name for number, name in key.items() if number in response]
    missing = [name for number, name in key.items() if number not in response]
    spurious = [name for number, name in response.items() if number not in key]
    steps.show(_NON_REFERRING)
    return _compare(steps, "mentions", both, missing, spurious)


def _names(scene: Scene, spans: Spans) -> list[str]:
    """Name mentions that need not be in an entity: by their tokens from 0, and words if known."""
    columns = (spans.start.tolist(), spans.end.tolist(), spans.unusual.tolist())
    return [
        scene.span(start, end, words=not unusual)
        for start, end, unusual in zip(*columns, strict=True)
    ]


def _compare(
    steps: Steps, title: str, both: list[str], missing: list[str], spurious: list[str]
) -> Columns:
    """Show what is on both sides, only in the key, and only in the response."""
    lists = (both, missing, spurious)
    columns: GridColumns = {
        title: ["on both sides", "only in the key", "only in the response"],
        "number": [len(names) for names in lists],
        "which": [steps.scene.listed(steps.scene.first(names), len(names)) for names in lists],
    }
    steps.show(Grid(columns))
    right, missed, wrong = (Fraction(len(names)) for names in lists)
    return right, right + missed, right, right + wrong
