"""The walk-through of mention detection."""

from __future__ import annotations

from scoref.explanation.blocks import Column, Grid
from scoref.explanation.entities import listed_rows
from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.expressions import ONE, whole
from scoref.explanation.lenient import lenient
from scoref.explanation.scene import Scene
from scoref.overlap.table import NOWHERE

_TEXT = (
    "Recall is the share of the key's mentions that the response has, precision the share of the"
    " response's mentions that the key has; which entity they are in does not matter."
)


def mentions(match: str = "strict", credit: str = "1") -> Explainer:
    """Explain mention detection, strict or lenient."""
    if match == "lenient":
        return lenient(ONE / 2 if credit == "half" else ONE)
    return Explainer(_count)


def _count(scene: Scene) -> Counted:
    key, res = scene.key != NOWHERE, scene.res != NOWHERE
    kinds = {
        "on both sides": key & res,
        "only in the key": key & ~res,
        "only in the response": ~key & res,
    }
    rows = [kind.nonzero()[0].tolist() for kind in kinds.values()]
    both, missing, spurious = sizes = whole([len(found) for found in rows])
    table = Grid(
        [
            Column("mentions", list(kinds)),
            Column("number", sizes),
            Column("which", [listed_rows(scene, found) for found in rows]),
        ],
        sizes,
        limit=0,
    )
    return Counted((both, both + missing, both, both + spurious), [_TEXT, table])
