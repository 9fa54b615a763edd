"""Mention types: stated by the file, else inferred from tags and parses, or from English words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.base.phrases import counted
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics import english
from scoref.linguistics.heads import head_by_tags, head_finder
from scoref.linguistics.tags import DETERMINER, NAME, PRONOUN, are_known, tag_class
from scoref.metrics.table import NOWHERE

TypeOf = Callable[[int, int, int], str]
"""Takes a document and the first and last token of a mention."""

NEEDED = frozenset({"word", "pos", "parse"})
"""The columns to read if mention types are needed."""


def add_types(
    corpus: Corpus, text: Text | None, document: Ints, how: str, side: str
) -> tuple[Corpus, str]:
    """Give each mention of a corpus a type; also return the source that types were inferred from.

    `how` is `auto`, `file`, `columns` or `words`. Types that a file states are kept with `auto`
    and `file`. `document` is the index of each document of the corpus in the text, or NOWHERE.
    """
    known: NDArray[Any] = corpus.attributes.get("type", np.full(len(corpus), "", dtype="U8"))
    if how in ("columns", "words"):
        known = np.full(len(corpus), "", dtype="U8")
    place = document[corpus.document] if len(corpus) else corpus.document
    unknown = np.flatnonzero((known == "") & (place != NOWHERE))
    if not len(unknown):
        return corpus, ""
    spans = corpus.as_spans()
    if spans is None or text is None or how == "file":
        raise UsageError(
            f"the type (name, nominal, pronoun) of {counted(len(unknown), 'mention')} of the"
            f" {side} is unknown",
            'use files with words, or pass types={mention: "name", ...} to Corpus.from_entities',
        )
    type_of, source = _choose(text, how)
    types = known.astype("U8")
    columns = (place[unknown], spans.start[unknown], spans.end[unknown])
    types[unknown] = [type_of(*at) for at in zip(*(c.tolist() for c in columns), strict=True)]
    attributes = {**corpus.attributes, "type": types}
    if "pos" in text:
        attributes["tag"] = _tags(spans, text, place)
    return replace(corpus, attributes=attributes), source


def add_types_if_possible(corpus: Corpus) -> tuple[Corpus, str]:
    """Give each mention a type, with a note about the source; without one, change nothing."""
    try:
        typed, source = add_types(corpus, corpus.text, np.arange(len(corpus.documents)), "auto", "")
    except UsageError:
        return corpus, ""
    return typed, f"{corpus.source}: mention types were inferred from {source}" if source else ""


def _tags(spans: Corpus, text: Text, place: Ints) -> NDArray[Any]:
    """Return the tag of each mention of one token."""
    alone = np.flatnonzero((spans.start == spans.end) & (place != NOWHERE))
    tags = np.array(text.columns["pos"])
    found = np.full(len(spans), "", dtype=tags.dtype)
    found[alone] = tags[text.first[place[alone]] + spans.start[alone]]
    return found


def _choose(text: Text, how: str) -> tuple[TypeOf, str]:
    """Choose the best source of mention types in a text."""
    if how != "words" and "pos" in text and are_known(list(text.columns["pos"])):
        parsed = " and parses" if "parse" in text else ""
        return by_columns(text), f"part-of-speech tags{parsed}"
    if how == "columns":
        raise UsageError(
            "mention types cannot be inferred from columns: the files have no part-of-speech tags"
            " of a known tag set",
            "--types words infers them from an English word list",
        )
    if "word" not in text:
        raise UsageError(
            "mention types (name, nominal, pronoun) are unknown, and they cannot be inferred: the"
            " files have no word column",
            "the word column follows the column of token numbers; CoNLL-2012 has tags and parses"
            " in columns 5 and 6",
        )
    if how != "words" and not english.looks_english(text.columns["word"]):
        raise UsageError(
            "mention types (name, nominal, pronoun) are unknown, and they cannot be inferred: the"
            " files have no part-of-speech tags of a known tag set, and the words do not look"
            " English",
            "add tags, or use --types words to treat the words as English",
        )
    return by_words(text), "an English word list"


def by_words(text: Text) -> TypeOf:
    """Infer types from an English word list."""
    words = text.columns["word"]
    in_lower_case = english.lower_case_words(words)
    first, starts_sentence = text.first.tolist(), text.starts_sentence.tolist()
    infer = cache(partial(english.mention_type, in_lower_case=in_lower_case))  # mentions recur

    def type_of(document: int, start: int, end: int) -> str:
        at = first[document]
        mention = tuple(words[at + start : at + end + 1])
        return infer(mention, starts=starts_sentence[at + start])

    return type_of


def by_columns(text: Text) -> TypeOf:
    """Infer types from the tag of the head, which a parse finds better than tags alone."""
    tags = text.columns["pos"]
    head_of = head_finder(text)

    def type_of(document: int, start: int, end: int) -> str:
        at = int(text.first[document])
        if start == end and tag_class(tags[at + start]) in (DETERMINER, PRONOUN):
            return "pronoun"
        if head_of is not None:
            head = head_of(document, start, end)
        else:
            head = start + head_by_tags(tags[at + start : at + end + 1])
        return {NAME: "name", PRONOUN: "pronoun"}.get(tag_class(tags[at + head]), "nominal")

    return type_of
