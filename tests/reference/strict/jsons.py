"""Strict readers of the formats that are JSON, written from the manual."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

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
    nodes,
    number_unnamed,
    refuse,
    text_of,
)

Ends = Literal["inclusive", "exclusive"]
WORDS = ("sentences", "tokens", "cased_words", "text")
GOLD = ("clusters", "span_clusters", "clusters_token_offsets", "gold_clusters")
PREDICTED = ("predicted_clusters", "pred_clusters", "clusters_pred")
NAMES = ("doc_key", "doc_id", "document_id", "doc_name", "id")


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
        values = json_of(text)
    else:
        values = [json_of(line) for line in lines_of(text) if line.strip()]
    if not values or not all(isinstance(value, dict) for value in values):
        refuse("not a list of objects")
    for value in values:
        if ends and not str(value.get("offsets", ends)).endswith(ends):
            refuse("other ends than those that --format names")
    values = [one for value in values for one in several(value)]
    layouts = [layout(value) for value in values]
    if len({one.unit == "character" for one in layouts}) > 1:
        refuse("tokens and characters")
    decided = ends or decide([one for one in layouts if one.end is None])
    documents: list[Document] = []
    for value, one in zip(values, layouts, strict=True):
        shift = 0 if (ends or one.end or decided) == "inclusive" else 1
        entities = [[inside(a, b - shift, one.length) for a, b in entity] for entity in one.spans]
        length: int | None = one.length
        if one.words:
            entities = [[(one.words[a], one.words[b], "") for a, b, _ in e] for e in entities]
            length = max(one.words) + 1
        documents.append(
            document(name_of(value), None if one.unit == "character" else length, entities)
        )
    return number_unnamed(documents)


def several(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the documents of an object of xCoRe as objects of their own."""
    names, tokens, entities = map(value.get, ("doc_key", "tokens", "clusters_token_offsets"))
    others = [value.get(field) for field in (*NAMES[1:], *PREDICTED)]
    is_plain = not isinstance(names, list) and names is not None
    if is_plain or "sentences" in value or any(one is not None for one in others):
        return [value]
    if any(field in value for field in PREDICTED) or not isinstance(entities, list):
        return [value]
    if not (isinstance(tokens, list) and tokens and all(isinstance(one, list) for one in tokens)):
        return [value]
    mentions = [m for entity in entities if isinstance(entity, list) for m in entity]
    if not all(isinstance(one, list) for one in entities) or (not mentions and names is None):
        return [value]
    if not all(isinstance(mention, list) and len(mention) == 3 for mention in mentions):
        return [value]
    if names is not None and len(names) != len(tokens):
        refuse("a name per document")
    if not all(is_number(document) and 0 <= document < len(tokens) for document, _, _ in mentions):
        refuse("a document that does not exist")
    found = []
    for at, words in enumerate(tokens):
        of_one = [[[a, b] for number, a, b in entity if number == at] for entity in entities]
        kept = {**value, "tokens": words, "clusters_token_offsets": [e for e in of_one if e]}
        kept["doc_key"] = names[at] if names is not None else None
        found.append(kept)
    return found


def name_of(value: dict[str, Any]) -> str:
    """Return the name of a document; `null` is no name."""
    found = [value[name] for name in NAMES if value.get(name) is not None]
    if found and not (is_text(found[0]) or is_number(found[0])):
        refuse("a name that is not a text")
    return str(found[0]) if found else ""


class Layout(NamedTuple):
    """What the fields of a document say: its spans as written, and how to read them.

    `words` has the word of each piece, if offsets count pieces.
    """

    spans: list[list[tuple[int, int]]]
    unit: str
    length: int
    end: Ends | None
    words: list[int]


def layout(value: dict[str, Any]) -> Layout:
    """Return what the fields of a document say."""
    gold, predicted = ([name for name in names if name in value] for names in (GOLD, PREDICTED))
    if len(gold) > 1 or len(predicted) > 1:
        refuse("two fields of entities")
    if not gold and not predicted:
        refuse("no field of entities")
    chosen = (gold or predicted)[0]
    entities = value[chosen]
    entities = list(entities.values()) if isinstance(entities, dict) else entities
    parts = triplets_of(entities) if chosen == "clusters_token_offsets" else None
    spans = [] if parts is not None else spans_of(entities)
    words, characters = words_of(value)
    if parts is not None:
        if characters is not None:
            refuse("parts of characters")
        tokens = value[next(name for name in WORDS if name in value)]
        parts_of_text = tokens if tokens and isinstance(tokens[0], list) else [tokens]
        sizes = [len(part) for part in parts_of_text]
        spans = [[in_whole(sizes, *mention) for mention in entity] for entity in parts]
    if "offsets" in value:
        stated = re.fullmatch("(token|character)-(inclusive|exclusive)", str(value["offsets"]))
        if not stated:
            refuse("unknown offsets")
        length = len(words) if stated[1] == "token" else len(characters or "")
        end: Ends = "inclusive" if stated[2] == "inclusive" else "exclusive"
        return Layout(spans, stated[1], length, end, [])
    if characters is not None:
        return Layout(spans, "character", len(characters), "exclusive", [])
    if "subtoken_map" in value:
        return Layout(spans, "token", len(words), "inclusive", subtokens(value, len(words)))
    ends: dict[str, Ends] = {"span_clusters": "exclusive", "clusters_token_offsets": "inclusive"}
    return Layout(spans, "token", len(words), ends.get(chosen), [])


