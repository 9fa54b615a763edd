"""What a corpus says in the form of the strict readers, whether it makes sense, and differences."""

from __future__ import annotations

import re

from scoref.corpus.corpus import Corpus
from scoref.corpus.document import UNKNOWN
from tests.reference.strict.reading import Mention, Reading, document


def canonical(corpus: Corpus) -> Reading:
    """Return what a corpus says in the form of the strict readers."""
    nodes = corpus.attributes.get("nodes")
    found: list[dict[int, list[object]]] = [{} for _ in corpus.documents]
    for row, (number, entity) in enumerate(
        zip(corpus.document.tolist(), corpus.entity.tolist(), strict=True)
    ):
        mention: object
        if corpus.labels is not None:
            label = corpus.labels[row]
            mention = label if isinstance(label, str) else repr(label)
        else:
            words = "" if nodes is None else str(nodes[row])
            mention = (int(corpus.start[row]), int(corpus.end[row]), words)
        found[number].setdefault(entity, []).append(mention)
    return tuple(
        document(
            one.name,
            None if one.length == UNKNOWN or corpus.characters else one.length,
            entities.values(),  # type: ignore[arg-type]
        )
        for one, entities in zip(corpus.documents, found, strict=True)
    )


def check_sense(corpus: Corpus) -> None:
    """Whatever was read makes sense."""
    assert (corpus.start <= corpus.end).all()
    assert corpus.start.min(initial=0) >= 0
    assert len(set(corpus.documents)) == len(corpus.documents)
    assert corpus.entity.max(initial=-1) < corpus.entity_count
    if corpus.labels is None and not corpus.characters:
        for at, end in zip(corpus.document.tolist(), corpus.end.tolist(), strict=True):
            length = corpus.documents[at].length
            assert length == UNKNOWN or end < length
    for name, column in corpus.attributes.items():
        assert len(column) == len(corpus), name
    if corpus.text is not None:
        assert len(corpus.text.first) == len(corpus.documents) + 1
        assert all(len(values) == len(corpus.text) for values in corpus.text.columns.values())


def without_values(reason: str) -> str:
    """Return a reason without what it quotes: failures of one cause have equal reasons."""
    return re.sub(r"\d+", "N", re.sub(r"'.*'|\".*\"|`.*`", "...", reason))[:60]


def mentions_of(reading: Reading) -> list[tuple[tuple[Mention, ...], ...]]:
    """Return the entities of each document, without names and lengths."""
    return [entities for _, _, entities in reading]


def sizes_of(documents: list[tuple[tuple[Mention, ...], ...]]) -> list[object]:
    """Return how many mentions the entities of each document have."""
    return [sorted(map(len, entities)) for entities in documents]


def same_mentions(one: Reading, other: Reading) -> bool:
    """Whether two readings have the same documents and entities."""
    return [d[::2] for d in one] == [d[::2] for d in other]


def show(ours: Reading, theirs: Reading) -> str:
    """Show what differs, shortly."""
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b]
    if len(ours) != len(theirs) or not pairs:
        return (
            f"{len(ours)} documents {str(ours)[:200]}, expected {len(theirs)} {str(theirs)[:200]}"
        )
    return f"{str(pairs[0][0])[:300]}, expected {str(pairs[0][1])[:300]}"
