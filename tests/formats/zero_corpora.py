"""Random corpora with what formats find hard: zeros, gaps, crossing and repeated mentions, parts.

Key and response have the same documents, words, sentences and trees. Each has its own empty nodes,
which depend on words. Mentions are inside sentences, as in CorefUD. Some have minimal spans; some
corpora have bridging links, non-referring mentions and split antecedents.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from scoref.corpus.builder import CorpusBuilder
from scoref.corpus.corpus import Corpus
from scoref.corpus.spans import Links, Spans
from scoref.corpus.text import Text
from scoref.formats.conllu.nodes import BEFORE, Node

PARENTS = ("1:nsubj", "2:nsubj", "2:obj", "1:nsubj|2:obj", "_")


LABELS = ("NP", "VP", "PP", "NX")
TAGS = ("DT", "NN", "VBD", "IN")


class DrawnDocument(NamedTuple):
    """The name, the part and the lengths of the sentences of a document."""

    name: str
    part: int
    sentences: list[int]


class DrawnOptions(NamedTuple):
    """What the corpora have."""

    has_words: bool
    has_zeros: bool
    has_gaps: bool
    has_heads: bool
    has_repeats: bool
    has_trees: bool
    has_minimal: bool
    has_links: bool
    has_split: bool


@st.composite
def pairs(
    draw: st.DrawFn, most_documents: int = 3, *, has_words: bool = False
) -> tuple[Corpus, Corpus]:
    """Draw a key and a response; `has_words` if they must have words."""
    has_parts = draw(st.booleans())
    documents = [
        DrawnDocument("d" if has_parts else f"d{at}", at * has_parts, sentences)
        for at, sentences in enumerate(
            draw(
                st.lists(
                    st.lists(st.integers(1, 4), min_size=1, max_size=3),
                    min_size=1,
                    max_size=most_documents,
                )
            )
        )
    ]
    options = DrawnOptions(*(draw(st.booleans()) for _ in DrawnOptions._fields))
    has_words = has_words or options.has_words
    text = draw(_texts(documents, has_trees=options.has_trees)) if has_words else None
    return draw(_sides(documents, text, options)), draw(_sides(documents, text, options))


@st.composite
def _texts(draw: st.DrawFn, documents: list[DrawnDocument], *, has_trees: bool) -> Text:
    """Draw the words of documents, and perhaps their tags and trees."""
    sentences = [size for one in documents for size in one.sentences]
    starts = [at == 0 for size in sentences for at in range(size)]
    columns = {"word": [f"w{at}" for at in range(len(starts))]}
    if has_trees:
        columns["pos"] = [draw(st.sampled_from(TAGS)) for _ in starts]
        columns["parse"] = [cell for size in sentences for cell in draw(_trees(size))]
    return Text(
        np.cumsum([0, *(sum(one.sentences) for one in documents)]), np.array(starts), columns
    )


@st.composite
def _trees(draw: st.DrawFn, size: int) -> list[str]:
    """Draw the tree of a sentence: phrases, each inside the one before."""
    opening, closing = [""] * size, [""] * size
    low, high = 0, size - 1
    for label in ["S", *draw(st.lists(st.sampled_from(LABELS), max_size=3))]:
        opening[low] += f"({label}"
        closing[high] += ")"
        low, high = sorted(draw(st.tuples(*[st.integers(low, high)] * 2)))
    return [f"{one}*{other}" for one, other in zip(opening, closing, strict=True)]


@st.composite
def _sides(
    draw: st.DrawFn, documents: list[DrawnDocument], text: Text | None, options: DrawnOptions
) -> Corpus:
    builder = CorpusBuilder("drawn")
    for one in documents:
        identity = (one.name, one.part) if one.part else one.name
        name = f"{one.name}/{one.part}" if one.part else one.name
        number = builder.document(name, sum(one.sentences), identity=identity)
        members = draw(_split_antecedents()) if options.has_split else {}
        for mention in draw(_mentions(one, options)):
            name = str(mention.pop("entity"))
            entity = builder.entity(number, name, split_antecedents=members.get(name, ""))
            builder.mention(number, mention.pop("span"), entity, **mention)
    corpus = replace(builder.corpus(), text=text)
    if not options.has_links:
        return corpus
    anaphor, anchor, other = (draw(_spans(documents)) for _ in range(3))
    links = Links(
        *(
            one.where(np.arange(min(len(anaphor.start), len(anchor.start))))
            for one in (anaphor, anchor)
        )
    )
    return replace(corpus, bridging=links, non_referring=other)


@st.composite
def _split_antecedents(draw: st.DrawFn) -> dict[str, str]:
    """Draw the members of some entities of a document."""
    pairs = st.lists(st.sampled_from("123"), min_size=2, max_size=2, unique=True)
    return draw(st.dictionaries(st.sampled_from("123"), pairs.map(",".join), max_size=2))


@st.composite
def _spans(draw: st.DrawFn, documents: list[DrawnDocument]) -> Spans:
    """Draw some spans."""
    rows = []
    for number, one in enumerate(documents):
        place = st.integers(0, sum(one.sentences) - 1)
        rows += [
            (number, *sorted(span)) for span in draw(st.lists(st.tuples(place, place), max_size=3))
        ]
    return Spans(*np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy())


@st.composite
def _mentions(
    draw: st.DrawFn, document: DrawnDocument, options: DrawnOptions
) -> list[dict[str, Any]]:
    """Draw the mentions of a document, each in one of its sentences."""
    found: list[dict[str, Any]] = []
    seen = set()
    first = 0
    for sentence, size in enumerate(document.sentences):
        nodes: list[Node] = [(first + at, 0) for at in range(size)]
        parents = {}
        if options.has_zeros:
            places = [(first, -BEFORE), *((word, 0) for word, _ in nodes)]
            for word, base in draw(st.lists(st.sampled_from(places), max_size=2)):
                number = 1 + sum(w == word and (n < 0) == (base < 0) and n != 0 for w, n in nodes)
                nodes.append((word, base + number))
                parents[word, base + number] = draw(st.sampled_from(PARENTS))
            nodes.sort()
        for _ in range(draw(st.integers(0, 4))):
            low, high = sorted(draw(st.tuples(*[st.integers(0, len(nodes) - 1)] * 2)))
            chosen = nodes[low : high + 1]
            if options.has_gaps and draw(st.booleans()):
                kept = [draw(st.booleans()) for _ in chosen[1:-1]]
                inner = [node for node, keep in zip(chosen[1:-1], kept, strict=True) if keep]
                chosen = [chosen[0], *inner, *chosen[1:][-1:]]
            if not options.has_repeats and tuple(chosen) in seen:
                continue
            seen.add(tuple(chosen))
            mention = _mention(chosen, sentence, parents, draw(st.sampled_from(chosen)))
            if not options.has_heads and not (len(chosen) == 1 and chosen[0][1]):
                mention.update(head_start=-1, head_end=-1, zero="", zero_deps="")
            if options.has_minimal and draw(st.booleans()):
                span = st.integers(*mention["span"])
                low, high = sorted(draw(st.tuples(span, span)))
                mention.update(min_start=low, min_end=high)
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
