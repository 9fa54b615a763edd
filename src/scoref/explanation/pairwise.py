"""The walk-through of pairwise F1: the links of both sides, and the common ones."""

from __future__ import annotations

from scoref.explanation.explainer import Counted, Explainer
from scoref.explanation.links import LINKS, count_links, link_tables
from scoref.explanation.scene import Scene

_SHARES = (
    "Recall is the share of the key's links that are common, precision that of the response's."
)


def pairwise() -> Explainer:
    """Explain the F1 of links."""

    def count(scene: Scene) -> Counted:
        links = count_links(scene)
        return Counted(
            (links.cc, links.ck, links.cc, links.cr), [LINKS, _SHARES, *link_tables(scene)]
        )

    return Explainer(count)
