"""CorefUD as udapi reads it: the same documents, mentions, heads and entities."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import scoref
from tests.formats.drawn import read
from tests.sampled import sampled

Mention = tuple[str, tuple[str, ...], str]
"""An entity, nodes such as `12` and `12.1`, and the head among them."""

Found = list[tuple[str, int, Counter[Mention]]]
"""Documents: name, number of words, mentions."""

_BEFORE = 1000


def udapi_document() -> Any:
    """Return an empty document of udapi, or skip the test."""
    module = pytest.importorskip("udapi.core.document", reason="udapi is not installed")
    return module.Document()


def found_by_udapi(path: Path) -> Found:
    """Read a file with udapi."""
    document = udapi_document()
    logging.disable(logging.WARNING)
    document.from_conllu_string(path.read_text("utf-8"))
    shown: dict[Any, tuple[int, str]] = {}
    found: Found = []
    words = 0
    for bundle in document:
        tree = bundle.get_tree()
        if tree.newdoc or not found:
            name = tree.newdoc if isinstance(tree.newdoc, str) else ""
            found.append((name, 0, Counter()))
            words = 0
        for node in tree.descendants_and_empty:
            whole, _, decimal = str(node.ord).partition(".")
            text = str(words + int(whole) - 1)
            if decimal:
                text = f"{text}.{decimal}" if int(whole) else f"{words}.{int(decimal) - _BEFORE}"
            shown[node] = len(found) - 1, text
        words += len(tree.descendants)
        found[-1] = (found[-1][0], words, found[-1][2])
    for entity in document.coref_entities:
        for mention in entity.mentions:
            nodes = tuple(shown[node][1] for node in mention.words)
            at = shown[mention.words[0]][0]
            found[at][2][entity.eid, nodes, shown[mention.head][1]] += 1
    logging.disable(logging.NOTSET)
    return found


def found_by_us(corpus: scoref.Corpus) -> Found:
    """Return what our reader found, in the same shape."""
    found: Found = [(d.name, d.length, Counter()) for d in corpus.documents]
    nothing = [""] * len(corpus)
    nodes, zeros = (corpus.attributes.get(name, nothing) for name in ("nodes", "zero"))
    heads = corpus.attributes.get("head_start", [-1] * len(corpus))
    for row in range(len(corpus)):
        words = range(int(corpus.start[row]), int(corpus.end[row]) + 1)
        shown = tuple(str(nodes[row]).split()) or tuple(map(str, words))
        head = str(zeros[row]) or str(heads[row])
        name = corpus.entity_names[corpus.entity[row]]
        found[corpus.document[row]][2][name, shown, head] += 1
    return found


def draw_file(rng: Random) -> str:
    """Write documents with all that the format has: the text of a file."""
    lines = []
    for document in range(rng.randint(1, 4)):
        lines += [f"# newdoc id = d{document}", "# global.Entity = eid-etype-head-other"]
        for number in range(rng.randint(1, 4)):
            lines += [f"# sent_id = d{document}-{number}", f"# text = {number} Entity=(e1)"]
            lines += draw_sentence(rng, f"d{document}e")
            lines.append("")
    return "\n".join(lines) + "\n"


def draw_sentence(rng: Random, prefix: str) -> list[str]:
    """Draw nodes, and mentions that nest, cross, and have gaps."""
    words = rng.randint(1, 9)
    ids = []
    for word in range(words + 1):
        ids += [str(word)] if word else []
        ids += [f"{word}.{n + 1}" for n in range(rng.choice([0, 0, 0, 1, 2]))]
    opened: list[list[str]] = [[] for _ in ids]
    closed: list[list[str]] = [[] for _ in ids]
    taken: dict[str, list[tuple[int, int, bool]]] = {}
    for _ in range(rng.randint(0, 7)):
        low, high = sorted(rng.choices(range(len(ids)), k=2))
        name = f"{prefix}{rng.randint(1, 4)}"
        with_gap = rng.random() < 0.3 and high - low > 1
        if not all(fits((low, high, with_gap), other) for other in taken.get(name, [])):
            continue
        taken.setdefault(name, []).append((low, high, with_gap))
        gap = rng.randint(low + 1, high - 1) if with_gap else -1
        parts = [(low, gap - 1), (gap + 1, high)] if with_gap else [(low, high)]
        size = sum(last - first + 1 for first, last in parts)
        told = f"{rng.choice(['person', '', 'place'])}-{rng.randint(1, size)}-{rng.choice('xy')}"
        for at, (first, last) in enumerate(parts, 1):
            part = f"{name}[{at}/{len(parts)}]" if with_gap else name
            closes = first == last
            # Of what opens at a node, the longer mentions come first.
            opened[first].append(f"{last - first:02d}({part}-{told}{')' * closes}")
            if not closes:
                closed[last].append(f"{part})")
    lines = []
    for at, identity in enumerate(ids):
        if rng.random() < 0.1 and identity.isdecimal() and int(identity) < words:
            lines.append(row(f"{identity}-{int(identity) + 1}", "_"))
        openings = [text[2:] for text in sorted(opened[at], key=lambda t: -int(t[:2]))]
        value = "".join([*closed[at], *openings])
        lines.append(row(identity, f"A=b|Entity={value}" if value else "SpaceAfter=No"))
    return lines


def fits(one: tuple[int, int, bool], other: tuple[int, int, bool]) -> bool:
    """Whether two mentions of one entity can be told apart: disjoint, or without gaps and nested.

    Mentions of other entities may do as they like.
    """
    (low, high, gap), (start, end, other_gap) = one, other
    if high < start or end < low:
        return True
    nested = (start < low and high < end) or (low < start and end < high)
    return nested and not gap and not other_gap


def row(identity: str, misc: str) -> str:
    """Write a row that is well-formed and says nothing but its MISC."""
    is_word = identity.isdecimal()
    head, deprel = ("0", "root") if identity == "1" else ("1", "dep") if is_word else ("_", "_")
    dependencies = "1:dep" if "." in identity else "_"
    columns = (identity, "w", "w", "X", "_", "_", head, deprel, dependencies, misc)
    return "\t".join(columns)


@pytest.mark.parametrize("seed", sampled(range(60), every=3))
def test_agrees_on_drawn_files(seed: int, tmp_path: Path) -> None:
    """Nested, crossing and discontinuous mentions, empty nodes, ranges, heads."""
    text = draw_file(Random(seed))  # noqa: S311  # not a secret
    path = tmp_path / "drawn.conllu"
    path.write_text(text, "utf-8")
    corpus, problems = read("corefud", text)
    assert not problems
    assert found_by_us(corpus) == found_by_udapi(path)


def test_drawn_files_have_everything() -> None:
    """So that agreement means something."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        seen.update(kinds(read("corefud", draw_file(Random(seed)))[0]))  # noqa: S311
    assert min(seen[kind] for kind in ("mention", "zero", "nodes", "gap")) > 20, seen


def kinds(corpus: scoref.Corpus) -> Iterator[str]:
    """Name what each mention of a corpus has."""
    for _, _, mentions in found_by_us(corpus):
        for _, nodes, head in mentions:
            yield "mention"
            yield "zero" if "." in head else "nodes" if "." in " ".join(nodes) else "plain"
            words = [int(node) for node in nodes if "." not in node]
            if words and words[-1] - words[0] + 1 > len(words):
                yield "gap"


@pytest.mark.parametrize("name", ["gum.key", "xrenner.response"])
def test_agrees_on_a_real_corpus(data: Path, name: str) -> None:
    """Both sides of the pair that CorefUD's scorer is compared on."""
    path = data / "gum" / f"{name}.conllu"
    expected = found_by_udapi(path)
    assert found_by_us(scoref.read(path)) == expected
