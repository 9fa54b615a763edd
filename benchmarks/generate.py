"""Generate a key and a response of any size: `python -m benchmarks.generate DIRECTORY`.

By default the pair has the shape of LitBank: 100 documents of about 2,100 tokens and 290
mentions, most entities with a single mention and a few with very many; the response moves,
drops and adds some mentions. CoNLL columns are written document by document, so memory does
not grow with their number; other formats are written by scoref from these.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_SENTENCE = 24  # a multiple of the longest mention, so that no mention leaves its sentence
_LENGTHS = np.array([1, 2, 4, 8])
_SHARES = np.array([0.66, 0.19, 0.10, 0.05])  # of mentions with these lengths
_WORDS = 10_000
_ENGLISH_SHARE = 0.4
_ENGLISH = (
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "she",
    "he",
    "it",
    "her",
    "his",
    "was",
    "that",
    "I",
)
_EMPTY_COLUMNS = "\t_" * 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How large a corpus is, and how its mentions spread over entities.

    Of the entities, a share of `singletons` has one mention. The others have two or more:
    with sizes by `pareto`, of exponent `tail`, the smaller the heavier; or `geometric`, one
    further mention in two of three cases. No entity has more than a share of `largest` of its
    document's mentions.
    """

    documents: int = 100
    tokens: int = 2100
    mentions: int = 290
    singletons: float = 0.73
    sizes: str = "pareto"
    tail: float = 0.95
    largest: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What a response does to the key.

    As shares of the key's mentions, some are `moved` to another entity or `dropped`, and
    `spurious` ones are added, of which a share of `alone` are entities by themselves and the
    others join one. Before that, a share of `merged` entities is joined to another one, and
    of `split` entities loses half of its mentions to a new one. The `whole` response can
    instead be `one-entity` or `singletons`.
    """

    moved: float = 0.15
    dropped: float = 0.10
    spurious: float = 0.10
    alone: float = 0.5
    merged: float = 0.0
    split: float = 0.0
    whole: str = ""


NONE = Noise(moved=0.0, dropped=0.0, spurious=0.0)
RESPONSES = {
    "realistic": Noise(),
    "moved": replace(NONE, moved=0.15),
    "merged": replace(NONE, merged=0.3),
    "split": replace(NONE, split=0.3),
    "one-entity": replace(NONE, whole="one-entity"),
    "singletons": replace(NONE, whole="singletons"),
    "random": Noise(moved=0.7),
}
"""Responses that systems give, and those that are hard on a scorer."""


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
                f"{name}\t0\t{at % _SENTENCE}\t{_word(word)}{_EMPTY_COLUMNS}\t"
                for at, word in enumerate(rng.integers(_WORDS, size=shape.tokens).tolist())
            ]
            ours, theirs = _draw_sides(rng, shape, noise)
            key.writelines(_document(name, tokens, ours))
            response.writelines(_document(name, tokens, theirs))
    return pair


def _word(number: int) -> str:
    """Return a word: as many are English as mention types can be inferred from."""
    if number < _ENGLISH_SHARE * _WORDS:
        return _ENGLISH[number % len(_ENGLISH)]
    return f"{'W' if number % 7 == 0 else 'w'}{number}"


class Sides(NamedTuple):
    """The entities of mentions, the key's first; a mention that a side lacks has none, -1."""

    key: Ints
    response: Ints


def draw_entities(rng: np.random.Generator, shape: Shape, noise: Noise) -> Sides:
    """Draw the entities of one document in the key and in the response."""
    entity = _draw_partition(rng, shape)
    spurious = round(noise.spurious * shape.mentions)
    given = _distort(rng, entity, noise)
    entities = int(given.max(initial=0)) + 1
    other = (given + rng.integers(1, max(entities, 2), size=len(given))) % entities
    given = np.where(rng.random(len(given)) < noise.moved, other, given)
    given[rng.random(len(given)) < noise.dropped] = -1
    alone = rng.random(spurious) < noise.alone
    added = np.where(alone, entities + np.arange(spurious), rng.integers(entities, size=spurious))
    return Sides(np.append(entity, np.full(spurious, -1)), np.append(given, added))


def _distort(rng: np.random.Generator, entity: Ints, noise: Noise) -> Ints:
    """Merge and split whole entities."""
    if noise.whole:
        return np.zeros_like(entity) if noise.whole == "one-entity" else np.arange(len(entity))
    entities = int(entity.max(initial=0)) + 1
    joined = np.arange(entities)
    merged = rng.random(entities) < noise.merged
    joined[merged] = rng.integers(entities, size=int(merged.sum()))
    torn = rng.random(entities) < noise.split
    leaves = torn[entity] & (rng.random(len(entity)) < 0.5)
    return np.where(leaves, entities + entity, joined[entity])


def _draw_sides(
    rng: np.random.Generator, shape: Shape, noise: Noise
) -> tuple[_Mentions, _Mentions]:
    """Draw the mentions of a document in the key and in the response."""
    sides = draw_entities(rng, shape, noise)
    start, end = _draw_spans(rng, shape.tokens, len(sides.key))
    ours, theirs = (_Mentions(start[side >= 0], end[side >= 0], side[side >= 0]) for side in sides)
    return ours, theirs


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


def _draw_partition(rng: np.random.Generator, shape: Shape) -> Ints:
    """Draw the entity of each mention of a document."""
    cap = max(2, int(shape.largest * shape.mentions))
    if shape.sizes == "geometric":
        drawn = 1.0 + rng.geometric(1 / 3, size=shape.mentions)
    else:
        drawn = 2 * (1 + rng.pareto(shape.tail, size=shape.mentions))
    larger = np.minimum(drawn, cap)
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


def write_as(pair: Pair, name: str) -> Pair:
    """Write a pair in another format beside it."""
    from scoref.formats import find_format, read  # noqa: PLC0415  # CoNLL does without
    from scoref.formats.corpus_writer import write  # noqa: PLC0415

    written = Pair(*(path.with_suffix(find_format(name).suffix) for path in pair))
    for source, target in zip(pair, written, strict=True):
        write(read(source, "conll", words=True), target, name)
    return written


def main() -> None:
    """Write a pair of files into a directory."""
    parser = argparse.ArgumentParser(prog="benchmarks.generate", description=main.__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--response",
        choices=RESPONSES,
        default="realistic",
        help="a kind of response, with further options on top (default: realistic)",
    )
    parser.add_argument("--format", default="conll", help="any that scoref writes (default: conll)")
    for field in fields(Shape):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    for field in fields(Noise):
        parser.add_argument(f"--{field.name}", type=type(field.default))
    given = vars(parser.parse_args())
    shape = Shape(**{field.name: given[field.name] for field in fields(Shape)})
    changes = {field.name: given[field.name] for field in fields(Noise)}
    changes = {name: value for name, value in changes.items() if value is not None}
    noise = replace(RESPONSES[given["response"]], **changes)
    directory: Path = given["directory"]
    directory.mkdir(parents=True, exist_ok=True)
    pair = write_pair(directory, shape, noise, given["seed"])
    if given["format"] != "conll":
        write_as(pair, given["format"])


if __name__ == "__main__":
    main()
