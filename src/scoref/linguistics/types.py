"""Mention types: stated by the file, else inferred from tags and parses, or from English words.

Files with neither tags nor parses have words alone. The core of a mention then ends before the
first preposition, relative pronoun or punctuation mark other than its first word. A possessive
ending is ignored. A mention that consists of pronouns is a pronoun, and so are `each other` and
`one another`. Otherwise, the last word of the core decides. If it is capitalised and the mention
does not start with an indefinite determiner, the mention is a name, else a nominal. Every first
word of a sentence is capitalised, so at that position a word that also occurs in lower case is not
a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
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
from scoref.linguistics.heads import (
    DETERMINER,
    NAME,
    PRONOUN,
    are_known,
    head_by_tags,
    head_finder,
    tag_class,
)
from scoref.metrics.table import NOWHERE

TypeOf = Callable[[int, int, int], str]
"""Takes a document and the first and last token of a mention."""

NEEDED = frozenset({"word", "pos", "parse"})
"""The columns to read if mention types are needed."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


PRONOUNS = _listed("""
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves ourself they them their theirs themselves themself
    thou thee thy thine thyself ye oneself 'em y'all this that these those who whom whose which
    whoever whomever what
""")
RECIPROCAL = frozenset({("each", "other"), ("one", "another")})
_BREAKS = _listed("""
    of in on at for with from by to about into over under between among against during without
    within upon near behind beside beyond since until through across along around before after as
    than like who whom whose which that where when , ; : ( ) [ ] - -- \u2014 \u2013 -lrb- -rrb-
""")
_INDEFINITE = _listed("a an some any no every each another")
_POSSESSIVE = _listed("'s \u2019s ' \u2019")
_TELLTALE = _listed("the and of to")
_LEAST_SHARE = 0.05


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
    if how != "words" and not looks_english(text.columns["word"]):
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
    in_lower_case = lower_case_words(words)
    first, starts_sentence = text.first.tolist(), text.starts_sentence.tolist()
    infer = cache(partial(mention_type, in_lower_case=in_lower_case))  # mentions recur

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


def looks_english(words: Sequence[str]) -> bool:
    """Whether at least one word in twenty is `the`, `and`, `of` or `to`."""
    times = Counter(words)
    telltale = sum(many for word, many in times.items() if word.lower() in _TELLTALE)
    return bool(words) and telltale >= _LEAST_SHARE * len(words)


def lower_case_words(words: Sequence[str]) -> frozenset[str]:
    """Return the words that occur in lower case."""
    return frozenset(word for word in set(words) if word.islower())


def core_head(words: Sequence[str]) -> int:
    """Return the position of the last word in the core of a mention."""
    words = _without_possessive(words)
    core = 1
    while core < len(words) and words[core].lower() not in _BREAKS:
        core += 1
    return core - 1


def mention_type(words: Sequence[str], in_lower_case: Collection[str], *, starts: bool) -> str:
    """Return `name`, `nominal` or `pronoun`; `starts` says whether a sentence starts here."""
    words = _without_possessive(words)
    if all(word.lower() in PRONOUNS for word in words):
        return "pronoun"
    if len(words) == 2 and (words[0].lower(), words[1].lower()) in RECIPROCAL:
        return "pronoun"
    head, first = core_head(words), words[0].lower()
    if not words[head][:1].isupper() or first in _INDEFINITE:
        return "nominal"
    if starts and head == 0 and first in in_lower_case:
        return "nominal"
    return "name"


def _without_possessive(words: Sequence[str]) -> Sequence[str]:
    return words[:-1] if len(words) > 1 and words[-1].lower() in _POSSESSIVE else words
