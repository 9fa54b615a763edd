"""Random partitions and corpora for property-based tests."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st

SHARED = settings(max_examples=max(5, settings().max_examples // 3))
"""For a law that is tried once per metric or format: they share the examples of a few laws."""

Partition = list[list[str]]

MENTIONS = "abcdefghijkl"


@st.composite
def partitions(draw: st.DrawFn, mentions: str = MENTIONS, entities: int = 6) -> Partition:
    """Draw a partition of some of the mentions into a few entities."""
    labels = draw(
        st.dictionaries(st.sampled_from(mentions), st.integers(0, entities - 1), max_size=12)
    )
    return [
        [m for m, at in labels.items() if at == label] for label in sorted(set(labels.values()))
    ]


Pair = tuple[Partition, Partition]


def pairs() -> st.SearchStrategy[Pair]:
    """Draw a key and a response of one document."""
    return st.tuples(partitions(), partitions())


def corpora(least: int = 1, most: int = 5) -> st.SearchStrategy[list[Pair]]:
    """Draw the keys and responses of several documents."""
    return st.lists(pairs(), min_size=least, max_size=most)


def named(documents: list[Pair]) -> tuple[dict[str, Partition], dict[str, Partition]]:
    """Turn drawn documents into a key and a response for `score`."""
    key = {f"d{i}": one for i, (one, _) in enumerate(documents)}
    response = {f"d{i}": other for i, (_, other) in enumerate(documents)}
    return key, response


def partial_partitions(mentions: str) -> Iterator[Partition]:
    """Yield every partition of every subset of the mentions."""
    if not mentions:
        yield []
        return
    first, rest = mentions[0], mentions[1:]
    for partition in partial_partitions(rest):
        yield partition
        yield [[first], *partition]
        for at, entity in enumerate(partition):
            yield [*partition[:at], [first, *entity], *partition[at + 1 :]]
