"""Whether both sides have the same words: spans only count them, so another text goes unseen.

Words that differ in their form alone are the same: in case, in Unicode (NFKC), in quotation marks,
in brackets as treebanks escape them (`-LRB-`), in dashes. A word of underscores, or of nothing, is
not known. All else is another word. Real pairs of files have a few of these, where one side had a
misprint corrected; only more than one in a thousand make another text, unless all are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import Document
from scoref.exceptions import DocumentError, ScorefError, UsageError
from scoref.formats.format import IF_CHEAP
from scoref.formats.io.sources import open_source, sources
from scoref.formats.io.text import read_bytes
from scoref.overlap.table import NOWHERE

Checks = Literal["auto", "always", "note", "never"]
"""When words are compared: where they are read anyway, or always; and what then happens."""

CHECKS: tuple[Checks, ...] = get_args(Checks)
AUTO: Checks = "auto"
ALWAYS: Checks = "always"
NOTE: Checks = "note"
NEVER: Checks = "never"

NOT_COMPARED = "words are not compared: one of the sides has none"

_BRACKETS = ("LRB (", "RRB )", "LSB [", "RSB ]", "LCB {", "RCB }")
_ESCAPES = {f"-{name}-".casefold(): bracket for name, bracket in map(str.split, _BRACKETS)}
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("`\u00b4\u2018\u2019\u201a\u2039\u203a", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\\": "",
        "\u00ad": "",
    }
)


_MISPRINTS = 1000
"""One other word in so many can be a correction."""


class Difference(NamedTuple):
    """The first token of a document whose word is not the same on both sides.

    `times` is how many there are in all documents, and `is_text` says whether they are so many
    that the text is another one.
    """

    ours: Document
    theirs: Document
    token: int
    words: tuple[list[str], list[str]]
    times: int
    is_text: bool

    def __str__(self) -> str:
        key, response = (words[self.token] for words in self.words)
        return (
            f"{_place(self.theirs, self.words[1], self.token)}: found `{response}` as token"
            f" {self.token} of document {self.theirs.name}, expected `{key}` as in"
            f" {_place(self.ours, self.words[0], self.token)}"
        )


def check_how(how: Checks) -> None:
    """Refuse a value of `check_words` that does not exist."""
    if how not in CHECKS:
        raise UsageError(f"check_words is {how!r}, but must be one of: {', '.join(CHECKS)}")


def columns_to_check(how: Checks, *, read: bool) -> frozenset[str]:
    """Return the columns that comparing words needs; `read` says whether words are read anyway."""
    if how == NEVER:
        return frozenset()
    return frozenset({"word"} if read or how != AUTO else {IF_CHEAP})


def check_words(key: Corpus, response: Corpus, key_document: Ints, how: Checks) -> list[str]:
    """Refuse sides whose words differ, or only say so; nothing to do where one has no words.

    `key_document` is the key document of each response document, or NOWHERE.
    """
    if how == NEVER or not (_has_words(key) and _has_words(response)):
        if how in (ALWAYS, NOTE):
            return [NOT_COMPARED]
        return []
    other_form: list[tuple[str, str]] = []
    first: Difference | None = None
    for number, at in enumerate(key_document.tolist()):
        ours, theirs = ([], []) if at == NOWHERE else (_words(key, at), _words(response, number))
        compared = min(len(ours), len(theirs))
        ours, theirs = ours[:compared], theirs[:compared]
        if ours == theirs:
            continue
        pairs = [
            (token, one, other)
            for token, (one, other) in enumerate(zip(ours, theirs, strict=False))
            if one != other and one.strip("_") and other.strip("_")
        ]
        wrong = [token for token, *words in pairs if not same_word(*words)]
        other_form += [(a, b) for _, a, b in pairs if same_word(a, b)]
        if wrong:
            within = _within_mentions(key, at, wrong)
            is_text = len(within) * _MISPRINTS > compared
            documents = (key.documents[at], response.documents[number])
            place = within[0] if is_text and how == AUTO else wrong[0]
            found = Difference(*documents, place, (ours, theirs), len(wrong), is_text)
            shown = first if first and (first.is_text or not is_text) else found
            first = shown._replace(times=len(wrong) + (first.times if first else 0))
    if first is not None:
        return [_other_words(first, how)]
    return _other_forms(other_form)


def _within_mentions(key: Corpus, document: int, tokens: Sequence[int]) -> list[int]:
    """Return the tokens that are in a mention of the key: there, another word is another match."""
    rows = key.document == document
    start, end = key.start[rows], key.end[rows]
    return [token for token in tokens if np.any((start <= token) & (token <= end))]


def _other_words(first: Difference, how: Checks) -> str:
    if how == NOTE or (how == AUTO and not first.is_text):
        return f"{_differ(first.times, 'word')}: {first}"
    more = f"; {_differ(first.times - 1, 'more word')}" if first.times > 1 else ""
    raise DocumentError(
        f"{first}{more}",
        "both sides must have the same words; --check-words note scores them all the same",
    )


def _other_forms(pairs: Sequence[tuple[str, str]]) -> list[str]:
    if not pairs:
        return []
    key, response = pairs[0]
    shown = f"`{key}` in the key, `{response}` in the response"
    return [f"{_differ(len(pairs), 'word')} in form alone, such as {shown}"]


def _differ(number: int, what: str) -> str:
    return f"{counted(number, what)} {'differs' if number == 1 else 'differ'}"


def same_word(one: str, other: str) -> bool:
    """Whether two words differ in their form alone."""
    return plain(one) == plain(other)


def plain(word: str) -> str:
    """Return what a word has in common with its other forms."""
    import unicodedata  # noqa: PLC0415  # only words that differ need it

    word = unicodedata.normalize("NFKC", word).casefold()
    word = _ESCAPES.get(word, word).translate(_QUOTES).replace("''", '"')
    return word.replace("--", "-")


def _has_words(corpus: Corpus) -> bool:
    return bool(corpus.glimpse) or (corpus.text is not None and "word" in corpus.text)


def _words(corpus: Corpus, document: int) -> list[str]:
    """Return the words of a document, or the first of them."""
    if corpus.text is None or "word" not in corpus.text:
        return list(corpus.glimpse[document])
    first = corpus.text.first
    return list(corpus.text.columns["word"][int(first[document]) : int(first[document + 1])])


def _place(document: Document, words: Sequence[str], token: int) -> str:
    """Return file and line of a token, as far as they can be found again."""
    if not document.source:
        return f"document {document.name}"
    line = _line(document, words, token) if document.line else 0
    return f"{document.source}:{line}" if line else document.source


def _line(document: Document, words: Sequence[str], token: int) -> int:
    """Find the line of a token in a file that has one token a line, else that of its document."""
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
