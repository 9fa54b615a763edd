"""Generate a key and a response of any size: `python -m benchmarks.generate DIRECTORY`.

By default the pair has the shape of LitBank: 100 documents of about 2,100 tokens and 290
mentions, most entities with a single mention and a few with very many. Documents are
written one by one, so memory does not grow with their number.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_SENTENCE = 24  # a multiple of the longest mention, so that no mention leaves its sentence
_LENGTHS = np.array([1, 2, 4, 8])
_SHARES = np.array([0.66, 0.19, 0.10, 0.05])  # of mentions with these lengths
_EMPTY_COLUMNS = "\t_" * 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How large a corpus is, and how its mentions spread over entities.

    Of the entities, a share of `singletons` has one mention. The others have two or more,
    Pareto-distributed with exponent `tail`: the smaller, the heavier. No entity has more
    than a share of `largest` of its document's mentions.
    """

    documents: int = 100
    tokens: int = 2100
    mentions: int = 290
    singletons: float = 0.73
    tail: float = 0.95
    largest: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What a response does to the key, as shares of the key's mentions.

    Mentions are `moved` to another entity or `dropped`, and `spurious` ones are added, of
    which a share of `alone` are entities by themselves and the others join one.
    """

    moved: float = 0.15
    dropped: float = 0.10
    spurious: float = 0.10
    alone: float = 0.5


class Pair(NamedTuple):
    """Two files to score."""

    key: Path
    response: Path


class _Mentions(NamedTuple):
    start: Ints
    end: Ints
    entity: Ints


def write_pair(directory: Path, shape: Shape, noise: Noise, seed: int = 1) -> Pair:
    """Write `key.conll` and `response.conll`.

    A document depends on the seed and on its number only: a larger corpus starts with the
    documents of a smaller one.
    """
    pair = Pair(directory / "key.conll", directory / "response.conll")
    with (
        pair.key.open("w", encoding="utf-8") as key,
        pair.response.open("w", encoding="utf-8") as response,
    ):
        for number in range(shape.documents):
            rng = np.random.default_rng([seed, number])
            name = f"benchmarks/generated_document_{number:06d}"
            tokens = [
                f"{name}\t0\t{at % _SENTENCE}\tw{word}{_EMPTY_COLUMNS}\t"
                for at, word in enumerate(rng.integers(10_000, size=shape.tokens).tolist())
            ]
            ours, theirs = _draw_sides(rng, shape, noise)
            key.writelines(_document(name, tokens, ours))
            response.writelines(_document(name, tokens, theirs))
    return pair


def _draw_sides(
    rng: np.random.Generator, shape: Shape, noise: Noise
) -> tuple[_Mentions, _Mentions]:
    """Draw the mentions of a document in the key and in the response."""
    mentions, spurious = shape.mentions, round(noise.spurious * shape.mentions)
    start, end = _draw_spans(rng, shape.tokens, mentions + spurious)
    entity = _draw_entities(rng, shape)
    entities = int(entity.max(initial=0)) + 1
    other = (entity + rng.integers(1, max(entities, 2), size=mentions)) % entities
    moved = np.where(rng.random(mentions) < noise.moved, other, entity)
    joined = rng.integers(entities, size=spurious)
    alone = rng.random(spurious) < noise.alone
    added = np.where(alone, entities + np.arange(spurious), joined)
    kept = np.append(rng.random(mentions) >= noise.dropped, np.full(spurious, True))
    return (
        _Mentions(start[:mentions], end[:mentions], entity),
        _Mentions(start[kept], end[kept], np.append(moved, added)[kept]),
    )


def _draw_spans(rng: np.random.Generator, tokens: int, count: int) -> tuple[Ints, Ints]:
    """Draw different spans that nest or lie apart.

    A span of length 2^k starts at a multiple of 2^k: such spans never cross, so brackets
    can be read in one way only.
    """
    available = tokens // _LENGTHS
    if count > available.sum():
        raise ValueError(f"{tokens} tokens have no room for {count} different mentions")
    length = np.repeat(_LENGTHS, available)
    start = length * np.concatenate([np.arange(number) for number in available])
    weight = np.repeat(_SHARES / np.maximum(available, 1), available)
    chosen = rng.choice(len(length), size=count, replace=False, p=weight / weight.sum())
    return start[chosen], (start + length - 1)[chosen]


def _draw_entities(rng: np.random.Generator, shape: Shape) -> Ints:
    """Draw the entity of each mention of a document."""
    cap = max(2, int(shape.largest * shape.mentions))
    larger = np.minimum(2 * (1 + rng.pareto(shape.tail, size=shape.mentions)), cap)
    alone = rng.random(shape.mentions) < shape.singletons
    size = np.where(alone, 1, larger).astype(np.int64)
    # There are as many sizes as mentions, hence enough; the last entity is cut to fit.
    return rng.permutation(np.repeat(np.arange(len(size)), size)[: shape.mentions])


def _document(name: str, tokens: Sequence[str], mentions: _Mentions) -> Iterator[str]:
    """Yield the lines of a document."""
    cells = _cells(mentions)
    yield f"#begin document ({name}); part 000\n"
    for at, token in enumerate(tokens):
        yield f"{token}{'|'.join(cells.get(at, '-'))}\n"
        if at % _SENTENCE == _SENTENCE - 1:
            yield "\n"
    yield "#end document\n"


def _cells(mentions: _Mentions) -> dict[int, list[str]]:
    """Return the brackets at each token: outer ones open first and close last."""
    cells: dict[int, list[str]] = {}
    for start, end, entity in _rows(mentions, np.lexsort((-mentions.end, mentions.start))):
        cells.setdefault(start, []).append(f"({entity})" if start == end else f"({entity}")
    for start, end, entity in _rows(mentions, np.lexsort((-mentions.start, mentions.end))):
        if start < end:
            cells.setdefault(end, []).append(f"{entity})")
    return cells


def _rows(mentions: _Mentions, order: Ints) -> Iterator[tuple[int, int, int]]:
    return zip(*(column[order].tolist() for column in mentions), strict=True)


def main() -> None:
    """Write a pair into a directory."""
    parser = argparse.ArgumentParser(prog="benchmarks.generate", description=main.__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    for field in (*fields(Shape), *fields(Noise)):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    arguments = vars(parser.parse_args())
    shape = Shape(**{field.name: arguments[field.name] for field in fields(Shape)})
    noise = Noise(**{field.name: arguments[field.name] for field in fields(Noise)})
    directory: Path = arguments["directory"]
    directory.mkdir(parents=True, exist_ok=True)
    write_pair(directory, shape, noise, arguments["seed"])


if __name__ == "__main__":
    main()
