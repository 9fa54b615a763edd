"""Mention types: from the file, else from tags and parses, else from English words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.arrays import Ints
from scoref.corpus import Corpus
from scoref.exceptions import UsageError
from scoref.linguistics import english
from scoref.linguistics.heads import head_by_parse, head_by_tags
from scoref.linguistics.tags import DETERMINER, NAME, PRONOUN, are_known, tag_class
from scoref.linguistics.trees import Node, read_tree
from scoref.table import NOWHERE
from scoref.text import Text
from scoref.wording import counted

TypeOf = Callable[[int, int, int], str]
"""Takes a document and the first and last token of a mention."""

NEEDED = frozenset({"word", "pos", "parse"})
"""The columns to read where types are needed."""


def with_types(
    key: Corpus, response: Corpus, key_document: Ints, how: str
) -> tuple[Corpus, Corpus, tuple[str, ...]]:
    """Give each mention of both sides a type, and note how it was told.

    `how` is `auto`, or one of `file`, `columns` and `words` and nothing else. What a file
    states is kept. Both sides have the same tokens, so the key's words serve both, or the
    response's where the key has none.
    """
    here = np.arange(len(key.documents))
    if key.text is not None and key.text.columns:
        text: Text | None = key.text
        of_key, of_response = here, key_document
    else:
        text, of_response = response.text, np.arange(len(response.documents))
        of_key = np.full(len(key.documents) + 1, NOWHERE, dtype=np.int64)
        of_key[key_document] = of_response
    ours, one = add_types(key, text, of_key, how, "key")
    theirs, other = add_types(response, text, of_response, how, "response")
    told = dict.fromkeys(source for source in (one, other) if source)
    return ours, theirs, tuple(f"types of mentions are told by {source}" for source in told)


def add_types(
    corpus: Corpus, text: Text | None, document: Ints, how: str, side: str
) -> tuple[Corpus, str]:
    """Give each mention of a corpus a type, and say how it was told.

    `document` is where each document of the corpus stands in the text, or NOWHERE.
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
            f" {side} is not known",
            'pass types={mention: "name", ...} to Corpus.from_entities, or files with words',
        )
    type_of, source = _choose(text, how)
    types = known.astype("U8")
    columns = (place[unknown], spans.start[unknown], spans.end[unknown])
    types[unknown] = [type_of(*at) for at in zip(*(c.tolist() for c in columns), strict=True)]
    return replace(corpus, attributes={**corpus.attributes, "type": types}), source


def _choose(text: Text, how: str) -> tuple[TypeOf, str]:
    """Choose the best source of types that a text has."""
    if how != "words" and "pos" in text and are_known(list(text.columns["pos"])):
        parsed = " and parses" if "parse" in text else ""
        return by_columns(text), f"part-of-speech tags{parsed}"
    if how == "columns":
        raise UsageError(
            "mention types cannot be told by columns: the files have no part-of-speech tags of a"
            " known tag set",
            "--types words tells them by a list of English words",
        )
    if "word" not in text:
        raise UsageError(
            "the types (name, nominal, pronoun) of mentions are not known, and no column of the"
            " files was found to have words to tell them by",
            "the word follows a column that counts tokens; tags and parses stand in columns 5 and"
            " 6 of CoNLL-2012",
        )
    if how != "words" and not english.looks_english(text.columns["word"]):
        raise UsageError(
            "the types (name, nominal, pronoun) of mentions are not known: the files have no"
            " part-of-speech tags of a known tag set, and their words do not look English",
            "add tags, or let --types words take the words for English",
        )
    return by_words(text), "a list of English words"


def by_words(text: Text) -> TypeOf:
    """Tell types by a list of English words."""
    words = text.columns["word"]
    in_lower_case = english.lower_case_words(words)

    def type_of(document: int, start: int, end: int) -> str:
        at = int(text.first[document])
        starts = bool(text.starts_sentence[at + start])
        return english.mention_type(words[at + start : at + end + 1], in_lower_case, starts=starts)

    return type_of


def by_columns(text: Text) -> TypeOf:
    """Tell types by the tag of the head, which is found by the parse where there is one."""
    tags = text.columns["pos"]
    sentence = np.cumsum(text.starts_sentence) - 1
    bounds = np.append(np.flatnonzero(text.starts_sentence), len(text))
    trees: dict[int, Node | None] = {}

    def tree_of(number: int) -> Node | None:
        if number not in trees:
            low, high = int(bounds[number]), int(bounds[number + 1])
            trees[number] = read_tree(list(text.columns["parse"][low:high]))
        return trees[number]

    def type_of(document: int, start: int, end: int) -> str:
        at = int(text.first[document])
        low, high = at + start, at + end
        if low == high and tag_class(tags[low]) in (DETERMINER, PRONOUN):
            return "pronoun"
        head = low + head_by_tags(tags[low : high + 1])
        if "parse" in text and sentence[low] == sentence[high]:
            number = int(sentence[low])
            first, last = int(bounds[number]), int(bounds[number + 1])
            if (tree := tree_of(number)) is not None:
                head = first + head_by_parse(tree, tags[first:last], low - first, high - first)
        kind = tag_class(tags[head])
        return {NAME: "name", PRONOUN: "pronoun"}.get(kind, "nominal")

    return type_of
