"""Non-referring mentions: expletives, predicates and others that refer to nothing.

They are in no entity, so that no other measure sees them. A mention is right if the other side
has the same span and says so too; the policy's way to match is for mentions of entities.
"""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Floats, sum_by
from scoref.corpus.spans import same_spans
from scoref.metrics.base import About, Metric
from scoref.metrics.needs import NON_REFERRING
from scoref.overlap.table import Table


def count(table: Table) -> Floats:
    """Count the non-referring mentions that both sides have, and those of each side."""
    sides = table.mentions.non_referring("key"), table.mentions.non_referring("response")
    (key, at), (response, other) = (
        np.unique(number, return_index=True) for number in same_spans(*sides)
    )
    units = len(table.units)
    of_key, of_response = sides[0].document[at], sides[1].document[other]
    shared = sum_by(of_key, np.isin(key, response, assume_unique=True), units)
    in_key, in_response = (
        sum_by(unit, np.ones(len(unit)), units) for unit in (of_key, of_response)
    )
    return np.stack([shared, in_key, shared, in_response], axis=-1)


NONREFERRING = Metric(
    name="nonreferring",
    count=count,
    needs=frozenset({NON_REFERRING}),
    about=About(
        title="Non-referring mentions",
        formula="R = mentions that both sides call non-referring / those of the key, P with those"
        " of the response; spans must be equal",
        paper="Yu et al. 2022 (Universal Anaphora scorer)",
        rewards="telling expletives, predicates and the like from mentions of entities",
        ignores="entities, what kind of non-referring mention it is, and the policy's way to match",
    ),
)
