"""CRAC plaintext: tags after a word and `|`, as in the LLM track of the CRAC shared task.

`[e2]` is a mention of one word, `[e1` opens a mention, `e1]` closes one, a comma separates tags, and
a word that begins with `##` is an empty node. A document is a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoref.generated.marked_text import Close, Empty, Item, Open, MarkedStream
from scoref.generated.markups.markup import DocumentToWrite, TextMarkup
from scoref.generated.markups.writing import opening_and_closing

_NAME = r"[\w.:/+~-]+"
_TAG = rf"\[{_NAME}\]|\[{_NAME}|{_NAME}\]"
_TAGS = re.compile(rf"\|((?:{_TAG})(?:,(?:{_TAG}))*)")
_SPACED = re.compile(rf" ?\| ?(?=\[{_NAME}|e\d+\])|(?<=[\]\w]), (?=\[e\d|e\d+\])")
_EMPTY = "##"


def count(text: str) -> int:
    """Count words with tags."""
    return sum(1 for _ in _TAGS.finditer(text))


def parse(text: str) -> MarkedStream:
    """Yield the words, each between its opening and its closing tags."""
    text = _SPACED.sub(lambda match: "|" if "|" in match[0] else ",", text)
    for number, line in enumerate(text.split("\n")):
        if number:
            yield "\n"
        for word in line.split():
            yield from _word(word)


def _word(word: str) -> Iterator[Item]:
    done = 0
    for match in _TAGS.finditer(word):
        tags = match[1].split(",")
        yield from (Open(tag.strip("[]")) for tag in tags if tag.startswith("["))
        yield _plain(word[done : match.start()])
        yield from (Close(tag.strip("[]")) for tag in tags if tag.endswith("]"))
        done = match.end()
    if done < len(word):
        yield _plain(word[done:])


def _plain(text: str) -> str | Empty:
    if text.startswith(_EMPTY):
        return Empty(text.removeprefix(_EMPTY))
    return text.replace("\\|", "|").replace("\\#", "#") + " "


def write(document: DocumentToWrite, escaped: bool) -> str:
    """Write a document on one line."""
    words = [word for sentence in document.sentences for word in sentence]
    opening, closing = opening_and_closing(document.mentions)
    line = []
    for at, word in enumerate(words):
        tags = [
            f"[{name}]" if (end, name) == (at, name) else f"[{name}"
            for end, name in opening.get(at, ())
        ]
        tags += [f"{name}]" for start, name in closing.get(at, ()) if start != at]
        if escaped:
            word = word.replace("|", "\\|").replace("#", "\\#")
        line.append(f"{word}|{','.join(tags)}" if tags else word)
    return " ".join(line)


MARKUP = TextMarkup(
    name="crac",
    title="CRAC plaintext",
    example="Ann|[e1] saw the|[e2 man|e2] . She|[e1] waved .",
    count=count,
    parse=parse,
    write=write,
)
