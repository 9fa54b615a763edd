"""Make the counts files beside this one: four made-up systems on forty made-up documents.

    python examples/birds/make.py

A document is a list of entities of random sizes; a system moves mentions, splits entities and
merges them, each with a chance of its own.
"""

from __future__ import annotations

import random
from pathlib import Path

import scoref

METRICS = ["muc", "b3", "ceafe", "lea", "conll"]
# name: how often a mention is moved, an entity is split, an entity is merged with the one before
SYSTEMS = {
    "crane": (0.01, 0.01, 0.32),
    "gull": (0.03, 0.50, 0.02),
    "heron": (0.03, 0.05, 0.03),
    "ibis": (0.06, 0.14, 0.08),
}

Entities = list[list[str]]


def make_document(rng: random.Random, name: str) -> Entities:
    """Make entities: many small ones and a few large ones."""
    sizes = [min(20, 1 + int(rng.expovariate(0.35))) for _ in range(rng.randint(6, 14))]
    return [[f"{name}.{at}.{n}" for n in range(size)] for at, size in enumerate(sizes)]


def respond(
    rng: random.Random, entities: Entities, move: float, split: float, merge: float
) -> Entities:
    """Change entities as a system with these habits would."""
    found: Entities = []
    for entity in entities:
        cut = rng.randint(1, len(entity) - 1) if len(entity) > 1 and rng.random() < split else 0
        found += [entity[:cut], entity[cut:]] if cut else [list(entity)]
    merged: Entities = []
    for entity in found:
        if merged and rng.random() < merge:
            merged[-1] = merged[-1] + entity
        else:
            merged.append(entity)
    moved: Entities = [[] for _ in merged]
    for at, entity in enumerate(merged):
        for mention in entity:
            moved[rng.randrange(len(merged)) if rng.random() < move else at].append(mention)
    return [entity for entity in moved if entity]


def main(folder: Path) -> None:
    """Write a counts file for each system."""
    rng = random.Random(2024)  # noqa: S311  # nothing depends on its secrecy
    names = [f"{genre}/{at:02}" for genre in ("news", "novel") for at in range(1, 21)]
    key = {name: make_document(rng, name) for name in names}
    for system, habits in SYSTEMS.items():
        response = {name: respond(rng, entities, *habits) for name, entities in key.items()}
        result = scoref.score(key, response, METRICS)
        result.save_counts(folder / f"{system}.counts.json")


if __name__ == "__main__":
    main(Path(__file__).parent)
