"""Check that both sides have the same words: a score does not show that the texts differ.

Two words are the same if they differ only in form: in case, Unicode (NFKC), quotation marks,
dashes, or brackets as treebanks escape them (`-LRB-`). A word of underscores, or an empty word, is
unknown. Real pairs of files have a few different words, since misprints are corrected on one side.
By default, a text is different if more than one word in a thousand differs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.exceptions import ScorefError, TextError
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import read_bytes
from scoref.metrics.table import NOWHERE

Checks = Literal["auto", "always", "note", "never"]
"""When words are compared (if they are read anyway, or always), and whether they are refused."""

CHECKS: tuple[Checks, ...] = get_args(Checks)
AUTO: Checks = "auto"
ALWAYS: Checks = "always"
NOTE: Checks = "note"
NEVER: Checks = "never"

_HINT = "both sides must have the same words; --check-words note scores them nevertheless"
_NOT_UTF8 = re.compile(r"\\x[89a-f][0-9a-f]")
NOT_COMPARED = "words were not compared: a side has no words"

_WORDS_PER_MISPRINT = 1000
"""One different word in this many words can be a corrected misprint."""


class Difference(NamedTuple):
    """The first token whose words differ, with its document and all words on both sides.

    `times` is the number of such tokens in all documents. `is_text` says whether they are too many
    for misprints.
    """

    key: Document
    response: Document
    token: int
    words: tuple[list[str], list[str]]
    times: int
    is_text: bool

    def __str__(self) -> str:
        key, response = (words[self.token] for words in self.words)
        return (
            f"{_place(self.response, self.words[1], self.token)}: found `{response}` as token"
            f" {self.token} of document {self.response.name}, expected `{key}` as in"
            f" {_place(self.key, self.words[0], self.token)}"
        )


def check_words(key: Corpus, response: Corpus, key_document: Ints, how: Checks) -> list[str]:
    """Compare the words of both sides; return notes on differences, or refuse them.

    `key_document` is the key document of each response document, or NOWHERE.
    """
    if how == NEVER or not (_has_words(key) and _has_words(response)):
        return [NOT_COMPARED] if how in (ALWAYS, NOTE) else []
    other_forms: list[tuple[str, str]] = []
    first: Difference | None = None
    coverage: _Coverage | None = None
    for number, at in enumerate(key_document.tolist()):
        both = ([], []) if at == NOWHERE else (_words(key, at), _words(response, number))
        compared = min(map(len, both))
        one, other = both[0][:compared], both[1][:compared]
        if one == other:
            continue
        from scoref.corpus.word_forms import same_word  # noqa: PLC0415  # usually all are equal

        wrong = []
        for token, pair in enumerate(zip(one, other, strict=True)):
            if pair[0] != pair[1] and all(word.strip("_") for word in pair):
                if same_word(*pair):
                    other_forms.append(pair)
                else:
                    wrong.append(token)
        if wrong:
            coverage = coverage or _Coverage.of(key)
            within = coverage.inside(at, wrong)
            is_text = len(within) * _WORDS_PER_MISPRINT > compared
            documents = (key.documents[at], response.documents[number])
            place = within[0] if is_text and how == AUTO else wrong[0]
            found = Difference(*documents, place, (one, other), len(wrong), is_text)
            shown = first if first and (first.is_text or not is_text) else found
            first = shown._replace(times=len(wrong) + (first.times if first else 0))
    return _note_forms(other_forms) if first is None else [_note_words(first, how)]


class _Coverage(NamedTuple):
    """The mentions of a key by start: `end` is the largest end of all mentions up to each.

    Both are numbers of tokens over all documents, of which each takes `width`.
    """

    start: Ints
    end: Ints
    width: int

    @classmethod
    def of(cls, key: Corpus) -> _Coverage:
        width = int(key.end.max(initial=0)) + 2
        start, end = (key.document * width + np.maximum(one, 0) for one in (key.start, key.end))
        order = np.argsort(start)
        return cls(start[order], np.maximum.accumulate(end[order]), width)

    def inside(self, document: int, tokens: Sequence[int]) -> list[int]:
        """Return the tokens inside mentions, where a different word may change a match."""
        place = document * self.width + np.minimum(tokens, self.width - 1)
        at = np.searchsorted(self.start, place, side="right")
        covered = np.append(NOWHERE, self.end)[at] >= place
        return [token for token, one in zip(tokens, covered.tolist(), strict=True) if one]


def _note_words(first: Difference, how: Checks) -> str:
    if how == NOTE or (how == AUTO and not first.is_text):
        return f"{_differ(first.times, 'word')}: {first}"
    more = f"; {_differ(first.times - 1, 'more word')}" if first.times > 1 else ""
    pair = [words[first.token] for words in first.words]
    raise TextError(f"{first}{more}", _encoding_hint(*pair) or _HINT)


def _encoding_hint(key: str, response: str) -> str:
    r"""Return what helps if one side was read in the wrong encoding, or nothing.

    A byte that is not UTF-8 is shown as `\xe9`. UTF-8 that is read as Latin-1 has two or more
    characters for one: `Ã©`.
    """
    for side, word, other in (("key", key, response), ("response", response, key)):
        if _NOT_UTF8.search(word) and not _NOT_UTF8.search(other):
            flag = f"--{side}-encoding latin-1"
            return f"the {side} is not UTF-8: convert it, or name its encoding, such as {flag}"
        if any(word == _misread(other, encoding) for encoding in ("latin-1", "cp1252")):
            return f"the {side} is UTF-8, but was read in another encoding: leave --encoding out"
    return ""


def _misread(word: str, encoding: str) -> str:
    """Return a word whose UTF-8 was read in another encoding."""
    return "" if word.isascii() else word.encode().decode(encoding, "replace")


def _note_forms(pairs: Sequence[tuple[str, str]]) -> list[str]:
    if not pairs:
        return []
    key, response = pairs[0]
    shown = f"`{key}` in the key, `{response}` in the response"
    return [f"{_differ(len(pairs), 'word')} only in form, such as {shown}"]


def _differ(number: int, what: str) -> str:
    return f"{counted(number, what)} {'differs' if number == 1 else 'differ'}"


def _has_words(corpus: Corpus) -> bool:
    return bool(corpus.glimpse) or (corpus.text is not None and "word" in corpus.text)


def _words(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document, or its first words if only those were read."""
    if corpus.text is None or "word" not in corpus.text:
        return list(corpus.glimpse[document])
    first = corpus.text.first
    return list(corpus.text.columns["word"][int(first[document]) : int(first[document + 1])])


def _place(document: Document, words: Sequence[str], token: int) -> str:
    """Return the file and the line of a token, or its document, as far as they are known."""
    if not document.source:
        return f"document {document.name}"
    line = _line(document, words, token) if document.line else 0
    return f"{document.source}:{line}" if line else document.source


def _line(document: Document, words: Sequence[str], token: int) -> int:
    """Find the line of a token in a file with one token per line, else the line of its document."""
    try:
        (source,) = sources(document.source)
        if source.path is None:
            return document.line
        with open_source(source) as stream:
            lines = read_bytes(stream).decode(errors="backslashreplace").split("\n")
    except (ScorefError, ValueError):
        return document.line
    at = document.line - 1
    for word in words[: token + 1]:
        at += 1
        while at < len(lines) and (lines[at].startswith("#") or word not in _cells(lines[at])):
            at += 1
    return at + 1 if at < len(lines) else document.line


def _cells(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()
