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


def count(text: str) -> int:
    """Count words with tags."""
    return sum(1 for _ in _TAGS.finditer(text))


def parse(text: str) -> MarkedStream:
    """Yield the words, each between its opening and its closing tags."""
    text = _SPACED.sub(lambda match: "|" if "|" in match[0] else ",", text)
    trims = _glued_punctuation(text)
    for number, line in enumerate(text.split("\n")):
        if number:
            yield "\n"
        for word in line.split():
            yield from _word(word, *trims)


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


def _word(word: str, before: re.Pattern[str], after: re.Pattern[str]) -> Iterator[Item]:
    """Yield a word, with punctuation that does not belong to the mention outside of its tags."""
    done = 0
    for match in _TAGS.finditer(word):
        tags = match[1].split(",")
        own = word[done : match.start()]
        low = left.end() if (left := before.match(own)) and left.end() < len(own) else 0
        high = right.start() if (right := after.search(own, low)) and right.start() > low else len(own)
        yield _plain(own[:low])
        yield from (Open(tag.strip("[]")) for tag in tags if tag.startswith("["))
        yield _plain(own[low:high])
        yield from (Close(tag.strip("[]")) for tag in tags if tag.endswith("]"))
        yield _plain(own[high:])
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
        if escaped and at not in document.empties:
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
    prefix="e",
    has_empty_nodes=True,
)
