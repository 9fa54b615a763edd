"""SideSchema: what executors must know of key or response, and the places of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoref.exceptions import Problem

PLACE = "scoref_place"
"""The column of places: numbers that rise with the order of the rows (see `SideSchema`)."""

FILE = "scoref_file"
"""The column with the file of a row, if Spark reads several; its places are lines of the file."""

FILE_BITS = 40
"""A place is the number of the file and, in so many bits, the line in it."""

_IN_ORDER = ("document", "start", "start_character", "end", "stop", "end_character", "mention")


@dataclass(frozen=True, slots=True)
class SideSchema:
    """What an executor must know of a side: `name` is key or response.

    `types` are the Arrow types of the columns by role. A table in files has their names in `files`,
    and in `before` the number of rows before each, if lines are counted through all files. `size`
    are the bytes of the files, if known.
    """

    name: str
    source: str
    roles: tuple[str, ...]
    has_places: bool
    types: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    before: tuple[int, ...] = ()
    size: int | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """The columns by which rows without places are sorted."""
        first = [role for role in (*_IN_ORDER, "nodes", "entity") if role in self.roles]
        return (*first, *(role for role in self.roles if role not in first))

    def line_of(self, place: int) -> int:
        """Return the line of a place, or 0 if it is not known."""
        file, line = divmod(place, 1 << FILE_BITS)
        return self.before[file] + line if self.before else 0

    def locate(self, problems: Iterable[Problem]) -> list[Problem]:
        """Give problems the file and the line of their place, if they are known."""
        found = []
        for one in problems:
            file, line = divmod(one.line, 1 << FILE_BITS) if self.files else (0, 0)
            path = self.files[file] if line else one.path
            found.append(replace(one, path=path, line=line))
        return found

    def note_repeats(self) -> tuple[str, ...]:
        """Return a note on what is the first of equal mentions if rows have no order."""
        if self.has_places:
            return ()
        note = (
            f"the rows of the {self.name} have no order: the first of equal mentions is that of the"
            " entity that comes first if rows are sorted by document, mention and entity"
        )
        return (note,)
