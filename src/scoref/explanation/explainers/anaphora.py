"""The walk-throughs of zeros, of bridging and of non-referring mentions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoref.corpus.spans import Spans, same_spans
from scoref.explanation.blocks import Grid, GridColumns
from scoref.explanation.explainer import CountedTerms, Explainer
from scoref.explanation.expressions import fractions
from scoref.explanation.scene import Scene, named
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


def zero() -> Explainer:
    """Explain the score of zeros."""
    return Explainer(_count_zeros)


def _count_zeros(scene: Scene) -> CountedTerms:
    verdicts = np.stack(classify(scene.rows), axis=-1)
    right, wrong, missed, spurious = numbers = fractions(verdicts.sum(axis=0))
    rows = np.flatnonzero(verdicts.any(axis=1))
    columns: GridColumns = {
        "zero": scene.mention_cells(rows),
        "key": named(scene.key_side, scene.key[rows]),
        "response": named(scene.response_side, scene.res[rows]),
        "verdict": [_VERDICTS[at] for at in verdicts[rows].argmax(axis=1).tolist()],
    }
    table = scene.grid(columns, "Zero anaphors")
    tally = Grid({"verdict": _VERDICTS, "number": numbers}, "Verdicts")
    counts = (right, right + wrong + missed, right, right + wrong + spurious)
    return CountedTerms(counts, [_ZERO, table, tally])


def bridging(level: str = "entity") -> Explainer:
    """Explain bridging at one of its levels."""

    def count(scene: Scene) -> CountedTerms:
        ends = ends_of(scene.rows, level)
        found: list[list[str]] = []
        for side, links, right in zip(SIDES, ends, common(*ends), strict=True):
            anaphors, anchors = (_names(scene, spans) for spans in scene.rows.bridging(side))
            if level != "anaphor":
                anaphors = [" -> ".join(pair) for pair in zip(anaphors, anchors, strict=True)]
            alone = np.setdiff1d(links.at, right)
            found += [[anaphors[at] for at in rows.tolist()] for rows in (right, alone)]
        both, missing, _, spurious = found
        title = "anaphors" if level == "anaphor" else "links"
        return _compare(scene, _BRIDGING[level], title, (both, missing, spurious))

    return Explainer(count)


def nonreferring() -> Explainer:
    """Explain the score of non-referring mentions."""
    return Explainer(_count_non_referring)


def _count_non_referring(scene: Scene) -> CountedTerms:
    spans = [scene.rows.non_referring(side) for side in SIDES]
    key, response = (
        dict(zip(numbers.tolist(), _names(scene, of), strict=True))
        for numbers, of in zip(same_spans(*spans), spans, strict=True)
    )
    found = (
        [name for number, name in key.items() if number in response],
        [name for number, name in key.items() if number not in response],
        [name for number, name in response.items() if number not in key],
    )
    return _compare(scene, _NON_REFERRING, "mentions", found)


def _names(scene: Scene, spans: Spans) -> list[str]:
    """Name mentions that need not be in an entity: by their tokens from 0, and words if known."""
    columns = (spans.start.tolist(), spans.end.tolist(), spans.unusual.tolist())
    return [
        scene.source.span(scene.unit, start, end, words=not unusual)
        for start, end, unusual in zip(*columns, strict=True)
    ]


def _compare(
    scene: Scene, text: str, title: str, found: tuple[Sequence[str], Sequence[str], Sequence[str]]
) -> CountedTerms:
    """Show what is on both sides, only in the key, and only in the response."""
    both, missing, spurious = sizes = fractions([len(names) for names in found])
    columns: GridColumns = {
        title: ["on both sides", "only in the key", "only in the response"],
        "number": sizes,
        "which": [scene.listed(scene.first(names), len(names)) for names in found],
    }
    return CountedTerms((both, both + missing, both, both + spurious), [text, Grid(columns)])
