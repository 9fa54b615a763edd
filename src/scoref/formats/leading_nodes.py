"""Empty nodes before a sentence: whether a conversion preserves that they are not after another.

CorefUD counts words in each sentence, so `0.1` is before the first word. CoNLL-UA counts the words
of a document: there, such a node is after the last word of the sentence before, which is another
place. A conversion reports it.
"""

from __future__ import annotations

from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import place_of

LEADING_NODES = "empty nodes before a sentence"


def has_leading_nodes(corpus: Corpus) -> bool:
    """Whether a mention has an empty node before a sentence that is not the first one."""
    nodes = corpus.attributes.get("nodes")
    if nodes is None:
        return False
    places = (place_of(node) for row in nodes.tolist() if "." in row for node in row.split())
    return any(word > 0 and number < 0 for word, number in places)
