"""The fields of JSON lines: their names in the output of each system, and what offsets count."""

from __future__ import annotations

from functools import lru_cache

INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
TOKEN, SUBTOKEN, CHARACTER = "token", "subtoken", "character"
NAMES = ("doc_key", "doc_id", "document_id", "doc_name", "id")
TEXTS = ("sentences", "tokens", "cased_words", "text")
GOLD = ("clusters", "span_clusters", "clusters_token_offsets", "gold_clusters")
PREDICTED = ("predicted_clusters", "pred_clusters", "clusters_pred")
_ENDS = {"span_clusters": EXCLUSIVE, "clusters_token_offsets": INCLUSIVE}


@lru_cache(maxsize=64)  # called for every line, with few different arguments
def find_convention(
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
