"""The fields of JSON lines: what systems call them, and what they say of offsets."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from scoref.formats.json.jsonl.text import CHARACTER, TEXTS, TOKEN

INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
SUBTOKEN = "subtoken"
NAMES = ("doc_key", "doc_id", "document_id", "doc_name", "id")
GOLD = ("clusters", "span_clusters", "clusters_token_offsets", "gold_clusters")
PREDICTED = ("predicted_clusters", "pred_clusters", "clusters_pred")
_ENDS = {"span_clusters": EXCLUSIVE, "clusters_token_offsets": INCLUSIVE}


class Layout(NamedTuple):
    """The keys of a document, and where its fields stand among them; -1 is for one it lacks."""

    keys: tuple[str, ...]
    words: int
    entities: int
    name: int
    stated: int
    subtokens: int
    sentence_numbers: int


def find_layout(keys: tuple[str, ...], *, predicted: bool) -> Layout | None:
    """Find the fields of a document among its keys, if it has words, and entities just once."""
    at = {key: place for place, key in enumerate(keys)}
    fields, twice = entity_fields(keys, predicted=predicted)
    words = next((name for name in TEXTS[:-1] if name in at), None)
    if len(at) < len(keys) or not fields or twice or words is None:
        return None
    name = next((at[key] for key in NAMES if key in at), -1)
    others = (at.get(key, -1) for key in ("offsets", "subtoken_map", "sent_id"))
    return Layout(keys, at[words], at[fields[0]], name, *others)


def entity_fields(keys: Collection[str], *, predicted: bool) -> tuple[list[str], list[str]]:
    """Return the fields with entities, those to be read first; and two of one kind, if there are.

    Gold ones are to be read, or the `predicted`.
    """
    gold, others = ([name for name in names if name in keys] for names in (GOLD, PREDICTED))
    twice = next((names for names in (gold, others) if len(names) > 1), [])
    return others + gold if predicted else gold + others, twice


@lru_cache(maxsize=64)  # asked of every line, with few different answers
def convention(stated: str, name: str, *, of_text: bool, has_map: bool) -> tuple[str, str | None]:
    """Return what the offsets of a document count, and what their ends are, if told."""
    unit, _, end = stated.partition("-")
    if unit in (TOKEN, CHARACTER) and end in (INCLUSIVE, EXCLUSIVE):
        return unit, end
    if of_text:
        return CHARACTER, EXCLUSIVE
    if has_map:
        return SUBTOKEN, INCLUSIVE
    return TOKEN, _ENDS.get(name)
