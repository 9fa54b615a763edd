"""Non-referring mentions: expletives, predicates and others that refer to nothing.

They are in no entity, so no other metric counts them. A mention is right if the other side also
has a non-referring mention with the same span. The policy's way to match does not apply: it is
for mentions of entities.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats, sum_by
from scoref.corpus.spans import same_spans
from scoref.metrics.base import About, Metric
from scoref.metrics.needs import NON_REFERRING
from scoref.metrics.table import Table


def count(table: Table) -> Floats:
    """Count the non-referring mentions that both sides have, and those of each side."""
    sides = table.mentions.non_referring("key"), table.mentions.non_referring("response")
    (key, at), (response, other) = (
        np.unique(number, return_index=True) for number in same_spans(*sides)
    )
    units = len(table.units)
    key_unit, response_unit = sides[0].document[at], sides[1].document[other]
    shared = sum_by(key_unit, np.isin(key, response, assume_unique=True), units)
    in_key, in_response = (
        sum_by(unit, np.ones(len(unit)), units) for unit in (key_unit, response_unit)
    )
    return np.column_stack([shared, in_key, shared, in_response])


NONREFERRING = Metric(
    name="nonreferring",
    count=count,
    needs=frozenset({NON_REFERRING}),
    about=About(
        title="Non-referring mentions",
        formula="R = mentions that are non-referring on both sides / non-referring mentions of the"
        " key, P with those of the response; spans must be equal",
        paper="Yu et al. 2022 (Universal Anaphora scorer)",
        rewards="distinguishing expletives, predicates and the like from mentions of entities",
        ignores="entities, what kind of non-referring mention it is, and the policy's way to match",
    ),
)
