"""JoinedRecords: the mentions of both sides joined, and divided by entity in temporary files."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints
from scoref.engines.tables.records import Records
from scoref.engines.tables.spill import SpilledColumns


class JoinedRecords:
    """What a join gives, divided by entities.

    `pairs` have the key entity and the response entity of each mention that both sides have, and
    the hash that the mention adds to its key entity. `key_alone` has the key entity and the hash
    of mentions without a partner, and whether they are scored; `res_alone` their response entity,
    and whether they are scored.
    """

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.pairs = SpilledColumns(parts, 3)
        self.key_alone = SpilledColumns(parts, 3)
        self.res_alone = SpilledColumns(parts, 2)

    def add(self, key: Records, response: Records, members: Ints) -> None:
        """Join all rows of some mentions; `members` are the hashes of the key's."""
        of_key, of_response = np.flatnonzero(key.scored), np.flatnonzero(response.scored)
        _, at, other = np.intersect1d(
            key.mention[of_key],
            response.mention[of_response],
            assume_unique=True,
            return_indices=True,
        )
        at, other = of_key[at], of_response[other]
        entity = key.entity[at]
        self.pairs.add((entity, response.entity[other], members[at]), entity)
        rest = np.ones(len(key.line), dtype=bool)
        rest[at] = False
        alone = key.entity[rest]
        self.key_alone.add((alone, members[rest], key.scored[rest]), alone)
        rest = np.ones(len(response.line), dtype=bool)
        rest[other] = False
        alone = response.entity[rest]
        self.res_alone.add((alone, response.scored[rest]), alone)

    def close(self) -> None:
        """Discard what was not read."""
        for columns in (self.pairs, self.key_alone, self.res_alone):
            columns.close()
