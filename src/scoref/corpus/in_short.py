"""A corpus in short: its numbers, in one line and in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoref.base import html
from scoref.base.phrases import counted
from scoref.corpus.document import UNKNOWN

if TYPE_CHECKING:
    from scoref.corpus.corpus import Corpus


def summarise(corpus: Corpus) -> str:
    """Return the numbers of documents, mentions and entities."""
    return ", ".join(
        [
            counted(len(corpus.documents), "document"),
            counted(len(corpus), "mention"),
            counted(corpus.entity_count, "entity", "entities"),
        ]
    )


def show_in_notebook(corpus: Corpus) -> str:
    """Return a table with a row per document."""
    many = len(corpus.documents)
    mentions = np.bincount(corpus.document, minlength=many)
    first = np.unique(corpus.entity, return_index=True)[1]
    entities = np.bincount(corpus.document[first], minlength=many)
    rows = [
        [
            document.name,
            "" if document.length == UNKNOWN else f"{document.length:,}",
            f"{mentions[at]:,}",
            f"{entities[at]:,}",
        ]
        for at, document in enumerate(corpus.documents)
    ]
    title = html.heading(f"{corpus.source or 'Corpus'}: {summarise(corpus)}")
    table = html.table(["document", f"{corpus.unit}s", "mentions", "entities"], rows)
    return html.block(title, table, *map(html.note, corpus.notes))
