"""Reading of both sides, with the required columns and with spans in the same unit.

A response that a language model wrote is aligned with the words of the key first.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.matching.document_pairing import (
    find_key_documents,
    invert_pairing,
    rename_similar_documents,
)
from scoref.matching.inputs import CachedInput, Input, ReadOptions, as_corpus, is_read_once
from scoref.matching.positions import OWN_TOKENS
from scoref.matching.requirements import Requirements

if TYPE_CHECKING:
    from scoref.llm.align import GeneratedAlignment


def align_response(
    key: Input, response: Input, requirements: Requirements
) -> tuple[Input, Input, GeneratedAlignment | None]:
    """Return both sides, the response as a corpus if it is generated text, and its alignment.

    Nothing is read unless the policy names a markup.
    """
    policy, options = requirements.policy, requirements.options
    if policy.markup == "none":
        return key, response, None
    from scoref.llm.align import align, is_generated  # noqa: PLC0415  # few ask for it

    source = response.source if isinstance(response, CachedInput) else response
    if not is_generated(source):
        return key, response, None
    once = is_read_once(key)
    corpus = as_corpus(key, "key", options, requirements.reading(key).for_alignment)
    how = policy.markup, policy.unclosed_tags
    encoding = options.of_side("response")[1]
    found = align(corpus, source, *how, encoding=encoding)  # type: ignore[arg-type]
    shown = str(source) if isinstance(source, str | PathLike) else "response"
    aligned = replace(found.corpus, source=shown, notes=tuple(found.notes))
    return corpus if once else key, aligned, found


def read_both(key: Input, response: Input, requirements: Requirements) -> tuple[Corpus, Corpus]:
    """Read both sides, and express their spans in the same unit.

    Both sides have the same words, so the text is read from the response only if the key has none.
    """
    policy, options = requirements.policy, requirements.options
    if isinstance(key, CachedInput):
        key.prefetch("key", options, requirements.of_key)
    if isinstance(response, CachedInput):
        response.prefetch("response", options, requirements.of_each)  # the key usually has words
    key_corpus = as_corpus(key, "key", options, requirements.of_key)
    has_text = key_corpus.text is not None and key_corpus.text.columns
    columns = requirements.of_each if has_text else requirements.of_response
    response_corpus = as_corpus(response, "response", options, columns)
    if policy.pair_documents == "similar":
        response_corpus = rename_similar_documents(key_corpus, response_corpus)
    if key_corpus.unit == response_corpus.unit:
        return key_corpus, response_corpus
    from scoref.matching.character_offsets import as_tokens  # noqa: PLC0415  # few sides differ

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
