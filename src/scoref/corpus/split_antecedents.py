"""Split antecedents: entities such as `they` that consist of other entities of their document.

The entity attribute `split_antecedents` has the names of the members, separated by commas. CorefUD
may add a relation to a name, after a colon.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoref.base.arrays import Ints
from scoref.corpus.corpus import Corpus

SPLIT_ANTECEDENTS = "split_antecedents"


def members_of(corpus: Corpus) -> dict[int, list[int | None]]:
    """Return the members of each entity that states some, or None for a name without an entity."""
    stated = corpus.entity_attributes.get(SPLIT_ANTECEDENTS)
    if stated is None:
        return {}
    unit = np.zeros(corpus.entity_count, dtype=np.int64)
    unit[corpus.entity] = corpus.document
    names = np.array([str(name) for name in corpus.entity_names], dtype=np.str_)
    return find_members(stated, names, unit)


def find_members(
    stated: NDArray[Any], names: NDArray[Any], unit: Ints
) -> dict[int, list[int | None]]:
    """Return the members of entities with these names in these units."""
    known = {
        (document, name): at
        for at, (document, name) in enumerate(zip(unit.tolist(), names.tolist(), strict=True))
    }

    def find(document: int, name: str) -> int | None:
        return known.get((document, name), known.get((document, name.partition(":")[0])))

    return {
        entity: [find(int(unit[entity]), name) for name in str(stated[entity]).split(",")]
        for entity in np.flatnonzero(stated != "").tolist()
    }


def renamed_members(corpus: Corpus, names: list[str]) -> NDArray[Any]:
    """Return the attribute for other names of the same entities; unknown members are left out."""
    found = [""] * len(names)
    for entity, members in members_of(corpus).items():
        found[entity] = ",".join(names[one] for one in members if one is not None)
    return np.array(found, dtype=np.str_)
