"""Reading of both sides, with the required columns and with spans in the same unit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from scoref.alignment.document_pairing import (
    find_key_documents,
    invert_pairing,
    rename_similar_documents,
)
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.policy import Policy
from scoref.preparation.character_offsets import as_tokens
from scoref.preparation.inputs import CachedInput, Input, ReadOptions, as_corpus
from scoref.preparation.positions import OWN_TOKENS, key_columns, response_columns
from scoref.preparation.regrouping import unit_columns
from scoref.preparation.same_text import columns_to_check


def read_both(
    key: Input, response: Input, options: ReadOptions, columns: Collection[str], policy: Policy
) -> tuple[Corpus, Corpus]:
    """Read both sides, and express their spans in the same unit.

    Both sides have the same words, so `columns` are read from the response only if the key has no
    columns.
    """
    columns = {*columns, *key_columns(policy)}
    always = {
        *unit_columns(policy.unit),
        *columns_to_check(options.check_words, read=bool(columns)),
        *response_columns(policy),
    }
    if isinstance(key, CachedInput):
        key.prefetch("key", options, {*columns, *always})
    if isinstance(response, CachedInput):
        response.prefetch("response", options, always)  # the key usually has words
    key_corpus = as_corpus(key, "key", options, {*columns, *always})
    has_columns = key_corpus.text is not None and key_corpus.text.columns
    columns = always if has_columns else {*columns, *always}
    response_corpus = as_corpus(response, "response", options, columns)
    if policy.pair_documents == "similar":
        response_corpus = rename_similar_documents(key_corpus, response_corpus)
    if key_corpus.unit == response_corpus.unit:
        return key_corpus, response_corpus
    if key_corpus.unit == "character":
        text = _words_of(response, response_corpus, "response", options)
        place = invert_pairing(
            find_key_documents(key_corpus, response_corpus), len(key_corpus.documents)
        )
        return as_tokens(key_corpus, text, place, "key"), response_corpus
    text = _words_of(key, key_corpus, "key", options)
    place = find_key_documents(key_corpus, response_corpus)
    widen = policy.positions == OWN_TOKENS
    converted = as_tokens(response_corpus, text, place, "response", widen=widen)
    if widen:
        converted = replace(converted, text=text.of_documents(place))
    return key_corpus, converted


def _words_of(source: Input, corpus: Corpus, side: str, options: ReadOptions) -> Text:
    """Return the words of a side, for comparison with the characters of the other side."""
    if corpus.text is None or "word" not in corpus.text:
        corpus = as_corpus(source, side, options, {"word"})
    if corpus.text is None or "word" not in corpus.text:
        raise UsageError(
            f"one side counts characters, but the {side} has tokens without words",
            "use the same unit on both sides, or add words to the side that has tokens",
        )
    return corpus.text
