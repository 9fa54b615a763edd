"""What brackets with entity ids cannot say, for the writers of formats that use them."""

from __future__ import annotations

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError


def check_nesting(spans: Corpus, *, touching: bool) -> None:
    """Refuse mentions of one entity that cross, since a bracket closes the latest open one.

    Where a token's openings are read before its closings, those that share their last and
    first token are refused too: `touching`.
    """
    rows = np.flatnonzero(spans.end > spans.start)
    rows = rows[np.lexsort((-spans.end[rows], spans.start[rows], spans.entity[rows]))]
    around: list[int] = []
    for row in rows.tolist():
        while around and (
            spans.entity[around[-1]] != spans.entity[row]
            or spans.end[around[-1]] < spans.start[row] + (not touching)
        ):
            around.pop()
        if around and spans.end[around[-1]] < spans.end[row]:
            name = spans.entity_names[spans.entity[row]]
            document = spans.documents[spans.document[row]].name
            raise UsageError(
                f"entity {name} of document {document} has the mentions"
                f" {spans.mention(around[-1])} and {spans.mention(row)}, which cross or touch:"
                " brackets cannot say so",
                "jsonl can: --to jsonl",
            )
        around.append(row)


def check_contiguous(spans: Corpus, title: str) -> None:
    """Refuse discontinuous mentions and empty nodes."""
    nodes = spans.attributes.get("nodes")
    if nodes is not None and (nodes != "").any():
        row = int(np.argmax(nodes != ""))
        document = spans.documents[spans.document[row]].name
        raise UsageError(
            f"document {document} has a mention that is discontinuous or has an empty node"
            f" ({nodes[row]}), which {title} cannot say",
            "corefud can: --to corefud",
        )
