"""Positions of a response that counts otherwise than the key: `Policy.positions` converts them.

A conversion turns each span of the response into a span of tokens of the key: by adding a number,
or by the words of the key. It is applied only if the policy names it. `near_misses` tries all of
them on a response that hardly matches, and suggests one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Bools, Ints, expand_ranges
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Links, SpanLabels, Spans
from scoref.corpus.text import Text
from scoref.exceptions import DocumentError, MentionError, UsageError
from scoref.matching.document_pairing import find_key_documents
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy, capabilities

SAME = "same"
OWN_TOKENS = "own-tokens"
SENTENCE_RELATIVE = "sentence-relative"

_AROUND = 20
_WORD = frozenset({"word"})


class Converted(NamedTuple):
    """Spans in tokens of the key. Those that are not `possible` have no meaning.

    `widened` marks the spans that cut through tokens or blanks and now have whole tokens.
    """

    start: Ints
    end: Ints
    possible: Bools
    widened: Bools


Converter = Callable[[Ints, Ints, Ints], Converted]
"""Converts the documents of the response, starts and ends."""


class Conversion(NamedTuple):
    """A way to count positions: when it would fit, what that means, and how it is converted.

    `columns` says which sides must have words. `make` prepares a converter for both sides, given
    the key document of each response document.
    """

    condition: str
    meaning: str
    make: Callable[[Corpus, Corpus, Ints], Converter]
    columns: Collection[str] = ()


def _shift(by_start: int, by_end: int) -> Callable[[Corpus, Corpus, Ints], Converter]:
    def convert(_: Ints, start: Ints, end: Ints) -> Converted:
        start, end = start + by_start, end + by_end
        possible = (start >= 0) & (end >= start)
        return Converted(start, end, possible, np.zeros(len(start), dtype=bool))

    return lambda *_: convert


class _CharacterGrid(NamedTuple):
    """The characters of a text: `begin` is the first character of each token, over all documents.

    `size` is the number of characters of each token, without a blank that may follow it.
    """

    first: Ints
    begin: Ints
    size: Ints

    @classmethod
    def of(cls, text: Text, sizes: Sequence[int], blank: int) -> _CharacterGrid:
        size = np.array(sizes, dtype=np.int64)
        return cls(text.first, np.concatenate([[0], np.cumsum(size + blank)]), size)

    def convert(self, place: Ints, start: Ints, last: Ints) -> Converted:
        """Convert spans of characters of some documents, `last` inclusive, to spans of tokens."""
        low, high = self.first[place], self.first[place + 1]
        origin, limit = self.begin[low], self.begin[high]
        inside = (start >= 0) & (last >= start) & (origin + last < limit)
        one = self._token(origin + start, inside)
        other = self._token(origin + last, inside)
        size = np.append(self.size, 0)
        offset = origin + start - self.begin[one]
        in_blank = offset >= size[one]
        first_token = one + in_blank  # a blank belongs to no token: the next one begins the span
        rest = origin + last - self.begin[other] - (size[other] - 1)
        possible = inside & (first_token <= other)
        widened = possible & ((offset != 0) | (rest != 0))
        return Converted(first_token - low, other - low, possible, widened)

    def _token(self, character: Ints, inside: Bools) -> Ints:
        at = np.searchsorted(self.begin, np.where(inside, character, 0), side="right") - 1
        return np.asarray(np.minimum(at, max(len(self.size) - 1, 0)), dtype=np.int64)


def _characters(exclusive: int) -> Callable[[Corpus, Corpus, Ints], Converter]:
    """Characters of the key's words, which are separated by one blank or line end."""

    def make(key: Corpus, _: Corpus, key_document: Ints) -> Converter:
        text = _text(key, "key")
        grid = _CharacterGrid.of(text, [len(word) for word in text.columns["word"]], 1)

        def convert(document: Ints, start: Ints, end: Ints) -> Converted:
            return grid.convert(key_document[document], start, end - exclusive)

        return convert

    return make


