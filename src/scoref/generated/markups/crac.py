"""CRAC plaintext: tags after a word and `|`, as in the LLM track of the CRAC shared task.

`[e2]` is a mention of one word, `[e1` opens a mention, `e1]` closes one, and a comma separates
tags. A word that begins with `##` is an empty node. A document is a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoref.generated.marked_text import Close, Empty, Item, MarkedStream, Open
from scoref.generated.markups.markup import DocumentToWrite, TextMarkup
from scoref.generated.markups.writing import opening_and_closing

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
