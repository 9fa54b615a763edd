"""Lists of mentions: quotes in JSON, or pronouns with their antecedents.

Entities in JSON are lists of strings, or of objects with a sentence or a context:
`{"entities": [{"name": "Ann", "mentions": ["Ann", "she"]}]}`, `[["Ann", "she"]]`,
`{"Ann": ["Ann", "she"]}`, `[{"text": "she", "cluster": 0}]`, and what lies between them.
Pronouns are in text order, one per line: `she -> Ann`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from scoref.llm.marked_text import Answer, Quote, QuoteList
from scoref.llm.markups.markup import DocumentToWrite, TextMarkup, find_json

_TEXT = ("text", "mention", "quote", "span", "form", "string", "surface", "words")
_NAME = (
    "name",
    "entity",
    "entity_name",
    "label",
    "id",
    "entity_id",
    "cluster",
    "cluster_id",
    "chain",
)
_CLUSTER = ("cluster", "cluster_id", "entity", "entity_id", "chain", "coref", "id", "label")
_SENTENCE = ("sentence", "sentence_id", "sentence_number", "sent", "sent_id", "line", "line_number")
_CONTEXT = ("context", "snippet", "sentence_text", "surrounding")
_START = ("start", "start_char", "offset", "begin", "position", "char_start")
_LISTS = ("mentions", "mention", "quotes", "references", "spans", "members", "texts")


def count(text: str) -> int:
    """Count quotes."""
    found = find_json(text)
    return 0 if found is None else sum(1 for _ in _quotes(found.value, "", ""))


def parse(text: str) -> QuoteList:
    """Return the quotes of a completion."""
    found = find_json(text)
    if found is None:
        return QuoteList()
    return QuoteList(list(_quotes(found.value, "", "")), is_cut=found.is_cut)


def _quotes(value: Any, entity: str, place: str) -> Iterator[Quote]:
    """Yield the quotes of a value; `place` is where it stands, `entity` the name of its entity."""
    if isinstance(value, list):
        yield from _of_list(value, entity, place)
    elif isinstance(value, Mapping):
        if (quote := _of_object(value, entity, place)) is not None:
            yield quote
            return
        name = _first(value, _NAME, (str, int))
        lists = [key for key in _LISTS if isinstance(value.get(key), list)]
        if lists:
            # Entities of the same name are still different lists.
            own = f"{place}/{name}" if name != "" else entity or place
            yield from _quotes(value[lists[0]], own, f"{place}/{lists[0]}")
            return
        for key, inner in value.items():
            if isinstance(inner, list | Mapping):
                yield from _quotes(inner, f"{place}/{key}", f"{place}/{key}")


def _of_list(values: list[Any], entity: str, place: str) -> Iterator[Quote]:
    for number, one in enumerate(values):
        if isinstance(one, str):
            yield Quote(entity or place, one, place)
        elif isinstance(one, Mapping) and (quote := _of_object(one, entity or place, place)):
            yield quote
        else:
            yield from _quotes(one, f"{place}/{number}", f"{place}/{number}")


def _of_object(value: Mapping[str, Any], entity: str, place: str) -> Quote | None:
    """Return the quote that an object is, or None."""
    if any(isinstance(value.get(key), list) for key in _LISTS):
        return None
    text = _first(value, _TEXT, (str,))
    if text == "":
        return None
    cluster = _first(value, _CLUSTER, (str, int))
    sentence = _first(value, _SENTENCE, (int, str))
    start = _first(value, _START, (int,))
    return Quote(
        entity=f"={cluster}" if cluster != "" else entity or place,
        text=str(text),
        group=place,
        sentence=int(sentence) if str(sentence).isdecimal() and len(str(sentence)) < 9 else 0,
        context=str(_first(value, _CONTEXT, (str,))),
        start=int(start) if isinstance(start, int) and 0 <= start < 1 << 40 else -1,
    )


def _first(value: Mapping[str, Any], keys: tuple[str, ...], kinds: tuple[type, ...]) -> Any:
    """Return the first value of a kind that an object has under one of some names, or ''."""
    for found in (value.get(key) for key in keys):
        if isinstance(found, kinds) and not isinstance(found, bool):
            return found
    return ""


def _entities(document: DocumentToWrite) -> dict[str, list[tuple[int, int]]]:
    entities: dict[str, list[tuple[int, int]]] = {}
    for start, end, entity in sorted(document.mentions, key=lambda one: (one.start, -one.end)):
        entities.setdefault(entity, []).append((start, end))
    return entities


def write(document: DocumentToWrite, *, escaped: bool) -> str:  # noqa: ARG001
    """Write the entities of a document as lists of strings."""
    words = [word for sentence in document.sentences for word in sentence]
    found = [
        {"name": name, "mentions": [" ".join(words[start : end + 1]) for start, end in spans]}
        for name, spans in _entities(document).items()
    ]
    return json.dumps({"entities": found}, ensure_ascii=False)


def write_with_context(document: DocumentToWrite, *, escaped: bool) -> str:  # noqa: ARG001
    """Write the entities of a document as objects with sentence, context and first token."""
    words = [word for sentence in document.sentences for word in sentence]
    number = [at for at, sentence in enumerate(document.sentences, 1) for _ in sentence]
    found = [
        {
            "entity": name,
            "mentions": [
                {
                    "text": " ".join(words[start : end + 1]),
                    "sentence": number[start],
                    "context": " ".join(words[max(start - 3, 0) : end + 4]),
                    "start": start,
                }
                for start, end in spans
            ],
        }
        for name, spans in _entities(document).items()
    ]
    return json.dumps(found, ensure_ascii=False)


MARKUP = TextMarkup(
    name="quotes",
    title="quotes in JSON",
    example='{"entities": [{"name": "Ann", "mentions": ["Ann", "She"]}]}',
    count=count,
    parse=parse,
    write=write,
)
WITH_CONTEXT = TextMarkup(
    name="quotes-context",
    title="quotes in JSON, with sentence and context",
    example='[{"entity": "1", "mentions": [{"text": "Ann", "sentence": 1, "context": "Ann saw"}]}]',
    count=count,
    parse=parse,
    write=write_with_context,
)


_LINE = re.compile(
    r"^ {0,20}(?:[-*\u2022] {1,9}|\(?\d{1,5}[.):] {1,9})?(?P<pronoun>\S[^\n]{0,200}?) {0,9}"
    r"(?:->|=>|\u2192|\u21d2|-->) {0,9}(?P<antecedent>\S[^\n]{0,2000})$",
    re.MULTILINE,
)
_REMARK = re.compile(r"\s*\([^()]*\)\s*$")
_NOTHING = re.compile(
    r"(?:none|n/?a|nothing|no (?:antecedent|referent)|-+|\?+|expletive\b.*)$", re.IGNORECASE
)
_QUOTED = "\"'`*_\u201c\u201d\u2018\u2019 "


def count_pronouns(text: str) -> int:
    """Count lines with an arrow."""
    return sum(1 for _ in _LINE.finditer(text))


def parse_pronouns(text: str) -> QuoteList:
    """Return the pronouns as quotes, and their antecedents as answers.

    A remark in parentheses after the antecedent is ignored; a pronoun with nothing but a remark
    refers to nothing.
    """
    found = QuoteList()
    for match in _LINE.finditer(text):
        antecedent = _REMARK.sub("", f" {match['antecedent']}").strip().rstrip(".").strip(_QUOTED)
        pronoun = _REMARK.sub("", match["pronoun"]).strip(_QUOTED)
        if not pronoun:
            continue
        number = len(found.quotes)
        refers = bool(antecedent) and _NOTHING.match(antecedent) is None
        found.quotes.append(Quote("" if not refers else antecedent, pronoun, "list"))
        if refers:
            found.answers.append(Answer(number, antecedent))
    return found


PRONOUNS = TextMarkup(
    name="pronouns",
    title="pronouns with their antecedents",
    example="She -> Ann",
    count=count_pronouns,
    parse=parse_pronouns,
)
