"""Random corpora with what formats find hard: zeros, gaps, crossing and repeated mentions, parts.

Key and response have the same documents, words and sentences. Each has its own empty nodes, which
depend on words. Mentions are inside sentences, as in CorefUD.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.text import Text
from scoref.formats.conllu.nodes import BEFORE, Node

PARENTS = ("1:nsubj", "2:nsubj", "2:obj", "1:nsubj|2:obj", "_")


class DrawnDocument(NamedTuple):
    """The name, the part and the lengths of the sentences of a document."""

    name: str
    part: int
    sentences: list[int]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    """Draw a key and a response."""
    has_parts = draw(st.booleans())
    documents = [
        DrawnDocument("d" if has_parts else f"d{at}", at * has_parts, sentences)
        for at, sentences in enumerate(
            draw(
                st.lists(
                    st.lists(st.integers(1, 4), min_size=1, max_size=3), min_size=1, max_size=3
                )
            )
        )
    ]
    has_words, has_zeros, has_gaps, has_heads, has_repeats = (draw(st.booleans()) for _ in range(5))
    options = has_zeros, has_gaps, has_heads, has_repeats
    text = _text(documents) if has_words else None
    return draw(_sides(documents, text, options)), draw(_sides(documents, text, options))


def _text(documents: list[DrawnDocument]) -> Text:
    lengths = [sum(one.sentences) for one in documents]
    starts = [at == 0 for one in documents for size in one.sentences for at in range(size)]
    words = [f"w{at}" for at in range(len(starts))]
    return Text(np.cumsum([0, *lengths]), np.array(starts), {"word": words})


@st.composite
def _sides(
    draw: st.DrawFn,
    documents: list[DrawnDocument],
    text: Text | None,
    options: tuple[bool, bool, bool, bool],
) -> Corpus:
    builder = CorpusBuilder("drawn")
    for one in documents:
        identity = (one.name, one.part) if one.part else one.name
        name = f"{one.name}/{one.part}" if one.part else one.name
        number = builder.document(name, sum(one.sentences), identity=identity)
        for mention in draw(_mentions(one, options)):
            entity = builder.entity(number, str(mention.pop("entity")))
            start, end = mention.pop("span")
            builder.mention(number, (start, end), entity, **mention)
    return replace(builder.corpus(), text=text)


@st.composite
def _mentions(
    draw: st.DrawFn, document: DrawnDocument, options: tuple[bool, bool, bool, bool]
) -> list[dict[str, Any]]:
    """Draw the mentions of a document, each in one of its sentences."""
    has_zeros, has_gaps, has_heads, has_repeats = options
    found: list[dict[str, Any]] = []
    seen = set()
    first = 0
    for sentence, size in enumerate(document.sentences):
        nodes: list[Node] = [(first + at, 0) for at in range(size)]
        parents = {}
        if has_zeros:
            places = [(first, -BEFORE), *((word, 0) for word, _ in nodes)]
            for word, base in draw(st.lists(st.sampled_from(places), max_size=2)):
                number = 1 + sum(w == word and (n < 0) == (base < 0) and n != 0 for w, n in nodes)
                nodes.append((word, base + number))
                parents[word, base + number] = draw(st.sampled_from(PARENTS))
            nodes.sort()
        for _ in range(draw(st.integers(0, 4))):
            low, high = sorted(draw(st.tuples(*[st.integers(0, len(nodes) - 1)] * 2)))
            chosen = nodes[low : high + 1]
            if has_gaps and draw(st.booleans()):
                kept = [draw(st.booleans()) for _ in chosen[1:-1]]
                inner = [node for node, keep in zip(chosen[1:-1], kept, strict=True) if keep]
                chosen = [chosen[0], *inner, *chosen[1:][-1:]]
            if not has_repeats and tuple(chosen) in seen:
                continue
            seen.add(tuple(chosen))
            mention = _mention(chosen, sentence, parents, draw(st.sampled_from(chosen)))
            if not has_heads and not (len(chosen) == 1 and chosen[0][1]):
                mention.update(head_start=-1, head_end=-1, zero="", zero_deps="")
            found.append({**mention, "entity": draw(st.integers(1, 3))})
        first += size
    return found


def _mention(
    nodes: list[Node], sentence: int, parents: dict[Node, str], head: Node
) -> dict[str, Any]:
    start, end = nodes[0][0], nodes[-1][0]
    is_whole = nodes == [(word, 0) for word in range(start, end + 1)]
    return {
        "span": (start, end),
        "nodes": "" if is_whole else " ".join(map(_show, nodes)),
        "head_start": head[0],
        "head_end": head[0],
        "zero": _show(head) if head[1] else "",
        "zero_deps": f"{sentence} {parents[head]}" if head[1] else "",
    }


def _show(node: Node) -> str:
    return f"{node[0]}.{node[1]}" if node[1] else str(node[0])
