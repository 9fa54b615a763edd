"""Inference of the mention types, heads and minimal spans that metrics and policies require."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.matching.document_pairing import check_ends, invert_pairing
from scoref.metrics.needs import (
    HEADS,
    KEY_HEADS,
    MINIMAL_SPANS_OR_HEADS,
    PARSES,
    TYPES,
    VERB_PHRASES,
)
from scoref.metrics.table import NOWHERE
from scoref.policy import Policy

_INFERRED = frozenset({TYPES, HEADS, KEY_HEADS, MINIMAL_SPANS_OR_HEADS, VERB_PHRASES, PARSES})
_BY_PARSES = "the key states no minimal spans: they were computed from parses (mina)"
_BY_HEADS = "the key states no minimal spans: heads were used instead"


class AnnotatedSides(NamedTuple):
    """Both sides with the required attributes, and notes on how they were inferred."""

    key: Corpus
    response: Corpus
    notes: tuple[str, ...]


def resolve_match(policy: Policy, key: Corpus, response: Corpus) -> tuple[Policy, tuple[str, ...]]:
    """Resolve `match=min`: stated minimal spans, else parses (`mina`), else heads, with a note."""
    if policy.match != "min" or states_minimal_spans(key):
        return policy, ()
    from scoref.linguistics.heads import head_finder, states_heads  # noqa: PLC0415
    from scoref.linguistics.minimal import has_parses  # noqa: PLC0415

    text = key.text if key.text is not None and key.text.columns else response.text
    if has_parses(text):
        return replace(policy, match="mina"), (_BY_PARSES,)
    if states_heads(key) or head_finder(text) is not None:
        return policy, (_BY_HEADS,)
    raise UsageError(
        "the key states no minimal spans, and the files have no parses or heads to use instead",
        "use files with dependencies, parses or heads, or pass"
        ' mentions={doc: {mention: {"min": (3, 4)}}} to Corpus.from_entities',
    )


def lacks_words(policy: Policy, needs: Collection[str], key: Corpus, response: Corpus) -> bool:
    """Whether words must be read because heads or minimal spans are not all stated."""
    if policy.match == "min" and not states_minimal_spans(key):
        return True
    if MINIMAL_SPANS_OR_HEADS in needs and not _states_cores(key):
        return True
    sides = (key, response) if HEADS in needs else (key,) if KEY_HEADS in needs else ()
    if not sides:
        return False
    from scoref.linguistics.heads import states_heads  # noqa: PLC0415

    return not all(map(states_heads, sides))


def _states_cores(corpus: Corpus) -> bool:
    """Whether each mention has a minimal span or a head."""
    head = corpus.attributes.get("head_start", np.full(len(corpus), NOWHERE))
    return bool(((head != NOWHERE) | (_minimal_starts(corpus) != NOWHERE)).all())


def _minimal_starts(corpus: Corpus) -> Ints:
    starts: Ints = corpus.attributes.get("min_start", np.full(len(corpus), NOWHERE))
    return starts


def states_minimal_spans(corpus: Corpus) -> bool:
    """Whether a corpus states the minimal span of any mention, or has no mentions."""
    return not len(corpus) or bool((_minimal_starts(corpus) != NOWHERE).any())


def infer_attributes(
    key: Corpus, response: Corpus, key_document: Ints, needs: Collection[str], types_from: str
) -> AnnotatedSides:
    """Add the mention types, heads and minimal spans that metrics and matching require.

    Both sides have the same tokens, so both use the words of the key, or the words of the response
    if the key has no words. `key_document` is the key document of each response document.
    `types_from` is the source of mention types, as in the policy.
    """
    if not _INFERRED.intersection(needs):
        return AnnotatedSides(key, response, ())
    from scoref.linguistics.heads import add_heads  # noqa: PLC0415  # the default needs nothing
    from scoref.linguistics.minimal import add_minimal_spans  # noqa: PLC0415
    from scoref.linguistics.trees import add_verb_phrases  # noqa: PLC0415
    from scoref.linguistics.types import add_types  # noqa: PLC0415

    text, of_key, of_response = _text_of(key, response, key_document)
    if text is not None:
        length = np.append(np.diff(text.first), UNKNOWN)
        check_ends(key, length[of_key], "key")
        check_ends(response, length[of_response], "response")
    notes: list[str] = []
    if TYPES in needs:
        key, one = add_types(key, text, of_key, types_from, "key")
        response, other = add_types(response, text, of_response, types_from, "response")
        sources = dict.fromkeys(source for source in (one, other) if source)
        notes += [f"mention types were inferred from {source}" for source in sources]
    if HEADS in needs or KEY_HEADS in needs:
        key = add_heads(key, text, of_key, "key")
    elif MINIMAL_SPANS_OR_HEADS in needs:
        key = add_heads(key, text, of_key, "key", least=_minimal_starts(key))
    if HEADS in needs:
        response = add_heads(response, text, of_response, "response")
    if VERB_PHRASES in needs:
        key = add_verb_phrases(key, text, of_key)
        response = add_verb_phrases(response, text, of_response)
    if PARSES in needs:
        key, broken = add_minimal_spans(key, text, of_key)
        response, more = add_minimal_spans(response, text, of_response)
        if sentences := len(broken | more):
            notes.append(
                f"the brackets of the parse do not match in {counted(sentences, 'sentence')}:"
                " mentions there are unchanged"
            )
    return AnnotatedSides(key, response, tuple(notes))


def _text_of(key: Corpus, response: Corpus, key_document: Ints) -> tuple[Text | None, Ints, Ints]:
    """Return the text of both sides, and the index of their documents in it."""
    if key.text is not None and key.text.columns:
        return key.text, np.arange(len(key.documents)), key_document
    of_key = invert_pairing(key_document, len(key.documents))
    return response.text, of_key, np.arange(len(response.documents))
