"""The text of a JSON line: sentences of words or characters, speakers, parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeGuard

from scoref.corpus.builder import TextBuilder
from scoref.formats.json.jsonl.fields import CHARACTER

_NO_WORDS = frozenset({"[CLS]", "[SEP]", "<s>", "</s>"})


class JsonlText(NamedTuple):
    """The text of a document: sentences of words, or characters."""

    sentences: list[list[str]]
    characters: str = ""

    def length(self, unit: str) -> int:
        """Return how many tokens, subtokens or characters the text has."""
        return len(self.characters) if unit == CHARACTER else sum(map(len, self.sentences))


def parse_text(value: dict[str, Any], *, by_sentence: bool) -> JsonlText | None:
    """Return the text of a document, or None if no field has a text."""
    sentences = value.get("sentences", value.get("tokens", value.get("cased_words")))
    if sentences is None:
        text = value.get("text")
        return JsonlText([], text) if isinstance(text, str) else None
    if _is_list_of(sentences, str):
        sentences = _split(sentences, value.get("sent_id")) if by_sentence else [sentences]
    if not isinstance(sentences, list) or set(map(type, sentences)) - {list}:
        return None
    if {type(sentence[0]) for sentence in sentences if sentence} - {str}:
        return None
    return JsonlText(sentences)


def add_text(
    builder: TextBuilder,
    text: JsonlText,
    value: dict[str, Any],
    to_token: Sequence[int] | None,
    columns: frozenset[str],
) -> None:
    """Add the words of a document, with the speakers and parts of speech among `columns`."""
    if to_token:
        builder.sentence(word=_join_subtokens(text.sentences, to_token))
        return
    fields = {"speaker": value.get("speakers", value.get("speaker")), "pos": value.get("pos")}
    fields = {name: values for name, values in fields.items() if name in columns and values}
    if not fields:
        builder.sentences(text.sentences)
        return
    first = 0
    for number, sentence in enumerate(text.sentences):
        found: dict[str, list[str]] = {"word": sentence}
        for name, values in fields.items():
            of_sentence = _of_sentence(values, number, first, len(sentence))
            if len(of_sentence) == len(sentence):
                found[name] = [str(value or "") for value in of_sentence]
        builder.sentence(**found)
        first += len(sentence)


def _of_sentence(values: Any, number: int, first: int, length: int) -> list[Any]:
    """Return the values of one sentence from a list per sentence, or from one list."""
    if _is_list_of(values, list):
        return list(values[number]) if number < len(values) else []
    return values[first : first + length] if _is_list_of(values, str) else []


def _split(words: list[str], numbers: Any) -> list[list[str]]:
    """Split words into sentences by the sentence number of each word, if the file has them."""
    if not _is_list_of(numbers, int) or len(numbers) != len(words):
        return [words]
    numbered = groupby(zip(numbers, words, strict=True), key=itemgetter(0))
    return [[word for _, word in sentence] for _, sentence in numbered]


def _join_subtokens(sentences: list[list[str]], to_token: Sequence[int]) -> list[str]:
    """Join subtokens to words, without the marks of word pieces."""
    words = [""] * (1 + max(to_token))
    pieces = [piece for sentence in sentences for piece in sentence]
    for piece, token in zip(pieces, to_token, strict=False):
        if piece not in _NO_WORDS:
            words[token] += piece.removeprefix("##").lstrip("\u0120\u2581")
    return words


def _is_list_of(value: Any, kind: type) -> TypeGuard[list[Any]]:
    """Whether a value is a list whose first element has this type; or an empty list."""
    return isinstance(value, list) and (not value or isinstance(value[0], kind))
