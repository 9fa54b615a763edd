"""One JSON line: its fields, text, entities and offsets, and the problems with them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.limits import proportion_problem
from scoref.corpus.builder import TextBuilder
from scoref.formats.io.problems import Problems
from scoref.formats.json.json_text import JsonLine, json_type

INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
TOKEN, SUBTOKEN, CHARACTER = "token", "subtoken", "character"
NAMES = ("doc_key", "doc_id", "document_id", "doc_name", "id")
TEXTS = ("sentences", "tokens", "cased_words", "text")
GOLD = ("clusters", "span_clusters", "clusters_token_offsets", "gold_clusters")
PREDICTED = ("predicted_clusters", "pred_clusters", "clusters_pred")
MARKS = frozenset({*NAMES[:3], *TEXTS, *GOLD[1:], *PREDICTED})
"""Fields that no other JSON format has."""
STATED = tuple(f"{unit}-{end}" for unit in (TOKEN, CHARACTER) for end in (INCLUSIVE, EXCLUSIVE))
"""What the field `offsets` can state."""
# Fields with a text that a language model wrote; `scoref.llm` reads these and more.
_WRITTEN = {"completion", "generated_text", "generated", "output", "choices", "message"}
_GENERATED = "if a language model wrote the text, score it with --markup auto"
_ENDS = {"span_clusters": EXCLUSIVE, "clusters_token_offsets": INCLUSIVE}
OF_PARTS = "clusters_token_offsets"
"""The field in which xCoRe writes mentions as `[document, start, end]`."""
_LARGEST = 2**62
_FREE = 1 << 20
_NO_WORDS = frozenset({"[CLS]", "[SEP]", "<s>", "</s>"})


class JsonlText(NamedTuple):
    """The text of a document: sentences of words, or characters, which can be none."""

    sentences: list[list[str]]
    characters: str | None = None

    def length(self, unit: str) -> int:
        """Return how many tokens, subtokens or characters the text has."""
        return len(self.characters or "") if unit == CHARACTER else sum(map(len, self.sentences))


class JsonlDocument(NamedTuple):
    """A document: its line and name, and its offsets.

    `offsets` has the start and the end of each mention in turn, and `sizes` the number of mentions
    of each entity. `end` says whether ends are inclusive, if it is known. `to_token` has the token
    of each subtoken. `beside_gold` marks predicted entities of a line that also has annotated
    entities. `entities` has the numbers of entities that are the same in several documents.
    """

    line: int
    name: str
    length: int
    sizes: Ints
    offsets: Ints
    unit: str
    end: str | None
    to_token: array[int] | None
    characters: str
    beside_gold: bool
    entities: Ints | None = None


def parse_document(
    of_line: JsonLine, problems: Problems, *, predicted: bool, by_sentence: bool
) -> tuple[JsonlDocument, JsonlText] | None:
    """Return the document of a line and its text, or add to the problems."""
    line, value, size = of_line
    if not isinstance(value, dict):
        found = json_type(value)
        problems.add(line, found, "a JSON object", "write one document per line")
        return None
    text = parse_text(value, by_sentence=by_sentence)
    if text is None:
        _add_text_problem(value, line, problems)
    stated = value.get("offsets", STATED[0])
    if stated not in STATED:
        problems.add(line, f"`offsets` with `{str(stated)[:40]}`", f"one of {', '.join(STATED)}")
    field = entity_field(value, line, problems, predicted=predicted)
    entities = None
    if field is not None and text is not None:
        entities = _parse_entities(value[field], field, text, line, problems)
    if text is None or field is None or entities is None or stated not in STATED:
        return None
    unit, end = _find_convention(
        str(value.get("offsets", "")),
        field,
        of_text=text.characters is not None,
        has_map="subtoken_map" in value,
    )
    length = text.length(unit)
    to_token = None
    if unit == SUBTOKEN and value["subtoken_map"] != []:
        to_token = _parse_subtoken_map(value["subtoken_map"], length, line, problems)
        if to_token is None:
            return None
        found = f"token {to_token[-1]:,} in `subtoken_map`"
        if far := proportion_problem(to_token[-1], size, found, problems.path, line, free=_FREE):
            problems.append(far)
            return None
    name = document_name(value, line, problems)
    if name is None:
        return None
    beside_gold = field in PREDICTED and any(gold in value for gold in GOLD)
    document = JsonlDocument(
        line, name, length, *entities, unit, end, to_token, text.characters or "", beside_gold
    )
    return document, text


def document_name(value: dict[str, Any], line: int, problems: Problems) -> str | None:
    """Return the name of a document, which is empty if no field has it; or add to the problems."""
    key = next((key for key in NAMES if value.get(key) is not None), "")
    name = value[key] if key else ""
    if type(name) not in {str, int}:
        problems.add(line, f"`{key}` that is not a name", "a string or a whole number")
        return None
    return str(name)


def _add_text_problem(value: dict[str, Any], line: int, problems: Problems) -> None:
    if field := next((name for name in TEXTS if name in value), None):
        expected = {"text": "a text", "sentences": "a list of words for each sentence"}.get(
            field, "a list of words, or lists of words"
        )
        odd = None if field == "text" else _first_odd_word(value[field])
        found = odd or json_type(value[field])
        problems.add(line, f"`{field}` with {found}", expected, "write words as JSON strings")
    else:
        problems.add(line, _list_fields(value), f"one of the fields {', '.join(TEXTS)}")


def _first_odd_word(sentences: Any) -> str | None:
    """Describe the first word that is not a string."""
    if not isinstance(sentences, list):
        return None
    lists = (one if isinstance(one, list) else [one] for one in sentences)
    odd = [word for word in chain.from_iterable(lists) if not isinstance(word, str)]
    return f"the word `{str(odd[0])[:40]}`, which is not a string" if odd else None


def entity_field(
    value: dict[str, Any], line: int, problems: Problems, *, predicted: bool
) -> str | None:
    """Return the field to read: annotated entities, or with `predicted` predicted entities."""
    gold, others = ([name for name in names if name in value] for names in (GOLD, PREDICTED))
    for names in (gold, others):
        if len(names) > 1:
            found = f"both `{names[0]}` and `{names[1]}`"
            problems.add(line, found, "one field with entities", "remove the other field")
            return None
    if not gold and not others:
        expected = f"one of the fields {', '.join((*GOLD, *PREDICTED))}"
        hint = _GENERATED if _WRITTEN & value.keys() else ""
        problems.add(line, _list_fields(value), expected, hint)
    return next(iter(others + gold if predicted else gold + others), None)


def _parse_entities(
    value: Any, field: str, text: JsonlText, line: int, problems: Problems
) -> tuple[Ints, Ints] | None:
    """Return the sizes of entities, and the starts and ends of all mentions in turn.

    The standard library's iterators take the lists apart several times as fast as a loop.
    """
    entities = value.values() if isinstance(value, dict) else value
    try:
        mentions = list(chain.from_iterable(entities))
        flat = list(chain.from_iterable(mentions))
        has_parts = field == OF_PARTS and set(map(len, mentions)) == {3}
        are_pairs = set(map(len, mentions)) <= {3 if has_parts else 2}
        are_pairs &= set(map(type, flat)) <= {int}
        are_pairs &= set(map(type, entities)) <= {list} and isinstance(value, list | dict)
    except TypeError:
        are_pairs = False
    if not are_pairs:
        found = f"`{field}` that is not a list of entities"
        expected = "entities as lists of [start, end], such as [[[0, 1], [3, 3]]]"
        problems.add(line, found, expected)
        return None
    sizes = [size for size in map(len, entities) if size]
    try:
        offsets = np.array(flat, dtype=np.int64)
    except OverflowError:  # such a span is in no text, and is refused later
        offsets = np.array([max(-_LARGEST, min(offset, _LARGEST)) for offset in flat])
    if has_parts:
        joined = _join_parts(offsets.reshape(-1, 3), text, field, line, problems)
        return None if joined is None else (np.array(sizes, dtype=np.int64), joined)
    return np.array(sizes, dtype=np.int64), offsets


def _join_parts(
    mentions: Ints, text: JsonlText, field: str, line: int, problems: Problems
) -> Ints | None:
    """Return offsets in the whole text, given `[part, start, end]` with inclusive ends."""
    length = np.array([len(part) for part in text.sentences], dtype=np.int64)
    part, start, end = mentions.T
    known = (part >= 0) & (part < len(length))
    limit = length[np.where(known, part, 0)] if len(length) else np.zeros_like(part)
    fits = known & (start >= 0) & (start <= end) & (end < limit)
    if not fits.all():
        found = f"`{field}` with {mentions[int(np.argmin(fits))].tolist()}"
        problems.add(line, found, "[part, start, end] with a part of `tokens` and offsets in it")
        return None
    before = (np.cumsum(length) - length)[part]
    return np.stack([before + start, before + end], axis=1).ravel()


def _parse_subtoken_map(
    value: Any, length: int, line: int, problems: Problems
) -> array[int] | None:
    """Return the token of each subtoken."""
    if isinstance(value, list) and set(map(type, value)) <= {int} and len(value) == length:
        rises = all(map(int.__le__, value, value[1:]))
        if rises and value[0] >= 0 and value[-1] < _LARGEST:
            return array("q", value)
    found = f"a `subtoken_map` that does not fit {length:,} subtokens"
    problems.add(line, found, "the number of the token of each subtoken, in order")
    return None


def _list_fields(value: dict[str, Any]) -> str:
    return f"the fields {', '.join(list(value)[:8]) or '(none)'}"


@lru_cache(maxsize=64)  # called for every line, with few different arguments
def _find_convention(
    stated: str, field: str, *, of_text: bool, has_map: bool
) -> tuple[str, str | None]:
    """Return what the offsets of a document count, and whether ends are inclusive, if known.

    `stated` is the content of the field `offsets`, and `field` is the field with the entities.
    """
    unit, _, end = stated.partition("-")
    if unit in (TOKEN, CHARACTER) and end in (INCLUSIVE, EXCLUSIVE):
        return unit, end
    if of_text:
        return CHARACTER, EXCLUSIVE
    if has_map:
        return SUBTOKEN, INCLUSIVE
    return TOKEN, _ENDS.get(field)


def parse_text(value: dict[str, Any], *, by_sentence: bool) -> JsonlText | None:
    """Return the text of a document, or None if no field has a text."""
    field = next((name for name in TEXTS if name in value), "")
    sentences = value.get(field)
    if field == "text":
        return JsonlText([], sentences) if isinstance(sentences, str) else None
    if _is_list_of(sentences, str) and field != "sentences":
        sentences = _split(sentences, value.get("sent_id")) if by_sentence else [sentences]
    if not isinstance(sentences, list) or set(map(type, sentences)) - {list}:
        return None
    try:
        for _ in map("".join, sentences):  # takes half the time of a look at each type
            pass
    except TypeError:
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
        of_sentence = values[number] if number < len(values) else []
        return of_sentence if isinstance(of_sentence, list) else []
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
