"""EntitySizes: how many entities a stream of rows has, and the sizes of some, in bounded memory."""

from __future__ import annotations

import numpy as np

from scoref.base.arrays import Ints, first_of_run
from scoref.engines.tables.temporary_files import SpilledColumns

_IN_MEMORY = 1 << 22
_PARTS = 64


class EntitySizes:
    """Entities by hash, one per row; many rows are divided by entity in temporary files."""

    def __init__(self) -> None:
        self.rows = 0
        self._found: list[Ints] = []
        self._held = 0
        self._files: SpilledColumns | None = None

    def add(self, entities: Ints) -> None:
        """Add the entity of each of some rows."""
        self.rows += len(entities)
        self._found.append(entities)
        self._held += len(entities)
        if self._held >= _IN_MEMORY:
            self._files = self._files or SpilledColumns(_PARTS, 1)
            self._spill(self._files)

    def _spill(self, files: SpilledColumns) -> None:
        if self._found:
            entities = np.concatenate(self._found)
            files.add([entities], entities)
        self._found, self._held = [], 0

    def finish(self, wanted: Ints) -> tuple[int, Ints]:
        """Return the number of entities, and the sizes of some; those without a row have 0."""
        if self._files is not None:
            self._spill(self._files)
            parts = (self._files.read(part)[0] for part in range(_PARTS))
        else:
            parts = (np.concatenate([np.zeros(0, dtype=np.int64), *self._found]) for _ in range(1))
        number, sizes = 0, np.zeros(len(wanted), dtype=np.int64)
        for part in parts:
            part.sort()
            number += int(np.count_nonzero(first_of_run(part))) if len(part) else 0
            sizes += np.searchsorted(part, wanted, "right") - np.searchsorted(part, wanted)
        return number, sizes