def _sentences(key: Corpus, _: Corpus, key_document: Ints) -> Converter:
    """Not a span of two numbers: `_with_sentences` has added the sentence as its own column."""
    text = _text(key, "key")
    sentence = np.append(np.flatnonzero(text.starts_sentence), len(text))
    first = np.searchsorted(sentence, text.first)

    def convert(document: Ints, start: Ints, end: Ints) -> Converted:
        place = key_document[document]
        number, start = np.divmod(start, _SENTENCE)
        at = np.minimum(first[place] + number, len(sentence) - 1)
        following = sentence[np.minimum(at + 1, len(sentence) - 1)]
        length = following - sentence[at]
        possible = (first[place] + number < first[place + 1]) & (start <= end) & (end < length)
        origin = sentence[at] - text.first[place]
        return Converted(origin + start, origin + end, possible, np.zeros(len(start), dtype=bool))

    return convert


_SENTENCE = 1 << 31
"""The start of a span that states its sentence has the number of the sentence times this."""


def _own_tokens(key: Corpus, response: Corpus, key_document: Ints) -> Converter:
    """Tokens of the response's own words, which have the same characters as those of the key."""
    from scoref.corpus.word_forms import normal_characters  # noqa: PLC0415  # few ask for it

    texts = _text(key, "key"), _text(response, "response")
    forms = [[normal_characters(word) or word for word in text.columns["word"]] for text in texts]
    for number, place in enumerate(key_document.tolist()):
        if place != NOWHERE:
            one, other = (
                "".join(found[int(text.first[at]) : int(text.first[at + 1])])
                for found, text, at in zip(forms, texts, (place, number), strict=True)
            )
            _check_characters(one, other, response.documents[number].name)
    of_key, of_response = (
        _CharacterGrid.of(text, [len(form) for form in found], 0)
        for text, found in zip(texts, forms, strict=True)
    )
    length = np.diff(texts[1].first)

    def convert(document: Ints, start: Ints, end: Ints) -> Converted:
        inside = (start >= 0) & (end < length[document])
        low = of_response.first[document]
        origin = of_response.begin[low]
        begin = of_response.begin[low + np.where(inside, start, 0)] - origin
        last = of_response.begin[low + np.where(inside, end, -1) + 1] - origin - 1
        found = of_key.convert(key_document[document], begin, last)
        return found._replace(possible=found.possible & inside)

    return convert


def _check_characters(key: str, response: str, name: str) -> None:
    """Refuse a document whose characters differ, and show the first difference."""
    if key == response:
        return
    shorter = min(len(key), len(response))
    at = next((i for i in range(shorter) if key[i] != response[i]), shorter)
    low = max(at - _AROUND, 0)
    one, other = (f"{text[low : at + _AROUND]!r}" for text in (key, response))
    raise DocumentError(
        f"document {name} has other characters in the response than in the key: found {other},"
        f" expected {one} (without blanks, from character {low}; the first difference is at"
        f" character {at})",
        f"--positions {OWN_TOKENS} requires the same text on both sides",
    )


def _text(corpus: Corpus, side: str) -> Text:
    if corpus.text is None or "word" not in corpus.text:
        raise UsageError(
            f"the {side} has no words, which are required to convert positions",
            f"use a {side} in a format with words, or correct the positions in the response",
        )
    return corpus.text