def triplets_of(entities: Any) -> list[list[tuple[int, int, int]]] | None:
    """Read mentions as [part, start, end], as xCoRe writes them, or return None."""
    if not isinstance(entities, list) or not all(isinstance(one, list) for one in entities):
        return None
    mentions = [mention for entity in entities for mention in entity]
    if not mentions or not all(isinstance(m, list) and len(m) == 3 for m in mentions):
        return None
    if not all(is_number(value) for mention in mentions for value in mention):
        refuse("a mention that is not three numbers")
    return [[(part, start, end) for part, start, end in entity] for entity in entities]


def in_whole(sizes: list[int], part: int, start: int, end: int) -> tuple[int, int]:
    """Return a span of a part in the whole text."""
    if not (0 <= part < len(sizes) and 0 <= start <= end < sizes[part]):
        refuse(f"[{part}, {start}, {end}] in parts of {sizes} tokens")
    return sum(sizes[:part]) + start, sum(sizes[:part]) + end


def words_of(value: dict[str, Any]) -> tuple[list[str], str | None]:
    """Return the words of the first field that has any, or the characters of a text."""
    name = next((name for name in WORDS if name in value), "")
    found: Any = value.get(name)
    if name == "text" and is_text(found):
        return [], found
    if name in ("", "text") or not isinstance(found, list):
        refuse("no words")
    if found and isinstance(found[0], str) and name != "sentences":
        found = [found]
    if not all(isinstance(sentence, list) for sentence in found):
        refuse("sentences are not lists")
    words = [word for sentence in found for word in sentence]
    if not all(map(is_text, words)):
        refuse("a word that is not a text")
    return words, None


def subtokens(value: dict[str, Any], pieces: int) -> list[int]:
    """Return the word of each piece: as many as pieces, from 0, in order."""
    words = value["subtoken_map"]
    if not (isinstance(words, list) and all(map(is_number, words))):
        refuse("subtoken_map is not a list of numbers")
    if words and len(words) != pieces:
        refuse("subtoken_map has another length than the pieces")
    if words != sorted(words) or (words and words[0] < 0):
        refuse("subtoken_map does not count words")
    return words


def decide(layouts: Iterable[Layout]) -> Ends:
    """Find out from all spans of a file which ends they have."""
    every = [(a, b, one.length) for one in layouts for entity in one.spans for a, b in entity]
    inclusive = any(a == b for a, b, _ in every)
    exclusive = any(b == n for _, b, n in every)
    if every and inclusive == exclusive:
        refuse("ends that can be inclusive or exclusive")
    return "exclusive" if exclusive else "inclusive"


def inside(start: int, end: int, length: int) -> tuple[int, int, str]:
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
    read = mentions_of(mentions, kinds) if mentions else []
    names = dict(zip(map(repr, mentions), read, strict=True))
    if len(names) < len(mentions) or len(kinds) > 1:  # 1 and "1" are two mentions
        refuse("a mention twice, or of two kinds")
    pairs = []
    for link in links:
        if not (isinstance(link, list) and len(link) == 2):
            refuse("a link that is not a pair")
        mentions_of(link, kinds)
        one, other = map(repr, link)
        if one not in names or other not in names:
            refuse("a link to nothing")
        pairs.append((one, other))
    return document("#1", None, [[names[m] for m in entity] for entity in groups(names, pairs)])


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


# --------------------------------------------------------------------------- mention lists


def read_mentionlist(files: Files) -> Reading:
    """Read an object per mention, in a list or in lines."""
    text = text_of(files[""], by_lines=False)
    if text.lstrip().startswith("["):
        rows = json_of(text)
    else:
        rows = [json_of(line) for line in lines_of(text) if line.strip()]
    if not rows or not all(isinstance(row, dict) for row in rows):
        refuse("not a list of objects")
    by_tokens = "tokens_ids" in rows[0]
    documents: dict[str, dict[str, list[Mention]]] = {}
    topics: dict[tuple[str, str], str] = {}
    for row in rows:
        name = scalar(row.get("doc_id"))
        entity = scalar(row.get("cluster_id" if by_tokens else "coref_chain"))
        mention: Mention
        if by_tokens:
            tokens = row.get("tokens_ids")
            if not (isinstance(tokens, list) and tokens and all(map(is_number, tokens))):
                refuse("no list of tokens")
            if min(tokens) < 0 or len(set(tokens)) < len(tokens) or max(tokens) >= 2**62:
                refuse("tokens that are not different positions")
            mention = nodes(sorted(tokens))
        else:
            mention = scalar(row.get("mention_id"))
            if row.get("predicted_coref_chain") not in ("UNK", "", None):
                scalar(row["predicted_coref_chain"])
        for field in ("topic" if by_tokens else "topic_id", "subtopic"):
            value = row.get(field)
            topic = "" if value in ("", None) else scalar(value)
            topic = "" if topic == "-1" else topic
            is_known = re.fullmatch(r"[0-9]+_[0-9]+ecb(plus)?(\.xml)?", name)
            if not is_known and topics.setdefault((name, field), topic) != topic:
                refuse("a document with two topics")
        documents.setdefault(name, {}).setdefault(entity, []).append(mention)
    return tuple(document(name, None, one.values()) for name, one in documents.items())


def scalar(value: Any) -> str:
    """Return a name or a number as a text."""
    if not (is_number(value) or (is_text(value) and value)):
        refuse(f"{value!r} is not a name")
    return str(value)


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
