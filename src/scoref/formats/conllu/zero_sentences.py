"""The sentences of a document without words, as far as its zeros say where they are.

Zeros are matched within their sentence, which is known by its number in the document. Without
words, a document is one sentence, unless zeros are in later ones. Then sentences start at words
that no mention has inside it, so that each zero is in the sentence that it states.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Bools, Ints
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import place_of


def sentences_of_zeros(spans: Corpus, rows: Ints, length: int) -> Bools:
    """Mark the words that start sentences in a document of so many words and of some mentions.

    An empty node `0.1` is the first of its sentence. If mentions leave no room for the sentences
    that zeros state, fewer sentences are marked.
    """
    starts = np.zeros(length, dtype=bool)
    starts[:1] = True
    if not {"nodes", "zero_deps"} & spans.attributes.keys():
        return starts
    depth = np.zeros(length + 1, dtype=np.int64)
    np.add.at(depth, spans.start[rows] + 1, 1)
    np.add.at(depth, spans.end[rows] + 1, -1)
    free = np.flatnonzero(np.cumsum(depth)[:length] == 0)
    all_nodes, *columns = (
        spans.attributes[name][rows].tolist() if name in spans.attributes else [""] * len(rows)
        for name in ("nodes", "zero", "zero_deps")
    )
    for nodes in all_nodes:
        starts[[place_of(node)[0] for node in nodes.split() if ".-" in node]] = True
    zeros = {
        place_of(zero)[0]: int(sentence)
        for zero, stated in zip(*columns, strict=True)
        if zero and (sentence := stated.partition(" ")[0]).isdecimal()
    }
    last, number = 0, 0
    for word, sentence in sorted(zeros.items()):
        before = free[(free > last) & (free <= word)]
        before = before[~starts[before]]
        missing = sentence - number - int(starts[last + 1 : word + 1].sum())
        starts[before[: max(missing, 0)]] = True
        last, number = word, int(starts[1 : word + 1].sum())
    return starts
