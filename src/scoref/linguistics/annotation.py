"""Types and heads of the mentions of both sides, where a measure needs them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from scoref.arrays import Ints
from scoref.corpus import Corpus
from scoref.linguistics import heads, types
from scoref.linguistics.heads import add_heads
from scoref.linguistics.types import add_types
from scoref.metrics.base import HEADS, TYPES
from scoref.table import NOWHERE
from scoref.text import Text

_COLUMNS = {TYPES: types.NEEDED, HEADS: heads.NEEDED}


class Annotated(NamedTuple):
    """Both sides with what was asked for, and notes that say how it was told."""

    key: Corpus
    response: Corpus
    notes: tuple[str, ...]


def columns_for(needs: Collection[str]) -> frozenset[str]:
    """Return the columns of a file that can tell what measures need."""
    return frozenset(column for need in needs for column in _COLUMNS.get(need, ()))


def annotate(
    key: Corpus, response: Corpus, key_document: Ints, needs: Collection[str], how: str
) -> Annotated:
    """Give mentions the types and heads that measures need.

    Both sides have the same tokens, so the key's words serve both, or the response's where
    the key has none. `key_document` is the key document of each response document.
    """
    text, of_key, of_response = _text_of(key, response, key_document)
    notes: list[str] = []
    if TYPES in needs:
        key, one = add_types(key, text, of_key, how, "key")
        response, other = add_types(response, text, of_response, how, "response")
        told = dict.fromkeys(source for source in (one, other) if source)
        notes += [f"types of mentions are told by {source}" for source in told]
    if HEADS in needs:
        key = add_heads(key, text, of_key, "key")
        response = add_heads(response, text, of_response, "response")
    return Annotated(key, response, tuple(notes))


def _text_of(key: Corpus, response: Corpus, key_document: Ints) -> tuple[Text | None, Ints, Ints]:
    """Return the text that serves both sides, and where their documents stand in it."""
    if key.text is not None and key.text.columns:
        return key.text, np.arange(len(key.documents)), key_document
    of_key = np.full(len(key.documents) + 1, NOWHERE, dtype=np.int64)
    of_key[key_document] = np.arange(len(response.documents))
    return response.text, of_key[:-1], np.arange(len(response.documents))
