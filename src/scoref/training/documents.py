"""Documents that are added to an accumulator one by one, or as a part of a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from scoref.alignment.document_pairing import ABSENT, find_key_documents
from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus, Entities
from scoref.corpus.from_entities import check_entities, list_mentions
from scoref.exceptions import UsageError
from scoref.formats.objects import is_one_document
from scoref.formats.objects.rows import is_row
from scoref.preparation.inputs import as_corpus
from scoref.result import Result


def copy_document(document: Any) -> Entities:
    """Copy the entities of a document, which may change or be used up before they are counted."""
    if isinstance(document, list | tuple) or not (
        isinstance(document, Mapping) or is_one_document(document)
    ):
        check_entities(document, "the document")
        return [list_mentions(entity) for entity in document]
    if isinstance(document, Mapping) and not is_row(document):
        return {name: list_mentions(entity) for name, entity in document.items()}
    documents = list(as_corpus(document, "document").entities().values())
    if len(documents) != 1:
        raise UsageError(
            f"found {counted(len(documents), 'document')}, but `add` takes one",
            "use `update` for several documents",
        )
    return documents[0]


def documents_of_response(result: Result) -> Ints | None:
    """Return the documents of a key that the response has, or None if it has all of them."""
    alignment = result.alignment
    if alignment is None or alignment.key_corpus is None or alignment.res_corpus is None:
        return None  # a counts file has all documents of the key
    present = find_key_documents(alignment.key_corpus, alignment.res_corpus)
    return np.unique(present[present != ABSENT])


def hash_total(corpus: Corpus, documents: Ints | None) -> int:
    """Return what all documents of a corpus, or some in order, add to a fingerprint."""
    if documents is None:
        return corpus.hash_total()
    part = corpus.where(np.isin(corpus.document, documents))
    return replace(
        part,
        documents=[corpus.documents[at] for at in documents.tolist()],
        document=np.searchsorted(documents, part.document),
    ).hash_total()