CONVERSIONS = {
    "exclusive-ends": Conversion(
        "their ends were smaller by 1", "the response's ends look exclusive", _shift(0, -1)
    ),
    "inclusive-ends": Conversion(
        "their ends were larger by 1", "the key's ends look exclusive", _shift(0, 1)
    ),
    "from-1": Conversion(
        "their starts and ends were smaller by 1",
        "the response seems to count tokens from 1, but positions count from 0",
        _shift(-1, -1),
    ),
    "from-0": Conversion(
        "their starts and ends were larger by 1",
        "the key seems to count tokens from 1, but positions count from 0",
        _shift(1, 1),
    ),
    "from-1-exclusive": Conversion(
        "their starts were smaller by 1 and their ends by 2",
        "the response seems to count tokens from 1, with exclusive ends",
        _shift(-1, -2),
    ),
    "characters": Conversion(
        "they counted characters, with exclusive ends",
        "the response seems to count characters of the words separated by blanks",
        _characters(1),
        _WORD,
    ),
    "characters-inclusive": Conversion(
        "they counted characters, with inclusive ends",
        "the response seems to count characters of the words separated by blanks",
        _characters(0),
        _WORD,
    ),
    SENTENCE_RELATIVE: Conversion(
        "they were (sentence, start, end)",
        "the response seems to count tokens in each sentence",
        _sentences,
        _WORD,
    ),
    OWN_TOKENS: Conversion(
        "they were carried to the tokens of the key through the characters of the text",
        "the response has other tokens of the same characters",
        _own_tokens,
        _WORD,
    ),
}
"""The conversions by their names in a policy."""


def convert_positions(key: Corpus, response: Corpus, policy: Policy) -> Corpus:
    """Convert the spans of the response as the policy says, with a note, or refuse them."""
    if policy.positions == SAME:
        return response
    feature = capabilities.OWN_TOKENS if policy.positions == OWN_TOKENS else capabilities.POSITIONS
    capabilities.require(policy, feature, f"--positions {policy.positions}")
    return _convert(key, response, find_key_documents(key, response), policy.positions)


def _convert(key: Corpus, response: Corpus, key_document: Ints, name: str) -> Corpus:
    conversion = CONVERSIONS[name]
    spans = as_positions(response, name)
    if spans is None:
        raise MentionError(_no_spans(response, name), _SPANS[name == SENTENCE_RELATIVE])
    convert = conversion.make(key, response, key_document)
    paired = key_document != NOWHERE
    mentions, nodes, widened = _converted(
        Spans(spans.document, spans.start, spans.end, spans.attributes.get("nodes")),
        convert,
        paired,
        name,
        response,
    )
    attributes = dict(response.attributes)
    if nodes is not None:
        attributes["nodes"] = nodes
    for part in ("head", "min"):
        if f"{part}_start" in attributes:
            ends = f"{part}_start", f"{part}_end"
            known = (attributes[ends[0]] >= 0) & paired[spans.document]
            at = np.flatnonzero(known)
            found = convert(spans.document[at], *(attributes[end][at] for end in ends))
            for end, values in zip(ends, found[:2], strict=True):
                attributes[end] = attributes[end].copy()
                attributes[end][at] = np.where(found.possible, values, -1)

    def moved(spans: Spans) -> Spans:
        return _converted(spans, convert, paired, name, response)[0]

    links, others = response.bridging, response.non_referring
    plain = response.labels is None
    columns: dict[str, Any] = {
        "attributes": attributes,
        "start": mentions.start if plain else response.start,
        "end": mentions.end if plain else response.end,
        "labels": None if plain else SpanLabels(mentions.start, mentions.end),
        "bridging": None if links is None else Links(*map(moved, links)),
        "non_referring": None if others is None else moved(others),
        "notes": (*response.notes, _note(name, len(mentions.start), widened)),
    }
    if conversion.columns:
        lengths = [d.length for d in key.documents]
        columns["documents"] = tuple(
            document._replace(length=lengths[place]) if place != NOWHERE else document
            for document, place in zip(response.documents, key_document.tolist(), strict=True)
        )
        columns["text"], columns["glimpse"] = None, ()  # the words of both sides are the key's
    return replace(response, **columns)


