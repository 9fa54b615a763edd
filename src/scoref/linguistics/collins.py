"""Heads by the table of Collins (1999, appendix A), for analyses whose definitions use it.

A child is chosen by its label or by the tag of its head. Noun phrases have special rules. The head
of a mention that is not a constituent is its last token.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoref.corpus.text import Text
from scoref.linguistics.heads import HeadOf
from scoref.linguistics.trees import Node, SentenceTrees, smallest_around

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
# In a noun phrase: the side to search from and the children to search for; first match wins.
_NOUN_PHRASE = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
    ("left", frozenset({"NP", "NML"})),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)


def collins_heads(text: Text | None) -> HeadOf | None:
    """Return a function that finds heads in a text with tags and parses, else None."""
    if text is None or "parse" not in text or "pos" not in text:
        return None
    tags, trees = text.columns["pos"], SentenceTrees(text)

    def head_of(document: int, start: int, end: int) -> int:
        at = int(text.first[document])
        first, last, tree = trees.sentence_of(at + start)
        low, high = at + start - first, at + end - first
        if tree is None or at + end > last or low == high:
            return end
        node = smallest_around(tree, low, high)
        if (node.start, node.end) != (low, high):
            return end
        return first - at + _head(node, tags[first : last + 1])

    return head_of


def _head(node: Node, tags: Sequence[str]) -> int:
    """Return the head token of a constituent."""
    if not node.children:
        return node.start
    heads = [_head(child, tags) for child in node.children]
    names = [
        {tags[head], child.label or tags[head]}
        for child, head in zip(node.children, heads, strict=True)
    ]
    return heads[_choose(node.label, names, tags[heads[-1]])]


def _choose(label: str, names: list[set[str]], last_tag: str) -> int:
    """Return the child with the head of a constituent with this label."""
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
