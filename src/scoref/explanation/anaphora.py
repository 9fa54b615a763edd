"""The walk-throughs of bridging and of non-referring mentions: what both sides say, or only one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoref.corpus.spans import Spans, same_spans
from scoref.explanation.blocks import Column, Grid, Mentions
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import whole
from scoref.explanation.scene import Scene, position
from scoref.metrics.bridging import SIDES, common, ends_of

_BRIDGING = {
    "anaphor": "A link leads from an anaphor to its anchor. An anaphor is right if both sides have"
    " a link from it, wherever that leads.",
    "mention": "A link leads from an anaphor to its anchor. It is right if the other side has one"
    " from the same anaphor to the same mention.",
    "entity": "A link leads from an anaphor to its anchor. It is right if the other side has one"
    " from the same anaphor to the same mention, or to another one of its key entity.",
}
_NON_REFERRING = "Mentions that refer to nothing are right if the other side says so too."


def bridging(level: str = "entity") -> Explainer:
    """Explain bridging at one of its levels."""

    def count(scene: Scene) -> Counted:
        ends = ends_of(scene.rows, level)
        rights = common(*ends)
        names = []
        for side, found, right in zip(SIDES, ends, rights, strict=True):
            links = scene.rows.bridging(side)
            anaphor, anchor = (_names(scene, spans) for spans in links)
            shown = [
                anaphor[at] if level == "anaphor" else f"{anaphor[at]} -> {anchor[at]}"
                for at in range(len(anaphor))
            ]
            alone = np.setdiff1d(found.at, right)
            names.append(
                ([shown[at] for at in right.tolist()], [shown[at] for at in alone.tolist()])
            )
        (both, missing), (_, spurious) = names
        title = "anaphors" if level == "anaphor" else "links"
        return _counted(scene, _BRIDGING[level], title, both, missing, spurious)

    return Explainer(count)


def nonreferring() -> Explainer:
    """Explain the score of non-referring mentions."""
    return Explainer(_count_non_referring)


def _count_non_referring(scene: Scene) -> Counted:
    key, response = (scene.rows.non_referring(side) for side in SIDES)
    ours, theirs = same_spans(key, response)
    here, there = (dict(zip(n.tolist(), range(len(n)), strict=True)) for n in (ours, theirs))
    key_names, response_names = _names(scene, key), _names(scene, response)
    return _counted(
        scene,
        _NON_REFERRING,
        "mentions",
        [key_names[at] for number, at in here.items() if number in there],
        [key_names[at] for number, at in here.items() if number not in there],
        [response_names[at] for number, at in there.items() if number not in here],
    )


def _names(scene: Scene, spans: Spans) -> list[str]:
    """Name mentions that need not be in an entity: by their tokens from 0, and words if known."""
    words = scene.source.words
    unusual = spans.unusual.tolist()
    names = []
    for row, (start, end) in enumerate(zip(spans.start.tolist(), spans.end.tolist(), strict=True)):
        shown = "" if words is None or unusual[row] else words.of(scene.unit, start, end)
        names.append(f"{position(start, end)} {shown}".rstrip())
    return names


def _counted(scene: Scene, text: str, title: str, *found: Sequence[str]) -> Counted:
    """Show what is on both sides, only in the key, and only in the response."""
    both, missing, spurious = sizes = whole([len(names) for names in found])
    separator = "; " if scene.source.words else ", "
    shown = [names[: scene.limit] if scene.limit else names for names in found]
    listed = [
        Mentions(tuple(some), len(names) - len(some), separator)
        for some, names in zip(shown, found, strict=True)
    ]
    columns = [
        Column(title, ["on both sides", "only in the key", "only in the response"]),
        Column("number", sizes),
        Column("which", listed),
    ]
    grid = Grid(columns, sizes, limit=0)
    return Counted((both, both + missing, both, both + spurious), [text, grid])
