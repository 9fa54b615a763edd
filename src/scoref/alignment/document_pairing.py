"""Which response document is which key document, and whether they have the same text."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted, listed
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document
from scoref.exceptions import DocumentError
from scoref.policy import Policy

ABSENT = -1
PAIRED_BY_POSITION = "documents without a name are paired by their position in the file"


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """The key document of each response document, or ABSENT; and what to tell the user."""

    key_document: Ints
    notes: tuple[str, ...]


def pair(key: Corpus, response: Corpus, policy: Policy) -> Pairing:
    """Pair the documents of two corpora by name and part, as the policy says."""
    key_document = same_documents(key, response)
    times = np.bincount(key_document[key_document != ABSENT], minlength=len(key.documents))
    _check_times(key, response, key_document, times)
    missing = [key.documents[at].name for at in np.flatnonzero(times == 0).tolist()]
    extra = [response.documents[at].name for at in np.flatnonzero(key_document == ABSENT).tolist()]
    notes = [*_missing(missing, key, policy), *_extra(extra, policy)]
    _check_lengths(key, response, key_document)
    known = np.array([*(d.length for d in key.documents), UNKNOWN], dtype=np.int64)
    _check_ends(response, known[key_document], "response")
    counted_there = np.full(len(key.documents) + 1, UNKNOWN, dtype=np.int64)
    counted_there[key_document] = [d.length for d in response.documents]
    _check_ends(key, counted_there[:-1], "key")
    if any(d.is_unnamed for d in response.documents):
        notes.append(PAIRED_BY_POSITION)
    return Pairing(key_document, tuple(notes))


def same_documents(key: Corpus, response: Corpus) -> Ints:
    """Return the key document of each response document, or ABSENT.

    Formats without parts write them into the name: `x_1` is part 1 of `x`, and `x_0` is `x`. The
    only document of a side is that of the other if one of them has no name.
    """
    if len(key.documents) == len(response.documents) == 1 and (
        key.documents[0].is_unnamed or response.documents[0].is_unnamed
    ):
        return np.zeros(1, dtype=np.int64)
    where = _where(key)
    found = [
        where[d.id]
        if d.id in where
        else next((where[n] for n in (d.name, *_with_part(d)) if n in where), ABSENT)
        for d in response.documents
    ]
    return np.array(found, dtype=np.int64)


@cached
def _where(key: Corpus) -> dict[Hashable, int]:
    """Return where each document of the key stands, by all that it may be called."""
    where: dict[Hashable, int] = {}
    for names in (_with_part, lambda d: [d.name], lambda d: [d.id]):
        where.update({name: at for at, d in enumerate(key.documents) for name in names(d)})
    return where


def inverse(key_document: Ints, documents: int) -> Ints:
    """Return the response document of each key document, or ABSENT."""
    found = np.full(documents + 1, ABSENT, dtype=np.int64)
    found[key_document] = np.arange(len(key_document))
    return found[:-1]


def _with_part(document: Document) -> list[Hashable]:
    """Return the names that a document with a part, or part 0, has in formats without parts."""
    name, part = document.id if isinstance(document.id, tuple) else (document.id, 0)
    return [] if document.is_unnamed else [f"{name}_{part}"]


def _check_times(key: Corpus, response: Corpus, key_document: Ints, times: Ints) -> None:
    """Refuse responses that pair a key document twice, or none at all."""
    if np.any(times > 1):
        at = int(np.argmax(times > 1))
        both = np.flatnonzero(key_document == at).tolist()
        names = [response.documents[other].name for other in both]
        raise DocumentError(
            f"the response documents {listed(names)} are both the key's {key.documents[at].name}",
            "give each document one name",
        )
    if key.documents and response.documents and not times.any():
        raise DocumentError(
            f"no document of the response is in the key: the key has"
            f" {listed([d.name for d in key.documents])}; the response has"
            f" {listed([d.name for d in response.documents])}",
            "documents are paired by their names: what stands after `#begin document`, in `doc_key`"
            " and the like",
        )


def _missing(names: Sequence[str], key: Corpus, policy: Policy) -> list[str]:
    if not names:
        return []
    lacks = f"the response lacks {len(names)} of {len(key.documents)} documents: {listed(names)}"
    if policy.missing_documents == "error":
        raise DocumentError(lacks, "--missing-documents empty scores them as an empty response")
    return [f"{lacks}; scored as an empty response"]


def _extra(names: Sequence[str], policy: Policy) -> list[str]:
    if not names:
        return []
    has = f"the response has {counted(len(names), 'document')} that the key lacks: {listed(names)}"
    if policy.extra_documents == "error":
        raise DocumentError(has, "--extra-documents ignore leaves them out")
    return [f"{has}; ignored"]


def _check_lengths(key: Corpus, response: Corpus, key_document: Ints) -> None:
    """Refuse documents of different lengths: their spans do not mean the same words."""
    differ = [
        (key.documents[at], document)
        for document, at in zip(response.documents, key_document.tolist(), strict=True)
        if at != ABSENT
        and UNKNOWN not in (document.length, key.documents[at].length)
        and document.length != key.documents[at].length
    ]
    if differ:
        ours, theirs = differ[0]
        more = f"; {len(differ) - 1} more documents differ" if len(differ) > 1 else ""
        raise DocumentError(
            f"document {ours.name} has {ours.length} tokens in the key"
            f" ({ours.source}:{ours.line}) but {theirs.length} in the response"
            f" ({theirs.source}:{theirs.line}){more}",
            "both sides must have the same tokens: one token a line, none left out",
        )


def _check_ends(corpus: Corpus, length: Ints, side: str) -> None:
    """Refuse spans given in Python that end beyond the text which the other side has counted."""
    spans = corpus.as_spans() if corpus.labels is not None else None
    if spans is None or not len(spans):
        return
    limit = length[spans.document]
    beyond = np.flatnonzero((limit != UNKNOWN) & (spans.end >= limit))
    if len(beyond):
        row = int(beyond[0])
        raise DocumentError(
            f"document {spans.documents[spans.document[row]].name} has {limit[row]} tokens on one"
            f" side, but the {side} has the span {spans.mention(row)} in it",
            "spans are token positions in the document from 0, end inclusive",
        )
