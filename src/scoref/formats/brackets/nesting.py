"""What brackets with entity ids cannot express: checks for the writers of formats that use them."""

from __future__ import annotations

import numpy as np

from scoref.corpus.corpus import Corpus
from scoref.exceptions import UsageError


def token_spans(corpus: Corpus, title: str) -> tuple[Corpus, list[int]]:
    """Return a corpus of token spans and the lengths of its documents, or refuse other mentions."""
    spans = corpus.as_spans()
    if spans is None or corpus.characters:
        raise UsageError(f"only mentions that are token spans can be written as {title}")
    lengths = np.array([document.length for document in spans.documents], dtype=np.int64)
    np.maximum.at(lengths, spans.document, spans.end + 1)
    return spans, np.maximum(lengths, 0).tolist()


def check_nesting(spans: Corpus, *, touching: bool) -> None:
    """Refuse mentions of one entity that cross, since a bracket closes the latest open one.

    With `touching`, also refuse a mention that starts on the last token of another, for formats
    in which a token's openings are read before its closings.
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
                " brackets cannot express this",
                "write another format, for example with --to jsonl",
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
            f" ({nodes[row]}), which {title} cannot express",
            "write CorefUD with --to corefud",
        )
