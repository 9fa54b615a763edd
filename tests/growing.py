"""Corpora of any size and many kinds: long, wide, deep, repeated, with little in common.

`FAMILIES` draws a key and a response of about `n` mentions. `write` writes them in CoNLL columns
with words, tags and parses, which every command and every policy can read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

Span = tuple[int, int]
Entities = list[list[Span]]

_WORDS = ("Ann", "she", "dog", "of", "he", "runs", "it", "car", "Bob", ",")
_TAGS = ("NNP", "PRP", "NN", "IN", "PRP", "VBZ", "PRP", "NN", "NNP", ",")
_SENTENCE = len(_WORDS)


class Pair(NamedTuple):
    """A document of so many tokens, with the entities of both sides."""

    length: int
    key: Entities
    response: Entities


def _pieces(mentions: Sequence[Span], size: int) -> Entities:
    return [list(mentions[at : at + size]) for at in range(0, len(mentions), size)]


def _spans(n: int, length: int = 1) -> list[Span]:
    return [(2 * at, 2 * at + length - 1) for at in range(n)]


def _documents(n: int) -> list[Pair]:
    key = [[(0, 1), (5, 5), (20, 21)], [(3, 3), (9, 9)]]
    return [Pair(30, key, [key[0][:2], [*key[1], key[0][2]]])] * (n // 5)


def _entity(n: int) -> list[Pair]:
    return [Pair(2 * n, [_spans(n)], _pieces(_spans(n), 5))]


def _crossing(n: int) -> list[Pair]:
    ends = _spans(n)
    half = n // 2
    key = [[ends[at], ends[at + half]] for at in range(half)]
    return [Pair(2 * n, key, [[ends[at], ends[n - 1 - at]] for at in range(half)])]


def _checkered(n: int) -> list[Pair]:
    side = math.isqrt(n)
    ends = _spans(side * side)
    return [Pair(2 * len(ends), _pieces(ends, side), [ends[at::side] for at in range(side)])]


def _nested(n: int) -> list[Pair]:
    """Return mentions that are nested eight deep, of which the response shortens some."""
    key = [(at + up, at + 19 - up) for at in range(0, 20 * (n // 8), 20) for up in range(8)]
    changed = [(start, end - (start % 3 == 0)) for start, end in key]
    return [Pair(20 * (n // 8), _pieces(key, 3), _pieces(changed, 4))]


def _repeats(n: int) -> list[Pair]:
    spans = _spans(n // 4)
    twice = [[one, one, other] for one, other in pairwise(spans)]
    return [Pair(n, twice, [[one] for one in spans for _ in range(3)])]


FAMILIES: dict[str, Callable[[int], list[Pair]]] = {
    "documents": _documents,
    "mentions": lambda n: [Pair(2 * n, _pieces(_spans(n), 4), _pieces(_spans(n)[1:], 3))],
    "a large entity": _entity,
    "a large response entity": lambda n: [Pair(2 * n, _pieces(_spans(n), 5), [_spans(n)])],
    "singletons": lambda n: [Pair(2 * n, *[[[one] for one in _spans(n, 2)]] * 2)],
    "missing mentions": lambda n: [Pair(2 * n, _pieces(_spans(n), 4), [_spans(3)])],
    "spurious mentions": lambda n: [Pair(2 * n, [_spans(3)], _pieces(_spans(n), 4))],
    "other ends": lambda n: [Pair(2 * n + 1, _pieces(_spans(n), 4), _pieces(_spans(n, 2), 4))],
    "crossing entities": _crossing,
    "every pair of entities": _checkered,
    "nested mentions": _nested,
    "repeated mentions": _repeats,
}


def write(pairs: Sequence[Pair], folder: Path) -> tuple[Path, Path]:
    """Write the key and the response, and return their paths."""
    files = folder / "key.conll", folder / "response.conll"
    for path, side in zip(files, ("key", "response"), strict=True):
        with path.open("w", encoding="utf-8") as stream:
            for number, pair in enumerate(pairs):
                cells = _cells(pair.length, getattr(pair, side))
                stream.write(f"#begin document (d{number}); part 000\n")
                stream.writelines(_line(at, cell, pair.length) for at, cell in enumerate(cells))
                stream.write("#end document\n")
    return files


def _cells(length: int, entities: Entities) -> list[str]:
    """Return the brackets on each token; a closing bracket closes the latest open one."""
    opening: list[list[tuple[int, str]]] = [[] for _ in range(length)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(length)]
    for name, entity in enumerate(entities):
        for start, end in entity:
            if start == end:
                opening[start].append((-end, f"({name})"))
            else:
                opening[start].append((-end, f"({name}"))
                closing[end].append((-start, f"{name})"))
    both = zip(opening, closing, strict=True)
    return ["|".join(mark for _, mark in (*sorted(a), *sorted(b))) or "-" for a, b in both]


def _line(at: int, cell: str, length: int) -> str:
    place = at % _SENTENCE
    is_last = place == _SENTENCE - 1 or at == length - 1
    tree = f"{'(TOP(S' if place == 0 else ''}{'(VP*)' if place == 5 else '(NP*)'}"
    word = f"{_WORDS[place]}{at}" if place in (2, 7) else _WORDS[place]
    columns = ("d", "0", str(at), word, _TAGS[place], tree + "))" * is_last)
    return "\t".join([*columns, *"-----*", cell]) + ("\n\n" if is_last else "\n")
