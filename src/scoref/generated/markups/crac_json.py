"""CRAC JSON: tokens, and entities as token offsets, as texts, or both.

`{"doc_id": "x", "tokens": ["Ann", "##", ...], "clusters_token_offsets": [[[0, 0]]],
"clusters_text_mentions": [["Ann"]]}`, in an array of documents. Ends are inclusive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scoref.generated.lenient_json import find_json
from scoref.generated.marked_text import MarkedText, TextMark
from scoref.generated.markups.markup import DocumentToWrite, TextMarkup
from scoref.generated.quotes import Quote, QuoteList
from scoref.generated.word_alignment.pieces import cut

TOKENS, OFFSETS, TEXTS = "tokens", "clusters_token_offsets", "clusters_text_mentions"
_EMPTY = "##"


def count(text: str) -> int:
    """Count the mentions of a document that has the fields of this markup."""
    if f'"{OFFSETS}"' not in text and f'"{TEXTS}"' not in text:
        return 0
    document = _document(text)
    return 1 + sum(map(len, _lists(document, OFFSETS))) + sum(map(len, _lists(document, TEXTS)))


def parse(text: str) -> MarkedText | QuoteList:
    """Return the mentions at their offsets; or as quotes, if the offsets contradict the texts.

    Language models count badly. Where a document has both, the texts decide.
    """
    document = _document(text)
    offsets, texts = _lists(document, OFFSETS), _lists(document, TEXTS)
    tokens = [str(token) for token in document.get(TOKENS) or () if isinstance(token, str)]
    if tokens and offsets and (not texts or _agree(tokens, offsets, texts)):
        return _marked(tokens, offsets)
    return QuoteList(
        [
            Quote(str(number), quote, str(number))
            for number, quotes in enumerate(texts)
            for quote in quotes
            if isinstance(quote, str)
        ]
    )


def _document(text: str) -> Mapping[str, Any]:
    found = find_json(text)
    value = found.value if found else {}
    if isinstance(value, list):
        value = next((one for one in value if isinstance(one, Mapping)), {})
    return value if isinstance(value, Mapping) else {}


def _lists(document: Mapping[str, Any], name: str) -> list[list[Any]]:
    value = document.get(name)
    return [one for one in value if isinstance(one, list)] if isinstance(value, list) else []


def _is_span(span: Any, tokens: int) -> bool:
    return (
        isinstance(span, list)
        and len(span) == 2
        and all(isinstance(end, int) for end in span)
        and 0 <= span[0] <= span[1] < tokens
    )


def _agree(tokens: Sequence[str], offsets: list[list[Any]], texts: list[list[Any]]) -> bool:
    """Whether the words at all offsets are the texts."""
    if [len(spans) for spans in offsets] != [len(quotes) for quotes in texts]:
        return False
    return all(
        _is_span(span, len(tokens)) and _letters(tokens[span[0] : span[1] + 1]) == _letters([quote])
        for spans, quotes in zip(offsets, texts, strict=True)
        for span, quote in zip(spans, quotes, strict=True)
    )


def _letters(words: Sequence[Any]) -> str:
    return "".join(key for word in words for part in str(word).split() for key in cut(part))


def _marked(tokens: Sequence[str], offsets: list[list[Any]]) -> MarkedText:
    text = MarkedText(lines=[0])
    place = []  # words, and empty nodes, before each token
    for token in tokens:
        place.append((len(text.words), len(text.empties)))
        if token.startswith(_EMPTY):
            text.empties.append(len(text.words))
        else:
            text.words.append(token or "_")
    place.append((len(text.words), len(text.empties)))
    for number, spans in enumerate(offsets):
        for span in spans:
            if not _is_span(span, len(tokens)):
                text.damage["invalid"] += 1
                continue
            (start, low), (end, high) = place[span[0]], place[span[1] + 1]
            text.marks.append(TextMark(str(number), start, end, tuple(range(low, high))))
    return text


def write(document: DocumentToWrite, *, escaped: bool) -> str:  # noqa: ARG001
    """Write a document as one object on one line."""
    words = [word for sentence in document.sentences for word in sentence]
    entities: dict[str, list[list[int]]] = {}
    for start, end, entity in sorted(document.mentions):
        entities.setdefault(entity, []).append([start, end])
    content = {
        "doc_id": document.name,
        TOKENS: words,
        OFFSETS: list(entities.values()),
        TEXTS: [
            [" ".join(words[start : end + 1]) for start, end in spans]
            for spans in entities.values()
        ],
    }
    return json.dumps(content, ensure_ascii=False)


MARKUP = TextMarkup(
    name="crac-json",
    title="CRAC JSON",
    example='{"tokens": ["Ann", "saw"], "clusters_token_offsets": [[[0, 0]]]}',
    count=count,
    parse=parse,
    write=write,
    has_empty_nodes=True,
)
