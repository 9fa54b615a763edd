"""Pairing of response documents with key documents, by name and part."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import NamedTuple

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
    """The key document of each response document, or ABSENT, and the notes for the user."""

    key_document: Ints
    notes: tuple[str, ...]


class PairedCorpora(NamedTuple):
    """Key and response; `document` is the key document of each response mention."""

    key: Corpus
    response: Corpus
    document: Ints

    @classmethod
    def of(cls, key: Corpus, response: Corpus, key_document: Ints) -> PairedCorpora:
        """Pair two corpora, without the mentions of response documents that the key lacks."""
        document = key_document[response.document] if len(response) else response.document
        if np.any(document == ABSENT):
            response = response.where(document != ABSENT)
            document = document[document != ABSENT]
        return cls(key, response, document)


def pair_documents(key: Corpus, response: Corpus, policy: Policy) -> Pairing:
    """Pair the documents of two corpora by name and part, and check that their lengths agree."""
    key_document = find_key_documents(key, response)
    times = check_paired_once(key, response, key_document, "response")
    _check_any_paired(key, response, times)
    missing = [key.documents[at].name for at in np.flatnonzero(times == 0).tolist()]
    extra = [response.documents[at].name for at in np.flatnonzero(key_document == ABSENT).tolist()]
    alike = _alike(missing, extra)
    notes = [*_note_missing(missing, key, policy, alike), *_note_extra(extra, policy, alike)]
    _check_lengths(key, response, key_document)
    key_length, response_length = (
        np.array([*(d.length for d in corpus.documents), UNKNOWN], dtype=np.int64)
        for corpus in (key, response)
    )
    _check_ends(response, key_length[key_document], "response")
    _check_ends(key, response_length[invert_pairing(key_document, len(key.documents))], "key")
    if any(d.is_unnamed for d in response.documents):
        notes.append(PAIRED_BY_POSITION)
    return Pairing(key_document, tuple(notes))


def find_key_documents(key: Corpus, response: Corpus) -> Ints:
    """Return the key document of each response document, or ABSENT.

    Formats without parts write the part into the name: `x_1` is part 1 of `x`, and `x_0` is `x`.
    If both sides have one document, and one of the two has no name, they are paired.
    """
    if len(key.documents) == len(response.documents) == 1 and (
        key.documents[0].is_unnamed or response.documents[0].is_unnamed
    ):
        return np.zeros(1, dtype=np.int64)
    index = _index_by_name(key)
    found = [
        index[d.id]
        if d.id in index
        else next((index[name] for name in (d.name, *_with_part(d)) if name in index), ABSENT)
        for d in response.documents
    ]
    return np.array(found, dtype=np.int64)


@cached
def _index_by_name(key: Corpus) -> dict[Hashable, int]:
    """Return the index of each key document by each of its names; `id` takes precedence."""
    index: dict[Hashable, int] = {}
    for names in (_with_part, lambda d: [d.name], lambda d: [d.id]):
        index.update({name: at for at, d in enumerate(key.documents) for name in names(d)})
    return index


def invert_pairing(key_document: Ints, documents: int) -> Ints:
    """Return the response document of each key document, or ABSENT."""
    found = np.full(documents + 1, ABSENT, dtype=np.int64)
    found[key_document] = np.arange(len(key_document))
    return found[:-1]


def _with_part(document: Document) -> list[Hashable]:
    """Return the name with the part, by default part 0, as formats without parts write it."""
    name, part = document.id if isinstance(document.id, tuple) else (document.id, 0)
    return [] if document.is_unnamed else [f"{name}_{part}"]


def check_paired_once(key: Corpus, response: Corpus, key_document: Ints, side: str) -> Ints:
    """Refuse two documents of a side for one key document; return how often each is paired."""
    times = np.bincount(key_document[key_document != ABSENT], minlength=len(key.documents))
    if np.any(times > 1):
        at = int(np.argmax(times > 1))
        repeated = np.flatnonzero(key_document == at).tolist()
        names = [response.documents[other].name for other in repeated]
        raise DocumentError(
            f"the {side} documents {listed(names)} are both paired with the key document"
            f" {key.documents[at].name}",
            "give each document a name of its own",
        )
    return times


def _check_any_paired(key: Corpus, response: Corpus, times: Ints) -> None:
    """Refuse a response without any document of the key."""
    if key.documents and response.documents and not times.any():
        alike = _alike(*([d.name for d in corpus.documents] for corpus in (key, response)))
        raise DocumentError(
            f"no document of the response is in the key: the key has"
            f" {listed([d.name for d in key.documents])}; the response has"
            f" {listed([d.name for d in response.documents])}",
            alike
            or "documents are paired by name: the text after `#begin document` in CoNLL, `doc_key`"
            " in JSON lines",
        )


def _note_missing(names: Sequence[str], key: Corpus, policy: Policy, alike: str) -> list[str]:
    if not names:
        return []
    lacks = f"the response lacks {len(names)} of {len(key.documents)} documents: {listed(names)}"
    if policy.missing_documents == "error":
        hint = alike or "--missing-documents empty scores them as an empty response"
        raise DocumentError(lacks, hint)
    return [f"{lacks}; scored as an empty response"]


def _note_extra(names: Sequence[str], policy: Policy, alike: str) -> list[str]:
    if not names:
        return []
    has = f"the response has {counted(len(names), 'document')} that the key lacks: {listed(names)}"
    if policy.extra_documents == "error":
        raise DocumentError(has, alike or "--extra-documents ignore leaves them out")
    return [f"{has}; ignored", *([alike] if alike else [])]


def _alike(missing: Sequence[str], extra: Sequence[str]) -> str:
    """Say that documents which are not paired have almost the same names, if they have.

    Names are alike if they differ in case, blanks and Unicode form only, or if one of them is the
    other with a folder or a suffix.
    """
    whole = {_normal_form(name): name for name in missing}
    short = {_normal_form(PurePath(name).stem): name for name in missing}
    pairs = [(name, whole[_normal_form(name)]) for name in extra if _normal_form(name) in whole]
    difference = "in case, blanks or Unicode form"
    if not pairs:
        difference = "in case, folders or suffix"
        for name in extra:
            form, stem = _normal_form(name), _normal_form(PurePath(name).stem)
            other = short.get(form) or whole.get(stem)
            pairs += [(name, other)] if other else []
    if not pairs:
        return ""
    one, other = pairs[0]
    more = f" (and {len(pairs) - 1:,} more)" if len(pairs) > 1 else ""
    return (
        f"the response document {one!r} and the key document {other!r}{more} differ only"
        f" {difference}: documents are paired by name, so give both sides the same names"
    )


def _normal_form(name: str) -> str:
    import unicodedata  # noqa: PLC0415  # only names that differ need it

    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _check_lengths(key: Corpus, response: Corpus, key_document: Ints) -> None:
    """Refuse documents of different lengths: the same span would be different words."""
    pairs = (
        (key.documents[at], document)
        for document, at in zip(response.documents, key_document.tolist(), strict=True)
        if at != ABSENT
    )
    differ = [
        (of_key, of_response)
        for of_key, of_response in pairs
        if of_key.length != of_response.length
        and UNKNOWN not in (of_key.length, of_response.length)
    ]
    if differ:
        of_key, of_response = differ[0]
        more = f"; {len(differ) - 1} more documents differ" if len(differ) > 1 else ""
        raise DocumentError(
            f"document {of_key.name} has {of_key.length} {key.unit}s in the key"
            f" ({of_key.source}:{of_key.line}) but {of_response.length} in the response"
            f" ({of_response.source}:{of_response.line}){more}",
            "both sides must have the same text"
            if key.characters
            else "both sides must have the same tokens, one token per line",
        )


def _check_ends(corpus: Corpus, length: Ints, side: str) -> None:
    """Refuse spans from Python that end after the end of their document on the other side."""
    spans = corpus.as_spans() if corpus.labels is not None else None
    if spans is None or not len(spans):
        return
    limit = length[spans.document]
    beyond = np.flatnonzero((limit != UNKNOWN) & (spans.end >= limit))
    if len(beyond):
        row = int(beyond[0])
        other = "response" if side == "key" else "key"
        raise DocumentError(
            f"document {spans.documents[spans.document[row]].name} has {limit[row]} tokens in the"
            f" {other}, but the {side} has the span {spans.mention(row)}",
            "spans are token positions in the document from 0, end inclusive",
        )
