"""What older practices do to mentions that only one side has, mention by mention.

The partitions that a practice makes are shown. They are made here of mentions, where the
measures make them of sizes and overlaps, so that each checks the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.explanation.blocks import Block
from scoref.explanation.entities import partition
from scoref.explanation.scene import Scene
from scoref.overlap.table import NOWHERE


class Sides(NamedTuple):
    """The document that recall is computed on, and the one that precision is computed on."""

    recall: Scene
    precision: Scene


def without_spurious_singletons(scene: Scene) -> Scene:
    """Take response entities out that are one mention which the key lacks."""
    spurious = (scene.key == NOWHERE) & (scene.res != NOWHERE)
    sizes = np.append(np.bincount(scene.res[scene.res != NOWHERE]), 0)
    alone = spurious & (sizes[scene.res] == 1)
    return scene.changed(scene.key, np.where(alone, NOWHERE, scene.res))


def without_spurious(scene: Scene) -> Scene:
    """Take all mentions out of the response that the key lacks."""
    return scene.changed(scene.key, np.where(scene.key == NOWHERE, NOWHERE, scene.res))


def with_missing(scene: Scene) -> Scene:
    """Give the response each mention that it lacks, as a singleton."""
    return scene.changed(scene.key, _completed(scene.res, scene.key, len(scene.res_names)))


def with_spurious(scene: Scene) -> Scene:
    """Give the key each mention that it lacks, as a singleton."""
    return scene.changed(_completed(scene.key, scene.res, len(scene.key_names)), scene.res)


def only_shared(scene: Scene) -> Scene:
    """Leave mentions out that only one side has."""
    shared = (scene.key != NOWHERE) & (scene.res != NOWHERE)
    return scene.changed(np.where(shared, scene.key, NOWHERE), np.where(shared, scene.res, NOWHERE))


def _completed(side: Ints, other: Ints, entities: int) -> Ints:
    missing = (side == NOWHERE) & (other != NOWHERE)
    return np.where(missing, entities + np.cumsum(missing) - 1, side)


def _stoyanov_0(scene: Scene) -> Sides:
    changed = without_spurious(scene)
    return Sides(changed, changed)


def _stoyanov_all(scene: Scene) -> Sides:
    return Sides(with_missing(scene), with_spurious(scene))


def _rahman_ng(scene: Scene) -> Sides:
    return _stoyanov_all(without_spurious_singletons(scene))


def _rahman_ng_deleted(scene: Scene) -> Sides:
    changed = without_spurious_singletons(scene)
    return Sides(changed, changed)


def _cai_strube(scene: Scene) -> Sides:
    completed = with_missing(without_spurious_singletons(scene))
    return Sides(without_spurious(completed), with_spurious(completed))


def _as_run(scene: Scene) -> Sides:
    changed = with_spurious(with_missing(without_spurious_singletons(scene)))
    return Sides(changed, changed)


_PRACTICES: dict[str, Callable[[Scene], Sides]] = {
    "0": _stoyanov_0,
    "all": _stoyanov_all,
    "rn": _rahman_ng,
    "rn-deleted": _rahman_ng_deleted,
    "sys": _cai_strube,
    "v4": _as_run,
}
_DELETED = "response entities that are one mention which the key lacks are taken out"
_COMPLETED = (
    "for recall, the response is given each mention that it lacks as a singleton; for precision,"
    " the key is."
)
_TEXTS = {
    "0": "Stoyanov et al. (2009), twinless=0: mentions that the key lacks are taken out of the"
    " response.",
    "all": f"Stoyanov et al. (2009), twinless=all: {_COMPLETED}",
    "rn": f"Rahman & Ng (2009), twinless=rn: {_DELETED}; then, {_COMPLETED}",
    "rn-deleted": f"Rahman & Ng (2009), twinless=rn: {_DELETED}.",
    "sys": f"Cai & Strube (2010), twinless=sys: {_DELETED}, and the response is given each mention"
    " that it lacks as a singleton. For recall, the other mentions that the key lacks are taken"
    " out of the response; for precision, the key is given them as singletons.",
    "v4": f"The CoNLL scorer as run in 2011 and 2012, twinless=v4: {_DELETED}, then each side is"
    " given the mentions that it lacks as singletons, for recall as for precision.",
}


def practise(scene: Scene, practice: str) -> tuple[Sides, list[Block]]:
    """Change the partitions as a practice does, and show those that changed."""
    sides = _PRACTICES[practice](scene)
    blocks: list[Block] = [_TEXTS[practice]]
    if sides.recall is sides.precision:
        blocks += _changes(scene, sides.recall, "recall and precision")
    else:
        blocks += _changes(scene, sides.recall, "recall")
        blocks += _changes(scene, sides.precision, "precision")
    return sides, blocks


def restrict(scene: Scene) -> tuple[Scene, list[Block]]:
    """Leave mentions out that only one side has, and show the partitions that changed."""
    changed = only_shared(scene)
    blocks = _changes(scene, changed, "all that follows")
    text = "Mentions that only one side has are left out, and entities that this empties."
    return changed, [text, *blocks]


def _changes(before: Scene, after: Scene, what: str) -> list[Block]:
    """Show the sides of a document that changed."""
    blocks: list[Block] = []
    if not np.array_equal(before.key, after.key) or before.key_names != after.key_names:
        caption = f"The key as changed for {what}"
        blocks.append(partition(after, after.key_names, after.key_members, caption))
    if not np.array_equal(before.res, after.res) or before.res_names != after.res_names:
        caption = f"The response as changed for {what}"
        blocks.append(partition(after, after.res_names, after.res_members, caption))
    return blocks or [f"Here it changes nothing for {what}."]
