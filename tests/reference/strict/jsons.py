"""Strict readers of the formats that are JSON, written from the manual."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from tests.reference.strict.reading import (
    Document,
    Files,
    Mention,
    Reading,
    document,
    groups,
    is_number,
    json_of,
    lines_of,
    number_unnamed,
    refuse,
    text_of,
)

Ends = Literal["inclusive", "exclusive"]
WORDS = ("sentences", "cased_words", "tokens", "text")
ENTITIES = ("clusters", "span_clusters", "clusters_token_offsets", "predicted_clusters")
NAMES = ("doc_key", "doc_id", "document_id", "docid", "doc", "document", "id", "name")


ONCE = (*WORDS, *ENTITIES, *NAMES, "offsets", "subtoken_map")


def is_text(value: Any) -> bool:
    """Whether a value is a text that can be written again."""
    return isinstance(value, str) and not re.search("[\ud800-\udfff]", value)


def spans_of(entities: Any) -> list[list[tuple[int, int]]]:
    """Read lists of lists of pairs of numbers."""
    if not isinstance(entities, list):
        refuse("entities are not a list")
    for entity in entities:
        if not isinstance(entity, list):
            refuse("an entity is not a list")
        for span in entity:
            if not (isinstance(span, list) and len(span) == 2 and all(map(is_number, span))):
                refuse(f"the span {span!r}")
    return [[(start, end) for start, end in entity] for entity in entities]


# --------------------------------------------------------------------------- JSON lines


def read_jsonl(files: Files, ends: Ends | None = None) -> Reading:
    """Read one document per line, or one list of documents."""
    text = text_of(files[""], by_lines=False)
    if text.lstrip().startswith("["):
        values = json_of(text, ONCE)
    else:
        values = [json_of(line, ONCE) for line in lines_of(text) if line.strip()]
    if not values or not all(isinstance(value, dict) for value in values):
        refuse("not a list of objects")
    stated = [layout(value) for value in values]
    open_ends = [(spans, length) for spans, length, end in stated if end is None]
    ends = ends or decide(open_ends)
    documents: list[Document] = []
    for value, (spans, length, end) in zip(values, stated, strict=True):
        shift = 0 if (end or ends) == "inclusive" else 1
        entities = [[inside(a, b - shift, length) for a, b in entity] for entity in spans]
        characters = isinstance(value.get("text"), str) and "tokens" not in value
        documents.append(document(name_of(value), None if characters else length, entities))
    return number_unnamed(documents)


def name_of(value: dict[str, Any]) -> str:
    """Return the name of a document; `null` is no name."""
    found = [value[name] for name in NAMES if value.get(name) is not None]
    if found and not (is_text(found[0]) or is_number(found[0])):
        refuse("a name that is not a text")
    return str(found[0]) if found else ""


def layout(value: dict[str, Any]) -> tuple[list[list[tuple[int, int]]], int, Ends | None]:
    """Return the spans of a document, its length, and what its fields say about ends."""
    gold = [name for name in ENTITIES if name in value and name != "predicted_clusters"]
    if len(gold) > 1:
        refuse("two fields of entities")
    chosen = gold[0] if gold else "predicted_clusters"
    if chosen not in value:
        refuse("no field of entities")
    spans = spans_of(value[chosen])
    length = count_tokens(value)
    ends: Ends | None = None
    if "offsets" in value:
        if value["offsets"] not in ("token-inclusive", "token-exclusive", "character-exclusive",
                                    "character-inclusive"):  # fmt: skip
            refuse("unknown offsets")
        ends = "exclusive" if value["offsets"].endswith("exclusive") else "inclusive"
    elif "subtoken_map" in value:
        return mapped(value, spans), length, "inclusive"
    elif "span_clusters" in value and "cased_words" in value:
        ends = "exclusive"
    elif "clusters_token_offsets" in value:
        ends = "inclusive"
    elif isinstance(value.get("text"), str) and not any(w in value for w in WORDS[:3]):
        ends = "exclusive"
    return spans, length, ends


def count_tokens(value: dict[str, Any]) -> int:
    """Return the number of words, or of characters."""
    if "sentences" in value:
        sentences = value["sentences"]
        if not (isinstance(sentences, list) and all(isinstance(s, list) for s in sentences)):
            refuse("sentences are not lists")
        if not all(is_text(word) for sentence in sentences for word in sentence):
            refuse("a word that is not a text")
        if "subtoken_map" in value:
            return max(subtokens(value), default=-1) + 1
        return sum(map(len, sentences))
    for name in ("cased_words", "tokens"):
        if name in value:
            if not (isinstance(value[name], list) and all(map(is_text, value[name]))):
                refuse("words are not a list of texts")
            return len(value[name])
    if is_text(value.get("text")):
        return len(value["text"])
    return refuse("no words")


def subtokens(value: dict[str, Any]) -> list[int]:
    """Return the word of each piece: as many as pieces, from 0, in order."""
    words = value["subtoken_map"]
    if not (isinstance(words, list) and all(map(is_number, words))):
        refuse("subtoken_map is not a list of numbers")
    if len(words) != sum(map(len, value["sentences"])):
        refuse("subtoken_map has another length than the pieces")
    if words != sorted(words) or (words and words[0] < 0):
        refuse("subtoken_map does not count words")
    return words


def mapped(
    value: dict[str, Any], spans: list[list[tuple[int, int]]]
) -> list[list[tuple[int, int]]]:
    """Turn pieces into words."""
    words = subtokens(value)
    for entity in spans:
        for start, end in entity:
            if not 0 <= start <= end < len(words):
                refuse(f"the span [{start}, {end}]")
    return [[(words[start], words[end]) for start, end in entity] for entity in spans]


def decide(spans: Iterable[tuple[list[list[tuple[int, int]]], int]]) -> Ends:
    """Find out from all spans of a file which ends they have."""
    every = [(a, b, n) for entities, n in spans for entity in entities for a, b in entity]
    inclusive = any(a == b for a, b, _ in every)
    exclusive = any(b == n for _, b, n in every)
    if every and inclusive == exclusive:
        refuse("ends that can be inclusive or exclusive")
    return "exclusive" if exclusive else "inclusive"


def inside(start: int, end: int, length: int) -> Mention:
    """Return a span that lies in the text."""
    if not 0 <= start <= end < length:
        refuse(f"the span {start} to {end} of {length}")
    return start, end, ""


# --------------------------------------------------------------------------- clusters


def read_clusters(files: Files) -> Reading:
    """Read documents, entities and mentions."""
    value = json_of(text_of(files[""], by_lines=False))
    documents: dict[str, Any]
    if isinstance(value, list):
        documents = {"": value}
    elif not isinstance(value, dict):
        refuse("not a list or an object")
    elif value.get("type") == "graph":
        return (graph(value),)
    elif isinstance(value.get("type"), str):
        if value["type"] != "clusters" or "clusters" not in value:
            refuse("another type")
        documents = {"": value["clusters"]}
    else:
        if "clusters" in value:
            refuse("clusters of a document without a name")
        documents = value
    kinds: set[bool] = set()
    found = []
    for name, entities in documents.items():
        if isinstance(entities, dict):
            entities = list(entities.values())  # noqa: PLW2901
        if not isinstance(entities, list):
            refuse("entities are not a list")
        found.append(document(name, None, [mentions_of(entity, kinds) for entity in entities]))
    if len(kinds) > 1:
        refuse("spans and names")
    return number_unnamed(found)


def graph(value: dict[str, Any]) -> Document:
    """Read mentions and links."""
    mentions, links = value.get("mentions"), value.get("links")
    if not (isinstance(mentions, list) and isinstance(links, list)):
        refuse("mentions or links are not lists")
    kinds: set[bool] = set()
    names = mentions_of(mentions, kinds) if mentions else []
    if len(set(names)) < len(names) or len(kinds) > 1:
        refuse("a mention twice, or of two kinds")
    pairs = []
    for link in links:
        if not (isinstance(link, list) and len(link) == 2):
            refuse("a link that is not a pair")
        one, other = mentions_of(link, kinds)
        if one not in names or other not in names:
            refuse("a link to nothing")
        pairs.append((one, other))
    return document("#1", None, groups(names, pairs))


def mentions_of(entity: Any, kinds: set[bool]) -> list[Mention]:
    """Read one entity."""
    if not (isinstance(entity, list) and entity):
        refuse("an entity that is not a list of mentions")
    found: list[Mention] = []
    for mention in entity:
        kinds.add(isinstance(mention, list))
        if isinstance(mention, list):
            if not (len(mention) == 2 and all(map(is_number, mention))):
                refuse("a span that is not a pair of numbers")
            if not 0 <= mention[0] <= mention[1] < 2**63:
                refuse("a span that is not in order")
            found.append((mention[0], mention[1], ""))
        elif is_text(mention) or (is_number(mention) and abs(mention) < 10**4000):
            found.append(mention if isinstance(mention, str) else repr(mention))
        else:
            refuse("a mention that is not a span or a name")
    return found


# --------------------------------------------------------------------------- CoreNLP


def read_corenlp(files: Files) -> Reading:
    """Read sentences and chains."""
    value = json_of(text_of(files[""], by_lines=False))
    if not (isinstance(value, dict) and isinstance(value.get("sentences"), list)):
        refuse("no sentences")
    if not isinstance(value.get("corefs"), dict):
        refuse("no chains")
    lengths = []
    for sentence in value["sentences"]:
        if not (isinstance(sentence, dict) and isinstance(sentence.get("tokens"), list)):
            refuse("a sentence without tokens")
        for token in sentence["tokens"]:
            if not isinstance(token, dict):
                refuse("a token that is not an object")
        lengths.append(len(sentence["tokens"]))
    entities = []
    for chain in value["corefs"].values():
        if not isinstance(chain, list):
            refuse("a chain that is not a list")
        entities.append([corenlp_mention(mention, lengths) for mention in chain])
    name = value.get("docId", "")
    if not is_text(name):
        refuse("a name that is not a text")
    return number_unnamed([document(name, sum(lengths), entities)])


def corenlp_mention(mention: Any, lengths: list[int]) -> Mention:
    """Return a mention: all numbers count from 1, and the end is exclusive."""
    if not isinstance(mention, dict):
        refuse("a mention that is not an object")
    places: list[Any] = [mention.get(name) for name in ("sentNum", "startIndex", "endIndex")]
    if not all(map(is_number, places)):
        refuse("a mention without its place")
    sentence, start, end = places
    if not (1 <= sentence <= len(lengths) and 1 <= start < end <= lengths[sentence - 1] + 1):
        refuse("a mention outside of the text")
    head = mention.get("headIndex", start)
    if not is_number(head) or not start <= head < end:
        refuse("a head outside of its mention")
    before = sum(lengths[: sentence - 1])
    return before + start - 1, before + end - 2, ""
