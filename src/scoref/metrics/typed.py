"""Typed mentions and links: what counts only if both sides give it the same entity type.

The type of a mention is that of its entity, such as PER. A mention is right if both sides have it
and its types are equal. A link is right if both sides have it and the types of its entities are
equal. So a mention found with a wrong type earns nothing, nor does a link in such an entity.
Denominators are those of `mentions` and of `pairwise`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from scoref.base.arrays import Floats, Ints
from scoref.exceptions import UsageError
from scoref.metrics.base import About, Metric, links, ratio_counts
from scoref.metrics.names import NO, YES
from scoref.metrics.needs import ENTITY_TYPES
from scoref.metrics.partition import PAIRWISE
from scoref.metrics.table import SideName, Table


def entity_types(table: Table, side: SideName, metric: str) -> list[str]:
    """Return the type of each entity of a side in lower case, or refuse a side without types."""
    entities = len(table.key_size if side == "key" else table.res_size)
    kinds = table.mentions.entity_attribute(side, "type") if entities else np.zeros(0, dtype=str)
    if kinds is None or (kinds == "").any():
        raise UsageError(
            f"{metric} requires entity types, but the {side} has none",
            "pass entities={doc: [{...}, ...]} to Corpus.from_entities",
        )
    return [str(kind).lower() for kind in kinds.tolist()]


def count_typed(table: Table, metric: str, number: Callable[[Ints], Ints | Floats]) -> Floats:
    """Count what both sides have with the same type, and what each has: mentions, or links.

    `number` turns sizes into how many of them there are.
    """
    key = np.array(entity_types(table, "key", metric), dtype=np.str_)
    response = np.array(entity_types(table, "response", metric), dtype=np.str_)
    is_equal = key[table.cell_key] == response[table.cell_res]
    right = table.sum_cells(number(table.count) * is_equal)
    return ratio_counts(table, right, number(table.key_size), right, number(table.res_size))


def pairwise(typed: str = NO) -> Metric:
    """Return pairwise F1, of links with or without types."""
    return TYPED_LINKS if typed == YES else PAIRWISE


TYPED_MENTIONS = Metric(
    name="mentions(typed)",
    count=partial(count_typed, metric="mentions(typed)", number=np.positive),
    needs=frozenset({ENTITY_TYPES}),
    about=About(
        title="Typed mention detection",
        formula="R = mentions that both sides have in entities of the same type / key mentions, P ="
        " the same / response mentions",
        paper="Pradhan et al. 2014, for mentions without types",
        rewards="finding the spans that the key annotates, with the type of their entity",
        ignores="which entity of a type a mention is in",
    ),
)
TYPED_LINKS = Metric(
    name="pairwise(typed)",
    count=partial(count_typed, metric="pairwise(typed)", number=links),
    needs=frozenset({ENTITY_TYPES}),
    about=About(
        title="Typed pairwise (link) F1",
        formula="R = links that both sides have in entities of the same type / key links, P = the"
        " same / response links, where an entity of n mentions has n(n-1)/2 links",
        paper="Recasens & Hovy 2011, Table 1, for links without types",
        rewards="pairs of mentions that are correctly together, in an entity of the right type",
        ignores="singletons; an entity counts by the square of its size",
    ),
)
