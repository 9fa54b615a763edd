"""Which completion belongs to which source document: by name, by order, or by content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from scoref.base.phrases import listed
from scoref.corpus.document import Document
from scoref.exceptions import DocumentError
from scoref.llm.completions import Completion
from scoref.llm.pieces import cut

BY_NAME, BY_ORDER, BY_CONTENT = "by name", "by order", "by content"
_SHINGLES = ((4, 3), (2, 2))
"""Lengths of sequences of words, and how many of them a document must share."""

Words = Callable[[str], list[str]]
"""The words of a completion without its markup."""


class MatchedDocuments(NamedTuple):
    """The completions of each source document, and how they were found."""

    completions: dict[int, list[Completion]]
    how: str


def match_documents(
    completions: Sequence[Completion],
    documents: Sequence[Document],
    source_words: Callable[[int], Sequence[str]],
    words_of: Words,
    has_tags: Callable[[str], bool],
) -> MatchedDocuments:
    """Match completions with source documents.

    Names decide if all completions have one that is the name of a document. A text for each
    document, or a line for each document, is matched in order, unless the content says otherwise.
    """
    if len(documents) == 1 and len({one.name for one in completions}) <= 1:
        return MatchedDocuments({0: list(completions)}, BY_ORDER)
    by_name, unknown = _match_names(completions, documents)
    if not unknown:
        return MatchedDocuments(by_name, BY_NAME)
    index = _ShingleIndex(source_words, len(documents))
    if by_name:
        return MatchedDocuments(_match_others(by_name, unknown, index, words_of), BY_NAME)
    if len(completions) == 1 and len(documents) > 1:
        completions = _lines(completions[0])
    if len(completions) == len(documents):
        order = {at: [one] for at, one in enumerate(completions)}
        best = [index.best(words_of(one.text)) for one in completions]
        fits = (
            found == at or (found is None and has_tags(order[at][0].text))
            for at, found in enumerate(best)
        )
        if all(fits):
            return MatchedDocuments(order, BY_ORDER)
    return MatchedDocuments(_match_content(completions, documents, index, words_of), BY_CONTENT)


def _match_names(
    completions: Sequence[Completion], documents: Sequence[Document]
) -> tuple[dict[int, list[Completion]], list[Completion]]:
    """Match completions that have the name of exactly one document; also return the others."""
    index: dict[Hashable, set[int]] = {}
    for at, document in enumerate(documents):
        for name in set(_names_of_document(document)):
            index.setdefault(name, set()).add(at)
    found: dict[int, list[Completion]] = {}
    unknown: list[Completion] = []
    for one in completions:
        names = _names_of_file(one.name)
        places = next((index[name] for name in names if len(index.get(name, ())) == 1), None)
        if places is None:
            unknown.append(one)
        else:
            found.setdefault(min(places), []).append(one)
    return found, unknown


def _match_others(
    found: dict[int, list[Completion]],
    unknown: Sequence[Completion],
    index: _ShingleIndex,
    words_of: Words,
) -> dict[int, list[Completion]]:
    """Match completions whose names no document has by their content, next to those by name."""
    for one in unknown:
        place = index.best(words_of(one.text))
        if place is None or place in found:
            raise DocumentError(
                f"the generated text {one.name or one.source or one.text[:40]!r} belongs to no"
                " document of the source, by name or by content",
                "name each text after its document, or leave out the text",
            )
        found[place] = [one]
    return found


def _names_of_document(document: Document) -> Iterator[str]:
    if document.is_unnamed:
        return
    name, part = document.id if isinstance(document.id, tuple) else (document.id, 0)
    for base in (
        document.name,
        str(name),
        f"{name}_{part}",
        f"{name}/{part}",
        f"{name}_{part:0>3}",
    ):
        yield from _names_of_file(base)


def _names_of_file(name: str) -> Iterator[str]:
    """Yield a name, then its last part, then both without suffixes, in lower case."""
    if name:
        name = name.casefold()
        last = PurePosixPath(name).name
        yield from (name, last, name.replace("/", "_"), last.split(".")[0])


def _lines(completion: Completion) -> list[Completion]:
    """Return the lines of a completion as completions."""
    lines = [line for line in completion.text.splitlines() if line.strip()]
    return [completion._replace(text=line) for line in lines]


def _match_content(
    completions: Sequence[Completion],
    documents: Sequence[Document],
    index: _ShingleIndex,
    words_of: Words,
) -> dict[int, list[Completion]]:
    """Match each completion with the document that shares most words in a row with it.

    A line without any belongs to the document of the line before.
    """
    found: dict[int, list[Completion]] = {}
    latest: int | None = None
    unknown: list[str] = []
    for one in completions:
        place = index.best(words_of(one.text))
        if place is None and not one.name:
            place = latest
        if place is None:
            if words_of(one.text):
                unknown.append(one.name or one.text[:40])
            continue
        latest = place
        found.setdefault(place, []).append(one)
    if not found:
        names = listed([document.name for document in documents])
        raise DocumentError(
            f"no generated text shares its words with a document of the source, which has {names}",
            "is this the right source? name each file after its document",
        )
    return found


class _ShingleIndex:
    """Which document has a sequence of words, for sequences that only one document has."""

    def __init__(self, words: Callable[[int], Sequence[str]], documents: int) -> None:
        self._owner: dict[tuple[str, ...], int] = {}
        for document in range(documents):
            of_document = words(document)
            for size, _ in _SHINGLES:
                for shingle in set(_shingles(of_document, size)):
                    known = self._owner.setdefault(shingle, document)
                    if known != document:
                        self._owner[shingle] = -1

    def best(self, words: Sequence[str]) -> int | None:
        """Return the document that shares most sequences with some words, or None."""
        for size, least in _SHINGLES:
            shingles = _shingles(words, size)
            owners = (self._owner.get(shingle, -1) for shingle in shingles)
            votes = Counter(owner for owner in owners if owner >= 0).most_common(2)
            if votes and votes[0][1] >= least and (len(votes) < 2 or votes[0][1] > votes[1][1]):
                return votes[0][0]
        return None


def _shingles(words: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    keys = [key for word in words for key in cut(word) if key[:1].isalnum()]
    return zip(*(keys[at:] for at in range(size)), strict=False)
