"""What older practices do to mentions that only one side has, mention by mention.

The partitions that a practice makes are shown. They are made here of mentions, while the
metrics make them of sizes and overlaps, so each checks the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np

from scoref.base.arrays import Ints
from scoref.explanation.explainer import Steps, show_entities
from scoref.explanation.scene import Scene
from scoref.metrics.table import NOWHERE


def _without_spurious_singletons(scene: Scene) -> Scene:
    """Remove response entities that are one mention which the key lacks."""
    spurious = (scene.key == NOWHERE) & (scene.res != NOWHERE)
    sizes = np.append(np.bincount(scene.res[scene.res != NOWHERE]), 0)
    alone = spurious & (sizes[scene.res] == 1)
    return scene.changed(scene.key, np.where(alone, NOWHERE, scene.res))


def _without_spurious(scene: Scene) -> Scene:
    """Remove all mentions from the response that the key lacks."""
    return scene.changed(scene.key, np.where(scene.key == NOWHERE, NOWHERE, scene.res))


def _with_missing(scene: Scene) -> Scene:
    """Give the response each mention that it lacks, as a singleton."""
    return scene.changed(scene.key, _completed(scene.res, scene.key, len(scene.res_names)))


def _with_spurious(scene: Scene) -> Scene:
    """Give the key each mention that it lacks, as a singleton."""
    return scene.changed(_completed(scene.key, scene.res, len(scene.key_names)), scene.res)


def _completed(side: Ints, other: Ints, entities: int) -> Ints:
    missing = (side == NOWHERE) & (other != NOWHERE)
    return np.where(missing, entities + np.cumsum(missing) - 1, side)


_Changes = tuple[Callable[[Scene], Scene], ...]
_PRACTICES: dict[str, tuple[_Changes, _Changes]] = {
    "0": ((_without_spurious,),) * 2,
    "all": ((_with_missing,), (_with_spurious,)),
    "rn": (
        (_without_spurious_singletons, _with_missing),
        (_without_spurious_singletons, _with_spurious),
    ),
    "rn-deleted": ((_without_spurious_singletons,),) * 2,
    "sys": (
        (_without_spurious_singletons, _with_missing, _without_spurious),
        (_without_spurious_singletons, _with_missing, _with_spurious),
    ),
    "v4": ((_without_spurious_singletons, _with_missing, _with_spurious),) * 2,
}
"""What each practice does one after the other, for recall and for precision."""
_DELETED = "response entities of one mention that the key lacks are removed"
_COMPLETED = (
    "for recall, the response gets each mention that it lacks as a singleton; for precision, the"
    " key gets each mention that it lacks."
)
_TEXTS = {
    "0": "Stoyanov et al. (2009), twinless=0: mentions that the key lacks are removed from the"
    " response.",
    "all": f"Stoyanov et al. (2009), twinless=all: {_COMPLETED}",
    "rn": f"Rahman & Ng (2009), twinless=rn: {_DELETED}; then, {_COMPLETED}",
    "rn-deleted": f"Rahman & Ng (2009), twinless=rn: {_DELETED}.",
    "sys": f"Cai & Strube (2010), twinless=sys: {_DELETED}, and the response gets each mention"
    " that it lacks as a singleton. For recall, the other mentions that the key lacks are removed"
    " from the response; for precision, the key gets them as singletons.",
    "v4": f"The CoNLL scorer as run in 2011 and 2012, twinless=v4: {_DELETED}, then each side gets"
    " the mentions that it lacks as singletons, for recall and for precision.",
}


def change_partitions(steps: Steps, practice: str) -> tuple[Steps, Steps]:
    """Change the partitions for recall and for precision as a practice does; show what changed."""
    if practice == "none":
        return steps, steps
    steps.show(_TEXTS[practice])
    for_recall, for_precision = _PRACTICES[practice]
    recall = reduce(lambda scene, change: change(scene), for_recall, steps.scene)
    if for_recall == for_precision:
        changed = _show_changes(steps, recall, "recall and precision")
        return changed, changed
    precision = reduce(lambda scene, change: change(scene), for_precision, steps.scene)
    return _show_changes(steps, recall, "recall"), _show_changes(steps, precision, "precision")


def restrict_to_shared(steps: Steps, mentions: str) -> Steps:
    """Leave out mentions that only one side has if `mentions` is "shared"; show what changed."""
    if mentions != "shared":
        return steps
    key, response = steps.scene.key, steps.scene.res
    shared = (key != NOWHERE) & (response != NOWHERE)
    scene = steps.scene.changed(*(np.where(shared, side, NOWHERE) for side in (key, response)))
    steps.show("Mentions that only one side has are left out, and entities that become empty.")
    return _show_changes(steps, scene, "all that follows")


def _show_changes(steps: Steps, after: Scene, what: str) -> Steps:
    """Show the sides of a document that changed, and continue with them."""
    changed = [
        new
        for old, new in zip(steps.scene.sides, after.sides, strict=True)
        if not np.array_equal(old.entity, new.entity) or old.names != new.names
    ]
    steps = steps.on(after)
    for side in changed:
        show_entities(steps, side, f"The {side.side} as changed for {what}")
    if not changed:
        steps.show(f"Here it changes nothing for {what}.")
    return steps
