"""Made-up systems on made-up documents, for tests of comparisons."""

from __future__ import annotations

import random

Partition = list[list[str]]
Documents = dict[str, Partition]


def make_key(documents: int, seed: int = 0, genres: str = "ab") -> Documents:
    """Make documents of some entities each, named by genre: `a/0`, `b/1`, ..."""
    rng = random.Random(seed)  # noqa: S311
    return {
        f"{genres[at % len(genres)]}/{at}": [
            [f"m{at}.{entity}.{n}" for n in range(rng.randint(1, 6))]
            for entity in range(rng.randint(3, 8))
        ]
        for at in range(documents)
    }


def make_system(key: Documents, wrong: float, seed: int) -> Documents:
    """Move a share of the mentions of a key into another entity of their document."""
    rng = random.Random(seed)  # noqa: S311
    response: Documents = {}
    for name, entities in key.items():
        moved: Partition = [[] for _ in entities]
        for at, entity in enumerate(entities):
            for mention in entity:
                to = rng.randrange(len(entities)) if rng.random() < wrong else at
                moved[to].append(mention)
        response[name] = [entity for entity in moved if entity]
    return response


def write_conll(documents: Documents, path: object, order: Documents | None = None) -> str:
    """Write documents as CoNLL columns, a token for each mention of the key."""
    from pathlib import Path

    lines = []
    for name, entities in documents.items():
        entity = {mention: number for number, one in enumerate(entities) for mention in one}
        lines.append(f"#begin document ({name}); part 000")
        for one in (order or documents)[name]:
            for mention in one:
                cell = f"({entity[mention]})" if mention in entity else "-"
                lines.append(f"{name}\t0\t0\tword\t{cell}")
        lines.append("#end document")
    Path(str(path)).write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)
