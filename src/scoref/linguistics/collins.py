"""Heads by the table of Collins (1999, appendix A), for analyses that are defined by it.

A child is chosen by its own label or by the tag of its head. Noun phrases have rules of their
own. A mention that is no constituent is headed by its last token.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoref.corpus.text import Text
from scoref.linguistics.heads import HeadOf
from scoref.linguistics.trees import Node, read_tree, smallest_around

_NOMINAL = "right NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"
_TABLE = {
    "ADJP": "right NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
    "ADVP": "left RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN",
    "CONJP": "left CC RB IN",
    "FRAG": "left",
    "INTJ": "right",
    "LST": "left LS :",
    "META": "right",
    "NAC": _NOMINAL,
    "NX": _NOMINAL,
    "PP": "left IN TO VBG VBN RP FW",
    "PRN": "right",
    "PRT": "left RP",
    "QP": "right $ IN NNS NN JJ RB DT CD NCD QP JJR JJS",
    "RRC": "left VP NP ADVP ADJP PP",
    "S": "right TO IN VP S SBAR ADJP UCP NP",
    "SBAR": "right WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG",
    "SBARQ": "right SQ S SINV SBARQ FRAG",
    "SINV": "right VBZ VBD VBP VB MD VP S SINV ADJP NP",
    "SQ": "right VBZ VBD VBP VB MD VP SQ",
    "UCP": "left",
    "VP": "right TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP",
    "WHADJP": "right CC WRB JJ ADJP",
    "WHADVP": "left CC WRB",
    "WHNP": "right WDT WP WP$ WHADJP WHPP WHNP",
    "WHPP": "left IN TO FW",
    "X": _NOMINAL,
}
# In a noun phrase: from which side, and which child at once; the first rule that finds one.
_NOUN_PHRASE = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
    ("left", frozenset({"NP", "NML"})),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)


def collins_heads(text: Text | None) -> HeadOf | None:
    """Return a way to find heads in a text that has tags and parses, else None."""
    if text is None or "parse" not in text or "pos" not in text:
        return None
    tags = text.columns["pos"]
    sentence = np.cumsum(text.starts_sentence) - 1
    bounds = [*np.flatnonzero(text.starts_sentence).tolist(), len(text)]
    trees: dict[int, Node | None] = {}

    def head_of(document: int, start: int, end: int) -> int:
        at = int(text.first[document])
        number = int(sentence[at + start])
        first, last = bounds[number], bounds[number + 1]
        if number not in trees:
            trees[number] = read_tree(list(text.columns["parse"][first:last]))
        tree = trees[number]
        low, high = at + start - first, at + end - first
        if tree is None or high >= last - first or low == high:
            return end
        node = smallest_around(tree, low, high)
        if (node.start, node.end) != (low, high):
            return end
        return first - at + _head(node, tags[first:last])

    return head_of


def _head(node: Node, tags: Sequence[str]) -> int:
    """Return the token that heads a constituent."""
    if not node.children:
        return node.start
    heads = [_head(child, tags) for child in node.children]
    names = [
        {tags[head], child.label or tags[head]}
        for child, head in zip(node.children, heads, strict=True)
    ]
    return heads[_choose(node.label, names, tags[heads[-1]])]


def _choose(label: str, names: list[set[str]], last_tag: str) -> int:
    """Return the child that heads a constituent of some label."""
    backwards = range(len(names) - 1, -1, -1)
    ways = {"right": backwards, "left": range(len(names))}
    rules: Sequence[tuple[str, frozenset[str]]]
    if label in ("NP", "NML"):
        rules, side = (() if last_tag == "POS" else _NOUN_PHRASE), "right"
    else:
        side, *wanted = _TABLE.get(label, "right").split()
        rules = [(side, frozenset({name})) for name in wanted]
    for from_side, wanted_names in rules:
        for at in ways[from_side]:
            if names[at] & wanted_names:
                return at
    return ways[side][0]