def as_positions(response: Corpus, name: str) -> Corpus | None:
    """Return the response with the numbers that a conversion takes, or None if it has others."""
    if name != SENTENCE_RELATIVE:
        return response.as_spans()
    labels = response.labels
    if labels is None or (isinstance(labels, SpanLabels) and len(labels)):
        return None
    if not all(_is_sentence_span(label) for label in labels):
        return None
    numbers = np.array(list(labels), dtype=np.int64).reshape(-1, 3)
    start = numbers[:, 0] * _SENTENCE + numbers[:, 1]
    return replace(response, start=start, end=numbers[:, 2].copy(), labels=None)


def _is_sentence_span(label: Any) -> bool:
    return (
        isinstance(label, tuple)
        and len(label) == 3
        and all(isinstance(n, int | np.integer) and 0 <= n < _SENTENCE for n in label)
    )


_SPANS = (
    "pass mentions as (start, end)",
    "pass mentions as (sentence, start, end), all counted from 0, with inclusive ends",
)


def _no_spans(response: Corpus, name: str) -> str:
    shown = response.mention(0) if len(response) else ()
    return f"--positions {name} cannot convert mentions of the response such as {shown!r}"


def _converted(
    spans: Spans, convert: Converter, paired: Bools, name: str, response: Corpus
) -> tuple[Spans, NDArray[Any] | None, int]:
    """Convert spans of paired documents; return them, their nodes, and how many were widened."""
    rows = np.flatnonzero(paired[spans.document]) if len(paired) else np.zeros(0, dtype=np.int64)
    found = convert(spans.document[rows], spans.start[rows], spans.end[rows])
    start, end = spans.start.copy(), spans.end.copy()
    start[rows], end[rows] = found.start, found.end
    possible = found.possible.copy()
    nodes = None
    if spans.nodes is not None:
        unusual, texts = spans.unusual, spans.nodes.tolist()
        if unusual.any() and (name != OWN_TOKENS or any("." in text for text in texts)):
            kind = "with empty nodes" if name == OWN_TOKENS else "that are discontinuous or empty"
            raise MentionError(
                f"--positions {name} cannot convert mentions {kind}, which the response has",
                "leave out --positions: the format of the response states their tokens",
            )
        for row in np.flatnonzero(unusual).tolist():
            if paired[spans.document[row]]:
                start[row], end[row], texts[row] = _nodes(spans, row, convert)
                possible[np.searchsorted(rows, row)] = True
        nodes = np.array(texts, dtype=np.str_).reshape(len(texts))
    if not possible.all():
        row = int(rows[np.argmin(possible)])
        shown = _shown(int(spans.start[row]), int(spans.end[row]))
        raise MentionError(
            f"the response has the mention {shown} in document"
            f" {response.documents[spans.document[row]].name}, which --positions {name} cannot"
            " convert to tokens of the key",
            "leave out --positions, or correct the positions in the response",
        )
    moved = Spans(spans.document, start, end, nodes)
    return moved, nodes, int(np.count_nonzero(found.widened))


def _shown(start: int, end: int) -> tuple[int, ...]:
    sentence, begin = divmod(start, _SENTENCE)
    return (sentence, begin, end) if sentence else (start, end)


def _nodes(spans: Spans, row: int, convert: Converter) -> tuple[int, int, str]:
    """Convert the tokens of one discontinuous mention; return its start, end and nodes."""
    tokens = np.array(sorted(map(int, spans.tokens(row))), dtype=np.int64)
    found = convert(np.full(len(tokens), spans.document[row]), tokens, tokens)
    words = np.unique(expand_ranges(found.start, found.end + 1)[1])
    low, high = int(words[0]), int(words[-1])
    is_usual = len(words) == high - low + 1
    return low, high, "" if is_usual else " ".join(map(str, words.tolist()))


def _note(name: str, mentions: int, widened: int) -> str:
    note = f"converted the positions of {counted(mentions, 'response mention')} ({name})"
    if not widened:
        return note
    return f"{note}; {widened:,} cut through tokens of the key, and now have whole tokens"
