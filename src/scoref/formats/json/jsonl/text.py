"""The text of a JSON line: sentences of words or characters, speakers, parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeGuard

from scoref.corpus.builder import TextBuilder

TOKEN, CHARACTER = "token", "character"
TEXTS = ("sentences", "tokens", "cased_words", "text")


class Words(NamedTuple):
    """The text of a document: sentences of words, or characters."""

    sentences: list[list[str]]
    characters: str = ""

    def count(self, unit: str) -> int:
        """Return how many offsets there are."""
        return len(self.characters) if unit == CHARACTER else sum(map(len, self.sentences))


NO_WORDS = Words([])


def words_of(value: dict[str, Any], *, by_sentence: bool) -> Words | None:
    """Return the text of a document, or None if it has none that is a text."""
    sentences = value.get("sentences", value.get("tokens", value.get("cased_words")))
    if sentences is None:
        text = value.get("text")
        return Words([], text) if isinstance(text, str) else None
    if is_list(sentences, str):
        sentences = _by_sentence(sentences, value.get("sent_id")) if by_sentence else [sentences]
    if not is_list(sentences, list) or not all(is_list(one, str) for one in sentences):
        return None
    return Words(sentences)


def add_words(
    text: TextBuilder,
    words: Words,
    value: dict[str, Any],
    to_token: Sequence[int] | None,
    wanted: frozenset[str],
) -> None:
    """Add the words of a document, and its speakers where it has one for each."""
    if to_token:
        text.sentence(word=_without_pieces(words.sentences, to_token))
        return
    if wanted <= {"word"}:
        text.sentences(words.sentences)
        return
    speakers = value.get("speakers", value.get("speaker"))
    pos = value.get("pos")
    at = 0
    for number, sentence in enumerate(words.sentences):
        columns: dict[str, list[str]] = {"word": sentence}
        for name, values in (("speaker", speakers), ("pos", pos)):
            if name not in wanted:
                continue
            if is_list(values, list) and number < len(values):
                of_sentence = values[number]
            elif is_list(values, str):
                of_sentence = values[at : at + len(sentence)]
            else:
                continue
            if len(of_sentence) == len(sentence):
                columns[name] = [str(value or "") for value in of_sentence]
        text.sentence(**columns)
        at += len(sentence)


def _by_sentence(words: list[str], numbers: Any) -> list[list[str]]:
    """Split words into sentences by the sentence number of each, if there is one."""
    if not is_list(numbers, int) or len(numbers) != len(words):
        return [words]
    sentences: list[list[str]] = []
    before = None
    for word, number in zip(words, numbers, strict=True):
        if number != before:
            sentences.append([])
        sentences[-1].append(word)
        before = number
    return sentences


def _without_pieces(sentences: list[list[str]], to_token: Sequence[int]) -> list[str]:
    """Put subtokens together, without the marks of word pieces."""
    words = [""] * (1 + max(to_token))
    pieces = [piece for sentence in sentences for piece in sentence]
    for piece, token in zip(pieces, to_token, strict=False):
        if piece not in ("[CLS]", "[SEP]", "<s>", "</s>"):
            words[token] += piece.removeprefix("##").lstrip("\u0120\u2581")
    return words


def is_list(value: Any, kind: type) -> TypeGuard[list[Any]]:
    """Whether a value is a list that begins with something of a kind, or of nothing."""
    return isinstance(value, list) and (not value or isinstance(value[0], kind))
