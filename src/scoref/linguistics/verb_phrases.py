"""Verb phrases: which mentions are verb phrases in the parse of the text.

The phrase of a mention is the largest constituent that starts at its first token. The mention is a
verb phrase if that constituent is a VP and does not end inside the mention, which is what coval
finds in the parse cells of the mention alone. So the verb `grew` is a verb phrase, if it starts
the VP `grew slowly`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.exceptions import UsageError
from scoref.linguistics.trees import Node, SentenceTrees
from scoref.metrics.table import NOWHERE

NEEDED = frozenset({"word", "parse"})
"""The columns to read if verb phrases are dropped."""

VERB_PHRASE = "verb_phrase"
"""The attribute that marks mentions that are verb phrases."""


def add_verb_phrases(corpus: Corpus, text: Text | None, document: Ints) -> Corpus:
    """Mark the mentions of a corpus that are verb phrases.

    `document` is the index of each document of the corpus in the text, or NOWHERE.
    """
    if not len(corpus):
        return corpus
    spans = corpus.as_spans()
    if spans is None or text is None or "parse" not in text:
        raise UsageError(
            "verb phrases cannot be found: the files have no words with parses",
            "CoNLL-2012 has parses in column 6; without them, leave --verb-phrases out",
        )
    trees = SentenceTrees(text)
    columns = (document[corpus.document], spans.start, spans.end)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    found = [
        at != NOWHERE and _is_verb_phrase(trees, int(text.first[at]) + start, end - start)
        for at, start, end in rows
    ]
    return replace(corpus, attributes={**corpus.attributes, VERB_PHRASE: np.array(found)})


def _is_verb_phrase(trees: SentenceTrees, token: int, more: int) -> bool:
    """Whether the phrase of the mention from `token` to `token + more` is a VP."""
    first, _, tree = trees.sentence_of(token)
    phrase = None if tree is None else largest_from(tree, token - first)
    if phrase is None or phrase.end < token - first + more:
        return False
    return "".join(filter(str.isalpha, phrase.label)) == "VP"


def largest_from(tree: Node, start: int) -> Node | None:
    """Return the largest constituent that starts at a token, or None if none starts there."""
    node: Node | None = tree
    while node is not None:
        if node.label and node.start == start:
            return node
        node = next((c for c in node.children if c.start <= start <= c.end and c.children), None)
    return None
