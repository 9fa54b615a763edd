"""CRAC plaintext and CRAC JSON, as in the LLM track of the CRAC shared task.

In plaintext, tags follow a word and `|`: `[e2]` is a mention of one word, `[e1` opens a mention,
`e1]` closes one, and a comma separates tags. A word that begins with `##` is an empty node. A
document is a line.

In JSON, a document has tokens, and entities as token offsets, as texts, or both, in an array of
documents; ends are inclusive: `{"doc_id": "x", "tokens": ["Ann", "##", ...],
"clusters_token_offsets": [[[0, 0]]], "clusters_text_mentions": [["Ann"]]}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoref.llm.marked_text import (
    Close,
    Empty,
    Item,
    MarkedStream,
    MarkedText,
    Open,
    Quote,
    QuoteList,
    TextMark,
)
from scoref.llm.markups.markup import DocumentToWrite, TextMarkup, find_json, opening_and_closing
from scoref.llm.pieces import cut

_NAME = r"\w+(?:[.:/+~-]\w+)*"
_TAG = rf"\[{_NAME}\]|\[{_NAME}|{_NAME}\]"
_TAGS = re.compile(rf"\|((?:{_TAG})(?:,(?:{_TAG}))*)")
_SPACED = re.compile(rf" ?\| ?(?=\[{_NAME}|e\d+\])|(?<=[\]\w]), (?=\[e\d|e\d+\])")
_LEFT = re.compile(r"[\"\u201c\u2018(\[{]*")
_RIGHT = re.compile(r"[\"\u201d\u2019,.;:!?)\]}]*$")
_GLUED = re.compile(r"\w,(?=[|\s])|\(\w")
_SEPARATE = re.compile(r"(?<!\S)[,(](?=[|\s])")
_BEFORE_TAGS = re.compile(r"\w[,;:!?.]\|[^\s|]*\](?!\S)")
_AFTER_TAGS = re.compile(r"\|[^\s|]*\][,;:!?.](?!\S)")
_NOTHING = re.compile("(?!)")
_RATIO = 5
_EMPTY = "##"
_EMPTY_NODE = re.compile(r"(?<!\S)##(\S*)")
_WHITE = re.compile(r"[^\S\n ]")


def count(text: str) -> int:
    """Count words with tags."""
    return sum(1 for _ in _TAGS.finditer(text))


def parse(text: str) -> MarkedStream:
    """Yield the text, and the words with tags between their opening and their closing tags."""
    text = _SPACED.sub(lambda match: "|" if "|" in match[0] else ",", text)
    text = _WHITE.sub(" ", text)
    before, after = _glued_punctuation(text)
    done = 0
    for match in _TAGS.finditer(text):
        end = match.start()
        start = max(text.rfind(" ", done, end), text.rfind("\n", done, end)) + 1
        start = max(start, done)
        yield from _plain(text[done:start])
        word, tags = text[start:end], match[1].split(",")
        low = left.end() if (left := before.match(word)) and left.end() < len(word) else 0
        right = after.search(word, low)
        high = right.start() if right and right.start() > low else len(word)
        yield from _plain(word[:low])
        yield from (Open(tag.strip("[]")) for tag in tags if tag[0] == "[")
        yield from _plain(word[low:high])
        yield from (Close(tag.strip("[]")) for tag in tags if tag[-1] == "]")
        yield from _plain(word[high:])
        done = match.end()
    yield from _plain(text[done:])


def _glued_punctuation(text: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return which characters before and after a word with tags are not part of the mention.

    In a tokenised text, punctuation is a word of its own. In any other text, a parenthesis or a
    quotation mark before a word does not belong to the mention. Punctuation after a word does
    not if tags come after it: `Ann,|[e1]`; but if they usually come before it, as in `Ann|[e1],`,
    then the tags say what belongs to the mention.
    """
    if len(_GLUED.findall(text)) <= len(_SEPARATE.findall(text)):
        return _NOTHING, _NOTHING
    late = len(_BEFORE_TAGS.findall(text)) > _RATIO * len(_AFTER_TAGS.findall(text))
    return _LEFT, _RIGHT if late else _NOTHING


def _plain(text: str) -> Iterator[Item]:
    """Yield text without tags, and the empty nodes in it."""
    done = 0
    for match in _EMPTY_NODE.finditer(text) if _EMPTY in text else ():
        yield text[done : match.start()]
        yield Empty(match[1])
        done = match.end()
    rest = text[done:]
    yield rest.replace("\\|", "|").replace("\\#", "#") if "\\" in rest else rest


def write(document: DocumentToWrite, *, escaped: bool) -> str:
    """Write a document on one line."""
    words = [word for sentence in document.sentences for word in sentence]
    opening, closing = opening_and_closing(document.mentions)
    line = []
    for at, text in enumerate(words):
        tags = [
            f"[{name}]" if (end, name) == (at, name) else f"[{name}"
            for end, name in opening.get(at, ())
        ]
        tags += [f"{name}]" for start, name in closing.get(at, ()) if start != at]
        if escaped and at not in document.empties:
            text = text.replace("|", "\\|").replace("#", "\\#")  # noqa: PLW2901
        line.append(f"{text}|{','.join(tags)}" if tags else text)
    return " ".join(line)


MARKUP = TextMarkup(
    name="crac",
    title="CRAC plaintext",
    example="Ann|[e1] saw the|[e2 man|e2] . She|[e1] waved .",
    count=count,
    parse=parse,
    write=write,
    prefix="e",
    has_empty_nodes=True,
)


TOKENS, OFFSETS, TEXTS = "tokens", "clusters_token_offsets", "clusters_text_mentions"


def count_json(text: str) -> int:
    """Count the mentions of a document that has the fields of this markup."""
    if f'"{OFFSETS}"' not in text and f'"{TEXTS}"' not in text:
        return 0
    document = _document(text)
    return 1 + sum(map(len, _lists(document, OFFSETS))) + sum(map(len, _lists(document, TEXTS)))


def parse_json(text: str) -> MarkedText | QuoteList:
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


def write_json(document: DocumentToWrite, *, escaped: bool) -> str:  # noqa: ARG001
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


JSON = TextMarkup(
    name="crac-json",
    title="CRAC JSON",
    example='{"tokens": ["Ann", "saw"], "clusters_token_offsets": [[[0, 0]]]}',
    count=count_json,
    parse=parse_json,
    write=write_json,
    has_empty_nodes=True,
)
