"""Pairing of response documents with key documents, by name and part."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted, listed
from scoref.corpus.cache import cached
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN, Document, text_of_chunk
from scoref.exceptions import DocumentError, TextError
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy


class Pairing(NamedTuple):
    """The key document of each response document, or NOWHERE, and the notes for the user."""

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
        if np.any(document == NOWHERE):
            response = response.where(document != NOWHERE)
            document = document[document != NOWHERE]
        return cls(key, response, document)


def pair_documents(key: Corpus, response: Corpus, policy: Policy) -> Pairing:
    """Pair the documents of two corpora by name and part, and check that their lengths agree."""
    key_document = find_key_documents(key, response)
    times = check_paired_once(key, response, key_document, "response")
    _check_any_paired(key, response, times)
    missing = [key.documents[at].name for at in np.flatnonzero(times == 0).tolist()]
    extra = [response.documents[at].name for at in np.flatnonzero(key_document == NOWHERE).tolist()]
    alike = _alike(missing, extra)
    notes = [*_note_missing(missing, key, policy, alike), *_note_extra(extra, policy, alike)]
    _check_lengths(key, response, key_document)
    key_length, response_length = (
        np.array([*(d.length for d in corpus.documents), UNKNOWN], dtype=np.int64)
        for corpus in (key, response)
    )
    response_document = invert_pairing(key_document, len(key.documents))
    for corpus, length, side in (
        (response, key_length[key_document], "response"),
        (key, response_length[response_document], "key"),
    ):
        if corpus.labels is not None:  # the positions of a file may be explained by a near miss
            check_ends(corpus, length, side)
    if _unnamed_are_paired(key, response):
        notes.append("documents without a name are paired by their position in the file")
    elif (
        _are_single(key, response)
        and not key.documents[0].is_unnamed
        and _by_name(key, response)[0] == NOWHERE
    ):
        one, other = key.documents[0].name, response.documents[0].name
        notes.append(
            f"the only document of the response, {other!r}, is paired with the only document of the"
            f" key, {one!r}, because both have {key.documents[0].length:,} tokens"
        )
    return Pairing(key_document, tuple(notes))


def _unnamed_are_paired(key: Corpus, response: Corpus) -> bool:
    """Whether documents without a name could have another partner: two tables of records cannot."""
    if len(key.documents) > 1:
        return any(d.is_unnamed for d in (*key.documents, *response.documents))
    only = any(d.is_unnamed for d in key.documents) and len(response.documents) == 1
    return not only and any(d.is_unnamed for d in response.documents)


def find_key_documents(key: Corpus, response: Corpus) -> Ints:
    """Return the key document of each response document, or NOWHERE.

    Formats without parts write the part into the name: `x_1` is part 1 of `x`, and `x_0` is `x`.
    If no document of one side has a name, and both have the same number, they are paired by their
    order. The only documents of both sides are paired by any names if they have as many tokens:
    files with a whole corpus as one document call it differently.
    """
    if _are_by_order(key, response) or _are_single(key, response):
        return np.arange(len(response.documents))
    return _by_name(key, response)


def _by_name(key: Corpus, response: Corpus) -> Ints:
    """Return the key document with the name of each response document, or NOWHERE."""
    index = _index_by_name(key)
    found = [
        index[d.id]
        if d.id in index
        else next((index[name] for name in (d.name, *_with_part(d)) if name in index), NOWHERE)
        for d in response.documents
    ]
    return np.array(found, dtype=np.int64)


def _are_by_order(key: Corpus, response: Corpus) -> bool:
    """Whether documents are paired by their order, since those of a side have no names."""
    both = key.documents, response.documents
    return len(both[0]) == len(both[1]) and any(all(d.is_unnamed for d in one) for one in both)


def _are_single(key: Corpus, response: Corpus) -> bool:
    """Whether both sides have one document, and as many tokens."""
    if not len(key.documents) == len(response.documents) == 1:
        return False
    return UNKNOWN != key.documents[0].length == response.documents[0].length


@cached
def _index_by_name(key: Corpus) -> dict[Hashable, int]:
    """Return the index of each key document by each of its names; `id` takes precedence."""
    index: dict[Hashable, int] = {}
    for names in (_with_part, lambda d: [d.name], lambda d: [d.id]):
        index.update({name: at for at, d in enumerate(key.documents) for name in names(d)})
    return index


def invert_pairing(key_document: Ints, documents: int) -> Ints:
    """Return the response document of each key document, or NOWHERE."""
    found = np.full(documents + 1, NOWHERE, dtype=np.int64)
    found[key_document] = np.arange(len(key_document))
    return found[:-1]


def _with_part(document: Document) -> list[Hashable]:
    """Return the name with the part, by default part 0, as formats without parts write it."""
    name, part = document.id if isinstance(document.id, tuple) else (document.id, 0)
    return [] if document.is_unnamed else [f"{name}_{part}"]


def check_paired_once(key: Corpus, response: Corpus, key_document: Ints, side: str) -> Ints:
    """Refuse two documents of a side for one key document; return how often each is paired."""
    times = np.bincount(key_document[key_document != NOWHERE], minlength=len(key.documents))
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
        lengths = [d.length for corpus in (key, response) for d in corpus.documents]
        by_length = ""
        if len(key.documents) == len(response.documents) == 1 and UNKNOWN not in lengths:
            by_length = (
                "; the only documents of both sides are paired if they have as many tokens, found"
                " {:,} and {:,}".format(*lengths)
            )
        raise DocumentError(
            f"no document of the response is in the key: the key has"
            f" {listed([d.name for d in key.documents])}; the response has"
            f" {listed([d.name for d in response.documents])}",
            alike
            or "documents are paired by name: the text after `#begin document` in CoNLL, `doc_key`"
            f" in JSON lines{by_length}",
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


def rename_similar_documents(key: Corpus, response: Corpus) -> Corpus:
    """Give response documents without a partner the names of similar key documents, with a note.

    A document that is similar to several others stays as it is, and so do these.
    """
    found = find_key_documents(key, response)
    taken = set(found.tolist())
    missing = {d.name: d for at, d in enumerate(key.documents) if at not in taken}
    extra = {d.name: d for d, at in zip(response.documents, found, strict=True) if at == NOWHERE}
    similar: dict[str, str] = {}
    while pairs := _similar(
        [name for name in missing if name not in similar.values()],
        [name for name in extra if name not in similar],
    ).pairs:
        similar.update(pairs)
    if not similar:
        return response
    documents = tuple(
        d
        if d.name not in similar
        else d._replace(id=missing[similar[d.name]].id, name=missing[similar[d.name]].name)
        for d in response.documents
    )
    one, other = next(iter(similar.items()))
    note = (
        f"paired {counted(len(similar), 'document')} of similar names, such as {one!r} of the"
        f" response with {other!r} of the key"
    )
    return replace(response, documents=documents, notes=(*response.notes, note))


class _Similar(NamedTuple):
    """Names that are almost the same, of the response and of the key, and their difference."""

    pairs: list[tuple[str, str]]
    difference: str


def _similar(missing: Sequence[str], extra: Sequence[str]) -> _Similar:
    """Find names that differ in case, blanks and Unicode form only, or by something around them.

    That is a folder, a suffix, or what all names of one side have before and after the other name.
    """
    if pairs := _one_to_one(missing, extra, [_normal_form], [_normal_form]):
        return _Similar(pairs, "in case, blanks or Unicode form")
    stems = [_normal_form, _stem], [_stem, _normal_form]
    if pairs := _one_to_one(missing, extra, *stems):
        return _Similar(pairs, "in case, folders or suffix")
    pairs = _one_to_one(missing, extra, [_core(missing)], [_core(extra)])
    if len(pairs) == len(missing) == len(extra) > 1 and all(
        _normal_form(one) in _normal_form(other) or _normal_form(other) in _normal_form(one)
        for one, other in pairs
    ):
        return _Similar(pairs, "in a prefix or suffix that all names of a side have")
    return _Similar([], "")


def _one_to_one(
    missing: Sequence[str],
    extra: Sequence[str],
    key_forms: Sequence[Callable[[str], str]],
    response_forms: Sequence[Callable[[str], str]],
) -> list[tuple[str, str]]:
    """Pair names that share a form at the same place, unless one shares it with several."""
    found: dict[str, set[str]] = {name: set() for name in extra}
    for of_key, of_response in zip(key_forms, response_forms, strict=True):
        by_form: dict[str, set[str]] = defaultdict(set)
        for name in missing:
            by_form[of_key(name)].add(name)
        for name, others in found.items():
            others.update(by_form.get(of_response(name), ()))
    times = Counter(other for others in found.values() for other in others)
    return [
        (name, other)
        for name, others in found.items()
        if len(others) == 1 and times[other := next(iter(others))] == 1
    ]


def _core(names: Sequence[str]) -> Callable[[str], str]:
    """Return a function that removes the prefix and the suffix that all names share.

    Digits are part of no prefix or suffix: `doc10` and `doc11` share `doc`.
    """
    forms = [_normal_form(name) for name in names]
    prefix = _common_prefix(forms)
    suffix = _common_prefix([form[len(prefix) :][::-1] for form in forms])
    return lambda name: _normal_form(name)[len(prefix) :].removesuffix(suffix[::-1])


def _common_prefix(names: Sequence[str]) -> str:
    one, other = min(names, default=""), max(names, default="")
    differ = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return one[: next(differ, len(one))].rstrip("0123456789")


def _alike(missing: Sequence[str], extra: Sequence[str]) -> str:
    """Say that documents which are not paired have almost the same names, if they have."""
    chunks = [name for name in extra if text_of_chunk(name) in missing]
    if len(chunks) > 1:
        return f"join chunks of documents, such as {listed(chunks)}, with `scoref stitch` first"
    pairs, difference = _similar(missing, extra)
    if not pairs:
        return ""
    one, other = pairs[0]
    more = f" (and {len(pairs) - 1:,} more)" if len(pairs) > 1 else ""
    return (
        f"the response document {one!r} and the key document {other!r}{more} differ only"
        f" {difference}: give both sides the same names, or pair them with --pair-documents similar"
    )


def _stem(name: str) -> str:
    return _normal_form(PurePath(name).stem)


def _normal_form(name: str) -> str:
    import unicodedata  # noqa: PLC0415  # only names that differ need it

    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _check_lengths(key: Corpus, response: Corpus, key_document: Ints) -> None:
    """Refuse documents of different lengths: the same span would be different words."""
    pairs = (
        (key.documents[at], document)
        for document, at in zip(response.documents, key_document.tolist(), strict=True)
        if at != NOWHERE
    )
    differ = [
        (of_key, of_response)
        for of_key, of_response in pairs
        if of_key.length != of_response.length
        and UNKNOWN not in (of_key.length, of_response.length)
    ]
    if differ:
        of_key, of_response = differ[0]
        others = len(differ) - 1
        more = f"; {others} more {'document differs' if others == 1 else 'documents differ'}"
        more = more if others else ""
        raise TextError(
            f"document {of_key.name} has {of_key.length} {key.unit}s in the key"
            f" ({of_key.source}:{of_key.line}) but {of_response.length} in the response"
            f" ({of_response.source}:{of_response.line}){more}",
            "both sides must have the same text"
            if key.characters
            else "both sides must have the same tokens, one token per line",
        )


def check_ends(corpus: Corpus, length: Ints, side: str) -> None:
    """Refuse spans that end after the end of their document on the other side."""
    spans = corpus.as_spans()
    if spans is None or not len(spans):
        return
    limit = length[spans.document]
    beyond = np.flatnonzero((limit != UNKNOWN) & (spans.end >= limit))
    if len(beyond):
        row = int(beyond[0])
        other = "response" if side == "key" else "key"
        raise TextError(
            f"document {spans.documents[spans.document[row]].name} has {limit[row]} tokens in the"
            f" {other}, but the {side} has the span {spans.mention(row)}",
            "spans are token positions in the document from 0, end inclusive",
        )
